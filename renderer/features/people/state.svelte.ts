import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { ApiName } from '../../../shared/model/ids.ts';
import type {
  GroupId,
  PartiesContent,
  PeopleGroup,
  Person,
  PersonId,
  PersonSuggestion,
} from '../../../shared/contract/people.ts';
import { api } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';

/** The members of a group, as parties for a draft. */
export interface GroupParties {
  readonly content: PartiesContent;
  readonly people: readonly Person[];
}

/** Search in the address book while parties are edited: the typed text and the matches. */
export class PeopleSearch {
  text = $state('');
  found = $state.raw<readonly PersonSuggestion[]>([]);
  groups = $state.raw<readonly PeopleGroup[]>([]);
  #turn = 0;

  async find(text: string): Promise<void> {
    this.text = text;
    const mine = ++this.#turn;
    await activity.attempt(async () => {
      const found = await api['people.search']({ text });
      // Ignore a late answer to an earlier text.
      if (mine === this.#turn) this.found = found;
    });
  }

  async take(id: PersonId): Promise<Person | null> {
    let person: Person | null = null;
    await activity.attempt(async () => {
      person = await api['people.take']({ id });
    });
    return person;
  }

  async readGroups(): Promise<void> {
    await activity.attempt(async () => {
      this.groups = await api['people.groups']({});
    });
  }

  async takeGroup(id: GroupId, name: ApiName): Promise<GroupParties | null> {
    let taken: GroupParties | null = null;
    await activity.attempt(async () => {
      taken = await api['people.takeGroup']({ id, api: name });
    });
    return taken;
  }

  async saveGroup(name: string, draft: DraftContent): Promise<void> {
    const content: PartiesContent =
      draft.api === 'v1'
        ? { api: 'v1', parties: draft.body.parties }
        : { api: 'v2', parties: draft.body.parties };
    await activity.attempt(async () => {
      await api['people.saveGroup']({ name, content });
      activity.notify(() => m.people_group_saved({ name }));
    });
    await this.readGroups();
  }
}
