import { describe, expect, it } from 'vitest';
import { transition } from '../../electron/core/outbox/machine.ts';
import { GAP, SETTLE } from '../../electron/core/outbox/times.ts';
import { type Decide, explore, type World } from './model.ts';
import { MINUTE } from '../../shared/rules/time/units.ts';

const TICK = 2 * MINUTE;
/** Longest delay that the program assumes from a request to its listing (ticks). */
const ASSUMED = (SETTLE + GAP) / TICK;

const usual: World = {
  rows: 1,
  mark: 'tag',
  policy: 'auto',
  lateTicks: ASSUMED - 1,
  lagTicks: 1,
  kills: 2,
  losses: 2,
  colleagues: 0,
  restores: 0,
  hasTwoCredentials: false,
  people: false,
};

/** Resends immediately after a crash or a lost answer, like a mail program. */
const mailOutbox: Decide = (row, event, now) => {
  const step = transition(row, event, now);
  return step?.to === 'unknown' ? { to: 'queued', nextAt: now, verify: false } : step;
};
/** Scans once, immediately, and resends if there is no match. */
const oneLook: Decide = (row, event, now) => {
  const step = transition(row, event, now);
  if (row.state !== 'unknown' || event.kind !== 'pass' || step?.to === 'sent') return step;
  return { to: 'queued', nextAt: now, verify: false };
};

describe('the outbox, in every order of kills, lost answers, late commits and late lists', () => {
  it('never sends twice automatically if the service is at most as late as assumed', () => {
    const found = explore(usual);
    expect(found).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
    expect(found.states).toBeGreaterThan(500);
  });

  it('never sends twice automatically if it must ask a person, however late the service is', () => {
    const late = { ...usual, policy: 'ask', lateTicks: 2 * ASSUMED } as const;
    expect(explore(late)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
  });

  it('reports a duplicate if the service commits later than assumed', () => {
    const token = { ...usual, mark: 'token' } as const;
    const found = explore({ ...token, lateTicks: ASSUMED + 3, kills: 1, losses: 1 });
    expect(found.duplicates).toBeGreaterThan(0);
    expect(found).toMatchObject({ silent: 0, stuck: 0 });
  });

  it.each(['tag', 'name', 'field', 'token', 'nothing'] as const)(
    'never resends automatically if a colleague revoked or deleted the agreement; marked by %s (DL-A7)',
    (mark) => {
      const one = { ...usual, mark, lateTicks: 1, kills: 1, losses: 2, colleagues: 2 } as const;
      expect(explore(one)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
    },
  );

  it.each(['tag', 'name', 'field', 'token', 'nothing'] as const)(
    'never resends automatically what an older copy of the data does not contain; marked by %s (DL-A1)',
    (mark) => {
      const one = { ...usual, mark, lateTicks: 1, kills: 1, losses: 1, restores: 1 } as const;
      expect(explore(one)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
    },
  );

  it.each(['tag', 'name', 'token', 'nothing'] as const)(
    'never treats a list read with another API key as proof of absence; marked by %s (DL-A2)',
    (mark) => {
      const one = { ...usual, mark, lateTicks: 1, hasTwoCredentials: true } as const;
      expect(explore(one)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
    },
  );

  it('sends again exactly as often as a person decided', () => {
    const asked = { ...usual, policy: 'ask', people: true, kills: 1 } as const;
    expect(explore(asked)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
  });

  it('distinguishes two sends of the same content by their marks', () => {
    const two = { ...usual, rows: 2, kills: 0, losses: 1, lagTicks: 0, lateTicks: null } as const;
    expect(explore(two)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
  });

  it.each(['tag', 'name', 'field', 'token', 'nothing'] as const)(
    'asks before resending a request that the service denied but carried out; marked by %s (TE-2.1)',
    (mark) => {
      const one = { ...usual, mark, policy: 'ask', lateTicks: null, lagTicks: 1 } as const;
      const doubted = { ...one, kills: 1, losses: 1, people: true };
      expect(explore(doubted)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
    },
  );

  it('lets a person match two unmarked sends of the same content, and sends neither again', () => {
    const two = {
      ...usual,
      rows: 2,
      mark: 'nothing',
      kills: 0,
      losses: 1,
      lagTicks: 0,
      lateTicks: null,
    } as const;
    expect(explore(two)).toMatchObject({ broken: null, duplicates: 0, stuck: 0 });
  });
});

/** Treats every unlisted agreement as never created. */
const listIsProof: Decide = (row, event, now) =>
  transition(row, event.kind === 'absent' ? { ...event, isNeverMade: true } : event, now);

/** Continues with an older copy of the data as if it were current. */
const copyIsTrue: Decide = (row, event, now) =>
  transition(row, event.kind === 'restart' ? { ...event, isRestored: false } : event, now);
/** Treats an agreement missing from another user's list as absent, and resends it. */
const everyListIsWhole: Decide = (row, event, now) => {
  if (event.kind !== 'pass' || event.seen.incompleteReason !== 'other-user') {
    return listIsProof(row, event, now);
  }
  return transition(row, { ...event, seen: { ...event.seen, incompleteReason: null } }, now);
};

describe('the model finds the fault of an outbox that', () => {
  it('trusts an older copy of the data (DL-A1)', () => {
    const { broken } = explore({ ...usual, kills: 0, restores: 1, decide: copyIsTrue });
    expect(broken?.at(-1)).toBe('duplicate');
    expect(broken).toContain('put back');
  });

  it('treats another user’s list as proof of absence (DL-A2)', () => {
    const two = { ...usual, kills: 0, hasTwoCredentials: true } as const;
    expect(explore({ ...two, decide: listIsProof }).broken).toBeNull();
    const { broken } = explore({ ...two, decide: everyListIsWhole });
    expect(broken?.at(-1)).toBe('duplicate');
  });

  it('treats a list as proof of absence although a colleague revokes or deletes (DL-A7)', () => {
    const { broken } = explore({ ...usual, colleagues: 1, decide: listIsProof });
    expect(broken?.at(-1)).toBe('duplicate');
    expect(broken).toContain('taken back 0');
  });

  it('sends again after a crash or a lost answer', () => {
    const { broken } = explore({ ...usual, decide: mailOutbox });
    expect(broken?.at(-1)).toBe('duplicate');
    expect(broken?.length).toBeLessThan(8);
  });

  it('scans only once, and immediately, while the service is late', () => {
    const { broken } = explore({ ...usual, decide: oneLook });
    expect(broken?.at(-1)).toBe('duplicate');
  });
});
