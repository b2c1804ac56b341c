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
  /** Time of the last send; time of adding if there was none. */
  readonly usedAt: number;
  readonly addedAt: number;
  readonly changedAt: number;
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
 * Texts to find a person by in stored data, ASCII letters in lower case. Digits match regardless of
 * spaces and dashes between them.
 */
export interface PersonTraces {
  /** Unique to this person. */
  readonly sure: { readonly texts: readonly string[]; readonly digits: readonly string[] };
  /** Shared with another entry: they count only together with the name. */
  readonly shared: { readonly texts: readonly string[]; readonly digits: readonly string[] };
  /** All of them together form the name. */
  readonly names: readonly string[];
}

interface FoundTraces extends Omit<ForgetPreview, 'title' | 'copies' | 'isShared'> {
  /** Copies of agreements that ended. */
  readonly endedCopies: readonly AgreementKey[];
}

type ItemOf<Name extends keyof PersonFile> = PersonFile[Name] extends readonly (infer Item)[]
  ? Item
  : never;

/** Data of a `PersonFile`, times as epoch ms. */
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
  /** Entries with words starting with each of these, most recently used first. */
  search(words: string, most: number): readonly StoredPerson[];
  /** A range of the matches, in order, and their total. */
  window(
    view: PeopleView,
    from: number,
    limit: number,
  ): { readonly items: readonly StoredPerson[]; readonly total: number };
  /** Entries of the book or of a group after `after`, in the order they were added. */
  portion(group: GroupId | null, after: number, limit: number): BookPortion;
  /** Throws 'not-found'. */
  get(id: PersonId): StoredPerson;
  groupsOf(id: PersonId): readonly GroupId[];
  /** Entries that share a key with this one, most recently used first. */
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
  /** Pairs of entries that share a key, a few hundred at most. */
  pairs(): readonly (readonly [StoredPerson, StoredPerson])[];
  keepApart(first: PersonId, second: PersonId): void;
  groups(): readonly StoredGroup[];
  /** Throws 'not-found'. */
  group(id: GroupId): StoredGroup;
  members(id: GroupId): readonly StoredMember[];
  addGroup(id: GroupId, name: string, at: number): void;
  addMember(group: GroupId, person: PersonId | null, choices: MemberChoices | null): void;
  dropMember(group: GroupId, person: PersonId): void;
  renameGroup(id: GroupId, name: string): void;
  removeGroup(id: GroupId): void;
  /** Data about a person outside the address book; `handed`: texts of handed-over items. */
  traces(id: PersonId, traces: PersonTraces, handed: readonly string[]): FoundTraces;
  /** All of that data, as one snapshot. */
  collect(id: PersonId, traces: PersonTraces): CollectedPersonData;
  /** A file of a draft in any state; null if it no longer exists. */
  draftFile(draft: DraftId, file: FileId): Uint8Array | null;
  /** Erases permanently and records it; `also` runs in the same transaction. */
  erase(order: ErasureOrder, also: () => number): Erasure;
  erasures(): readonly Erasure[];
  /** Time when the entry with this id was erased (epoch ms); null if it was not. */
  forgottenAt(id: PersonId): number | null;
}

interface BookPortion {
  readonly rows: readonly StoredPerson[];
  /** Value of `after` for the next portion. */
  readonly after: number;
}

/** The fields of a vCard that a party needs; `place` counts from 1. */
export interface ReadCard {
  readonly place: number;
  /** Texts as written; null if the card cannot be read. */
  readonly facts: CardFacts | null;
  readonly refusal: 'broken' | 'letters' | null;
}

export interface CardFacts {
  readonly kind: 'person' | 'company';
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  /** Preferred address first. */
  readonly emails: readonly string[];
  /** Mobile numbers first, among them the preferred one. */
  readonly phones: readonly string[];
}

export interface CardReader {
  /** Whether the file declares itself as vCard. */
  isCards(data: Uint8Array): boolean;
  /**
   * Cards of versions 2.1, 3.0 and 4.0 in order, read in a worker with limits of time and memory.
   * Throws 'invalid' with the reason `cards-limit`.
   */
  read(data: Uint8Array): Promise<readonly ReadCard[]>;
}
