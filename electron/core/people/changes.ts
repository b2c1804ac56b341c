import { BookChangeId, type GroupId, type PersonId } from '../../../shared/contract/people.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Chance, Stores } from '../ports.ts';
import type { BookSnapshot } from './ports.ts';

/** Maximum changes to undo; kept in memory, so that no data outlives a removal. */
const MAX_UNDOABLE_CHANGES = 30;

interface ChangePorts {
  readonly stores: Pick<Stores, 'people' | 'transaction'>;
  readonly chance: Chance;
}

interface Change {
  readonly before: readonly BookSnapshot[];
  readonly after: readonly BookSnapshot[];
}

/** Recent changes of the address book, for undo. */
export class BookChanges {
  readonly #ports: ChangePorts;
  readonly #kept = new Map<BookChangeId, Change>();

  constructor(ports: ChangePorts) {
    this.#ports = ports;
  }

  /** Changes these entries, all or none; returns the id of the change. */
  make(ids: readonly PersonId[], work: () => void): BookChangeId {
    const { people } = this.#ports.stores;
    const before = this.#ports.stores.transaction(() => {
      const snapshots = people.snapshot(ids);
      work();
      return snapshots;
    });
    return this.keep(before);
  }

  /**
   * Keeps a completed change with its previous state. A long change passes the state it left,
   * because the user may have edited entries in between.
   */
  keep(
    before: readonly BookSnapshot[],
    after = this.#ports.stores.people.snapshot(before.map(({ id }) => id)),
  ): BookChangeId {
    const id = BookChangeId.parse(this.#ports.chance.uuid());
    this.#kept.set(id, { before, after });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_UNDOABLE_CHANGES) break;
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
    this.#ports.stores.transaction(() => {
      const groups = new Set(people.groups().map((one) => one.id));
      const now = new Map(
        people.snapshot(change.after.map((one) => one.id)).map((one) => [one.id, one]),
      );
      if (change.after.some((left) => !isUnchangedSince(left, now.get(left.id), groups))) {
        throw new AppError(
          'conflict',
          'The entry was changed again in the meantime, so nothing was undone',
          { reason: 'change-gone' },
        );
      }
      people.restore(change.before);
    });
    this.#kept.delete(id);
  }

  /** Undo must not restore a person who was erased. */
  forget(id: PersonId): void {
    for (const [change, { before }] of this.#kept) {
      if (before.some((one) => one.id === id)) this.#kept.delete(change);
    }
  }
}

/** Whether an entry and its group memberships are unchanged since; ignores deleted groups. */
function isUnchangedSince(
  left: BookSnapshot,
  now: BookSnapshot | undefined,
  groups: ReadonlySet<GroupId>,
): boolean {
  if (now === undefined || now.row?.changedAt !== left.row?.changedAt) return false;
  const [then, since] = [left, now].map(({ memberships }) =>
    memberships
      .filter(({ group }) => groups.has(group))
      .map(({ group, choices }) => `${group} ${JSON.stringify(choices)}`)
      .toSorted()
      .join('\n'),
  );
  return then === since;
}
