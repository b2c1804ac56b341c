import { describe, expect, it } from 'vitest';
import {
  type OutboxEvent,
  type MachineRow,
  transition,
} from '../../../electron/core/outbox/machine.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AgreementId } from '../../../shared/model/ids.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const LATER = NOW + 600_000;
const ENDED = NOW - 1_000;
const remoteId = AgreementId.parse('own');

const ALL: readonly OutboxState[] = [
  'queued',
  'sending',
  'sent',
  'rejected',
  'unknown',
  'absent',
  'human',
  'duplicate',
  'cancelled',
  'abandoned',
];

/** Search data of a row after a few inconclusive scans. */
const track = {
  endedAt: ENDED,
  cleanPasses: 1,
  cleanAt: ENDED,
  inconclusiveScans: 2,
  inconclusiveSince: ENDED,
  looks: 3,
  lookAt: LATER,
};
const untracked = {
  endedAt: null,
  cleanPasses: 0,
  cleanAt: null,
  inconclusiveScans: 0,
  inconclusiveSince: null,
  looks: 0,
  lookAt: null,
};

const rowIn = (state: OutboxState, change: Partial<MachineRow> = {}): MachineRow => ({
  state,
  policy: 'ask',
  attempts: 1,
  verify: false,
  remoteId: null,
  createdAt: NOW,
  mark: { by: 'tag' },
  track,
  wasInDoubt: false,
  ...change,
});

const after = (row: MachineRow, event: OutboxEvent) => transition(row, event, NOW);

/** The states that the event changes, each with its next state. */
function moves(event: OutboxEvent, change: Partial<MachineRow> = {}) {
  const pairs = ALL.flatMap((state) => {
    const to = after(rowIn(state, change), event)?.to;
    return to === undefined ? [] : [[state, to]];
  });
  return Object.fromEntries(pairs);
}

const absent = { kind: 'absent', mayResend: true, isNeverMade: true } as const;
const found = { to: 'sent', nextAt: null, verify: false, track: untracked, remoteId };
const again = { to: 'queued', nextAt: NOW, verify: false, track: untracked };
/** Step to an unknown outcome; a scan follows five seconds later, at `soon`. */
const doubted = { to: 'unknown', nextAt: null, verify: false };
const soon = NOW + 5_000;

describe('an answer to an attempt', () => {
  it.each<[OutboxEvent, OutboxState]>([
    [{ kind: 'not-sent', nextAt: LATER }, 'queued'],
    [{ kind: 'done', remoteId }, 'sent'],
    [{ kind: 'turned-away', nextAt: LATER, endedAt: ENDED }, 'queued'],
    [{ kind: 'lost', endedAt: ENDED }, 'unknown'],
  ])('of kind %j changes only a row in flight, to %s', (event, to) => {
    expect(moves(event)).toEqual({ sending: to });
  });

  it('that refuses the send changes a row in flight, or a row that waits for its files', () => {
    expect(moves({ kind: 'refused', endedAt: ENDED })).toEqual({
      sending: 'rejected',
      queued: 'rejected',
    });
    const file = { kind: 'refused', endedAt: null } as const;
    expect(after(rowIn('queued'), file)).toEqual({ to: 'rejected', nextAt: null });
  });

  it('that reports an unsent request is not counted as an attempt, and the row waits as set', () => {
    const step = after(rowIn('sending'), { kind: 'not-sent', nextAt: LATER });
    expect(step).toEqual({ to: 'queued', nextAt: LATER, isUncounted: true });
  });

  it('that confirms the send ends the search, and stores the agreement if it is known', () => {
    expect(after(rowIn('sending'), { kind: 'done', remoteId })).toEqual(found);
    const { remoteId: _, ...nameless } = found;
    expect(after(rowIn('sending'), { kind: 'done', remoteId: null })).toStrictEqual(nameless);
  });

  it('that rejects the send, finally or for now, starts a search immediately', () => {
    const looking = { ...untracked, endedAt: ENDED, lookAt: NOW };
    const refused = { to: 'rejected', nextAt: null, verify: true, track: looking };
    expect(after(rowIn('sending'), { kind: 'refused', endedAt: ENDED })).toEqual(refused);
    const step = after(rowIn('sending'), { kind: 'turned-away', nextAt: LATER, endedAt: ENDED });
    expect(step).toEqual({ to: 'queued', nextAt: LATER, verify: true, track: looking });
  });

  it('that was lost starts a search five seconds later', () => {
    const step = after(rowIn('sending'), { kind: 'lost', endedAt: ENDED });
    expect(step).toEqual({ ...doubted, track: { ...untracked, endedAt: ENDED, lookAt: soon } });
  });
});

