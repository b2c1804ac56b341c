import {
  type ConnectionGate,
  type OutboxAttempt,
  type OutboxCounts,
  type OutboxItem,
  type OutboxScan,
  OutboxState,
} from '../../../shared/contract/outbox.ts';
import type { Failure } from '../../../shared/errors.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { formatDateTime, formatTime } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

/** What an item waits for, as the user sees it: a queued item can wait for several things. */
export type OutboxCondition =
  | Exclude<OutboxItem['state'], 'queued'>
  | 'held'
  | 'scheduled'
  | 'turn'
  | 'queued'
  | 'asks'
  /** Another computer of the office sends the item. */
  | 'elsewhere'
  | 'verify';

const conditionLooks = {
  held: { tone: 'out', word: m.outbox_state_held, explain: m.outbox_explain_held },
  scheduled: {
    tone: 'out',
    word: m.outbox_state_scheduled,
    explain: m.outbox_explain_scheduled,
  },
  turn: { tone: 'out', word: m.outbox_state_turn, explain: m.outbox_explain_turn },
  queued: { tone: 'out', word: m.outbox_state_queued, explain: m.outbox_explain_queued },
  asks: { tone: 'attention', word: m.outbox_state_asks, explain: m.outbox_explain_asks },
  elsewhere: { tone: 'attention', word: m.outbox_state_asks, explain: m.outbox_explain_elsewhere },
  verify: { tone: 'out', word: m.outbox_state_verify, explain: m.outbox_explain_verify },
  sending: { tone: 'out', word: m.outbox_state_sending, explain: m.outbox_explain_sending },
  sent: { tone: 'signed', word: m.outbox_state_sent, explain: m.outbox_explain_sent },
  rejected: { tone: 'rejected', word: m.outbox_state_rejected, explain: m.outbox_explain_rejected },
  unknown: { tone: 'attention', word: m.outbox_state_unknown, explain: m.outbox_explain_unknown },
  absent: { tone: 'attention', word: m.outbox_state_absent, explain: m.outbox_explain_absent },
  human: { tone: 'attention', word: m.outbox_state_human, explain: m.outbox_explain_human },
  duplicate: {
    tone: 'rejected',
    word: m.outbox_state_duplicate,
    explain: m.outbox_explain_duplicate,
  },
  cancelled: { tone: 'draft', word: m.outbox_state_cancelled, explain: m.outbox_explain_cancelled },
  abandoned: { tone: 'draft', word: m.outbox_state_abandoned, explain: m.outbox_explain_abandoned },
} as const satisfies Record<OutboxCondition, unknown>;

export function conditionOf(item: OutboxItem): OutboxCondition {
  const { state, attempts, reason, nextAt, verify, batchId, isScheduled } = item;
  if (state !== 'queued') return state;
  if (verify) return 'verify';
  if (nextAt === null) return reason?.reason === 'claimed-elsewhere' ? 'elsewhere' : 'asks';
  if (attempts > 0 || reason !== null) return 'queued';
  if (batchId !== null) return 'turn';
  return isScheduled ? 'scheduled' : 'held';
}

/** Texts of a signature, which has no recipient and needs its own words. */
const signedLook = {
  ...conditionLooks.sent,
  word: m.state_signed,
  explain: m.outbox_explain_signed,
};

/** Explanations for rows of a batch, which have no draft. */
const rowExplanations: Partial<Record<OutboxCondition, () => string>> = {
  rejected: m.outbox_explain_rejected_row,
  abandoned: m.outbox_explain_abandoned_row,
  cancelled: m.outbox_explain_cancelled_row,
};

/** Explanations for signatures, which have no recipients and no draft. */
const signatureExplanations: Partial<Record<OutboxCondition, () => string>> = {
  rejected: m.outbox_explain_rejected_sign,
  abandoned: m.outbox_explain_abandoned_sign,
  cancelled: m.outbox_explain_cancelled_sign,
};

/** Tone and word of the badge, with an explanation. */
export function lookOf(item: OutboxItem) {
  const condition = conditionOf(item);
  if (condition === 'sent' && item.kind === 'sign') return signedLook;
  const { tone, word, explain } = conditionLooks[condition];
  const own = item.kind === 'sign' ? signatureExplanations : rowExplanations;
  const isPlain = item.kind === 'create' && item.batchId === null;
  return { tone, word, explain: (isPlain ? undefined : own[condition]) ?? explain };
}

/** Label of the action that withdraws an item: only a single send returns to its draft. */
export function takeBackLabel({ kind, batchId }: Pick<OutboxItem, 'kind' | 'batchId'>): string {
  if (kind === 'sign') return m.outbox_do_not_sign();
  return batchId === null ? m.outbox_take_back() : m.outbox_do_not_send();
}

/** Text of the question before an item is recorded as not sent. */
export function notSentText({ kind, batchId }: Pick<OutboxItem, 'kind' | 'batchId'>): string {
  if (kind === 'sign') return m.outbox_not_sent_sign_lead();
  return batchId === null ? m.outbox_not_sent_lead() : m.outbox_not_sent_row_lead();
}

