import type { Draft } from '../../shared/contract/drafts.ts';
import type { DraftReach } from '../../shared/contract/draft-shelf.ts';
import type { DraftId, OutboxRef } from '../../shared/contract/ids.ts';
import type {
  PartySetContent,
  PartySetId,
  Person,
  PersonId,
} from '../../shared/contract/people.ts';

/** The steps of each draft, its trash, and what was sent. */
export interface DraftShelf {
  reach(id: DraftId): DraftReach;
  /** Throws 'conflict' as `save` does; at an end it gives the draft as it is. */
  step(id: DraftId, revision: number, by: 1 | -1, at: number): Draft;
  /** A deleted draft is found by none of the other methods. Throws 'draft-locked'. */
  trash(id: DraftId, at: number): void;
  trashed(): readonly { readonly draft: Draft; readonly at: number }[];
  /** Throws 'not-found' when it is not in the trash. */
  restore(id: DraftId): void;
  destroy(id: DraftId): void;
  /** Drops what lies in the trash since before `trashed`, and what was sent before `sent`. */
  purge(before: { readonly trashed: number; readonly sent: number }): void;
  /** The draft became an agreement: it is kept, as it was sent, for a copy. */
  keepSent(id: DraftId, ref: OutboxRef, at: number): void;
  /** What this row of the outbox was made from; null when it is no longer there. */
  sentAs(ref: OutboxRef): Draft | null;
  /** The groups that what was sent is shared with by name. */
  groupNames(): readonly string[];
  /** Gives the files of one draft to another, under their own ids. */
  copyFiles(from: DraftId, to: DraftId): void;
}

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

/** Texts and bytes; throws `TypeError` for what is not of the form. */
export interface Encoding {
  utf8(text: string): Uint8Array;
  text(utf8: Uint8Array): string;
  base64(data: Uint8Array): string;
  bytes(base64: string): Uint8Array;
}
