import * as z from 'zod';
import { call } from '../call.ts';
import { SendMark } from '../outbox.ts';
import {
  ActionId,
  AgreementId,
  BytesId,
  Instant,
  EmptyObject,
  OutboxRef,
} from '../../model/ids.ts';

export const OfficeUserId = z.uuid().brand<'SeatId'>();
export type OfficeUserId = z.infer<typeof OfficeUserId>;

/**
 * Rights that a user of the office's database may have or lack; every user may do everything else.
 */
export const OfficeUserRight = z.enum(['send', 'sign', 'numbers', 'templates']);
export type OfficeUserRight = z.infer<typeof OfficeUserRight>;

/** A PostgreSQL name that needs no quotes. */
export const DatabaseName = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/u, {
  error: 'Use lower-case letters a–z, digits and _, at most 63 characters',
});

/** Path, host name or IP address of the server: no options, no list, no invisible characters. */
const OfficeHost = z
  .string()
  .trim()
  .min(1, { error: 'Enter the server' })
  .max(1024)
  .regex(/^(?:\/[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*|[\p{L}\p{M}\p{N}._:%-]+)$/u, {
    error: 'This is neither a server nor a folder on this computer',
  });

export const OfficeServerAddress = z.object({
  /** Host name or IP address; a path that begins with / is a socket of this computer. */
  host: OfficeHost,
  port: z.int().min(1).max(65_535),
  database: DatabaseName,
  /** Certificates that verify the server, as PEM; null for those that the system trusts. */
  trust: z.string().nullable(),
});
export type OfficeServerAddress = z.infer<typeof OfficeServerAddress>;

/** Database owner, who can create users; no computer stores the owner's password. */
export const OfficeOwner = z.object({ role: DatabaseName, password: z.string().min(1) });
export type OfficeOwner = z.infer<typeof OfficeOwner>;

const OfficeUserName = z.string().trim().min(1, { error: 'Enter the name of the user' }).max(100);

/** Data that a scan of the service needs about another computer's send. */
export const SendScan = z.object({
  mark: SendMark,
  parties: z.string().nullable(),
  /**
   * Earliest possible time at which the agreement was created (epoch ms), by the service's clock.
   */
  floor: z.number(),
  /** Agreement, party and signing method of a signature; null for a send. */
  target: z
    .object({ agreementId: AgreementId, partyId: z.string(), configurationId: z.string() })
    .nullable(),
  /**
   * Credentials used for the send, in the form in which the office compares them; empty in data of
   * earlier versions.
   */
  credentials: z.array(z.string()).default([]),
});
export type SendScan = z.infer<typeof SendScan>;

/** Data that other computers need about an action on an agreement. */
export const ActionScanData = z.object({
  kind: z.string(),
  agreementId: AgreementId,
  partyId: z.string().nullable(),
});
export type ActionScanData = z.infer<typeof ActionScanData>;

/** This computer's membership of an office, as stored on this computer. */
export const OfficeMembership = z.object({
  office: z.uuid(),
  seat: OfficeUserId,
  /**
   * ID of this computer, which differs on every computer and changes after a backup is restored.
   */
  desk: z.uuid(),
  name: z.string(),
  /** Address of the server, with the user's role in the database. */
  address: OfficeServerAddress.extend({ role: z.string() }),
  /** Whether the user may allow a send while the office is unreachable. */
  goesOnWithout: z.boolean(),
});
export type OfficeMembership = z.infer<typeof OfficeMembership>;

const OfficeDesk = z.object({
  id: z.uuid(),
  version: z.string(),
  seenAt: Instant,
  isThis: z.boolean(),
  /** Number of the computer's unresolved sends and actions. */
  open: z.int(),
});

export const OfficeUser = z.object({
  id: OfficeUserId,
  name: z.string(),
  rights: z.array(OfficeUserRight),
  /** Time at which the user joined; null while the invitation is unused. */
  joinedAt: Instant.nullable(),
  isOwn: z.boolean(),
  desks: z.array(OfficeDesk),
});
export type OfficeUser = z.infer<typeof OfficeUser>;

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
  /** Result of the check, as an English sentence. */
  said: z.string(),
});
export type OfficeCheck = z.infer<typeof OfficeCheck>;

