import * as z from 'zod';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { DraftBodyV1, DraftBodyV2 } from './drafts.ts';
import { PartyV1 } from '../model/agreement-v1.ts';
import { CompanyPartyV2, PrivatePartyV2 } from '../model/agreement-v2.ts';
import { ApiName, BytesId, DraftId, Instant, Nothing } from '../model/ids.ts';

export const PersonId = z.uuid().brand<'PersonId'>();
export type PersonId = z.infer<typeof PersonId>;

export const GroupId = z.uuid().brand<'GroupId'>();
export type GroupId = z.infer<typeof GroupId>;

/** A change of the address book that can still be undone. */
export const BookChangeId = z.uuid().brand<'BookChangeId'>();
export type BookChangeId = z.infer<typeof BookChangeId>;

export const BookImportId = z.uuid().brand<'BookImportId'>();
export type BookImportId = z.infer<typeof BookImportId>;

/** A party of the address book, in the forms of API v1: `mobile` without spaces. */
export const Person = z.object({
  kind: z.enum(['person', 'company']),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  /** Of a company. */
  name: z.string().optional(),
  email: z.string().optional(),
  mobile: z.string().optional(),
  country: z.string().optional(),
  personNumber: z.string().optional(),
  companyNumber: z.string().optional(),
});
export type Person = z.infer<typeof Person>;

/** A party as it is offered; `number` shows that there is one and not which. */
export const PersonOffer = z.object({
  id: PersonId,
  kind: Person.shape.kind,
  title: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  number: z.string().nullable(),
  /** When they were written to last; null when they never were. */
  usedAt: Instant.nullable(),
});
export type PersonOffer = z.infer<typeof PersonOffer>;

