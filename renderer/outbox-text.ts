import type { OutboxItem } from '../shared/contract/outbox.ts';
import { formatTime } from './format.ts';
import { m } from './language.svelte.ts';

/** What an item is waiting for, as a person sees it: a queued one can wait for three things. */
export type OutboxCondition = Exclude<OutboxItem['state'], 'queued'> | 'held' | 'queued' | 'asks';

const looks = {
  held: { tone: 'out', word: m.outbox_state_held, explain: m.outbox_explain_held },
  queued: { tone: 'out', word: m.outbox_state_queued, explain: m.outbox_explain_queued },
  asks: { tone: 'attention', word: m.outbox_state_asks, explain: m.outbox_explain_asks },
  sending: { tone: 'out', word: m.outbox_state_sending, explain: m.outbox_explain_sending },
  sent: { tone: 'signed', word: m.outbox_state_sent, explain: m.outbox_explain_sent },
  rejected: { tone: 'rejected', word: m.outbox_state_rejected, explain: m.outbox_explain_rejected },
  unknown: { tone: 'attention', word: m.outbox_state_unknown, explain: m.outbox_explain_unknown },
  abandoned: {
    tone: 'draft',
    word: m.outbox_state_abandoned,
    explain: m.outbox_explain_abandoned,
  },
} as const satisfies Record<OutboxCondition, unknown>;

export function conditionOf({ state, attempts, reason, nextAt }: OutboxItem): OutboxCondition {
  if (state !== 'queued') return state;
  if (nextAt === null) return 'asks';
  return attempts === 0 && reason === null ? 'held' : 'queued';
}

/** Tone and word of the badge, and what the condition means. */
export const lookOf = (condition: OutboxCondition): (typeof looks)[OutboxCondition] =>
  looks[condition];

function uploadText({ done, total }: NonNullable<OutboxItem['progress']>): string {
  return m.outbox_next_uploading({ number: Math.min(done + 1, total), total });
}

/** What happens next: a countdown, files that go up, a time, or that a person decides. */
export function nextText(item: OutboxItem, now: number): string {
  const condition = conditionOf(item);
  if (condition === 'asks' || condition === 'unknown' || condition === 'rejected') {
    return m.outbox_next_you();
  }
  if (item.state !== 'queued' || item.nextAt === null) return m.outbox_next_none();
  if (item.progress !== undefined && item.nextAt <= now) return uploadText(item.progress);
  if (condition === 'queued') return m.outbox_next_at({ time: formatTime(item.nextAt) });
  return m.outbox_next_seconds({ seconds: Math.max(0, Math.ceil((item.nextAt - now) / 1000)) });
}
