import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type {
  PartySet,
  PartySetContent,
  PartySetId,
  Person,
  PersonId,
  PersonOffer,
} from '../../../shared/contract/people.ts';
import { api } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';

/** The address book while parties are written: what was typed, and who it may be. */
export class PeopleSearch {
  text = $state('');
  found = $state.raw<readonly PersonOffer[]>([]);
  sets = $state.raw<readonly PartySet[]>([]);
  #turn = 0;

  async find(text: string): Promise<void> {
    this.text = text;
    const mine = ++this.#turn;
    await activity.attempt(async () => {
      const found = await api['people.search']({ text });
      // An answer that comes late is not of what stands there now.
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

  async forget({ id, title }: PersonOffer): Promise<void> {
    await activity.attempt(async () => {
      await api['people.remove']({ id });
      activity.say(() => m.people_forgotten({ name: title }));
    });
    await this.find(this.text);
  }

  async readSets(): Promise<void> {
    await activity.attempt(async () => {
      this.sets = await api['people.sets']({});
    });
  }

  async takeSet(id: PartySetId): Promise<PartySetContent | null> {
    let content: PartySetContent | null = null;
    await activity.attempt(async () => {
      content = await api['people.takeSet']({ id });
    });
    return content;
  }

  async saveSet(name: string, draft: DraftContent): Promise<void> {
    const content: PartySetContent =
      draft.api === 'v1'
        ? { api: 'v1', parties: draft.body.parties }
        : { api: 'v2', parties: draft.body.parties };
    await activity.attempt(async () => {
      await api['people.saveSet']({ name, content });
      activity.say(() => m.people_set_saved({ name }));
    });
    await this.readSets();
  }

  async removeSet({ id, name }: PartySet): Promise<void> {
    await activity.attempt(async () => {
      await api['people.removeSet']({ id });
      activity.say(() => m.people_set_removed({ name }));
    });
    await this.readSets();
  }
}
