import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { AgreementId, AgreementKey, ConnectionId, IdentityId, Instant, Nothing } from './ids.ts';
import { JobStarted } from './jobs.ts';

/** A named person who signs for the company. The number is shown masked; it stays in the store. */
export const Identity = z.object({
  id: IdentityId,
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  personNumberMasked: z.string().nullable(),
  country: z.string().nullable(),
  orgNo: z.string().nullable(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
});
export type Identity = z.infer<typeof Identity>;

export const NewIdentity = z.object({
  name: z.string().trim().min(1).max(80),
  firstName: z.string().trim().min(1).max(80),
  lastName: z.string().trim().min(1).max(80),
  personNumber: z.string().trim().optional(),
  country: z.string().trim().length(2).optional(),
  orgNo: z.string().trim().optional(),
  email: z.string().trim().optional(),
  mobile: z.string().trim().optional(),
});
export type NewIdentity = z.infer<typeof NewIdentity>;

export const SigningItem = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  partyId: z.string(),
  partyName: z.string(),
  title: z.string(),
  since: Instant.nullable(),
  expiresAt: Instant.nullable(),
  /** ready: can be signed. coming: others sign first. doubtful: an earlier try's outcome is unknown. */
  state: z.enum(['ready', 'coming', 'doubtful', 'under-way']),
  /** v2: only certain persons may sign; the service decides. */
  restricted: z.boolean(),
});
export type SigningItem = z.infer<typeof SigningItem>;

const Signed = z.object({ connectionId: ConnectionId, id: AgreementId, title: z.string() });

export const SignResult = z.object({
  signed: z.array(Signed),
  failed: z.array(Signed.extend({ failure: Failure })),
  unknown: z.array(Signed),
});
export type SignResult = z.infer<typeof SignResult>;

export const identityCalls = {
  'identities.list': call(z.object({}), z.array(Identity)),
  'identities.add': call(NewIdentity, Identity),
  'identities.remove': call(z.object({ id: IdentityId }), Nothing),
} as const;

export const signingCalls = {
  'signing.list': call(z.object({ connectionId: ConnectionId.optional() }), z.array(SigningItem)),
  /** A job; its result is a `SignResult`. `confirm` is the number of agreements. */
  'signing.sign': call(
    z.object({
      items: z.array(AgreementKey.extend({ partyId: z.string() })).min(1),
      identityId: IdentityId,
      confirm: z.number().int(),
    }),
    JobStarted,
  ),
} as const;

export const signingEvents = { 'identities.changed': z.object({}) } as const;
