import type {
  EvidenceDocument,
  EvidenceEntry,
  EvidenceFact,
  EvidencePerson,
} from '../../../shared/contract/evidence.ts';
import { ActionId, type AgreementKey, OutboxRef } from '../../../shared/model/ids.ts';
import { orNull } from '../app-error.ts';
import { connectionEvidence } from './about.ts';
import {
  type EvidenceOutcome,
  outcomeOfAction,
  outcomeOfSignature,
  isRecorded,
  notDoneEvidenceOutcome,
  unknownEvidenceOutcome,
} from './endings.ts';
import type { EvidenceLog } from './log.ts';
import type { EvidenceStore } from './ports.ts';
import type { Stores } from '../ports.ts';

type Fact<Kind extends EvidenceFact['kind']> = Extract<EvidenceFact, { kind: Kind }>;
type IntentEntry = EvidenceEntry & { readonly fact: Fact<'intended'> };

/** Maximum number of entries read for an agreement; no agreement has more. */
const MAX_ENTRIES = 200;

interface IntentPorts {
  readonly stores: Pick<Stores, 'outbox' | 'actions' | 'agreements' | 'connections'>;
  readonly evidence: EvidenceStore;
  readonly log: EvidenceLog;
  /** Called if an outcome could not be written; the next start writes it. */
  readonly complain: (error: unknown) => void;
}

/** An act (signature or rejection) about to be done for our company, and the person who does it. */
export interface Intent {
  /** Row of the outbox or of the journal of actions; its request has not been sent yet. */
  readonly ref: string;
  readonly key: AgreementKey;
  readonly title: string;
  readonly person: EvidencePerson | null;
  readonly fact: Fact<'intended'>;
}

/**
 * Links the evidence to the outbox and the journal of actions. The intent is on disk before the
 * request is sent. The outcome is taken from the row with the request, whenever it becomes known.
 * Therefore, if the program is killed in between, no act is without an entry, and no entry claims
 * an act that did not happen.
 */
export class EvidenceIntents {
  readonly #ports: IntentPorts;
  /** Rows of acts in progress in this process, which records their outcomes itself. */
  readonly #held = new Set<string>();
  /** Times of the service's answers by row, according to the service's clock. */
  readonly #answeredAt = new Map<string, number>();

  constructor(ports: IntentPorts) {
    this.#ports = ports;
  }

  /**
   * Records the intent; returns the number of the entry. The outcome is recorded by `release`, or
   * by the next process that opens the data.
   */
  intend({ ref, key, title, person, fact }: Intent): number {
    const { stores, log } = this.#ports;
    const connection = connectionEvidence(stores.connections.get(key.connectionId));
    const agreement = { id: key.id, title };
    const number = log.append({ ref, connection, agreement, person, fact });
    this.#held.add(ref);
    return number;
  }

  /** Called when the service answered the row's request; `serverTime` is the answer's date. */
  answered(ref: string, serverTime: number | null | undefined): void {
    if (typeof serverTime === 'number' && this.#held.has(ref)) {
      this.#answeredAt.set(ref, serverTime);
    }
  }

  /** Records, once, the hash of the saved final PDF of an agreement that we signed or rejected. */
  archived(key: AgreementKey, title: string, document: EvidenceDocument): void {
    const { stores, log } = this.#ports;
    const entries = this.#entriesOf(key);
    const acted = entries.find(isIntent);
    const isKnown = entries.some(
      ({ fact }) => fact.kind === 'archived' && fact.document.sha256 === document.sha256,
    );
    if (acted === undefined || isKnown) return;
    log.append({
      ref: null,
      connection: connectionEvidence(stores.connections.get(key.connectionId)),
      agreement: { id: key.id, title },
      person: null,
      fact: { kind: 'archived', document },
    });
  }

  /**
   * Called when the attempt is over, and the agreement was read again if possible: records the
   * outcome. Never throws: the act is done even if its outcome cannot be written now.
   */
  release(ref: string): void {
    this.#held.delete(ref);
    this.#calmly(() => {
      const intent = this.#intentOf(ref);
      if (intent === undefined) return;
      this.#settle(intent);
      // The outcome may decide the outcomes of other attempts at the same act.
      for (const rival of competingIntentsOf(intent, this.#entriesOf(keyOf(intent))))
        this.#settle(rival);
    });
    this.#answeredAt.delete(ref);
  }

