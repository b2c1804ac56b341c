import type {
  EvidenceAnchor,
  EvidenceEntry,
  EvidenceFact,
  EvidenceGap,
  MissingEvidenceRange,
  EvidencePerson,
  EvidenceVerification,
} from '../../../shared/contract/evidence.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { canonicalJson } from '../../../shared/rules/evidence/canonical-json.ts';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { walkChain } from '../../../shared/rules/evidence/chain.ts';
import type { Encoding, Clock, Sha256, Vault } from '../ports.ts';
import type { EvidencePlace, EvidenceStore, Origin } from './ports.ts';
import type { ExternalState } from '../external-state-ports.ts';

/** Name under which the credential store and the external state store the head. */
const STORED_HEAD_NAME = 'evidence-head';
const NAME_LENGTH = 8;

export interface EvidenceLogPorts {
  readonly evidence: EvidenceStore;
  readonly vault: Vault;
  readonly externalState: ExternalState;
  readonly origin: Origin;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
  readonly emit: Emit;
}

export interface NewEvidence {
  readonly ref: string | null;
  readonly connection: EvidenceEntry['connection'];
  readonly agreement: EvidenceEntry['agreement'];
  readonly person: EvidencePerson | null;
  readonly fact: EvidenceFact;
}

/**
 * Log of reviews, approvals and signatures. Each entry's hash covers the previous entry, so that a
 * change, removal or move of a single entry is detected. The end of the log is also stored outside
 * of the log, so that the removal of its last entries is detected.
 */
export class EvidenceLog {
  readonly #ports: EvidenceLogPorts;
  readonly #noting = new Serial();

  constructor(ports: EvidenceLogPorts) {
    this.#ports = ports;
  }

  /** Adds an entry; the entry is on disk when the method returns. Returns the entry's number. */
  append({ ref, connection, agreement, person, fact }: NewEvidence): number {
    const { evidence, origin, clock, emit } = this.#ports;
    const { user, computer, program } = origin;
    // A log with entries must have a stored head, so that a removal of the head is detected.
    if (evidence.last() === null && evidence.noted() === null) {
      evidence.setNoted({ entries: 0, hash: '' });
    }
    const appended = evidence.append((last) => {
      const number = (last?.number ?? 0) + 1;
      const text = canonicalJson({
        number,
        at: clock.now(),
        ref,
        connection,
        agreement,
        program,
        fact,
        by: { user, computer, person },
        previous: last?.hash ?? '',
      });
      return { number, text, hash: this.#hash(text) };
    });
    emit('evidence.changed', {});
    return appended.number;
  }

  /**
   * Stores the head outside the data. Throws 'vault' and 'storage'. Throws 'conflict' with
   * 'evidence-broken' if the log does not match the stored head, or if the stored head is missing;
   * then nothing is overwritten.
   */
  note(): Promise<void> {
    return this.#noting.run(() => this.#write());
  }

  async #write(): Promise<void> {
    const { evidence, vault, externalState } = this.#ports;
    const notes = await this.#notes();
    const places = [notes.noted, notes.witnessed, notes.kept].filter((place) => place !== null);
    if (!places.every((place) => this.holds(place))) {
      throw brokenLogError(
        'The evidence log does not match the note about its end. Check whether entries of the log were changed',
      );
    }
    if (isStoredHeadMissing(notes))
      throw brokenLogError(
        'The note about the end of the evidence log is missing. Check whether entries of the log were removed',
      );
    const { entries, hash } = this.head();
    if (entries === 0) return;
    await vault.write(STORED_HEAD_NAME, `${entries}:${hash}`);
    // Written after the vault: if the program ends in between, no stored head seems missing.
    evidence.setNoted({ entries, hash });
    await externalState.write(STORED_HEAD_NAME, `${entries}:${hash}`);
  }