/**
 * Record that the office's database was found to be an older one. Times are by the office's clock.
 */
export const OfficeRestore = z.object({
  id: z.uuid(),
  noticedAt: Instant,
  /** Time of the newest visit of any computer in the older database. */
  asOf: Instant,
  /**
   * Computers that have not yet reported what they sent after `asOf`; nothing is sent until all
   * have.
   */
  awaited: z.array(
    z.object({ desk: z.uuid(), seat: z.string(), seenAt: Instant, isThis: z.boolean() }),
  ),
});
export type OfficeRestore = z.infer<typeof OfficeRestore>;

/** Kinds of actions that a computer must claim in the office before it does them. */
export const OfficeActivityKind = z.enum(['send', 'sign', 'remind', 'remove', 'change']);
export type OfficeActivityKind = z.infer<typeof OfficeActivityKind>;

/** A completed or planned action of a computer in the office. Times are by the office's clock. */
export const OfficeActivity = z.object({
  id: z.uuid(),
  kind: OfficeActivityKind,
  /** Title of the agreement; null if this computer cannot read it. */
  title: z.string().nullable(),
  /** Present or former user of that computer. */
  seat: z.string(),
  state: z.enum(['claimed', 'done', 'unknown', 'given-up', 'released']),
  startedAt: Instant,
  settledAt: Instant.nullable(),
});
export type OfficeActivity = z.infer<typeof OfficeActivity>;

/** A send or action that no computer has resolved. */
export const OpenOfficeOperation = z.object({
  id: z.uuid(),
  kind: OfficeActivityKind,
  /** Title of the agreement; null if this computer cannot read it. */
  title: z.string().nullable(),
  seat: z.string(),
  desk: z.uuid(),
  state: z.enum(['claimed', 'unknown']),
  startedAt: Instant,
  /**
   * Whether the operation is in the outbox or the action journal of this computer, where its
   * outcome is resolved.
   */
  isOwn: z.boolean(),
});
export type OpenOfficeOperation = z.infer<typeof OpenOfficeOperation>;

/** A task that one computer currently does for all computers of the office. */
export const OfficeTask = z.object({
  /** ID of the task, in hexadecimal. */
  id: z.string(),
  kind: z.enum(['archive', 'remind', 'intake', 'draft']),
  /**
   * Title of the item; null if this computer cannot read it, and then the user is not known either.
   */
  title: z.string().nullable(),
  /** User of the computer that does the task. */
  seat: z.string(),
  since: Instant,
  isOwn: z.boolean(),
});
export type OfficeTask = z.infer<typeof OfficeTask>;

const ConfirmedClaim = z.object({
  /** Key of the claim, in hexadecimal. */
  key: z.string(),
  /**
   * ID of the operation that holds the key: after a restore of the office, another operation may
   * have the same generation.
   */
  id: z.uuid(),
  generation: z.int(),
});
export type ConfirmedClaim = z.infer<typeof ConfirmedClaim>;

/** Operation that claimed the content of an outbox row. */
export const OfficeClaimHolder = z.object({
  id: z.uuid(),
  /**
   * Claims of the operation that concern the row; the caller returns them as proof that the user
   * saw them.
   */
  claims: z.array(ConfirmedClaim),
  seat: z.string(),
  state: z.enum(['claimed', 'done', 'unknown', 'given-up']),
  startedAt: Instant,
});
export type OfficeClaimHolder = z.infer<typeof OfficeClaimHolder>;

/** Text of an invitation, which is a few kilobytes long. */
const InvitationText = z.string().max(100_000);

