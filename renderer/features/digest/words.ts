import {
  type Digest,
  type DigestEntry,
  type DigestKind,
  digestKinds,
} from '../../../shared/contract/digest.ts';
import { capitalized, formatDateTime, formatNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { joinFacts } from '../../ui/join-facts.ts';

const digestKindTexts = {
  signed: m.digest_signed,
  rejected: m.digest_rejected,
  expired: m.digest_expired,
  revoked: m.digest_revoked,
  bounced: m.digest_bounced,
  expiring: m.digest_expiring,
} as const satisfies Record<DigestKind, unknown>;

/** Number of agreements of a kind, for use inside a sentence. */
const countText = (kind: DigestKind, count: number): string => digestKindTexts[kind]({ count });

/** Headings for a kind of agreement, for sends that wait for a user, and for failed rules. */
export const headingOf = (kind: DigestKind, count: number): string =>
  capitalized(countText(kind, count));
export const decisionsHeading = ({ decisions }: Digest): string =>
  capitalized(m.digest_decisions({ count: decisions }));
export const troublesHeading = ({ troubles }: Digest): string =>
  capitalized(m.digest_troubles({ count: troubles.length }));

/** Kinds that occur, in order of importance. */
export const occurringKinds = ({ counts }: Digest): readonly DigestKind[] =>
  digestKinds.filter((kind) => counts[kind] > 0);

/** The summary in one line; empty if nothing happened. */
export function summaryOf(digest: Digest): string {
  const { counts, decisions, troubles } = digest;
  const parts = occurringKinds(digest).map((kind) => countText(kind, counts[kind]));
  if (decisions > 0) parts.push(m.digest_decisions({ count: decisions }));
  if (troubles.length > 0) parts.push(m.digest_troubles({ count: troubles.length }));
  return formatNames(parts);
}

/** Time at which the summary's period starts; its end if there is no previous summary. */
export const sinceText = ({ since, until }: Digest): string => formatDateTime(since ?? until);

export function detailOf({ kind, parties, at, reason }: DigestEntry): string {
  const when = at === null ? null : formatDateTime(at);
  const time = when !== null && kind === 'expiring' ? m.digest_expires({ time: when }) : when;
  const why = reason === null ? null : m.detail_reject_reason({ reason });
  return joinFacts([formatNames(parties), time, why]);
}

/** The summary as plain text, without addresses. */
export function mailLines(digest: Digest): readonly string[] {
  const { counts, decisions, troubles, entries } = digest;
  return [
    m.digest_since({ time: sinceText(digest) }),
    ...occurringKinds(digest).flatMap((kind) => {
      const named = entries.filter((entry) => entry.kind === kind);
      const rest = counts[kind] - named.length;
      return [
        '',
        headingOf(kind, counts[kind]),
        ...named.map((entry) => `- ${entry.title} (${detailOf(entry)})`),
        ...(rest > 0 ? [`- ${m.reminder_preview_more({ count: rest })}`] : []),
      ];
    }),
    ...(decisions > 0 ? ['', decisionsHeading(digest)] : []),
    ...troubles.map(({ name }) => m.digest_trouble({ name })),
  ];
}
