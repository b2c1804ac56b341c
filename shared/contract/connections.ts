import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { ApiName, ConnectionId, Instant, Nothing } from '../model/ids.ts';

export const Environment = z.enum(['production', 'test', 'demo']);
export type Environment = z.infer<typeof Environment>;

/** Whom a connection reaches, each as `allowedEntry` keeps it; null for everybody. */
export const Allowed = z.array(z.string().min(1).max(254)).min(1).max(200).nullable();
export type Allowed = z.infer<typeof Allowed>;

/** A service address and who we are there. The secret stays in the credential store. */
export const Connection = z.object({
  id: ConnectionId,
  name: z.string().min(1).max(80),
  api: ApiName,
  /** v1: without `/v1`; v2: with its version. The demo's is `demo:v1` or `demo:v2`. */
  url: z.string(),
  environment: Environment,
  /** v2 only: the acting company user. */
  accountId: z.string().nullable(),
  /** v2 only: our company's organisation number, by which agreements that wait for us are known. */
  orgNo: z.string().nullable(),
  /** Who else stands in a draft or a row keeps it from being sent. */
  allowed: Allowed.default(null),
  createdAt: Instant,
});
export type Connection = z.infer<typeof Connection>;

/** What an API can do, so that screens show what it lacks with the reason. */
export const Capabilities = z.object({
  api: ApiName,
  /** Named things beside what both APIs do. */
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

/** In the order they are taken. */
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
 * `value`: the host, the count or the seconds the note speaks of; of a skipped step the note of the
 * step that failed.
 */
export const TestStep = z.object({
  step: TestStepName,
  ok: z.boolean(),
  note: TestNote,
  value: z.string().nullable(),
  /** Of a failed step, where it says more than the note. */
  failure: Failure.optional(),
});
export type TestStep = z.infer<typeof TestStep>;

export const TestResult = z.object({ ok: z.boolean(), steps: z.array(TestStep) });
export type TestResult = z.infer<typeof TestResult>;

export const NewConnection = z.object({
  name: z.string().trim().min(1).max(80),
  api: ApiName,
  url: z.string().trim(),
  environment: Environment.exclude(['demo']),
  accountId: z.string().trim().nullable(),
  orgNo: z.string().trim().nullable().default(null),
  allowed: Allowed.default(null),
  /** Token or access key; trimmed of what was pasted around it. Goes to the credential store only. */
  secret: z.string(),
});
export type NewConnection = z.infer<typeof NewConnection>;

export const connectionCalls = {
  'connections.list': call(z.object({}), z.array(Connection)),
  'connections.capabilities': call(z.object({}), z.array(Capabilities)),
  'connections.add': call(NewConnection, Connection),
  /** Adds the built-in service once for each API, or returns the connections that are there. */
  'connections.addDemo': call(z.object({}), z.array(Connection)),
  'connections.rename': call(
    z.object({ id: ConnectionId, name: z.string().trim().min(1).max(80) }),
    Connection,
  ),
  /** From now on only these are reached through it; what is in the outbox already is sent. */
  'connections.allow': call(z.object({ id: ConnectionId, allowed: Allowed }), Connection),
  'connections.replaceSecret': call(z.object({ id: ConnectionId, secret: z.string() }), Connection),
  /** Removes the secret always; the local copies as asked. Archived files are never touched. */
  'connections.remove': call(
    z.object({
      id: ConnectionId,
      agreements: z.enum(['keep', 'delete']),
      drafts: z.enum(['keep', 'delete']),
    }),
    Nothing,
  ),
  /** Tests a stored connection. Changes nothing on the service. */
  'connections.test': call(z.object({ id: ConnectionId }), TestResult),
  /** Tests one that is not stored yet. */
  'connections.try': call(NewConnection, TestResult),
} as const;

export const connectionEvents = { 'connections.changed': z.object({}) } as const;