export const officeCalls = {
  /** Returns this computer's membership, from local data only; null without an office. */
  'office.read': call(EmptyObject, OfficeMembership.nullable()),
  /** Creates an office in an empty database, with this computer as its first member. */
  'office.create': call(
    z.object({
      address: OfficeServerAddress,
      owner: OfficeOwner,
      name: OfficeUserName,
      goesOnWithout: z.boolean(),
    }),
    OfficeMembership,
  ),
  /** Creates a user and an invitation, which only the phrase opens; the phrase is not stored. */
  'office.invite': call(
    z.object({
      owner: OfficeOwner,
      name: OfficeUserName,
      rights: z.array(OfficeUserRight),
    }),
    z.object({ seat: OfficeUserId, out: BytesId, fileName: z.string(), phrase: z.string() }),
  ),
  'office.join': call(
    z.object({ invitation: InvitationText, phrase: z.string() }),
    OfficeMembership,
  ),
  /**
   * Removes the office and its keys from this computer. `open` is the number of items that other
   * computers have to resolve.
   */
  'office.leave': call(EmptyObject, z.object({ open: z.int() })),
  /**
   * Deletes a user's role and renews the keys for the other users. `sessions` is the number of the
   * user's database connections that the server has not ended yet. They have no rights any more,
   * but keep their locks until they end.
   */
  'office.remove': call(
    z.object({ owner: OfficeOwner, seat: OfficeUserId }),
    z.object({ sessions: z.int() }),
  ),
  /** Upgrades an office to the version of this program. */
  'office.upgrade': call(z.object({ owner: OfficeOwner }), EmptyObject),
  'office.seats': call(EmptyObject, z.array(OfficeUser)),
  'office.check': call(EmptyObject, z.array(OfficeCheck)),
  /**
   * Returns the last time that the office was found to be restored to an older state; null if it
   * never was.
   */
  'office.putBack': call(EmptyObject, OfficeRestore.nullable()),
  /**
   * Records that the user no longer waits for these computers: what they sent after the older state
   * may be sent a second time.
   */
  'office.excuse': call(z.object({ id: z.uuid(), desks: z.array(z.uuid()) }), EmptyObject),
  'office.open': call(EmptyObject, z.array(OpenOfficeOperation)),
  'office.tasks': call(EmptyObject, z.array(OfficeTask)),
  /** Returns one page of actions, newest first: those that started before the named action. */
  'office.activity': call(
    z.object({
      before: z.uuid().nullable(),
      seat: OfficeUserId.nullable(),
      kind: OfficeActivityKind.nullable(),
    }),
    z.object({ items: z.array(OfficeActivity), hasMore: z.boolean() }),
  ),
  /**
   * Moves an unresolved send or action of another computer to this one. Returns the new outbox row
   * of this computer, or the action, which is read back immediately. An action that already belongs
   * to this computer is read back, too.
   */
  'office.adopt': call(
    z.object({ id: z.uuid() }),
    z.object({ ref: OutboxRef.nullable(), actionId: ActionId.nullable() }),
  ),
  'office.holders': call(z.object({ ref: OutboxRef }), z.array(OfficeClaimHolder)),
  /**
   * Sends the row although other operations have claimed its content; `seen` are the claims that
   * the user has seen.
   */
  'office.follow': call(
    z.object({
      ref: OutboxRef,
      seen: z.array(ConfirmedClaim),
    }),
    EmptyObject,
  ),
  /** Returns the operations that did, or may have done, the rejected action. */
  'office.actHolders': call(z.object({ actionId: ActionId }), z.array(OfficeClaimHolder)),
  /**
   * Allows the action once more, after the user has seen these claims: the next request for the
   * action carries it out.
   */
  'office.allowAct': call(
    z.object({
      actionId: ActionId,
      seen: z.array(ConfirmedClaim),
    }),
    EmptyObject,
  ),
  /**
   * Allows the send, by the user's decision, while the office is unreachable, if the office permits
   * that.
   */
  'office.goWithout': call(z.object({ ref: OutboxRef }), EmptyObject),
  /**
   * Reports pending results to the office, if this computer belongs to an office and can reach it.
   */
  'office.report': call(EmptyObject, EmptyObject),
} as const;

export const officeEvents = { 'office.changed': EmptyObject } as const;
