import * as z from 'zod';
import { call } from './call.ts';
import { DraftBodyV1, DraftBodyV2 } from './drafts.ts';
import { ApiName, Instant, Nothing } from '../model/ids.ts';

export const PersonId = z.uuid().brand<'PersonId'>();
export type PersonId = z.infer<typeof PersonId>;

export const PartySetId = z.uuid().brand<'PartySetId'>();
export type PartySetId = z.infer<typeof PartySetId>;

/** A party written to before, in the forms of API v1: `mobile` without spaces. */
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
  usedAt: Instant,
});
export type PersonOffer = z.infer<typeof PersonOffer>;

/** Parties with all that was chosen for them, under a name; for one of the two APIs. */
export const PartySet = z.object({
  id: PartySetId,
  name: z.string(),
  api: ApiName,
  parties: z.array(z.string()),
});
export type PartySet = z.infer<typeof PartySet>;

export const PartySetContent = z.discriminatedUnion('api', [
  z.object({ api: z.literal('v1'), parties: DraftBodyV1.shape.parties }),
  z.object({ api: z.literal('v2'), parties: DraftBodyV2.shape.parties }),
]);
export type PartySetContent = z.infer<typeof PartySetContent>;

export const peopleCalls = {
  /** The best first; with no text the ones used last. */
  'people.search': call(z.object({ text: z.string().max(200) }), z.array(PersonOffer)),
  /** All of one, for the draft it was chosen for. */
  'people.take': call(z.object({ id: PersonId }), Person),
  'people.remove': call(z.object({ id: PersonId }), Nothing),
  /** Groups that agreements sent from here were shared with. */
  'people.groups': call(z.object({}), z.object({ names: z.array(z.string()) })),
  'people.sets': call(z.object({}), z.array(PartySet)),
  'people.saveSet': call(
    z.object({ name: z.string().trim().min(1).max(100), content: PartySetContent }),
    PartySet,
  ),
  'people.takeSet': call(z.object({ id: PartySetId }), PartySetContent),
  'people.removeSet': call(z.object({ id: PartySetId }), Nothing),
} as const;
