import * as z from 'zod';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { DraftBodyV1, DraftBodyV2 } from './drafts.ts';
import { PartyV1 } from '../model/agreement-v1.ts';
import { CompanyPartyV2, PrivatePartyV2 } from '../model/agreement-v2.ts';
import { ApiName, BytesId, DraftId, Instant, EmptyObject } from '../model/ids.ts';

export const PersonId = z.uuid().brand<'PersonId'>();
export type PersonId = z.infer<typeof PersonId>;

export const GroupId = z.uuid().brand<'GroupId'>();
export type GroupId = z.infer<typeof GroupId>;

/** A change of the address book that can still be undone. */
export const BookChangeId = z.uuid().brand<'BookChangeId'>();
export type BookChangeId = z.infer<typeof BookChangeId>;

export const BookImportId = z.uuid().brand<'BookImportId'>();
export type BookImportId = z.infer<typeof BookImportId>;

/** A party of the address book, in the format of API v1: `mobile` without spaces. */
export const Person = z.object({
  kind: z.enum(['person', 'company']),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  /** Name of a company; absent for a person. */
  name: z.string().optional(),
  email: z.string().optional(),
  mobile: z.string().optional(),
  country: z.string().optional(),
  personNumber: z.string().optional(),
  companyNumber: z.string().optional(),
});
export type Person = z.infer<typeof Person>;

/** A suggested party; `number` shows only that a personal number exists. */
export const PersonSuggestion = z.object({
  id: PersonId,
  kind: Person.shape.kind,
  title: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  number: z.string().nullable(),
  /** Time at which a draft with the party was last sent; null if never. */
  usedAt: Instant.nullable(),
});
export type PersonSuggestion = z.infer<typeof PersonSuggestion>;

/** All data of one person; a personal number is masked. */
export const PersonDetails = PersonSuggestion.extend({
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  country: z.string(),
  companyNumber: z.string(),
  addedAt: Instant,
  changedAt: Instant,
  groups: z.array(GroupId),
});
export type PersonDetails = z.infer<typeof PersonDetails>;

const PersonText = z.string().max(200);

/** Input of the user; an empty text deletes a value. */
export const PersonEntry = z.object({
  kind: Person.shape.kind,
  firstName: PersonText,
  lastName: PersonText,
  name: PersonText,
  email: z.string().max(2048),
  mobile: PersonText,
  country: PersonText,
  companyNumber: PersonText,
  /** Personal number; if absent, the stored one is kept, because the window never receives it. */
  personNumber: PersonText.optional(),
});
export type PersonEntry = z.infer<typeof PersonEntry>;

export const PeopleSort = z.enum(['name', 'used', 'changed']);
export type PeopleSort = z.infer<typeof PeopleSort>;

export const PeopleView = z.object({
  text: z.string().max(200),
  group: GroupId.nullable(),
  sort: PeopleSort,
  direction: z.enum(['ascending', 'descending']),
});
export type PeopleView = z.infer<typeof PeopleView>;

export const DuplicateReason = z.enum(['number', 'email', 'mobile', 'name']);
export type DuplicateReason = z.infer<typeof DuplicateReason>;

export const PeoplePair = z.object({
  reasons: z.array(DuplicateReason).min(1),
  first: PersonDetails,
  second: PersonDetails,
});
export type PeoplePair = z.infer<typeof PeoplePair>;

/**
 * Named group of people, used as parties of a draft or as recipients of copies. If the group was
 * saved from a draft, it keeps the choices for each member.
 */
export const PeopleGroup = z.object({
  id: GroupId,
  name: z.string(),
  members: z.number().int(),
  /** API for whose drafts the group keeps choices; null if it keeps only people. */
  api: ApiName.nullable(),
});
export type PeopleGroup = z.infer<typeof PeopleGroup>;

export const PartiesContent = z.discriminatedUnion('api', [
  z.object({ api: z.literal('v1'), parties: DraftBodyV1.shape.parties }),
  z.object({ api: z.literal('v2'), parties: DraftBodyV2.shape.parties }),
]);
export type PartiesContent = z.infer<typeof PartiesContent>;