/** Everything of one but a personal number, which is masked. */
export const PersonDetails = PersonOffer.extend({
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

const Text = z.string().max(200);

/** What a person typed; an empty text takes a fact away. */
export const PersonEntry = z.object({
  kind: Person.shape.kind,
  firstName: Text,
  lastName: Text,
  name: Text,
  email: z.string().max(2048),
  mobile: Text,
  country: Text,
  companyNumber: Text,
  /** Left out, it stays as it is: the window never holds it. */
  personNumber: Text.optional(),
});
export type PersonEntry = z.infer<typeof PersonEntry>;

export const PeopleSort = z.enum(['name', 'used', 'changed']);
export type PeopleSort = z.infer<typeof PeopleSort>;

/** Which people, in which order. */
export const PeopleView = z.object({
  text: z.string().max(200),
  group: GroupId.nullable(),
  sort: PeopleSort,
  direction: z.enum(['ascending', 'descending']),
});
export type PeopleView = z.infer<typeof PeopleView>;

/** Why two entries may be of one party. */
export const DoubleReason = z.enum(['number', 'email', 'mobile', 'name']);
export type DoubleReason = z.infer<typeof DoubleReason>;

export const PeoplePair = z.object({
  reasons: z.array(DoubleReason).min(1),
  first: PersonDetails,
  second: PersonDetails,
});
export type PeoplePair = z.infer<typeof PeoplePair>;

/**
 * People under one name, each with what was chosen for them where the group was kept from a draft:
 * it stands in for a draft's parties, and for those who get copies.
 */
export const PeopleGroup = z.object({
  id: GroupId,
  name: z.string(),
  members: z.number().int(),
  /** The API whose choices it keeps; null for people alone. */
  api: ApiName.nullable(),
});
export type PeopleGroup = z.infer<typeof PeopleGroup>;

export const PartiesContent = z.discriminatedUnion('api', [
  z.object({ api: z.literal('v1'), parties: DraftBodyV1.shape.parties }),
  z.object({ api: z.literal('v2'), parties: DraftBodyV2.shape.parties }),
]);
export type PartiesContent = z.infer<typeof PartiesContent>;

/** How a member of a group takes part: a party without what the address book knows of the person. */
export const MemberChoices = z.union([
  z.object({ api: z.literal('v1'), party: PartyV1 }),
  z.object({ api: z.literal('v2'), list: z.literal('privates'), party: PrivatePartyV2 }),
  z.object({ api: z.literal('v2'), list: z.literal('companies'), party: CompanyPartyV2 }),
]);
export type MemberChoices = z.infer<typeof MemberChoices>;

const GroupName = z.string().trim().min(1).max(100);

export const ImportVerdict = z.enum(['new', 'same', 'change', 'refused']);
export type ImportVerdict = z.infer<typeof ImportVerdict>;

/** Why an entry of a file is not taken over. */
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

/** One entry of a file; `place` is its row in a sheet, or its number among the cards. */
export const ImportRow = z.object({
  place: z.number().int(),
  verdict: ImportVerdict,
  title: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  refusal: ImportRefusal.nullable(),
  /** What would be other than it is now, by the names of `Person`. */
  changes: z.array(Person.keyof()),
  /** Addresses and telephones beyond one of each, which an entry has no place for. */
  leftOut: z.number().int(),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const BookImport = z.object({
  id: BookImportId,
  form: z.enum(['vcard', 'sheet']),
  counts: z.record(ImportVerdict, z.number().int()),
  /** Titles of columns that say nothing to us. */
  ignored: z.array(z.string()),
});
export type BookImport = z.infer<typeof BookImport>;

/** A draft that names the person. */
export const ForgetDraft = z.object({
  id: DraftId,
  title: z.string(),
  state: z.enum(['open', 'trashed', 'sent']),
});
export type ForgetDraft = z.infer<typeof ForgetDraft>;

/** What of a person lies here: what can be erased, and what stays, by number. */
export const ForgetPreview = z.object({
  title: z.string(),
  /** Ones that are being sent are among `stays`. */
  drafts: z.array(ForgetDraft),
  batchRows: z.number().int(),
  /** Kept files of those batches. */
  sheets: z.number().int(),
  /** Copies of agreements that ended. */
  copies: z.number().int(),
  groups: z.number().int(),
  /** The entry goes at every desk of the office that shares the address book. */
  isShared: z.boolean(),
  stays: z.object({
    openCopies: z.number().int(),
    openRows: z.number().int(),
    /** Drafts and batches that wait in the office until another user takes them. */
    handed: z.number().int(),
    /** What was sent and done from here. */
    records: z.number().int(),
    evidence: z.number().int(),
    archive: z.number().int(),
    templates: z.number().int(),
    /** Those who sign here. */
    identities: z.number().int(),
    rules: z.number().int(),
    /** 1 where there is a backup: it holds what was there when it was made. */
    backups: z.number().int(),
  }),
});
export type ForgetPreview = z.infer<typeof ForgetPreview>;

/** That something was erased, and never of whom. */
export const Erasure = z.object({
  at: Instant,
  people: z.number().int(),
  drafts: z.number().int(),
  batchRows: z.number().int(),
  sheets: z.number().int(),
  copies: z.number().int(),
});
export type Erasure = z.infer<typeof Erasure>;

/** What was written of one person. */
export const PersonExported = z.object({
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
export type PersonExported = z.infer<typeof PersonExported>;

const One = z.object({ id: PersonId });
const Undoable = z.object({ change: BookChangeId });

export const peopleCalls = {
  /** The best first; with no text the ones used last. */
  'people.search': call(z.object({ text: z.string().max(200) }), z.array(PersonOffer)),
  'people.window': call(
    PeopleView.extend({
      from: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ items: z.array(PersonOffer), total: z.number().int() }),
  ),
  'people.show': call(One, PersonDetails),
  /** All of one, for the draft it was chosen for. */
  'people.take': call(One, Person),
  /** Adds one, or changes the one with this id. Throws 'invalid' with the fields. */
  'people.save': call(
    z.object({ id: PersonId.nullable(), entry: PersonEntry }),
    Undoable.extend({ id: PersonId }),
  ),
  'people.remove': call(One, Undoable),
  /** One entry of two: what `keep` lacks comes from `other`, which goes. */
  'people.merge': call(z.object({ keep: PersonId, other: PersonId }), Undoable),
  /** Everything as it was before. Throws 'conflict' when it was changed since, or is too long ago. */
  'people.undo': call(Undoable, Nothing),
  /** Entries that may be of one party; at most some hundreds at once. */
  'people.doubles': call(z.object({}), z.object({ pairs: z.array(PeoplePair) })),
  /** These two are two: they are not proposed again. */
  'people.keepApart': call(z.object({ first: PersonId, second: PersonId }), Nothing),
  'people.groups': call(z.object({}), z.array(PeopleGroup)),
  /** Keeps a draft's parties as a group, with all that was chosen for them. */
  'people.saveGroup': call(
    z.object({ name: GroupName, content: PartiesContent.nullable() }),
    PeopleGroup,
  ),
  'people.renameGroup': call(z.object({ id: GroupId, name: GroupName }), PeopleGroup),
  'people.removeGroup': call(z.object({ id: GroupId }), Nothing),
  'people.setMember': call(z.object({ id: PersonId, group: GroupId, isIn: z.boolean() }), Nothing),
  /**
   * The members of a group: as the parties that were kept for this API, the others as people. Each
   * as the address book knows them now.
   */
  'people.takeGroup': call(
    z.object({ id: GroupId, api: ApiName }),
    z.object({ content: PartiesContent, people: z.array(Person) }),
  ),
  /** Reads a CSV file, a workbook or vCards. Nothing is stored before `people.import`. */
  'people.readImport': call(
    z.object({ bytes: BytesId, fileName: z.string().min(1).max(255) }),
    BookImport,
  ),
  'people.importRows': call(
    z.object({
      id: BookImportId,
      verdict: ImportVerdict.nullable(),
      from: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ rows: z.array(ImportRow), total: z.number().int() }),
  ),
  /** Stores what is new, and what changed unless `changes` is false. */
  'people.import': call(
    z.object({ id: BookImportId, changes: z.boolean() }),
    Undoable.extend({ added: z.number().int(), changed: z.number().int() }),
  ),
  /** The address book, or one group of it, as a file under `out`. */
  'people.export': call(
    z.object({
      as: z.enum(['vcard', 'csv']),
      group: GroupId.nullable(),
      /** With personal numbers. */
      numbers: z.boolean(),
    }),
    z.object({ out: BytesId, fileName: z.string(), people: z.number().int() }),
  ),
  /**
   * Everything about this person, into a new folder within `folder`: `person.json` (`PersonFile`)
   * with its schema, a page to read, and the files of drafts. Numbers stand in full there. A job;
   * its result is a `PersonExported`.
   */
  'people.everything': call(One.extend({ folder: z.string().min(1) }), JobStarted),
  'people.forgetPreview': call(One, ForgetPreview),
  /** Erases for good, in one go; it cannot be undone. */
  'people.forget': call(
    z.object({ id: PersonId, drafts: z.array(DraftId), copies: z.boolean() }),
    Erasure,
  ),
  /** The last ones first. */
  'people.erasures': call(z.object({}), z.array(Erasure)),
} as const;

export const peopleEvents = { 'people.changed': z.object({}) } as const;
