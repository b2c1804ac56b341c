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
  /** How often they were written to. */
  readonly times: number;
  /** When last; when they were added while that is never. */
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

/** A member as it is stored: `id` names the entry of the address book; null for choices alone. */
interface StoredMember extends Member {
  readonly id: PersonId | null;
}

/** A place of an entry in a group. */
interface Membership {
  readonly group: GroupId;
  readonly place: number;
  readonly choices: MemberChoices | null;
}

/** An entry as it was, with its places in groups; null where there was none. */
export interface BookSnapshot {
  readonly id: PersonId;
  readonly row: StoredPerson | null;
  readonly memberships: readonly Membership[];
}

/**
 * Texts by which a person is found in what is stored, ASCII letters in lower case. Digits are found
 * whatever spaces and dashes stand between them.
 */
export interface PersonTraces {
  /** Theirs alone. */
  readonly sure: { readonly texts: readonly string[]; readonly digits: readonly string[] };
  /** Another entry has them, too: they count only beside the name. */
  readonly shared: { readonly texts: readonly string[]; readonly digits: readonly string[] };
  /** All of them together are the name. */
  readonly names: readonly string[];
}

interface FoundTraces extends Omit<ForgetPreview, 'title' | 'copies' | 'isShared'> {
  /** Copies of agreements that ended. */
  readonly endedCopies: readonly AgreementKey[];
}

type In<Name extends keyof PersonFile> = PersonFile[Name] extends readonly (infer Item)[]
  ? Item
  : never;

/** What `PersonFile` says, times as epoch milliseconds. */
export interface Collected extends Pick<
  PersonFile,
  'groups' | 'copies' | 'batchRows' | 'evidence' | 'templates'
> {
  readonly drafts: readonly (Omit<In<'drafts'>, 'files' | 'createdAt' | 'updatedAt'> & {
    readonly id: DraftId;
    readonly createdAt: number;
    readonly updatedAt: number;
    readonly files: readonly {
      readonly id: FileId;
      readonly name: string;
      readonly sha256: string;
    }[];
  })[];
  readonly corrections: readonly (Omit<In<'corrections'>, 'at'> & { readonly at: number })[];
  readonly records: readonly (Omit<In<'records'>, 'at'> & { readonly at: number })[];
  readonly archive: readonly (Omit<In<'archive'>, 'savedAt'> & { readonly savedAt: number })[];
}

interface ErasureOrder {
  readonly id: PersonId;
  readonly traces: PersonTraces;
  readonly drafts: readonly DraftId[];
  readonly at: number;
}

/** The address book. */
export interface PeopleStore {
  /** Those whose words begin with every one of these, the ones used last first. */
  search(words: string, most: number): readonly StoredPerson[];
  /** Some of those that match, in order, and how many match. */
  window(
    view: PeopleView,
    from: number,
    limit: number,
  ): { readonly items: readonly StoredPerson[]; readonly total: number };
  /** All of the book or of a group, in the order they were added, behind `after`. */
  portion(group: GroupId | null, after: number, limit: number): BookPortion;
  /** Throws 'not-found'. */
  get(id: PersonId): StoredPerson;
  groupsOf(id: PersonId): readonly GroupId[];
  /** Entries that have a key in common with this one, the ones used last first. */
  alike(person: Person): readonly StoredPerson[];
  /** Adds it, or writes it in place of what was. */
  put(row: StoredPerson): void;
  /** Throws 'not-found'. */
  remove(id: PersonId): void;
  /** Gives the places of one entry in groups to another, which is in each group once. */
  moveMemberships(from: PersonId, to: PersonId): void;
  snapshot(ids: readonly PersonId[]): readonly BookSnapshot[];
  /** Everything of these entries as it was; groups that are gone stay gone. */
  restore(snapshots: readonly BookSnapshot[]): void;
  /** Pairs of entries that have a key in common, some hundreds at most. */
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
  /** What is stored of a person outside the address book; `handed`: texts of what was handed over. */
  traces(id: PersonId, traces: PersonTraces, handed: readonly string[]): FoundTraces;
  /** All of that, of one moment. */
  collect(id: PersonId, traces: PersonTraces): Collected;
  /** A file of a draft in whatever state; null when it is gone meanwhile. */
  draftFile(draft: DraftId, file: FileId): Uint8Array | null;
  /** Erases for good and notes that it did; `also` within the same transaction. */
  erase(order: ErasureOrder, also: () => number): Erasure;
  erasures(): readonly Erasure[];
  /** When the entry with this id was erased (epoch ms); null where none was. */
  forgottenAt(id: PersonId): number | null;
}

interface BookPortion {
  readonly rows: readonly StoredPerson[];
  /** Behind the last of them. */
  readonly after: number;
}

/** A vCard of a file, as far as it is about a party; `place` counts from 1. */
export interface ReadCard {
  readonly place: number;
  /** Texts as they are written; null where the card cannot be read. */
  readonly facts: CardFacts | null;
  readonly refusal: 'broken' | 'letters' | null;
}

export interface CardFacts {
  readonly kind: 'person' | 'company';
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  /** The one that is preferred first. */
  readonly emails: readonly string[];
  /** Mobile telephones first, of these the one that is preferred. */
  readonly phones: readonly string[];
}

export interface CardReader {
  /** Whether the file says that it is of vCards. */
  isCards(data: Uint8Array): boolean;
  /**
   * The cards in their order, of versions 2.1, 3.0 and 4.0, read apart from the program within limits
   * of time and memory. Throws 'invalid' with the reason `cards-limit`.
   */
  read(data: Uint8Array): Promise<readonly ReadCard[]>;
}
