import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { ApiName, ConnectionId, Instant, EmptyObject } from '../model/ids.ts';

export const Environment = z.enum(['production', 'test', 'demo']);
export type Environment = z.infer<typeof Environment>;

/** Allowed recipients of a connection, each in the form of `allowedEntry`; null for everyone. */
export const AllowedRecipients = z.array(z.string().min(1).max(254)).min(1).max(200).nullable();
export type AllowedRecipients = z.infer<typeof AllowedRecipients>;

/** A service address and our account on that service. The secret stays in the credential store. */
export const Connection = z.object({
  id: ConnectionId,
  name: z.string().min(1).max(80),
  api: ApiName,
  /**
   * Address of the API. v1: without `/v1`; v2: with its version. The demo uses `demo:v1` or
   * `demo:v2`.
   */
  url: z.string(),
  environment: Environment,
  /** v2 only: account ID of the acting company user. */
  accountId: z.string().nullable(),
  /** v2 only: our company's organisation number, which identifies agreements that wait for us. */
  orgNo: z.string().nullable(),
  /** Allowed recipients: a draft or row with any other recipient is not sent. */
  allowed: AllowedRecipients.default(null),
  createdAt: Instant,
});
export type Connection = z.infer<typeof Connection>;

/** Features of an API; screens explain why a feature is missing. */
export const Capabilities = z.object({
  api: ApiName,
  /** Features that only one of the two APIs has. */
  etags: z.boolean(),
  tags: z.boolean(),
  absoluteExpiry: z.boolean(),
  attachmentDownload: z.boolean(),
  changeAfterSending: z.boolean(),
  reminders: z.boolean(),
  rejectForParty: z.boolean(),
  share: z.boolean(),
});
export type Capabilities = z.infer<typeof Capabilities>;

/** Steps of a connection test, in the order of the test. */
export const TestStepName = z.enum(['address', 'tls', 'credential', 'list', 'clock', 'vault']);
export type TestStepName = z.infer<typeof TestStepName>;

export const TestNote = z.enum([
  'reached',
  'not-reached',
  'tls-ok',
  'tls-loopback',
  'tls-failed',
  'accepted',
  'accepted-user-unchecked',
  'refused',
  'listed',
  'listed-empty',
  'list-failed',
  'not-this-service',
  'clock-ok',
  'clock-differs',
  'clock-untold',
  'stored',
  'stored-demo',
  'store-failed',
  'skipped',
]);
export type TestNote = z.infer<typeof TestNote>;

/**
 * Result of one step. `value` is the host, count or seconds of the note; for a skipped step, the
 * note of the step that failed.
 */
export const TestStep = z.object({
  step: TestStepName,
  ok: z.boolean(),
  note: TestNote,
  value: z.string().nullable(),
  /** Details of a failed step, if the failure has more than the note. */
  failure: Failure.optional(),
});
export type TestStep = z.infer<typeof TestStep>;

export const TestResult = z.object({ ok: z.boolean(), steps: z.array(TestStep) });
export type TestResult = z.infer<typeof TestResult>;

/** Test of a key with one of the two APIs. */
export const ApiTry = z.object({
  api: ApiName,
  url: z.string(),
  /** Whether the service accepted the key and listed agreements in the form of this API. */
  isAccepted: z.boolean(),
  steps: z.array(TestStep),
});
export type ApiTry = z.infer<typeof ApiTry>;

export const NewConnection = z.object({
  name: z.string().trim().min(1).max(80),
  api: ApiName,
  url: z.string().trim(),
  environment: Environment.exclude(['demo']),
  accountId: z.string().trim().nullable(),
  orgNo: z.string().trim().nullable().default(null),
  allowed: AllowedRecipients.default(null),
  /**
   * Token or access key; surrounding pasted text is removed. Stored only in the credential store.
   */
  secret: z.string(),
});
export type NewConnection = z.infer<typeof NewConnection>;

export const connectionCalls = {
  'connections.list': call(z.object({}), z.array(Connection)),
  'connections.capabilities': call(z.object({}), z.array(Capabilities)),
  'connections.add': call(NewConnection, Connection),
  /** Adds a connection to the built-in service for each API, or returns the existing ones. */
  'connections.addDemo': call(z.object({}), z.array(Connection)),
  'connections.rename': call(
    z.object({ id: ConnectionId, name: z.string().trim().min(1).max(80) }),
    Connection,
  ),
  /**
   * Limits the recipients to which the connection sends from now on; items already in the outbox
   * are still sent.
   */
  'connections.allow': call(z.object({ id: ConnectionId, allowed: AllowedRecipients }), Connection),
  /**
   * Changes our organisation number in a connection of API v2. The signing queue then offers the
   * agreements that name this number; null offers every company party.
   */
  'connections.setOrgNo': call(
    z.object({ id: ConnectionId, orgNo: z.string().trim().max(40).nullable() }),
    Connection,
  ),
  'connections.replaceSecret': call(z.object({ id: ConnectionId, secret: z.string() }), Connection),
  /**
   * Removes a connection and its secret, and its local copies as requested. Never touches archived
   * files.
   */
  'connections.remove': call(
    z.object({
      id: ConnectionId,
      agreements: z.enum(['keep', 'delete']),
      drafts: z.enum(['keep', 'delete']),
    }),
    EmptyObject,
  ),
  /** Tests a stored connection. Changes nothing on the service. */
  'connections.test': call(z.object({ id: ConnectionId }), TestResult),
  /** Tests a connection that is not stored yet. */
  'connections.try': call(NewConnection, TestResult),
  /**
   * Finds out for which API a key is: tests the key with each API on the host of `url`, until one
   * accepts the key or the host cannot be reached. Stores nothing, and changes nothing on the
   * service.
   */
  'connections.detect': call(
    z.object({ url: z.string().trim(), secret: z.string() }),
    z.object({ tries: z.array(ApiTry).min(1) }),
  ),
} as const;

export const connectionEvents = { 'connections.changed': z.object({}) } as const;
