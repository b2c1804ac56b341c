import type {
  EvidenceDocument,
  EvidenceEntry,
  EvidenceFact,
  EvidencePerson,
} from '../../shared/contract/evidence.ts';
import { ActionId, type AgreementKey, OutboxRef } from '../../shared/contract/ids.ts';
import { AppError } from '../../shared/errors.ts';
import type { StoredAction } from './action-record.ts';
import { aboutConnection } from './evidence-about.ts';
import type { EvidenceLog } from './evidence-log.ts';
import type { EvidenceStore } from './evidence-ports.ts';
import type { StoredItem } from './outbox-ports.ts';
import type { Stores } from './ports.ts';

type Fact<Kind extends EvidenceFact['kind']> = Extract<EvidenceFact, { kind: Kind }>;
type Ending = Pick<Fact<'ended'>, 'outcome' | 'known' | 'failure'>;

/** More entries than one agreement gathers. */
const MOST = 200;

interface IntentPorts {
  readonly stores: Pick<Stores, 'outbox' | 'actions' | 'agreements' | 'connections'>;
  readonly evidence: EvidenceStore;
  readonly log: EvidenceLog;
}

/** What is about to be done for our company, and by whom. */
export interface Intent {
  /** The row of the outbox or of the book of actions that will do it; not there yet. */
  readonly ref: string;
  readonly key: AgreementKey;
  readonly title: string;
  readonly person: EvidencePerson | null;
  readonly fact: Fact<'intended'>;
}

/**
 * Ties the evidence to what the outbox and the book of actions know. The intent is on disk before
 * the row that carries it out exists; how it ended is taken from that row, whenever it becomes
 * known, so that a kill between the two leaves neither an act without an entry nor an entry of
 * something that did not happen.
 */
export class EvidenceIntents {
  readonly #ports: IntentPorts;
  /** Under way in this process, which tells their end itself. */
  readonly #held = new Set<string>();

  constructor(ports: IntentPorts) {
    this.#ports = ports;
  }

  /** What becomes of it is written down by `release`, or by whoever opens the data next. */
  intend({ ref, key, title, person, fact }: Intent): number {
    const { stores, log } = this.#ports;
    this.#held.add(ref);
    const connection = aboutConnection(stores.connections.get(key.connectionId));
    return log.append({ ref, connection, agreement: { id: key.id, title }, person, fact });
  }

  /** The concluded PDF of an agreement we acted on was saved: its hash joins the evidence, once. */
  archived(key: AgreementKey, title: string, document: EvidenceDocument): void {
    const { stores, evidence, log } = this.#ports;
    const entries = evidence.list({ key, limit: MOST });
    const acted = entries.find(({ fact }) => fact.kind === 'intended');
    const isKnown = entries.some(
      ({ fact }) => fact.kind === 'archived' && fact.document.sha256 === document.sha256,
    );
    if (acted === undefined || isKnown) return;
    const connection = aboutConnection(stores.connections.get(key.connectionId));
    const agreement = { id: key.id, title };
    log.append({
      ref: null,
      connection,
      agreement,
      person: null,
      fact: { kind: 'archived', document },
    });
  }

  /** Its try is over, and the agreement was read again where that was possible. */
  release(ref: string): void {
    this.#held.delete(ref);
    this.settle(ref);
  }

