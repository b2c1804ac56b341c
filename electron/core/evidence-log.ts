import type {
  EvidenceAnchor,
  EvidenceBreak,
  EvidenceEntry,
  EvidenceFact,
  EvidencePerson,
  EvidenceVerdict,
} from '../../shared/contract/evidence.ts';
import type { Emit } from '../../shared/contract/index.ts';
import { canonicalJson } from '../../shared/rules/canonical-json.ts';
import { AppError } from '../../shared/errors.ts';
import { readEntry } from '../../shared/rules/evidence-entry.ts';
import type { Encoding } from './draft-ports.ts';
import type { EvidenceStore, Origin, StoredEvidence } from './evidence-ports.ts';
import type { Clock, Sha256, Vault } from './ports.ts';

/** Where the credential store notes how far the log had come. */
const HEAD = 'evidence-head';
const NAME_LENGTH = 8;

export interface EvidenceLogPorts {
  readonly evidence: EvidenceStore;
  readonly vault: Vault;
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
 * The log of who reviewed, approved and signed what. Each entry's hash covers the one before, so
 * that none can be changed, taken out or moved alone; and where the log ended is noted outside of
 * it, so that its end cannot be cut off.
 */
export class EvidenceLog {
  readonly #ports: EvidenceLogPorts;
  #noting: Promise<void> = Promise.resolve();

  constructor(ports: EvidenceLogPorts) {
    this.#ports = ports;
  }

  /** On disk when it returns. Gives the entry's number. */
  append({ ref, connection, agreement, person, fact }: NewEvidence): number {
    const { evidence, origin, clock, emit } = this.#ports;
    const { user, computer, program } = origin;
    const appended = evidence.append((last) => {
      const number = (last?.number ?? 0) + 1;
      const text = canonicalJson({
        ...{ number, at: clock.now(), ref, connection, agreement, program, fact },
        by: { user, computer, person },
        previous: last?.hash ?? '',
      });
      return { number, text, hash: this.#hash(text) };
    });
    emit('evidence.changed', {});
    return appended.number;
  }

  /**
   * Notes in the credential store how far the log has come. Throws 'vault'; and 'conflict' with
   * 'evidence-broken' when the log does not hold what is noted, which then stays as it is.
   */
  async note(): Promise<void> {
    const write = async () => {
      const { vault } = this.#ports;
      const noted = readNote(await vault.read(HEAD));
      if (noted !== null && !this.holds(noted)) {
        const message = 'The log does not hold what the credential store noted of it';
        throw new AppError('conflict', message, { reason: 'evidence-broken' });
      }
      const { entries, hash } = this.head();
      if (entries > 0) await vault.write(HEAD, `${entries}:${hash}`);
    };
    this.#noting = this.#noting.then(write, write);
    await this.#noting;
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

  /** Whether an entry still stands where a note outside of the log saw it. */
  holds({ entries, hash }: Place): boolean {
    return entries === 0 || this.#ports.evidence.at(entries)?.hash === hash;
  }

  /** The beginning of its first hash, by which two logs are told apart; empty before that. */
  name(): string {
    return this.#ports.evidence.at(1)?.hash.slice(0, NAME_LENGTH) ?? '';
  }

  /** Walks the whole log. Throws 'vault' when the credential store cannot be read. */
  async verify(anchors: readonly EvidenceAnchor[]): Promise<EvidenceVerdict> {
    const noted = readNote(await this.#ports.vault.read(HEAD));
    const places = [...anchors, ...(noted === null ? [] : [noted])];
    const { entries, head, firstBroken } = this.#walk(places);
    const chain = firstBroken === null ? 'ok' : 'broken';
    return { entries, chain, firstBroken, anchors: places.length, head };
  }

  #walk(places: readonly Place[]) {
    let entries = 0;
    let head = '';
    for (const stored of this.#ports.evidence.walk()) {
      const firstBroken = this.#breakAt(stored, entries, head, places);
      if (firstBroken !== null) return { entries, head, firstBroken };
      entries += 1;
      head = stored.hash;
    }
    const isCut = places.some((place) => place.entries > entries);
    const firstBroken: EvidenceBreak | null = isCut ? { number: entries + 1, why: 'cut' } : null;
    return { entries, head, firstBroken };
  }

  #breakAt(
    stored: StoredEvidence,
    before: number,
    previous: string,
    places: readonly Place[],
  ): EvidenceBreak | null {
    const number = before + 1;
    if (stored.number !== number) return { number, why: 'missing' };
    if (this.#hash(stored.text) !== stored.hash) return { number, why: 'changed' };
    const told = readEntry(stored);
    if (told === null) return { number, why: 'changed' };
    if (told.number !== number) return { number, why: 'moved' };
    if (told.previous !== previous) return { number, why: 'unlinked' };
    const isReplaced = places.some(
      ({ entries, hash }) => entries === number && hash !== stored.hash,
    );
    return isReplaced ? { number, why: 'replaced' } : null;
  }

  #hash(text: string): string {
    const { sha256, encoding } = this.#ports;
    return sha256(encoding.utf8(text));
  }
}

type Place = Pick<EvidenceAnchor, 'entries' | 'hash'>;

function readNote(note: string | null): Place | null {
  const parts = /^(\d+):([0-9a-f]{64})$/u.exec(note ?? '');
  const [, entries, hash] = parts ?? [];
  return entries === undefined || hash === undefined ? null : { entries: Number(entries), hash };
}
