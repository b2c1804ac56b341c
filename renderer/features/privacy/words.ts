import type {
  RetentionKind,
  RetentionPreview,
  SizeKind,
} from '../../../shared/contract/privacy.ts';
import { formatBytes, formatCount, formatDate } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

export const kindLabels = {
  copies: m.privacy_kind_copies,
  trash: m.privacy_kind_trash,
  sent: m.privacy_kind_sent,
  sheets: m.privacy_kind_sheets,
  logs: m.privacy_kind_logs,
} as const satisfies Record<RetentionKind, () => string>;

export const sizeLabels = {
  agreements: m.screen_agreements,
  drafts: m.screen_drafts,
  templates: m.screen_templates,
  batches: m.privacy_size_batches,
  outbox: m.screen_outbox,
  actions: m.privacy_size_actions,
  evidence: m.evidence_title,
  archive: m.privacy_size_archive,
  people: m.screen_people,
  other: m.privacy_size_other,
} as const satisfies Record<SizeKind, () => string>;

const keepReasonTexts = {
  younger: m.privacy_stays_younger,
  unsettled: m.privacy_stays_unsettled,
  'not-archived': m.privacy_stays_not_archived,
} as const;

/** Current effect of a limit, and what stays; nothing for a limit that keeps everything. */
export function lineOf({ limit, number, bytes, oldest, stays }: RetentionPreview): string {
  if (limit === null) return '';
  const goes =
    number === 0 || oldest === null
      ? m.privacy_goes_none()
      : m.privacy_goes({
          count: formatCount(number),
          bytes: formatBytes(bytes),
          oldest: formatDate(oldest),
        });
  const left = stays.map((one) => keepReasonTexts[one.why]({ count: formatCount(one.number) }));
  return [goes, ...left].join(' ');
}