  /** Something about this row changed. */
  settle(ref: string): void {
    if (this.#held.has(ref)) return;
    const intent = this.#ports.evidence.ofRef(ref).find(({ fact }) => fact.kind === 'intended');
    if (intent !== undefined) this.#settle(intent);
  }

  /** After a start: every intent whose ending is not known yet. */
  settleAll(): void {
    for (const intent of this.#ports.evidence.openIntents()) this.#settle(intent);
  }

  #settle(intent: EvidenceEntry): void {
    const { fact, ref } = intent;
    if (fact.kind !== 'intended' || ref === null) return;
    const ending = this.#endingOf(intent, fact, ref);
    if (ending === null || isTold(this.#ports.evidence.ofRef(ref), ending)) return;
    const { connection, agreement, by } = intent;
    this.#ports.log.append({
      ...{ ref, connection, agreement, person: by.person },
      fact: {
        ...{ kind: 'ended', act: fact.act, intent: intent.number, ...ending },
        state: this.#stateOf({ connectionId: connection.id, id: agreement.id }, intent.at),
      },
    });
  }

  #endingOf(intent: EvidenceEntry, fact: Fact<'intended'>, ref: string): Ending | null {
    const { outbox, actions } = this.#ports.stores;
    if (fact.act === 'sign') {
      const row = rowOrNull(() => outbox.get(OutboxRef.parse(ref)));
      if (row === null) return neverBegan;
      const ending = endingOfSignature(row, outbox.journal(row.ref).at(-1)?.cause === 'answer');
      return ending?.outcome === 'done' ? this.#onlyOnce(intent, fact, ending) : ending;
    }
    const action = rowOrNull(() => actions.get(ActionId.parse(ref)));
    return action === null ? neverBegan : endingOfAction(action);
  }

  /**
   * A party signs once. What is seen to be signed after a second try is not the first one's doing
   * too: either it is known to be the other's, or nobody can tell.
   */
  #onlyOnce(intent: EvidenceEntry, fact: Fact<'intended'>, ending: Ending): Ending | null {
    const key = { connectionId: intent.connection.id, id: intent.agreement.id };
    const entries = this.#ports.evidence.list({ key, limit: MOST });
    const others = new Set(
      entries
        .filter(({ fact: one }) => one.kind === 'intended' && one.party.id === fact.party.id)
        .map(({ number }) => number),
    );
    others.delete(intent.number);
    const done = entries.find(
      ({ fact: one }) => one.kind === 'ended' && one.outcome === 'done' && others.has(one.intent),
    )?.fact;
    if (done?.kind !== 'ended') return ending;
    return done.known === 'answer' ? { outcome: 'not-done', known: 'read', failure: null } : null;
  }

  /** What the service told of it after the intent, in its own word. */
  #stateOf(key: AgreementKey, since: number): string | null {
    const details = rowOrNull(() => this.#ports.stores.agreements.details(key));
    return details === null || details.readAt <= since ? null : details.nativeState;
  }
}

/** The program ended before anything was prepared to leave. */
const neverBegan: Ending = { outcome: 'not-done', known: 'program', failure: null };

/** Null while it is not decided. */
function endingOfSignature({ state, reason }: StoredItem, isAnswered: boolean): Ending | null {
  const failure = reason?.message ?? null;
  switch (state) {
    case 'queued':
    case 'sending':
      return null;
    case 'sent':
    case 'duplicate':
      return { outcome: 'done', known: isAnswered ? 'answer' : 'read', failure: null };
    case 'rejected':
      return { outcome: 'refused', known: 'answer', failure };
    case 'unknown':
    case 'absent':
    case 'human':
      return { outcome: 'unknown', known: 'program', failure };
    case 'abandoned':
      // Given up by a person while nobody knew: that proves nothing either way.
      return { outcome: 'unknown', known: 'person', failure };
    case 'cancelled':
      return { outcome: 'not-done', known: 'program', failure };
  }
}

function endingOfAction({ state, failure }: StoredAction): Ending | null {
  const told = failure?.message ?? null;
  switch (state) {
    case 'queued':
    case 'sending':
      return null;
    case 'done':
      return { outcome: 'done', known: 'answer', failure: null };
    case 'refused':
      return { outcome: 'refused', known: 'answer', failure: told };
    case 'unknown':
      return { outcome: 'unknown', known: 'program', failure: told };
  }
}

function isTold(entries: readonly EvidenceEntry[], { outcome, known }: Ending): boolean {
  const last = entries.findLast(({ fact }) => fact.kind === 'ended')?.fact;
  return last?.kind === 'ended' && last.outcome === outcome && last.known === known;
}

function rowOrNull<Row>(read: () => Row): Row | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.failure.code === 'not-found') return null;
    throw error;
  }
}
