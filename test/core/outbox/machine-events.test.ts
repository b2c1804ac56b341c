import { describe, expect, it } from 'vitest';
import { type OutboxEvent, type Row, transition } from '../../../electron/core/outbox/machine.ts';
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

/** One that was looked for a few times in vain. */
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

const rowIn = (state: OutboxState, change: Partial<Row> = {}): Row => ({
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

const after = (row: Row, event: OutboxEvent) => transition(row, event, NOW);

/** The states in which the event changes something, with what follows. */
function moves(event: OutboxEvent, change: Partial<Row> = {}) {
  const pairs = ALL.flatMap((state) => {
    const to = after(rowIn(state, change), event)?.to;
    return to === undefined ? [] : [[state, to]];
  });
  return Object.fromEntries(pairs);
}

const absent = { kind: 'absent', mayResend: true, isNeverMade: true } as const;
const found = { to: 'sent', nextAt: null, verify: false, track: untracked, remoteId };
const again = { to: 'queued', nextAt: NOW, verify: false, track: untracked };
/** Nobody knows what became of it: it is looked for five seconds later. */
const doubted = { to: 'unknown', nextAt: null, verify: false };
const soon = NOW + 5_000;

describe('an answer', () => {
  it.each<[OutboxEvent, OutboxState]>([
    [{ kind: 'not-sent', nextAt: LATER }, 'queued'],
    [{ kind: 'done', remoteId }, 'sent'],
    [{ kind: 'turned-away', nextAt: LATER, endedAt: ENDED }, 'queued'],
    [{ kind: 'lost', endedAt: ENDED }, 'unknown'],
  ])('%j moves only what is on the wire, to %s', (event, to) => {
    expect(moves(event)).toEqual({ sending: to });
  });

  it('that refuses moves what is on the wire, or what waits for its files', () => {
    expect(moves({ kind: 'refused', endedAt: ENDED })).toEqual({
      sending: 'rejected',
      queued: 'rejected',
    });
    const file = { kind: 'refused', endedAt: null } as const;
    expect(after(rowIn('queued'), file)).toEqual({ to: 'rejected', nextAt: null });
  });

  it('of nothing that left is no attempt, and waits as long as it was told', () => {
    const step = after(rowIn('sending'), { kind: 'not-sent', nextAt: LATER });
    expect(step).toEqual({ to: 'queued', nextAt: LATER, isUncounted: true });
  });

  it('that it is done ends the looking, with its agreement where it is known', () => {
    expect(after(rowIn('sending'), { kind: 'done', remoteId })).toEqual(found);
    const { remoteId: _, ...nameless } = found;
    expect(after(rowIn('sending'), { kind: 'done', remoteId: null })).toStrictEqual(nameless);
  });

  it('that says no is looked into at once', () => {
    const looking = { ...untracked, endedAt: ENDED, lookAt: NOW };
    const refused = { to: 'rejected', nextAt: null, verify: true, track: looking };
    expect(after(rowIn('sending'), { kind: 'refused', endedAt: ENDED })).toEqual(refused);
    const step = after(rowIn('sending'), { kind: 'turned-away', nextAt: LATER, endedAt: ENDED });
    expect(step).toEqual({ to: 'queued', nextAt: LATER, verify: true, track: looking });
  });

  it('that was lost is looked for five seconds later', () => {
    const step = after(rowIn('sending'), { kind: 'lost', endedAt: ENDED });
    expect(step).toEqual({ ...doubted, track: { ...untracked, endedAt: ENDED, lookAt: soon } });
  });
});

describe('a restart', () => {
  it('doubts what was on the wire, and nothing else', () => {
    expect(moves({ kind: 'restart', isRestored: false })).toEqual({ sending: 'unknown' });
  });

  it('of restored data doubts all that might have gone out since', () => {
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

describe('what the program or a person decides', () => {
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
  ])('by %j moves %j', (event, expected) => {
    expect(moves(event)).toEqual(expected);
  });

  it.each<[OutboxEvent, OutboxState]>([
    [{ kind: 'resend' }, 'queued'],
    [{ kind: 'confirm', remoteId }, 'sent'],
    [{ kind: 'abandon' }, 'abandoned'],
  ])('%j moves what was turned away and is still looked for, to %s', (event, to) => {
    const verify = { verify: true };
    expect(after(rowIn('queued', verify), event)?.to).toBe(to);
    // Looked for as well, but it is on the wire, or settled.
    const elsewhere = Object.keys(moves(event, verify)).filter((state) => state !== 'queued');
    expect(elsewhere).toEqual(Object.keys(moves(event)));
  });

  it('that it goes out again forgets what was looked for', () => {
    expect(after(rowIn('human'), { kind: 'resend' })).toEqual(again);
    expect(after(rowIn('absent', { policy: 'auto' }), absent)).toEqual(again);
  });

  it('that it is this agreement ends the looking', () => {
    expect(after(rowIn('unknown'), { kind: 'confirm', remoteId })).toEqual(found);
    expect(after(rowIn('duplicate'), { kind: 'keep', remoteId })).toEqual(found);
  });

  it('that it is given up looks on where the answer was a no, and only there', () => {
    const end = { to: 'abandoned', nextAt: null };
    const quiet = { ...end, verify: false, track: { lookAt: null, inconclusiveScans: 0 } };
    expect(after(rowIn('unknown'), { kind: 'abandon' })).toEqual(quiet);
    const watched = { ...end, verify: true, track: { lookAt: LATER } };
    expect(after(rowIn('rejected', { verify: true }), { kind: 'abandon' })).toEqual(watched);
  });

  it('that it is taken back is an end without a trace where nothing ever left', () => {
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
    'given up while $state is abandoned, not cancelled, when its attempts may be in another copy (DL-A9)',
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
  ])('does not go out by itself when it was made $made later than now', ({ ahead, to }) => {
    const row = rowIn('absent', { policy: 'auto', createdAt: NOW + ahead });
    expect(after(row, absent)?.to).toBe(to);
  });
});
