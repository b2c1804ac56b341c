import type {
  Erasure,
  ForgetPreview,
  GroupId,
  MemberChoices,
  PeopleView,
  Person,
  PersonId,
} from '../../../shared/contract/people.ts';
import type { PersonFile } from '../../../shared/contract/person-file.ts';
import type { AgreementKey, DraftId, FileId } from '../../../shared/model/ids.ts';
import type { Member } from '../../../shared/rules/people/members.ts';

export interface StoredPerson {
  readonly id: PersonId;
  readonly person: Person;
  /** Number of sends to this person. */
  readonly times: number;
  /** Time of the last send; if there was none, time at which the entry was added. */
  readonly usedAt: number;
  readonly addedAt: number;
  readonly changedAt: number;
  /**
   * Time at which a send added or last changed the entry. An entry with another `changedAt` was
   * changed by a user.
   */
  readonly learnedAt?: number | undefined;
}

interface StoredGroup {
  readonly id: GroupId;
  readonly name: string;
  readonly members: number;
  readonly api: 'v1' | 'v2' | null;
}

/** A stored member: `id` is the entry of the address book; null for choices without an entry. */
interface StoredMember extends Member {
  readonly id: PersonId | null;
}

interface Membership {
  readonly group: GroupId;
  readonly place: number;
  readonly choices: MemberChoices | null;
}

/** Earlier state of an entry, with its group memberships; null if it did not exist. */
export interface BookSnapshot {
  readonly id: PersonId;
  readonly row: StoredPerson | null;
  readonly memberships: readonly Membership[];
}

/**
 * Texts by which a person is found in stored data, with ASCII letters in lower case. Digits match
 * regardless of spaces and dashes between them.
 */
export interface PersonTraces {
  /** Texts that only this person has. */
  readonly sure: { readonly texts: readonly string[]; readonly digits: readonly string[] };
  /** Texts that another entry has too: they match only together with the name. */
  readonly shared: { readonly texts: readonly string[]; readonly digits: readonly string[] };
  /** Words of the name: all of them together form it. */
  readonly names: readonly string[];
}

interface FoundTraces extends Omit<ForgetPreview, 'title' | 'copies' | 'isShared'> {
  /** Local copies of agreements that have ended. */
  readonly endedCopies: readonly AgreementKey[];
}

type ItemOf<Name extends keyof PersonFile> = PersonFile[Name] extends readonly (infer Item)[]
  ? Item
  : never;

/** Stored data for a `PersonFile`; times are epoch ms. */
export interface CollectedPersonData extends Pick<
  PersonFile,
  'groups' | 'copies' | 'batchRows' | 'evidence' | 'templates'
> {
  readonly drafts: readonly (Omit<ItemOf<'drafts'>, 'files' | 'createdAt' | 'updatedAt'> & {
    readonly id: DraftId;
    readonly createdAt: number;
    readonly updatedAt: number;
    readonly files: readonly {
      readonly id: FileId;
      readonly name: string;
      readonly sha256: string;
    }[];
  })[];
  readonly corrections: readonly (Omit<ItemOf<'corrections'>, 'at'> & { readonly at: number })[];
  readonly records: readonly (Omit<ItemOf<'records'>, 'at'> & { readonly at: number })[];
  readonly archive: readonly (Omit<ItemOf<'archive'>, 'savedAt'> & { readonly savedAt: number })[];
}

interface ErasureOrder {
  readonly id: PersonId;
  readonly traces: PersonTraces;
  readonly drafts: readonly DraftId[];
  readonly at: number;
}

export interface PeopleStore {
  /**
   * Returns at most `most` entries in which, for each of these words, some word starts with it; the
   * most recently used entry is first.
   */
  search(words: string, most: number): readonly StoredPerson[];
  /** Returns a range of the sorted matches, and the number of all matches. */
  window(
    view: PeopleView,
    from: number,
    limit: number,
  ): { readonly items: readonly StoredPerson[]; readonly total: number };
  /**
   * Returns entries of the address book or of a group after the position `after`, in the order in
   * which they were added.
   */
  portion(group: GroupId | null, after: number, limit: number): BookPortion;
  /** Throws 'not-found'. */
  get(id: PersonId): StoredPerson;
  groupsOf(id: PersonId): readonly GroupId[];
  /** Returns the entries that share a key with this person, the most recently used first. */
  alike(person: Person): readonly StoredPerson[];
  /** Inserts or replaces. */
  put(row: StoredPerson): void;
  /** Throws 'not-found'. */
  remove(id: PersonId): void;
  /** Moves the group memberships of one entry to another, without duplicates. */
  moveMemberships(from: PersonId, to: PersonId): void;
  snapshot(ids: readonly PersonId[]): readonly BookSnapshot[];
  /** Restores these entries completely; deleted groups stay deleted. */
  restore(snapshots: readonly BookSnapshot[]): void;
  /** Returns pairs of entries that share a key, at most a few hundred. */
  pairs(): readonly (readonly [StoredPerson, StoredPerson])[];
  keepApart(first: PersonId, second: PersonId): void;
  /** Whether the user decided that these two entries are different parties. */
  areKeptApart(first: PersonId, second: PersonId): boolean;
  groups(): readonly StoredGroup[];
  /** Throws 'not-found'. */
  group(id: GroupId): StoredGroup;
  members(id: GroupId): readonly StoredMember[];
  addGroup(id: GroupId, name: string, at: number): void;
  addMember(group: GroupId, person: PersonId | null, choices: MemberChoices | null): void;
  dropMember(group: GroupId, person: PersonId): void;
  renameGroup(id: GroupId, name: string): void;
  removeGroup(id: GroupId): void;
  /**
   * Returns which data outside the address book is about a person; `handed` has the texts of
   * handed-over items.
   */
  traces(id: PersonId, traces: PersonTraces, handed: readonly string[]): FoundTraces;
  /** Returns all data about a person that `traces` finds, as one snapshot. */
  collect(id: PersonId, traces: PersonTraces): CollectedPersonData;
  /** Returns a file of a draft in any state; null if the file no longer exists. */
  draftFile(draft: DraftId, file: FileId): Uint8Array | null;
  /** Erases a person permanently and records the erasure; `also` runs in the same transaction. */
  erase(order: ErasureOrder, also: () => number): Erasure;
  erasures(): readonly Erasure[];
  /** Returns when the entry with this ID was erased (epoch ms); null if it was not erased. */
  forgottenAt(id: PersonId): number | null;
}

interface BookPortion {
  readonly rows: readonly StoredPerson[];
  /** Value of `after` for the next portion. */
  readonly after: number;
}

/**
 * The fields of a vCard that a party needs; `place` is the number of the card in the file, from 1.
 */
export interface ReadCard {
  readonly place: number;
  /** Texts as written in the card; null if the card cannot be read. */
  readonly facts: CardFacts | null;
  readonly refusal: 'broken' | 'letters' | null;
}

export interface CardFacts {
  readonly kind: 'person' | 'company';
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  /** Email addresses, the preferred one first. */
  readonly emails: readonly string[];
  /** Phone numbers: mobile numbers first, and the preferred one first among these. */
  readonly phones: readonly string[];
}

export interface CardReader {
  /** Whether the data is declared as vCards. */
  isCards(data: Uint8Array): boolean;
  /**
   * Reads cards of the versions 2.1, 3.0 and 4.0, in order, in a worker with limits of time and
   * memory. Throws 'invalid' with the reason `cards-limit`.
   */
  read(data: Uint8Array): Promise<readonly ReadCard[]>;
}