/** Choices for a member of a group: a party without the data in the address book. */
export const MemberChoices = z.union([
  z.object({ api: z.literal('v1'), party: PartyV1 }),
  z.object({ api: z.literal('v2'), list: z.literal('privates'), party: PrivatePartyV2 }),
  z.object({ api: z.literal('v2'), list: z.literal('companies'), party: CompanyPartyV2 }),
]);
export type MemberChoices = z.infer<typeof MemberChoices>;

const GroupName = z.string().trim().min(1).max(100);

export const ImportDecision = z.enum(['new', 'same', 'change', 'refused']);
export type ImportDecision = z.infer<typeof ImportDecision>;

export const ImportRefusal = z.enum([
  'nobody',
  'name',
  'email',
  'mobile',
  'number',
  'broken',
  'letters',
]);
export type ImportRefusal = z.infer<typeof ImportRefusal>;

/**
 * One entry of a file; `place` is its row number in a spreadsheet, or its number among the cards.
 */
export const ImportRow = z.object({
  place: z.number().int(),
  verdict: ImportDecision,
  title: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  refusal: ImportRefusal.nullable(),
  /** Values that would change, by the property names of `Person`. */
  changes: z.array(Person.keyof()),
  /** Number of skipped addresses and phone numbers: an entry stores one of each. */
  leftOut: z.number().int(),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const BookImport = z.object({
  id: BookImportId,
  form: z.enum(['vcard', 'sheet']),
  counts: z.record(ImportDecision, z.number().int()),
  /** Titles of columns that were not recognised. */
  ignored: z.array(z.string()),
});
export type BookImport = z.infer<typeof BookImport>;

export const ForgetDraft = z.object({
  id: DraftId,
  title: z.string(),
  state: z.enum(['open', 'trashed', 'sent']),
});
export type ForgetDraft = z.infer<typeof ForgetDraft>;

/** Numbers of items about a person that can be erased, and of those that stay. */
export const ForgetPreview = z.object({
  title: z.string(),
  /** Drafts with data about the person; those that are being sent are among `stays`. */
  drafts: z.array(ForgetDraft),
  batchRows: z.number().int(),
  /** Number of stored spreadsheet files of those batches. */
  sheets: z.number().int(),
  copies: z.number().int(),
  groups: z.number().int(),
  /**
   * Whether the entry is erased on every computer of the office, because the address book is
   * shared.
   */
  isShared: z.boolean(),
  stays: z.object({
    openCopies: z.number().int(),
    openRows: z.number().int(),
    /** Number of drafts and batches that wait in the office until another user takes them. */
    handed: z.number().int(),
    /** Number of sends and actions from this computer. */
    records: z.number().int(),
    evidence: z.number().int(),
    archive: z.number().int(),
    templates: z.number().int(),
    identities: z.number().int(),
    rules: z.number().int(),
    /** 1 if a backup exists, which still contains the data. */
    backups: z.number().int(),
  }),
});
export type ForgetPreview = z.infer<typeof ForgetPreview>;

/** Record of an erasure, without the person's name. */
export const Erasure = z.object({
  at: Instant,
  people: z.number().int(),
  drafts: z.number().int(),
  batchRows: z.number().int(),
  sheets: z.number().int(),
  copies: z.number().int(),
});
export type Erasure = z.infer<typeof Erasure>;

export const PersonExport = z.object({
  folder: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  drafts: z.number().int(),
  copies: z.number().int(),
  batchRows: z.number().int(),
  corrections: z.number().int(),
  records: z.number().int(),
  evidence: z.number().int(),
});
export type PersonExport = z.infer<typeof PersonExport>;

const PersonReference = z.object({ id: PersonId });
const UndoableChange = z.object({ change: BookChangeId });

export const peopleCalls = {
  /**
   * Returns people that match the text, best matches first; without text, the most recently used.
   */
  'people.search': call(z.object({ text: z.string().max(200) }), z.array(PersonSuggestion)),
  'people.window': call(
    PeopleView.extend({
      from: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ items: z.array(PersonSuggestion), total: z.number().int() }),
  ),
  'people.show': call(PersonReference, PersonDetails),
  /** Returns all data of one person, for the draft in which the person was chosen. */
  'people.take': call(PersonReference, Person),
  /** Adds a person, or changes the one with this ID. Throws 'invalid' with the faulty fields. */
  'people.save': call(
    z.object({ id: PersonId.nullable(), entry: PersonEntry }),
    UndoableChange.extend({ id: PersonId }),
  ),
  'people.remove': call(PersonReference, UndoableChange),
  /**
   * Merges two entries: values that the entry `keep` lacks come from the entry `other`, which is
   * removed.
   */
  'people.merge': call(z.object({ keep: PersonId, other: PersonId }), UndoableChange),
  /**
   * Undoes a change of the address book. Throws 'conflict' if the entry was changed again later, or
   * if the change is too old.
   */
  'people.undo': call(UndoableChange, EmptyObject),
  /** Returns pairs of entries that may be the same party; at most a few hundred per call. */
  'people.doubles': call(z.object({}), z.object({ pairs: z.array(PeoplePair) })),
  /** Marks two entries as different: they are not suggested as duplicates again. */
  'people.keepApart': call(z.object({ first: PersonId, second: PersonId }), EmptyObject),
  'people.groups': call(z.object({}), z.array(PeopleGroup)),
  /** Saves a draft's parties as a group, with all choices for them. */
  'people.saveGroup': call(
    z.object({ name: GroupName, content: PartiesContent.nullable() }),
    PeopleGroup,
  ),
  'people.renameGroup': call(z.object({ id: GroupId, name: GroupName }), PeopleGroup),
  'people.removeGroup': call(z.object({ id: GroupId }), EmptyObject),
  'people.setMember': call(
    z.object({ id: PersonId, group: GroupId, isIn: z.boolean() }),
    EmptyObject,
  ),
  /**
   * Returns the members of a group: as parties if the group was saved for this API, otherwise as
   * people; each with the current data of the address book.
   */
  'people.takeGroup': call(
    z.object({ id: GroupId, api: ApiName }),
    z.object({ content: PartiesContent, people: z.array(Person) }),
  ),
  /** Reads a CSV file, a spreadsheet or vCards. Stores nothing before `people.import`. */
  'people.readImport': call(
    z.object({ bytes: BytesId, fileName: z.string().min(1).max(255) }),
    BookImport,
  ),
  'people.importRows': call(
    z.object({
      id: BookImportId,
      verdict: ImportDecision.nullable(),
      from: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ rows: z.array(ImportRow), total: z.number().int() }),
  ),
  /** Stores the new entries of an import, and its changed ones unless `changes` is false. */
  'people.import': call(
    z.object({ id: BookImportId, changes: z.boolean() }),
    UndoableChange.extend({ added: z.number().int(), changed: z.number().int() }),
  ),
  /** Exports the address book, or one of its groups, as a file under `out`. */
  'people.export': call(
    z.object({
      as: z.enum(['vcard', 'csv']),
      group: GroupId.nullable(),
      numbers: z.boolean(),
    }),
    z.object({ out: BytesId, fileName: z.string(), people: z.number().int() }),
  ),
  /**
   * Writes all data about this person into a new folder within `folder`: `person.json`
   * (`PersonFile`) with its schema, a readable page, and the files of drafts. Personal numbers are
   * not masked. Runs as a job whose result is a `PersonExport`.
   */
  'people.everything': call(PersonReference.extend({ folder: z.string().min(1) }), JobStarted),
  'people.forgetPreview': call(PersonReference, ForgetPreview),
  /** Erases a person's data permanently, in one transaction; the erasure cannot be undone. */
  'people.forget': call(
    z.object({ id: PersonId, drafts: z.array(DraftId), copies: z.boolean() }),
    Erasure,
  ),
  /** Lists the erasures, newest first. */
  'people.erasures': call(z.object({}), z.array(Erasure)),
} as const;

export const peopleEvents = { 'people.changed': z.object({}) } as const;
