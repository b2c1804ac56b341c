import * as z from 'zod';
import { call } from './call.ts';
import { AgreementKey, BytesId, Instant } from '../model/ids.ts';

/**
 * What became of an agreement since the last digest, or is about to; `bounced`: a party of it is not
 * reached, since messages to its address come back.
 */
export const digestKinds = [
  'signed',
  'rejected',
  'expired',
  'revoked',
  'bounced',
  'expiring',
] as const;
export const DigestKind = z.enum(digestKinds);
export type DigestKind = z.infer<typeof DigestKind>;

/** Texts of agreements stand here as in logs: numbers and addresses of persons are taken out. */
export const DigestEntry = AgreementKey.extend({
  kind: DigestKind,
  title: z.string(),
  /** Names of the parties, of those that are not reached; empty when the service gave none. */
  parties: z.array(z.string()),
  /** When it ended or expires, by the service's clock; null where it does not say. */
  at: Instant.nullable(),
  /** Why a party rejected it, in the party's words. */
  reason: z.string().nullable(),
});
export type DigestEntry = z.infer<typeof DigestEntry>;

/** Something here that does no more until a person looks at it. */
export const DigestTrouble = z.object({
  kind: z.enum(['archive-rule', 'intake-rule', 'reminder-rule']),
  name: z.string(),
  /** Agreements, or files, of its last run that could not be done; 0 when the run could not begin. */
  failed: z.number().int(),
});
export type DigestTrouble = z.infer<typeof DigestTrouble>;

export const Digest = z.object({
  /** Null when there was none before: then it begins with the first reading of each connection. */
  since: Instant.nullable(),
  until: Instant,
  counts: z.record(DigestKind, z.number().int()),
  /** At most 200, those that ended last first; `counts` has all. */
  entries: z.array(DigestEntry),
  /** Single sends and rows of batches that wait for a person. */
  decisions: z.number().int(),
  troubles: z.array(DigestTrouble),
});
export type Digest = z.infer<typeof Digest>;

export const digestCalls = {
  /** What stands in the digest of today so far: everything since the one before. */
  'digest.read': call(z.object({}), Digest),
  /**
   * The digest whose time has come, which is then given to nobody else, on this computer; null when
   * none is due or nothing happened.
   */
  'digest.take': call(z.object({}), Digest.nullable()),
  /** A mail nobody is named in, for the person's own mail program to open as a draft. */
  'digest.mail': call(
    z.object({
      subject: z.string().min(1).max(200),
      /** Each becomes one line, and is cut where it is too long to be read. */
      lines: z.array(z.string().max(100_000)).max(1000),
    }),
    z.object({ out: BytesId, fileName: z.string() }),
  ),
} as const;