describe('a restart', () => {
  it('makes only rows in flight unknown', () => {
    expect(moves({ kind: 'restart', isRestored: false })).toEqual({ sending: 'unknown' });
  });

  it('with restored data makes all rows unknown that another copy may have sent', () => {
    const event = { kind: 'restart', isRestored: true } as const;
    expect(moves(event)).toEqual({
      sending: 'unknown',
      queued: 'unknown',
      unknown: 'unknown',
      absent: 'unknown',
      human: 'unknown',
    });
    const anew = { ...doubted, track: { ...untracked, lookAt: soon } };
    expect(after(rowIn('human'), event)).toEqual(anew);
    expect(after(rowIn('sending'), event)).toEqual(anew);
  });
});

describe('a decision of the program or a person', () => {
  it.each<[OutboxEvent, Readonly<Partial<Record<OutboxState, OutboxState>>>]>([
    [absent, { absent: 'human' }],
    [{ kind: 'resend' }, { absent: 'queued', human: 'queued' }],
    [
      { kind: 'confirm', remoteId },
      { unknown: 'sent', absent: 'sent', human: 'sent' },
    ],
    [
      { kind: 'abandon' },
      { unknown: 'abandoned', absent: 'abandoned', human: 'abandoned', rejected: 'abandoned' },
    ],
    [{ kind: 'cancel' }, { queued: 'abandoned', absent: 'abandoned', rejected: 'abandoned' }],
    [{ kind: 'keep', remoteId }, { duplicate: 'sent' }],
  ])('of kind %j changes the states of rows as in %j', (event, expected) => {
    expect(moves(event)).toEqual(expected);
  });

  it.each<[OutboxEvent, OutboxState]>([
    [{ kind: 'resend' }, 'queued'],
    [{ kind: 'confirm', remoteId }, 'sent'],
    [{ kind: 'abandon' }, 'abandoned'],
  ])(
    'of kind %j changes a temporarily rejected row that is still looked for, to %s',
    (event, to) => {
      const verify = { verify: true };
      expect(after(rowIn('queued', verify), event)?.to).toBe(to);
      // Rows in the remaining states change as usual, even if they are still looked for.
      const elsewhere = Object.keys(moves(event, verify)).filter((state) => state !== 'queued');
      expect(elsewhere).toEqual(Object.keys(moves(event)));
    },
  );

  it('to send a row again clears its search data', () => {
    expect(after(rowIn('human'), { kind: 'resend' })).toEqual(again);
    expect(after(rowIn('absent', { policy: 'auto' }), absent)).toEqual(again);
  });

  it('that an agreement is the one of the row ends the search', () => {
    expect(after(rowIn('unknown'), { kind: 'confirm', remoteId })).toEqual(found);
    expect(after(rowIn('duplicate'), { kind: 'keep', remoteId })).toEqual(found);
  });

  it('to give up a row continues the search only after a refusal', () => {
    const end = { to: 'abandoned', nextAt: null };
    const quiet = { ...end, verify: false, track: { lookAt: null, inconclusiveScans: 0 } };
    expect(after(rowIn('unknown'), { kind: 'abandon' })).toEqual(quiet);
    const watched = { ...end, verify: true, track: { lookAt: LATER } };
    expect(after(rowIn('rejected', { verify: true }), { kind: 'abandon' })).toEqual(watched);
  });

  it('to cancel or give up a row that was never sent makes it cancelled', () => {
    const cancel = { kind: 'cancel' } as const;
    const nothingLeft = { attempts: 0 };
    expect(after(rowIn('queued', nothingLeft), cancel)?.to).toBe('cancelled');
    expect(after(rowIn('rejected', nothingLeft), cancel)?.to).toBe('cancelled');
    expect(after(rowIn('rejected', nothingLeft), { kind: 'abandon' })?.to).toBe('cancelled');
  });

  it.each([
    ...(['unknown', 'absent', 'human'] as const).map((state) => ({ state, wasInDoubt: false })),
    ...(['queued', 'rejected'] as const).map((state) => ({ state, wasInDoubt: true })),
  ])(
    'to give up a row that is $state makes it abandoned if another copy may have sent it (DL-A9)',
    ({ state, wasInDoubt }) => {
      const row = rowIn(state, { attempts: 0, wasInDoubt });
      const steps = [{ kind: 'abandon' } as const, { kind: 'cancel' } as const];
      const ends = steps.flatMap((event) => after(row, event)?.to ?? []);
      expect(ends).not.toEqual([]);
      expect(new Set(ends)).toEqual(new Set(['abandoned']));
    },
  );

  it.each([
    { made: 'ten minutes', ahead: 600_000, to: 'queued' },
    { made: 'more than ten minutes', ahead: 600_001, to: 'human' },
  ])(
    'to send a row again requires a person only if it is dated over ten minutes ahead: $made',
    ({ ahead, to }) => {
      const row = rowIn('absent', { policy: 'auto', createdAt: NOW + ahead });
      expect(after(row, absent)?.to).toBe(to);
    },
  );
});