  /**
   * Reads the three stored heads in reverse order of writing, so that a head written at the same
   * time by any process is never missed.
   */
  async #notes(): Promise<StoredHeads> {
    const { evidence, vault, externalState } = this.#ports;
    const witnessed = readNote(await externalState.read(STORED_HEAD_NAME));
    const kept = evidence.noted();
    const hasEntries = evidence.last() !== null;
    return { witnessed, kept, hasEntries, noted: readNote(await vault.read(STORED_HEAD_NAME)) };
  }

  head(): EvidenceAnchor {
    const last = this.#ports.evidence.last();
    return {
      format: 'signing-desk-evidence-anchor',
      entries: last?.number ?? 0,
      hash: last?.hash ?? '',
      at: this.#ports.clock.now(),
    };
  }

  /**
   * Whether the log matches a position that was stored outside of it: the log still has the
   * position, or lost it in a recorded restoration.
   */
  holds(place: EvidencePlace): boolean {
    return (
      this.#has(place) ||
      findRestorationThatLost(this.#ports.evidence.restorations(), place) !== null
    );
  }

  #has({ entries, hash }: EvidencePlace): boolean {
    return entries === 0 || this.#ports.evidence.at(entries)?.hash === hash;
  }

  /**
   * Returns the start of the hash of the latest restoration entry, or of the first entry if there
   * is none. It identifies the log, and is empty before the first entry. A restoration changes the
   * name, because the data that was backed up may still be in use under the old name.
   */
  name(): string {
    return this.names().at(-1)?.name ?? '';
  }

  /** Names of the log so far, each with its end time (epoch ms); null for the current name. */
  names(): readonly { readonly name: string; readonly until: number | null }[] {
    const { evidence } = this.#ports;
    const restorations = evidence.restorations();
    const begins = [evidence.at(1)?.hash, ...restorations.map(({ hash }) => hash)];
    return begins.flatMap((hash, at) =>
      hash === undefined
        ? []
        : [{ name: hash.slice(0, NAME_LENGTH), until: restorations[at]?.at ?? null }],
    );
  }

  /**
   * Records that all data was restored from a backup made at `backupAt`, or recovered from a
   * damaged file last written then. The entry lists the unreadable entries (`unread`; null for a
   * backup) and the later heads that are stored outside of the data. The next stored head links
   * them. Returns the number of missing entries.
   */
  async restored(
    backupAt: number,
    unread: readonly MissingEvidenceRange[] | null = null,
  ): Promise<number> {
    const { evidence } = this.#ports;
    const { witnessed, noted } = await this.#notes();
    const { entries, hash } = this.head();
    const known = [noted, witnessed].filter((place) => place !== null);
    const missing = known.filter((place) => place.entries > entries);
    evidence.setNoted({ entries: 0, hash: '' });
    const ended = { kind: 'restored', backupAt, entries, hash, missing } as const;
    const fact: EvidenceFact =
      unread === null
        ? ended
        : {
            kind: 'restored',
            from: 'damaged-file',
            backupAt,
            unread: [...unread],
            entries,
            hash,
            missing,
          };
    this.append({ ref: null, connection: null, agreement: null, person: null, fact });
    const between = (unread ?? []).reduce((sum, { after, until }) => sum + until - after, 0);
    return between + Math.max(0, ...missing.map((place) => place.entries - entries));
  }

  /** Verifies the whole log. Throws 'vault' and 'storage' if a stored head cannot be read. */
  async verify(anchors: readonly EvidenceAnchor[]): Promise<EvidenceVerification> {
    const { evidence } = this.#ports;
    const notes = await this.#notes();
    const { noted, witnessed, kept } = notes;
    const restorations = evidence.restorations();
    const outside: readonly (EvidencePlace | EvidenceAnchor)[] = [
      ...anchors,
      ...[noted, witnessed].filter((place) => place !== null),
    ];
    const lost = outside.filter(
      (place) => !this.#has(place) && findRestorationThatLost(restorations, place) !== null,
    );
    const places = [...outside.filter((place) => !lost.includes(place)), ...(kept ? [kept] : [])];
    const hashOf = (text: string) => this.#hash(text);
    const known = { places, unread: restorations.flatMap(unreadHolesOf) };
    const { entries, head, firstBroken: found } = walkChain(evidence.walk(), hashOf, known);
    const isCut = places.some((place) => place.entries > entries);
    const firstBroken = found ?? (isCut ? ({ number: entries + 1, why: 'cut' } as const) : null);
    const whole = isStoredHeadMissing(notes) ? 'note-missing' : 'ok';
    const chain = firstBroken === null ? whole : 'broken';
    const gaps = gapsOf(restorations, lost);
    return { entries, chain, firstBroken, gaps, anchors: outside.length, head };
  }

  #hash(text: string): string {
    const { sha256, encoding } = this.#ports;
    return sha256(encoding.utf8(text));
  }
}

