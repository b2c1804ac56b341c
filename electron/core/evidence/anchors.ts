import type { AnchorState, EvidenceAnchor } from '../../../shared/contract/evidence.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Failure } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { type AnchorFilePorts, readAnchors, writeAnchor } from './anchor-files.ts';
import type { Log, Stores } from '../ports.ts';
import type { ExternalEvidenceEnds } from './ports.ts';
import { EVIDENCE_REACH_ID, isUnconfirmed } from '../unconfirmed.ts';

interface AnchorPorts extends AnchorFilePorts {
  readonly stores: Pick<Stores, 'settings'>;
  readonly log: Log;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** Maximum time (ms) that a slow folder may delay closing the program. */
const ANCHOR_CLOSING_GRACE_MS = 5_000;

/**
 * Stores the end of the log outside of the log: in the credential store and in the office's chosen
 * folder. `keep` may be called at any time; it writes only if the end has changed.
 */
export class EvidenceAnchors {
  readonly #ports: AnchorPorts;
  /** Hash of the head last written to the credential store; empty if it must be written. */
  #noted: string;
  /** Folder and hash of the head in the last anchor file; null if the file must be written. */
  #kept: { readonly folder: string; readonly hash: string } | null;
  /** Hash of the head last stored in `#elsewhere`; empty if it was not stored yet. */
  #left = '';
  #elsewhere: ExternalEvidenceEnds | null = null;
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

  /** State of the anchor in the office's folder, with the failure if the anchor is out of date. */
  get state(): AnchorState {
    const folder = this.#folder();
    if (folder === this.#state.folder) return this.#state;
    return { folder, entries: null, at: null, failure: null };
  }

  /** From now on, also stores the end of the log in `elsewhere`. */
  keepAlsoIn(elsewhere: ExternalEvidenceEnds): void {
    this.#elsewhere = elsewhere;
  }

  /**
   * Called at startup: stores the end of the log again, because an earlier run may not have stored
   * it in every location.
   */
  begin(): Promise<void> {
    this.#noted = '';
    this.#kept = null;
    return this.keep();
  }

  /**
   * Stores the end of the log if it changed. Never throws: a completed signature must not fail
   * because the end of the log could not be stored.
   */
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

  /** Returns the anchors stored in the folder and in `#elsewhere`, as far as they can be read. */
  async read(): Promise<readonly EvidenceAnchor[]> {
    return [...(await this.#inFolder()), ...(await this.#inElsewhere())];
  }

  async #inElsewhere(): Promise<readonly EvidenceAnchor[]> {
    const names = this.#ports.evidenceLog.names();
    try {
      const ends = (await this.#elsewhere?.read(names.map(({ name }) => name))) ?? [];
      return names.flatMap(({ name, until }) =>
        ends
          // As in `readAnchors`: the log of the data that was backed up may continue.
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

  /** Stores the end of the log before the data closes; a slow folder delays this only briefly. */
  async end(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const callOff = this.#ports.clock.after(ANCHOR_CLOSING_GRACE_MS, late.resolve);
    await Promise.race([this.keep(), late.promise]);
    callOff();
  }

  /** Stores the head in the credential store. Throws the errors of `EvidenceLog.note`. */
  async #note(): Promise<void> {
    const { evidenceLog } = this.#ports;
    const { entries, hash } = evidenceLog.head();
    if (entries === 0 || hash === this.#noted) return;
    await evidenceLog.note();
    this.#noted = hash;
  }

  /**
   * Stores the end of the log in `#elsewhere`. A failure is retried later: the credential store and
   * the folder also have the end.
   */
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

  /** Logs only the first of several failures, because every retry would repeat it. */
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
    if (isUnconfirmed(stores, EVIDENCE_REACH_ID)) return null;
    return stores.settings.read().evidenceFolder;
  }
}