/** Kind of a line: of an item, or a batch of items. */
export type OutboxKind = OutboxItem['kind'] | 'batch';

const kindNames = {
  create: m.outbox_kind_create,
  sign: m.outbox_kind_sign,
  batch: m.outbox_kind_batch,
} as const satisfies Record<OutboxKind, () => string>;

export const kindName = (kind: OutboxKind): string => kindNames[kind]();

/** Number of rows of a batch in each state, without the states that no row has. */
export const stateCounts = (
  counts: OutboxCounts,
): readonly { readonly word: string; readonly count: number }[] =>
  OutboxState.options
    .filter((state) => counts[state] > 0)
    .map((state) => ({
      word: conditionLooks[state === 'queued' ? 'turn' : state].word(),
      count: counts[state],
    }));

export const isForPerson = (condition: OutboxCondition): boolean =>
  ['asks', 'elsewhere', 'rejected', 'absent', 'human', 'duplicate'].includes(condition);

function uploadText({ done, total }: NonNullable<OutboxItem['progress']>): string {
  return m.outbox_next_uploading({ number: Math.min(done + 1, total), total });
}

/** Next event: a countdown, an upload, a time, or a user's decision. */
export function nextEventText(item: OutboxItem, now: number): string {
  const condition = conditionOf(item);
  if (isForPerson(condition)) return m.outbox_next_you();
  if (condition === 'verify' || condition === 'unknown') return unknownText(item);
  if (item.state !== 'queued' || item.nextAt === null) return m.outbox_next_none();
  if (item.progress !== undefined && item.nextAt <= now) return uploadText(item.progress);
  if (condition === 'turn' && item.nextAt <= now) return m.outbox_next_none();
  if (condition === 'scheduled') return formatDateTime(item.nextAt);
  if (condition === 'queued' || condition === 'turn')
    return m.outbox_next_at({ time: formatTime(item.nextAt) });
  return m.outbox_next_seconds({ seconds: Math.max(0, Math.ceil((item.nextAt - now) / 1000)) });
}

function unknownText({ doubt }: OutboxItem): string {
  const at = doubt?.knownAt ?? null;
  return at === null ? m.outbox_next_looking() : m.outbox_next_known({ time: formatTime(at) });
}

/** Reason for the state of a row; the service's message for a refused row is shown unchanged. */
export function whyText(state: OutboxItem['state'], reason: Failure): string {
  const { said } = reason;
  if (state === 'rejected' && said !== undefined) return m.refused_by_service_because({ said });
  if (state === 'rejected' && reason.reason === undefined) return m.refused_by_service();
  return said === undefined
    ? sentenceFor(reason)
    : `${sentenceFor(reason)} ${m.service_said({ said })}`;
}

/** Fields that the service rejected, by their names in the window, with the service's messages. */
export function refusedFields({ fields = {} }: Failure): { field: string; said: string }[] {
  return Object.entries(fields).map(([path, said]) => ({ field: fieldName(path), said }));
}

/**
 * Name of a field with indices from one, because users count so: `parties 1 email` for
 * `parties.0.email`.
 */
const fieldName = (path: string): string =>
  path
    .split('.')
    .map((part) => (/^\d{1,4}$/.test(part) ? String(Number(part) + 1) : part))
    .join(' ');

/** Reason why a connection is blocked, and the next step for the user. */
export function gateText({ kind, until }: ConnectionGate, name: string): string {
  const time = until === null ? '' : formatTime(until);
  switch (kind) {
    case 'rate':
      return m.outbox_gate_rate({ name, time });
    case 'auth':
      return m.outbox_gate_auth({ name });
    case 'offline':
      return m.outbox_gate_offline({ name, time });
    case 'clock':
      return m.outbox_gate_clock({ name });
    case 'disk':
      return m.outbox_gate_disk({ name });
    case 'keychain':
      return m.outbox_gate_keychain({ name });
    case 'breaker':
      return m.outbox_gate_breaker({ name });
    case 'user':
      return m.outbox_gate_user({ name });
    case 'update':
      return m.outbox_gate_update({ name });
    case 'office':
      return m.outbox_gate_office({ name, time });
  }
}

export function attemptText({ startedAt, left, outcome }: OutboxAttempt): string {
  const time = formatTime(startedAt);
  if (!left) return m.outbox_attempt_stayed({ time });
  const isLost = outcome === 'unknown' || outcome === null;
  return m.outbox_attempt_left({
    time,
    outcome: isLost ? m.outbox_attempt_lost() : m.outbox_attempt_answered(),
  });
}

const incompleteReasons = {
  'not-reached': m.outbox_lack_not_reached,
  unstable: m.outbox_lack_unstable,
  'no-tags': m.outbox_lack_no_tags,
  'no-canary': m.outbox_lack_no_canary,
  'other-user': m.outbox_lack_other_user,
  'too-early': m.outbox_lack_too_early,
} as const;

export function scanText({ endedAt, agreements, lack }: OutboxScan): string {
  const time = formatTime(endedAt);
  return lack === null
    ? m.outbox_pass_whole({ time, count: agreements })
    : m.outbox_pass_vain({ time, why: incompleteReasons[lack]() });
}
