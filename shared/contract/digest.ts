import * as z from 'zod';
import { call } from './call.ts';
import { AgreementKey, BytesId, Instant } from '../model/ids.ts';

/**
 * Event of an agreement since the last daily summary, or one that is due soon. `bounced`: messages
 * to a party's address come back.
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

/**
 * Entry of the daily summary. Texts of agreements are masked as in logs: personal numbers and
 * addresses are removed.
 */
export const DigestEntry = AgreementKey.extend({
  kind: DigestKind,
  title: z.string(),
  /**
   * Names of the parties or, for `bounced`, of those that could not be reached; empty if the
   * service returned none.
   */
  parties: z.array(z.string()),
  /** Time at which the agreement ended or expires, by the service's clock; null if not known. */
  at: Instant.nullable(),
  /** The party's own reason for rejecting the agreement; null if not known. */
  reason: z.string().nullable(),
});
export type DigestEntry = z.infer<typeof DigestEntry>;

/** A rule that is stopped until the user acts. */
export const DigestRuleProblem = z.object({
  kind: z.enum(['archive-rule', 'intake-rule', 'reminder-rule']),
  name: z.string(),
  /**
   * Number of agreements or files that failed in the rule's last run; 0 if the run could not start.
   */
  failed: z.number().int(),
});
export type DigestRuleProblem = z.infer<typeof DigestRuleProblem>;

export const Digest = z.object({
  /**
   * Time of the previous summary; null for the first summary, which starts at the first read of
   * each connection.
   */
  since: Instant.nullable(),
  until: Instant,
  counts: z.record(DigestKind, z.number().int()),
  /** At most 200 entries, most recently ended first; `counts` includes all. */
  entries: z.array(DigestEntry),
  /** Number of single sends and rows of batches that wait for the user. */
  decisions: z.number().int(),
  troubles: z.array(DigestRuleProblem),
});
export type Digest = z.infer<typeof Digest>;

export const digestCalls = {
  /** Returns today's daily summary so far: all events since the previous summary. */
  'digest.read': call(z.object({}), Digest),
  /**
   * Returns the summary that is due, only once on this computer; null if none is due or it would be
   * empty.
   */
  'digest.take': call(z.object({}), Digest.nullable()),
  /** Makes an email without recipients, which the user's own mail program opens as a draft. */
  'digest.mail': call(
    z.object({
      subject: z.string().min(1).max(200),
      /** Lines of the email; a line that is too long to read is cut. */
      lines: z.array(z.string().max(100_000)).max(1000),
    }),
    z.object({ out: BytesId, fileName: z.string() }),
  ),
} as const;