/** Head of the log as stored in three locations; a head is null if it is missing. */
interface StoredHeads {
  /** Head in the credential store. */
  readonly noted: EvidencePlace | null;
  /** Head in the external state of this computer, outside the data folder. */
  readonly witnessed: EvidencePlace | null;
  /** Head in the data file. */
  readonly kept: EvidencePlace | null;
  readonly hasEntries: boolean;
}

/**
 * Whether the head is missing in the credential store. The head is stored there after every entry,
 * so it must exist if the data file or the external state has a head. It must also exist if a log
 * with entries has no head in the data file, because earlier versions did not store one there.
 */
function isStoredHeadMissing({ noted, witnessed, kept, hasEntries }: StoredHeads): boolean {
  if (noted !== null) return false;
  const isKept = kept === null ? hasEntries : kept.entries > 0;
  return isKept || witnessed !== null;
}

function brokenLogError(message: string): AppError {
  return new AppError('conflict', message, { reason: 'evidence-broken' });
}

function readNote(note: string | null): EvidencePlace | null {
  const parts = /^(\d+):([0-9a-f]{64})$/u.exec(note ?? '');
  const [, entries, hash] = parts ?? [];
  return entries === undefined || hash === undefined ? null : { entries: Number(entries), hash };
}

/**
 * Returns the restoration that removed this position from the log, according to the restoration's
 * own entry or to the time of an anchor; null if the log should have the position.
 */
function findRestorationThatLost(
  restorations: readonly EvidenceEntry[],
  place: EvidencePlace | EvidenceAnchor,
): EvidenceEntry | null {
  const found = restorations.find(({ fact, at }) => {
    if (fact.kind !== 'restored') return false;
    const isUnread = (fact.unread ?? []).some(
      ({ after, until }) => place.entries > after && place.entries <= until,
    );
    if (isUnread) return !('at' in place) || place.at < at;
    if (place.entries <= fact.entries) return false;
    const isNamed = fact.missing.some(
      ({ entries, hash }) => entries === place.entries && hash === place.hash,
    );
    return isNamed || ('at' in place && place.at < at);
  });
  return found ?? null;
}

/** Returns the unreadable entries before this restoration, which does not explain later ones. */
function unreadHolesOf({ number, fact }: EvidenceEntry): readonly MissingEvidenceRange[] {
  if (fact.kind !== 'restored') return [];
  return (fact.unread ?? []).filter(({ until }) => until < number);
}

function gapsOf(
  restorations: readonly EvidenceEntry[],
  lost: readonly (EvidencePlace | EvidenceAnchor)[],
): EvidenceGap[] {
  return restorations.flatMap((entry) => {
    const { fact, at: restoredAt } = entry;
    if (fact.kind !== 'restored') return [];
    const { entries: after, backupAt, missing } = fact;
    const from: EvidenceGap['from'] = fact.from ?? 'backup';
    const seen = lost.filter(
      (place) => place.entries > after && findRestorationThatLost(restorations, place) === entry,
    );
    const ends = [...missing, ...seen].map((place) => place.entries);
    const until = ends.length === 0 ? null : Math.max(...ends);
    const unread = unreadHolesOf(entry).map((hole) => ({
      from,
      after: hole.after,
      until: hole.until,
      backupAt,
      restoredAt,
    }));
    // A damaged file, unlike a backup, holds the newest data: without a stored head, nothing shows
    // that entries are missing at its end.
    const hasEnd = from === 'backup' || until !== null;
    return [...unread, ...(hasEnd ? [{ from, after, until, backupAt, restoredAt }] : [])];
  });
}
