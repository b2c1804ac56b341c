import type { BoardWords, ExcludedCounts } from '../../../shared/rules/board/plots.ts';
import {
  formatCount,
  formatDays,
  formatDaySpan,
  formatDuration,
  formatMonth,
} from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

const exclusionTexts = {
  unsent: m.board_left_unsent,
  untimed: m.board_left_untimed,
  templates: m.board_left_templates,
  unexpiring: m.board_left_unexpiring,
  past: m.board_left_past,
} as const satisfies Record<ExcludedCounts, unknown>;

export function boardWords(): BoardWords {
  return {
    title: {
      waiting: m.board_waiting(),
      signing: m.board_signing(),
      templates: m.board_templates(),
      expiring: m.board_expiring(),
      failed: m.board_failed(),
    },
    lead: {
      waiting: m.board_waiting_lead(),
      signing: m.board_signing_lead(),
      templates: m.board_templates_lead(),
      expiring: m.board_expiring_lead(),
      failed: m.board_failed_lead(),
    },
    group: {
      waiting: m.board_waiting_group(),
      signing: m.board_signing_group(),
      templates: m.board_templates_group(),
      expiring: m.board_expiring_group(),
      failed: m.board_failed_group(),
    },
    agreements: m.board_agreements(),
    number: m.board_number(),
    median: m.board_median(),
    inDays: m.board_in_days(),
    ninety: m.board_ninety(),
    noTemplate: m.board_no_template(),
    failed: {
      'send-refused': m.board_failed_send_refused(),
      'send-unclear': m.board_failed_send_unclear(),
      'action-refused': m.board_failed_action_refused(),
      'action-unclear': m.board_failed_action_unclear(),
      'archive-file': m.board_failed_archive_file(),
      'archive-run': m.board_failed_archive_run(),
    },
    leftOut: (what, count) => exclusionTexts[what]({ count: formatCount(count) }),
    age: (from, to) =>
      to === null ? m.board_or_more({ days: formatDays(from) }) : formatDays(from, to),
    month: formatMonth,
    days: formatDaySpan,
    count: formatCount,
    duration: formatDuration,
  };
}