  /** Called when the row changed: records its outcome if that is known now. Never throws. */
  settle(ref: string): void {
    if (this.#held.has(ref)) return;
    this.#calmly(() => {
      const intent = this.#intentOf(ref);
      if (intent !== undefined) this.#settle(intent);
    });
  }

  /** Called at startup: records the outcomes, if known now, of all intents without a known one. */
  settleAll(): void {
    for (const intent of this.#ports.evidence.openIntents()) this.#settle(intent);
  }

  #settle(intent: EvidenceEntry): void {
    const { ref } = intent;
    if (!isIntent(intent) || ref === null || this.#held.has(ref)) return;
    const ending = this.#endingOf(intent, ref);
    if (ending === null || isRecorded(this.#ports.evidence.ofRef(ref), ending)) return;
    const { connection, agreement, by, fact } = intent;
    this.#ports.log.append({
      ref,
      connection,
      agreement,
      person: by.person,
      fact: {
        kind: 'ended',
        act: fact.act,
        intent: intent.number,
        ...ending,
        serverAt: ending.known === 'answer' ? (this.#answeredAt.get(ref) ?? null) : null,
        state: this.#stateOf(intent),
      },
    });
  }

  #endingOf(intent: IntentEntry, ref: string): EvidenceOutcome | null {
    const ending = intent.fact.act === 'sign' ? this.#signature(ref) : this.#rejection(intent, ref);
    return ending?.outcome === 'done' && ending.known === 'read'
      ? this.#onlyOnce(intent, ending)
      : ending;
  }

  #signature(ref: string): EvidenceOutcome | null {
    const { outbox } = this.#ports.stores;
    const row = orNull(() => outbox.get(OutboxRef.parse(ref)));
    if (row === null) return notDoneEvidenceOutcome;
    const last = outbox.journal(row.ref).at(-1);
    // A refusal remains a refusal after the user removed the signature from the open items.
    if (row.state === 'abandoned' && last?.from === 'rejected') {
      const reason = outbox.attempts(row.ref).at(-1)?.failure ?? null;
      return outcomeOfSignature({ state: 'rejected', reason }, last.cause);
    }
    return outcomeOfSignature(row, last?.cause);
  }

  /** A rejected agreement does not prove our rejection: our own party must have that state. */
  #rejection(intent: IntentEntry, ref: string): EvidenceOutcome | null {
    const { actions } = this.#ports.stores;
    const action = orNull(() => actions.get(ActionId.parse(ref)));
    if (action === null) return notDoneEvidenceOutcome;
    const ending = outcomeOfAction(action, actions.lastCause(action.actionId));
    if (ending?.outcome !== 'done' || ending.known === 'answer') return ending;
    const { party } = intent.fact;
    const shown = this.#copyOf(intent)?.parties?.find(({ id }) => id === party.id);
    return shown?.state === 'rejected' ? ending : unknownEvidenceOutcome;
  }

  /**
   * Checks an act that was only read as done. A party signs or rejects once, so another attempt may
   * have done the act. Returns 'not-done' if the service confirmed another attempt, and null if it
   * cannot be known which attempt did it.
   */
  #onlyOnce(intent: IntentEntry, ending: EvidenceOutcome): EvidenceOutcome | null {
    const entries = this.#entriesOf(keyOf(intent));
    const rivals = competingIntentsOf(intent, entries);
    if (rivals.some(({ ref }) => ref !== null && this.#held.has(ref))) return null;
    const endings = rivals.map(({ number }) => lastOutcomeOf(number, entries));
    const done = endings.find((one) => one?.outcome === 'done');
    if (done === undefined) return ending;
    return done?.known === 'answer' ? { outcome: 'not-done', known: 'read', failure: null } : null;
  }

  /** Returns the service's own status, if it was read after the intent; otherwise null. */
  #stateOf(intent: EvidenceEntry): string | null {
    const copy = this.#copyOf(intent);
    return copy === null || copy.readAt <= intent.at ? null : copy.nativeState;
  }

  #copyOf(intent: EvidenceEntry) {
    return orNull(() => this.#ports.stores.agreements.details(keyOf(intent)));
  }

  #intentOf(ref: string): IntentEntry | undefined {
    return this.#ports.evidence.ofRef(ref).find(isIntent);
  }

  /** Returns the entries about an agreement, newest first. */
  #entriesOf(key: AgreementKey): readonly EvidenceEntry[] {
    return this.#ports.evidence.list({ key, limit: MAX_ENTRIES });
  }

  #calmly(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#ports.complain(error);
    }
  }
}

/** Returns the key of the agreement that an entry is about. */
function keyOf({ connection, agreement }: EvidenceEntry): AgreementKey {
  if (connection === null || agreement === null) throw new Error('An intent is of an agreement');
  return { connectionId: connection.id, id: agreement.id };
}

const isIntent = (entry: EvidenceEntry): entry is IntentEntry => entry.fact.kind === 'intended';

/** Returns the other attempts at the same act for the same party. */
const competingIntentsOf = (
  { number, fact }: IntentEntry,
  entries: readonly EvidenceEntry[],
): readonly IntentEntry[] =>
  entries
    .filter(isIntent)
    .filter(
      (one) =>
        one.number !== number && one.fact.act === fact.act && one.fact.party.id === fact.party.id,
    );

/** Returns the last outcome of an intent, by its number. `entries` are sorted newest first. */
function lastOutcomeOf(intent: number, entries: readonly EvidenceEntry[]) {
  const fact = entries.find((one) => one.fact.kind === 'ended' && one.fact.intent === intent)?.fact;
  return fact?.kind === 'ended' ? fact : undefined;
}
