import type {
  PartySetContent,
  PartySetId,
  Person,
  PersonId,
} from '../../../shared/contract/people.ts';

export interface StoredPerson {
  readonly id: PersonId;
  readonly person: Person;
  readonly usedAt: number;
}

export interface StoredPartySet {
  readonly id: PartySetId;
  readonly name: string;
  readonly content: PartySetContent;
}

export interface PeopleStore {
  /** Those whose names, addresses and numbers hold every word, the ones used last first. */
  search(words: readonly string[], most: number): readonly StoredPerson[];
  /** Throws 'not-found'. */
  get(id: PersonId): Person;
  /** Adds it, or renews the one with the same key. */
  remember(id: PersonId, key: string, person: Person, at: number): void;
  remove(id: PersonId): void;
  sets(): readonly StoredPartySet[];
  /** Throws 'not-found'. */
  set(id: PartySetId): StoredPartySet;
  saveSet(set: StoredPartySet, at: number): void;
  removeSet(id: PartySetId): void;
}
