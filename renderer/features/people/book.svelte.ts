import type {
  BookChangeId,
  GroupId,
  PeopleGroup,
  PeopleSort,
  PersonEntry,
  PersonId,
  PersonSuggestion,
} from '../../../shared/contract/people.ts';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import type { Failure } from '../../../shared/errors.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { RowWindows, type RowRange } from '../../window/row-windows.svelte.ts';
import { undo } from '../../window/undo.svelte.ts';

/** Number of rows to read before the visible range is known (a few screens). */
const INITIAL_PEOPLE_ROWS = 40;

type PeopleSortDirection = 'ascending' | 'descending';
/** Default directions: names from A, times from the newest. */
const defaultDirections = {
  name: 'ascending',
  used: 'descending',
  changed: 'descending',
} as const satisfies Record<PeopleSort, PeopleSortDirection>;

/** The address book with its filter and order; only the part around the visible rows is loaded. */
class PeopleBook {
  text = $state('');
  group = $state.raw<GroupId | null>(null);
  sort = $state<PeopleSort>('name');
  direction = $state<PeopleSortDirection>('ascending');
  isRead = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly groups = new Loaded(() => api['people.groups']({}));
  readonly windows = new RowWindows<PersonSuggestion>({
    onfailure: (error) => (this.failure = failureOf(error)),
    onstale: () => void this.refresh(),
  });
  readonly isNarrowed = $derived(this.text.trim() !== '' || this.group !== null);
  readonly chosenGroup: PeopleGroup | null = $derived(
    this.groups.value?.find(({ id }) => id === this.group) ?? null,
  );
  /** Number of changes of the address book so far. */
  version = $state(0);
  #seen = { first: 0, last: INITIAL_PEOPLE_ROWS };
  readonly #readings = new CoalescedTask(() => this.#read());

  constructor() {
    on('people.changed', () => {
      this.version += 1;
      if (this.isRead) void this.refresh();
      if (this.groups.value !== null) void this.groups.renew();
    });
  }

  refresh(): Promise<void> {
    return this.#readings.run();
  }

  find(text: string): Promise<void> {
    this.text = text;
    return this.refresh();
  }

  choose(group: GroupId | null): Promise<void> {
    this.group = group;
    return this.refresh();
  }

  /** Sorts by this column, or reverses the direction if it is the current one. */
  sortBy(sort: PeopleSort): Promise<void> {
    const turned = this.direction === 'ascending' ? 'descending' : 'ascending';
    this.direction = sort === this.sort ? turned : defaultDirections[sort];
    this.sort = sort;
    return this.refresh();
  }

  see(first: number, last: number): void {
    this.#seen = { first, last };
    this.windows.see(first, last);
  }

  /** Adds or changes a person; returns the id, or the problems by field. */
  async save(
    id: PersonId | null,
    entry: PersonEntry,
    name: string,
  ): Promise<{ readonly id: PersonId } | { readonly problems: ReadonlySet<string> }> {
    try {
      const saved = await api['people.save']({ id, entry });
      activity.notify(() => m.people_saved({ name }));
      this.#offerUndo(saved.change, name);
      return { id: saved.id };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.fields === undefined) activity.fail(failure);
      return { problems: new Set(Object.keys(failure.fields ?? {})) };
    }
  }

  async remove(id: PersonId, name: string): Promise<boolean> {
    return activity.attempt(async () => {
      const { change } = await api['people.remove']({ id });
      activity.notify(() => m.people_forgotten({ name }));
      this.#offerUndo(change, name);
    });
  }

  async merge(keep: PersonId, other: PersonId, name: string): Promise<boolean> {
    return activity.attempt(async () => {
      const { change } = await api['people.merge']({ keep, other });
      activity.notify(() => m.people_saved({ name }));
      this.#offerUndo(change, name);
    });
  }

  /** Offers to undo the change by key, until another action can be undone. */
  offerUndoOf(change: BookChangeId, name: string): void {
    this.#offerUndo(change, name);
  }

  async addGroup(name: string): Promise<GroupId | null> {
    let id: GroupId | null = null;
    await activity.attempt(async () => {
      id = (await api['people.saveGroup']({ name, content: null })).id;
    });
    return id;
  }

  async renameGroup(id: GroupId, name: string): Promise<void> {
    await activity.attempt(() => api['people.renameGroup']({ id, name }));
  }

  async removeGroup(id: GroupId): Promise<void> {
    const isDone = await activity.attempt(() => api['people.removeGroup']({ id }));
    if (isDone && this.group === id) await this.choose(null);
  }

  async setMember(id: PersonId, group: GroupId, isIn: boolean): Promise<void> {
    await activity.attempt(() => api['people.setMember']({ id, group, isIn }));
  }

  #offerUndo(change: BookChangeId, name: string): void {
    undo.offer({
      label: () => m.people_restore({ name }),
      reason: () => null,
      run: () => {
        undo.clear();
        void activity.attempt(async () => {
          await api['people.undo']({ change });
          activity.notify(() => m.people_restored({ name }));
        });
      },
    });
  }

  async #read(): Promise<void> {
    const { text, group, sort, direction } = this;
    const read = async (from: number, limit: number): Promise<RowRange<PersonSuggestion>> => {
      const view = { text, group, sort, direction, from, limit };
      return { ...(await api['people.window'](view)), isCounted: true };
    };
    try {
      const { first, last } = this.#seen;
      const reading = await this.windows.readAround(read, first, last - first + 1);
      this.windows.replace(reading, read);
      this.isRead = true;
      this.failure = null;
    } catch (error) {
      this.failure = failureOf(error);
    }
  }
}

export const book = new PeopleBook();
