import type { AnchorState, EvidenceAnchor } from '../../../shared/contract/evidence.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Failure } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { type AnchorFilePorts, readAnchors, writeAnchor } from './anchor-files.ts';
import type { Log, Stores } from '../ports.ts';
import type { EndsElsewhere } from './ports.ts';
import { EVIDENCE_REACH, isUnconfirmed } from '../unconfirmed.ts';

interface AnchorPorts extends AnchorFilePorts {
  readonly stores: Pick<Stores, 'settings'>;
  readonly log: Log;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** Milliseconds that a slow folder may hold the program's end open. */
const CLOSING_GRACE = 5_000;

/**
 * Keeps copies of where the log ends outside of it: in the credential store, and in the folder that
 * the office chose. Whoever calls may do so at any time; nothing is written while nothing moved.
 */
export class EvidenceAnchors {
  readonly #ports: AnchorPorts;
  /** The head that was last noted in the credential store. */
  #noted: string;
  /** The folder and head of the last file; null where that is to be looked up. */
  #kept: { readonly folder: string; readonly hash: string } | null;
  /** Where the log ended when that was last noted elsewhere. */
  #left = '';
  #elsewhere: EndsElsewhere | null = null;
  #state: AnchorState = { folder: null, entries: null, at: null, failure: null };
  readonly #turns = new Serial();
  #isTroubled = false;

  constructor(ports: AnchorPorts) {
    this.#ports = ports;
    const { hash } = ports.evidenceLog.head();
    const folder = this.#folder();
    this.#noted = hash;
    this.#kept = folder === null ? null : { folder, hash };
  }

  /** What is kept in the office's folder now, and why not more. */
  get state(): AnchorState {
    const folder = this.#folder();
    if (folder === this.#state.folder) return this.#state;
    return { folder, entries: null, at: null, failure: null };
  }

  /** From now on word of it is left there, too. */
  keepAlsoIn(elsewhere: EndsElsewhere): void {
    this.#elsewhere = elsewhere;
  }

  /** The program starts: looks what an earlier run noted, and may not have come to. */
  begin(): Promise<void> {
    this.#noted = '';
    this.#kept = null;
    return this.keep();
  }

  /** Notes where the log ends, if it moved. Never throws: what was signed is signed. */
  keep(): Promise<void> {
    return this.#turns.run(async () => {
      try {
        await Promise.all([this.#note(), this.#copy(), this.#leaveWord()]);
        this.#isTroubled = false;
      } catch (error) {
        this.#complain(error);
      }
    });
  }

  /** What is kept outside; nothing of a place that cannot be read. */
  async read(): Promise<readonly EvidenceAnchor[]> {
    return [...(await this.#inFolder()), ...(await this.#inElsewhere())];
  }

  async #inElsewhere(): Promise<readonly EvidenceAnchor[]> {
    const names = this.#ports.evidenceLog.names();
    try {
      const ends = (await this.#elsewhere?.read(names.map(({ name }) => name))) ?? [];
      return names.flatMap(({ name, until }) =>
        ends
          // As with files: the copy that it was restored from may go on under its name.
          .filter(({ log, at }) => log === name && (until === null || at < until))
          .map(({ log: _log, ...end }) => ({ format: 'signing-desk-evidence-anchor', ...end })),
      );
    } catch (error) {
      this.#ports.toFailure(error, 'evidence.verify');
      return [];
    }
  }

  async #inFolder(): Promise<readonly EvidenceAnchor[]> {
    const folder = this.#folder();
    if (folder === null) return [];
    try {
      return await readAnchors(this.#ports, folder);
    } catch (error) {
      this.#fail(folder, this.#ports.toFailure(error, 'evidence.verify'));
      return [];
    }
  }

  /** Before the data closes; a folder on a network does not hold it open for long. */
  async end(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const callOff = this.#ports.clock.after(CLOSING_GRACE, late.resolve);
    await Promise.race([this.keep(), late.promise]);
    callOff();
  }

  /** Throws 'vault'. */
  async #note(): Promise<void> {
    const { evidenceLog } = this.#ports;
    const { entries, hash } = evidenceLog.head();
    if (entries === 0 || hash === this.#noted) return;
    await evidenceLog.note();
    this.#noted = hash;
  }

  /** What cannot be left now is left later: there is another place nearer by. */
  async #leaveWord(): Promise<void> {
    const { evidenceLog, toFailure } = this.#ports;
    const { entries, hash } = evidenceLog.head();
    if (this.#elsewhere === null || entries === 0 || hash === this.#left) return;
    try {
      const end = { entries, hash };
      if (await this.#elsewhere.note(evidenceLog.name(), end)) this.#left = hash;
    } catch (error) {
      toFailure(error, 'evidence.note');
    }
  }

  async #copy(): Promise<void> {
    const { evidenceLog, toFailure } = this.#ports;
    const folder = this.#folder();
    const { entries, hash } = evidenceLog.head();
    if (folder === null || entries === 0) return;
    if (this.#kept?.folder === folder && this.#kept.hash === hash) return;
    try {
      const { anchor } = await writeAnchor(this.#ports, folder);
      this.#kept = { folder, hash: anchor.hash };
      this.#setState({ folder, entries: anchor.entries, at: anchor.at, failure: null });
    } catch (error) {
      this.#fail(folder, toFailure(error, 'evidence.anchor'));
    }
  }

  /** Tried again and again: the first time of several tells enough. */
  #complain(error: unknown): void {
    if (!this.#isTroubled) this.#ports.log.error(error, 'evidence.note');
    this.#isTroubled = true;
  }

  #fail(folder: string, failure: Failure): void {
    this.#kept = null;
    const { entries, at } = this.state;
    this.#setState({ folder, entries, at, failure });
  }

  #setState(state: AnchorState): void {
    this.#state = state;
    this.#ports.emit('evidence.anchored', {});
  }

  #folder(): string | null {
    const { stores } = this.#ports;
    if (isUnconfirmed(stores, EVIDENCE_REACH)) return null;
    return stores.settings.read().evidenceFolder;
  }
}
