import { BookChangeId, type PersonId } from '../../../shared/contract/people.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Chance, Stores } from '../ports.ts';
import type { BookSnapshot } from './ports.ts';

/** Changes that can be undone; they are kept in memory, so that nothing outlives a removal. */
const KEPT = 30;

interface ChangePorts {
  readonly stores: Pick<Stores, 'people'>;
  readonly chance: Chance;
}

interface Change {
  readonly before: readonly BookSnapshot[];
  /** When each was changed, once the change was made; null for those that went. */
  readonly after: ReadonlyMap<PersonId, number | null>;
}

/** What was done to the address book lately, and taking it back. */
export class BookChanges {
  readonly #ports: ChangePorts;
  readonly #kept = new Map<BookChangeId, Change>();

  constructor(ports: ChangePorts) {
    this.#ports = ports;
  }

  /** Changes these entries, all or none; gives what to call the change by. */
  make(ids: readonly PersonId[], work: () => void): BookChangeId {
    const { people } = this.#ports.stores;
    const before = people.together(() => {
      const snapshots = people.snapshot(ids);
      work();
      return snapshots;
    });
    return this.keep(before);
  }

  /** Keeps a change that was made, by what was before. */
  keep(before: readonly BookSnapshot[]): BookChangeId {
    const id = BookChangeId.parse(this.#ports.chance.uuid());
    this.#kept.set(id, { before, after: this.#now(before) });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return id;
  }

  /** @throws AppError 'conflict' when an entry was changed since, or the change is too long ago. */
  undo(id: BookChangeId): void {
    const { people } = this.#ports.stores;
    const change = this.#kept.get(id);
    if (change === undefined) {
      throw new AppError('conflict', 'This change can no longer be undone', {
        reason: 'change-gone',
      });
    }
    people.together(() => {
      const now = this.#now(change.before);
      if ([...change.after].some(([one, at]) => now.get(one) !== at)) {
        throw new AppError('conflict', 'The entry was changed since', { reason: 'change-gone' });
      }
      people.restore(change.before);
    });
    this.#kept.delete(id);
  }

  /** Whoever was forgotten comes back by no undo. */
  forget(id: PersonId): void {
    for (const [change, { before }] of this.#kept) {
      if (before.some((one) => one.id === id)) this.#kept.delete(change);
    }
  }

  #now(before: readonly BookSnapshot[]): ReadonlyMap<PersonId, number | null> {
    const { people } = this.#ports.stores;
    const rows = people.snapshot(before.map(({ id }) => id));
    return new Map(rows.map(({ id, row }) => [id, row?.changedAt ?? null]));
  }
}
