import { BookChangeId, type GroupId, type PersonId } from '../../../shared/contract/people.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Chance, Stores } from '../ports.ts';
import type { BookSnapshot } from './ports.ts';

/**
 * Maximum number of changes that can be undone. They are only in memory, so that no data remains on
 * disk after a removal.
 */
const MAX_UNDOABLE_CHANGES = 30;

interface ChangePorts {
  readonly stores: Pick<Stores, 'people' | 'transaction'>;
  readonly chance: Chance;
}

interface BookChange {
  readonly before: readonly BookSnapshot[];
  readonly after: readonly BookSnapshot[];
}

/** Recent changes of the address book, for undo. */
export class BookChanges {
  readonly #ports: ChangePorts;
  readonly #kept = new Map<BookChangeId, BookChange>();

  constructor(ports: ChangePorts) {
    this.#ports = ports;
  }

  /** Changes these entries, either all of them or none; returns the ID of the change. */
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
   * Stores a completed change with the entries' previous state. A change that takes long also
   * passes the state in which it left the entries, because the user may have edited them in
   * between.
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

  /**
   * Undoes a change. Throws 'conflict' if an entry was changed afterwards, or if the change is too
   * old to be undone.
   */
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

  /** Removes an erased person from all stored changes, so that no undo restores the person. */
  forget(id: PersonId): void {
    for (const [change, { before }] of this.#kept) {
      if (before.some((one) => one.id === id)) this.#kept.delete(change);
    }
  }
}

/**
 * Whether an entry and its group memberships are still as the change left them; ignores deleted
 * groups.
 */
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
