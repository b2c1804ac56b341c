import { describe, expect, it } from 'vitest';
import { BatchId, JobId } from '../../../shared/model/ids.ts';
import {
  type DeskState,
  outcomesBetween,
  fractionOf,
  hasFailedUnseen,
  newsBetween,
  waitingSends,
} from '../../../renderer/app/desktop-news.ts';

const batchId = BatchId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');
const id = JobId.parse('1b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');
const quiet: DeskState = { decisions: 0, batches: [], jobs: [] };
const none = { queued: 0, sending: 0, sent: 0, rejected: 0, unknown: 0, absent: 0, human: 0 };

function batch(queued: number, needsPerson: number): DeskState {
  const counts = { ...none, duplicate: 0, cancelled: 0, abandoned: 0, queued };
  return { ...quiet, batches: [{ batchId, rows: 14, counts, needsPerson }] };
}

function job(state: 'running' | 'done' | 'failed', failed: number): DeskState {
  return { ...quiet, jobs: [{ id, kind: 'archive-agreements', state, failed }] };
}

describe('desktop news about ended agreements', () => {
  const counts = (signed: number, rejected: number, expired = 0) => ({
    since: 1,
    counts: { signed, rejected, expired, revoked: 0, bounced: 1, expiring: 5 },
  });

  it('are one message for each kind of ending, without agreements that are about to expire', () => {
    expect(outcomesBetween(counts(1, 0), counts(3, 1))).toEqual([
      { kind: 'ended', as: 'signed', count: 2 },
      { kind: 'ended', as: 'rejected', count: 1 },
    ]);
    expect(outcomesBetween(counts(1, 0), counts(1, 0, 0))).toEqual([]);
  });

  it('are omitted when a new daily summary starts to count', () => {
    expect(outcomesBetween(counts(1, 0), Object.assign(counts(4, 0), { since: 2 }))).toEqual([]);
  });
});

describe('desktop news for a user who looks elsewhere', () => {
  it('announce each further decision once (FE-D14)', () => {
    const two = { ...quiet, decisions: 2 };
    expect(newsBetween(quiet, two)).toEqual([{ kind: 'decision', count: 2 }]);
    expect(newsBetween(two, two)).toEqual([]);
    expect(newsBetween(two, quiet)).toEqual([]);
  });

  it('announce the end of a batch only if some of its rows need attention (FE-D14)', () => {
    expect(newsBetween(batch(3, 1), batch(2, 2))).toEqual([]);
    expect(newsBetween(batch(1, 2), batch(0, 3))).toEqual([{ kind: 'batch', count: 3, rows: 14 }]);
    expect(newsBetween(batch(1, 0), batch(0, 0))).toEqual([]);
    expect(newsBetween(quiet, batch(0, 3))).toHaveLength(1);
    expect(newsBetween(batch(0, 3), batch(0, 3))).toEqual([]);
  });

  it('announce an archive run that failed completely or in part (FE-D14)', () => {
    expect(newsBetween(job('running', 0), job('done', 0))).toEqual([]);
    expect(newsBetween(job('running', 0), job('done', 2))).toEqual([{ kind: 'archive', count: 2 }]);
    expect(newsBetween(job('running', 0), job('failed', 0))).toHaveLength(1);
    expect(newsBetween(job('failed', 0), job('failed', 0))).toEqual([]);
  });
});

describe('the total progress of all running work', () => {
  it('is one fraction of all countable work, and missing if nothing is countable (FE-D14)', () => {
    expect(fractionOf([])).toBeNull();
    expect(fractionOf([{ done: 7, total: null }])).toBeNull();
    expect(
      fractionOf([
        { done: 1, total: 4 },
        { done: 30, total: 20 },
      ]),
    ).toBe(0.87);
  });
});

describe('the last run of a rule', () => {
  const daily = { rule: { when: { kind: 'daily', at: '02:30' } } } as const;
  const failure = { code: 'storage', message: 'The folder is gone' } as const;

  it.each([
    ['has not run yet', { ...daily, last: null }, false],
    ['went well', { ...daily, last: { failed: 0, failure: null } }, false],
    ['failed for some items', { ...daily, last: { failed: 1, failure: null } }, true],
    ['could not start', { ...daily, last: { failed: 0, failure } }, true],
    [
      'was started by a user, who saw the result',
      { rule: { when: { kind: 'by-hand' } }, last: { failed: 1, failure: null } } as const,
      false,
    ],
  ])('of a rule that %s: %j is reported at the start: %j (PK-03)', (_what, rule, isNews) => {
    expect(hasFailedUnseen([{ ...daily, last: null }, rule])).toBe(isNews);
  });
});

describe('the number of waiting sends when the program quits', () => {
  it('counts what is sent automatically, now or later, and no batch that the user stopped', () => {
    const items = [
      { state: 'queued', nextAt: 1 },
      { state: 'queued', nextAt: null },
      { state: 'sending', nextAt: null },
      { state: 'sent', nextAt: null },
    ] as const;
    const counts = { ...none, duplicate: 0, cancelled: 0, abandoned: 0, queued: 4 };
    const batches = [
      { gate: 'open', counts },
      { gate: 'paused', counts },
      { gate: 'asks', counts },
    ] as const;
    expect(waitingSends(items, batches)).toBe(5);
    expect(waitingSends([], [])).toBe(0);
  });
});
