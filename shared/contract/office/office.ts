import * as z from 'zod';
import { call } from '../call.ts';
import { Mark } from '../outbox.ts';
import { ActionId, AgreementId, BytesId, Instant, Nothing, OutboxRef } from '../../model/ids.ts';

export const SeatId = z.uuid().brand<'SeatId'>();
export type SeatId = z.infer<typeof SeatId>;

/** What the office's database lets a seat do; everything else every seat may. */
export const SeatRight = z.enum(['send', 'sign', 'numbers', 'templates']);
export type SeatRight = z.infer<typeof SeatRight>;

/** A name of PostgreSQL's that needs no quotes. */
const DatabaseName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/u, {
  error: 'Use lower-case letters a–z, digits and _, at most 63 characters',
});

/** A path, or what a name or a number is written with: no options, no list, and nothing that nobody sees. */
const OfficeHost = z
  .string()
  .trim()
  .min(1, { error: 'Enter the server' })
  .max(1024)
  .regex(/^(?:\/[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*|[\p{L}\p{M}\p{N}._:%-]+)$/u, {
    error: 'This is neither a server nor a folder on this computer',
  });

export const OfficeServerAddress = z.object({
  /** A name or a number; a path that begins with / is a socket of this computer. */
  host: OfficeHost,
  port: z.int().min(1).max(65_535),
  database: DatabaseName,
  /** Certificates that prove the server, PEM; null: those that the system trusts. */
  trust: z.string().nullable(),
});
export type OfficeServerAddress = z.infer<typeof OfficeServerAddress>;

/** Whoever may make seats: nobody's desk keeps this password. */
export const OfficeOwner = z.object({ role: DatabaseName, password: z.string().min(1) });
export type OfficeOwner = z.infer<typeof OfficeOwner>;

const SeatName = z.string().trim().min(1, { error: 'Enter the name of the user' }).max(100);

/** What a scan of the service needs of a send that another desk made. */
export const SendScan = z.object({
  mark: Mark,
  parties: z.string().nullable(),
  /** By the service's clock: it was not made before. */
  floor: z.number(),
  /** Of a signature: the agreement, and which party signs in which way. */
  target: z
    .object({ agreementId: AgreementId, partyId: z.string(), configurationId: z.string() })
    .nullable(),
  /** Those that it was sent with, as the office compares them; earlier versions named none. */
  credentials: z.array(z.string()).default([]),
});
export type SendScan = z.infer<typeof SendScan>;

/** What other desks have to know of an act on an agreement. */
export const ActScan = z.object({
  kind: z.string(),
  agreementId: AgreementId,
  partyId: z.string().nullable(),
});
export type ActScan = z.infer<typeof ActScan>;

/** The office that this desk is in, as it is written down here. */
export const OfficeMembership = z.object({
  office: z.uuid(),
  seat: SeatId,
  /** Another one on every computer, and after a restored backup. */
  desk: z.uuid(),
  name: z.string(),
  /** With the role of the seat. */
  address: OfficeServerAddress.extend({ role: z.string() }),
  /** Whether a person may let a send go out while the office cannot be asked. */
  goesOnWithout: z.boolean(),
});
export type OfficeMembership = z.infer<typeof OfficeMembership>;

const OfficeDesk = z.object({
  id: z.uuid(),
  /** Of the program. */
  version: z.string(),
  seenAt: Instant,
  isThis: z.boolean(),
  /** Sends and acts of it that nobody has settled. */
  open: z.int(),
});

export const OfficeUser = z.object({
  id: SeatId,
  name: z.string(),
  rights: z.array(SeatRight),
  /** Null while the invitation waits. */
  joinedAt: Instant.nullable(),
  isOwn: z.boolean(),
  desks: z.array(OfficeDesk),
});
export type OfficeUser = z.infer<typeof OfficeUser>;

/** One thing that was looked at, and how it is. */
export const OfficeCheck = z.object({
  check: z.enum([
    'reached',
    'encrypted',
    'role',
    'schema',
    'clock',
    'size',
    'open',
    'readable',
    'put-back',
  ]),
  ok: z.boolean(),
  /** A sentence. */
  said: z.string(),
});
export type OfficeCheck = z.infer<typeof OfficeCheck>;

/** A time at which the office's database was found to be an older one. Times are the office's. */
export const OfficePutBack = z.object({
  id: z.uuid(),
  noticedAt: Instant,
  /** The newest visit of any desk that the database held then. */
  asOf: Instant,
  /** Desks that have not told yet what they sent since; nothing is sent while there are any. */
  awaited: z.array(
    z.object({ desk: z.uuid(), seat: z.string(), seenAt: Instant, isThis: z.boolean() }),
  ),
});
export type OfficePutBack = z.infer<typeof OfficePutBack>;

/** What a desk asks the office for before it does it. */
export const OfficeActKind = z.enum(['send', 'sign', 'remind', 'remove', 'change']);
export type OfficeActKind = z.infer<typeof OfficeActKind>;

/** What a desk of the office did, or is about to do. Times are the office's. */
export const OfficeAct = z.object({
  id: z.uuid(),
  kind: OfficeActKind,
  /** Null when this desk cannot read it. */
  title: z.string().nullable(),
  /** Who sits there, or sat. */
  seat: z.string(),
  state: z.enum(['claimed', 'done', 'unknown', 'given-up', 'released']),
  startedAt: Instant,
  settledAt: Instant.nullable(),
});
export type OfficeAct = z.infer<typeof OfficeAct>;

/** A send or an act that no desk has settled. */
export const OpenInOffice = z.object({
  id: z.uuid(),
  kind: OfficeActKind,
  /** Null when this desk cannot read it. */
  title: z.string().nullable(),
  seat: z.string(),
  desk: z.uuid(),
  state: z.enum(['claimed', 'unknown']),
  startedAt: Instant,
  /** In this outbox, or among the actions here: what became of it is found out there. */
  isOwn: z.boolean(),
});
export type OpenInOffice = z.infer<typeof OpenInOffice>;

/** What one desk does for all just now. */
export const OfficeTask = z.object({
  /** In hexadecimal. */
  id: z.string(),
  kind: z.enum(['archive', 'remind', 'intake', 'draft']),
  /** Null when this desk cannot read it; nor does it know the seat then. */
  title: z.string().nullable(),
  /** Who sits where it is done. */
  seat: z.string(),
  since: Instant,
  isOwn: z.boolean(),
});
export type OfficeTask = z.infer<typeof OfficeTask>;

const SeenClaim = z.object({
  /** In hexadecimal. */
  key: z.string(),
  /** Of the operation that holds the key: after a restore of the office, another one has the same generation. */
  id: z.uuid(),
  generation: z.int(),
});
export type SeenClaim = z.infer<typeof SeenClaim>;

/** Who has what a row of the outbox would send. */
export const OfficeHolder = z.object({
  id: z.uuid(),
  /** What it holds of what is asked about: whoever has seen it says so with these. */
  claims: z.array(SeenClaim),
  seat: z.string(),
  state: z.enum(['claimed', 'done', 'unknown', 'given-up']),
  startedAt: Instant,
});
export type OfficeHolder = z.infer<typeof OfficeHolder>;

/** An invitation is a few kilobytes of text. */
const InvitationText = z.string().max(100_000);

export const officeCalls = {
  /** Null while this desk is in none. Asks nobody. */
  'office.read': call(Nothing, OfficeMembership.nullable()),
  /** What an administrator runs once, before an office is made there. The password is kept nowhere. */
  'office.script': call(
    z.object({ database: DatabaseName, owner: DatabaseName }),
    z.object({ sql: z.string() }),
  ),
  /** Makes an office in an empty database, and this desk its first. */
  'office.create': call(
    z.object({
      address: OfficeServerAddress,
      owner: OfficeOwner,
      name: SeatName,
      goesOnWithout: z.boolean(),
    }),
    OfficeMembership,
  ),
  /** Makes a seat and an invitation, which opens with the phrase alone; that is kept nowhere. */
  'office.invite': call(
    z.object({
      owner: OfficeOwner,
      name: SeatName,
      rights: z.array(SeatRight),
    }),
    z.object({ seat: SeatId, out: BytesId, fileName: z.string(), phrase: z.string() }),
  ),
  'office.join': call(
    z.object({ invitation: InvitationText, phrase: z.string() }),
    OfficeMembership,
  ),
  /** Forgets the office on this computer, with its keys. `open`: what other desks have to settle. */
  'office.leave': call(Nothing, z.object({ open: z.int() })),
  /**
   * Takes a seat's role away, and renews the keys for the others. `sessions`: connections of the seat that the server
   * has not ended yet. They may nothing any more; what they have locked stays locked until they end.
   */
  'office.remove': call(
    z.object({ owner: OfficeOwner, seat: SeatId }),
    z.object({ sessions: z.int() }),
  ),
  /** Brings an office up to the version of this program. */
  'office.upgrade': call(z.object({ owner: OfficeOwner }), Nothing),
  'office.seats': call(Nothing, z.array(OfficeUser)),
  'office.check': call(Nothing, z.array(OfficeCheck)),
  /** The last time; null where the office was never put back to an older state. */
  'office.putBack': call(Nothing, OfficePutBack.nullable()),
  /** A person does not wait for these desks: what they sent since may be sent a second time. */
  'office.excuse': call(z.object({ id: z.uuid(), desks: z.array(z.uuid()) }), Nothing),
  'office.open': call(Nothing, z.array(OpenInOffice)),
  'office.tasks': call(Nothing, z.array(OfficeTask)),
  /** Newest first, a page at a time: those that began before the one that is named. */
  'office.activity': call(
    z.object({
      before: z.uuid().nullable(),
      seat: SeatId.nullable(),
      kind: OfficeActKind.nullable(),
    }),
    z.object({ items: z.array(OfficeAct), hasMore: z.boolean() }),
  ),
  /**
   * Makes this desk the one that settles what another one left; gives its row of the outbox here, or the act on an
   * agreement, which is read back at once. An act of this desk is read back, too.
   */
  'office.adopt': call(
    z.object({ id: z.uuid() }),
    z.object({ ref: OutboxRef.nullable(), actionId: ActionId.nullable() }),
  ),
  'office.holders': call(z.object({ ref: OutboxRef }), z.array(OfficeHolder)),
  /** A person has seen these, and sends it all the same. */
  'office.follow': call(
    z.object({
      ref: OutboxRef,
      seen: z.array(SeenClaim),
    }),
    Nothing,
  ),
  /** Who did, or may have done, what this act was refused for. */
  'office.actHolders': call(z.object({ actionId: ActionId }), z.array(OfficeHolder)),
  /** A person has seen these, and lets the same act be done once more: asked for again, it is done. */
  'office.allowAct': call(
    z.object({
      actionId: ActionId,
      seen: z.array(SeenClaim),
    }),
    Nothing,
  ),
  /** A person lets it go out although the office cannot be asked, where its rule allows that. */
  'office.goWithout': call(z.object({ ref: OutboxRef }), Nothing),
  /** Reports what the office has not heard, where this desk is in one that can be reached. */
  'office.report': call(Nothing, Nothing),
} as const;

export const officeEvents = { 'office.changed': Nothing } as const;
