import { describe, expect, it } from 'vitest';
import {
  type MachineRow,
  type ScanFindings,
  transition,
} from '../../../electron/core/outbox/machine.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { DAY, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

/** Time of this computer; the service's clock is an hour ahead. */
const NOW = Date.UTC(2026, 10, 21, 12);
const SERVER_NOW = NOW + 60 * MINUTE;

const own = AgreementId.parse('own');
const untracked = {
  endedAt: null,
  cleanPasses: 0,
  cleanAt: null,
  inconclusiveScans: 0,
  inconclusiveSince: null,
  looks: 0,
  lookAt: null,
};

function rowIn(
  state: OutboxState,
  track: Partial<MachineRow['track']> = {},
  change: Partial<MachineRow> = {},
): MachineRow {
  return {
    state,
    policy: 'ask',
    attempts: 1,
    verify: false,
    remoteId: null,
    createdAt: NOW,
    mark: { by: 'tag' },
    track: { ...untracked, lookAt: NOW, ...track },
    wasInDoubt: false,
    ...change,
  };
}

const turnedAway = (track: Partial<MachineRow['track']> = {}, change: Partial<MachineRow> = {}) =>
  rowIn('queued', track, { verify: true, ...change });
const refused = (track: Partial<MachineRow['track']> = {}) =>
  rowIn('rejected', track, { verify: true });

/** Step of the row after a scan that shows no match for it. */
function afterScan(row: MachineRow, findings: Partial<ScanFindings> = {}) {
  const seen: ScanFindings = {
    hits: [],
    lookalikes: 0,
    incompleteReason: null,
    serverAt: SERVER_NOW,
    ...findings,
  };
  return transition(row, { kind: 'pass', seen }, NOW);
}

const unreached = { incompleteReason: 'not-reached' } as const;
const otherUser = { incompleteReason: 'other-user' } as const;
const asked = { to: 'human', track: { lookAt: null } };

describe('a scan that finds the agreement of a row', () => {
  it('ends the search, also when a person was already asked', () => {
    const found = { to: 'sent', nextAt: null, verify: false, track: untracked, remoteId: own };
    for (const state of ['unknown', 'human', 'rejected', 'abandoned'] as const) {
      expect(afterScan(rowIn(state, { looks: 2 }, { verify: true }), { hits: [own] })).toEqual(
        found,
      );
    }
  });

  it('twice makes a person choose between the two agreements', () => {
    const hits = [own, AgreementId.parse('other')];
    const double = { to: 'duplicate', nextAt: null, verify: false, track: untracked };
    expect(afterScan(turnedAway({ looks: 2 }), { hits })).toEqual(double);
    const sent = rowIn('sent', {}, { remoteId: own });
    expect(afterScan(sent, { hits })).toEqual({ to: 'duplicate', nextAt: null });
  });
});

describe('a row with unknown outcome', () => {
  const unknown = (track: Partial<MachineRow['track']> = {}) => rowIn('unknown', track);
  /** A request so old, by the service's clock, that a list would show what it created. */
  const settled = { endedAt: SERVER_NOW - 10 * MINUTE };

  it.each([1, 2])('and %i possible matches is left to a person', (lookalikes) => {
    expect(afterScan(unknown(settled), { lookalikes })).toEqual(asked);
  });

  it('is left to a person if the list of another user was read', () => {
    expect(afterScan(unknown(settled), otherUser)).toEqual(asked);
  });

  it('starts its wait with the first scan that shows the clock of the service', () => {
    const track = { endedAt: SERVER_NOW, looks: 1, lookAt: NOW + 30 * SECOND };
    expect(afterScan(unknown())).toEqual({ to: 'unknown', track });
  });

  it.each([
    { looks: 0, wait: 30 * SECOND },
    { looks: 1, wait: 2 * MINUTE },
    { looks: 7, wait: 2 * MINUTE },
  ])('is looked for again after $wait ms if $looks scans were too early', ({ looks, wait }) => {
    const track = { endedAt: SERVER_NOW - MINUTE, looks };
    const step = { to: 'unknown', track: { looks: looks + 1, lookAt: NOW + wait } };
    expect(afterScan(unknown(track))).toEqual(step);
  });

  it('is looked for as soon as a scan can be conclusive, even a millisecond later', () => {
    const early = unknown({ endedAt: SERVER_NOW - 10 * MINUTE + 1, looks: 5 });
    expect(afterScan(early)).toEqual({ to: 'unknown', track: { looks: 6, lookAt: NOW + 1 } });
    const between = unknown({ ...settled, cleanPasses: 1, cleanAt: SERVER_NOW - 2 * MINUTE + 1 });
    expect(afterScan(between)).toEqual({ to: 'unknown', track: { looks: 1, lookAt: NOW + 1 } });
  });

  it('counts a first scan without a match after ten minutes, and is scanned again two minutes later', () => {
    const first = afterScan(
      unknown({ ...settled, looks: 3, inconclusiveScans: 2, inconclusiveSince: NOW - 1 }),
    );
    expect(first).toEqual({
      to: 'unknown',
      track: {
        cleanPasses: 1,
        cleanAt: SERVER_NOW,
        inconclusiveScans: 0,
        inconclusiveSince: null,
        looks: 4,
        lookAt: NOW + 2 * MINUTE,
      },
    });
  });

  it('is absent after a second scan without a match two minutes later', () => {
    const cleanAt = SERVER_NOW - 2 * MINUTE;
    const second = afterScan(unknown({ ...settled, cleanPasses: 1, cleanAt }));
    const track = { cleanPasses: 2, cleanAt: SERVER_NOW, lookAt: null };
    expect(second).toEqual({ to: 'absent', track });
  });

  it('is looked for eight minutes after an inconclusive scan', () => {
    const vain = {
      inconclusiveScans: 1,
      inconclusiveSince: NOW,
      looks: 1,
      lookAt: NOW + 8 * MINUTE,
    };
    expect(afterScan(unknown(settled), unreached)).toEqual({ to: 'unknown', track: vain });
  });

  it.each([
    { before: 4, minutes: 30, to: 'human' },
    { before: 4, minutes: 29, to: 'unknown' },
    { before: 3, minutes: 90, to: 'unknown' },
  ])(
    'is $to after $before inconclusive scans and another one, all in $minutes minutes',
    (given) => {
      const inconclusiveSince = NOW - given.minutes * MINUTE;
      const step = afterScan(
        unknown({ ...settled, inconclusiveScans: given.before, inconclusiveSince }),
        unreached,
      );
      expect(step?.to).toBe(given.to);
      const lookAt = given.to === 'human' ? null : NOW + 8 * MINUTE;
      expect(step?.track).toEqual({
        inconclusiveScans: given.before + 1,
        inconclusiveSince,
        looks: 1,
        lookAt,
      });
    },
  );
});

describe('a row that the service rejected, finally or for now', () => {
  const free = { verify: false, track: untracked };

  it('is not looked for again if a list shows no match', () => {
    expect(afterScan(refused({ looks: 1 }))).toEqual({ to: 'rejected', ...free });
    const settled = { endedAt: SERVER_NOW - 10 * MINUTE };
    expect(afterScan(turnedAway(settled))).toEqual({ to: 'queued', ...free });
  });

  it('does not change if it is no longer looked for', () => {
    expect(afterScan(rowIn('rejected'))).toBeNull();
    expect(afterScan(rowIn('queued'))).toBeNull();
    expect(afterScan(rowIn('human'))).toBeNull();
    expect(afterScan(rowIn('queued', {}, { attempts: 0 }))).toBeNull();
  });

  it('may be corrected after one scan without a match, and is looked for while a list may lag (DL-V1)', () => {
    const endedAt = SERVER_NOW - 10 * MINUTE + SECOND;
    const track = { looks: 1, lookAt: NOW + SECOND, cleanPasses: 1 };
    const early = { to: 'rejected', verify: false, track };
    expect(afterScan(refused({ endedAt }))).toEqual(early);
    const lookedFor = { endedAt, looks: 1, cleanPasses: 1 };
    expect(afterScan(rowIn('rejected', lookedFor))).toMatchObject({ verify: false });
    const taken = transition(rowIn('rejected', lookedFor), { kind: 'cancel' }, NOW);
    expect(taken).toMatchObject({ to: 'abandoned', track: { lookAt: NOW } });
    expect(afterScan(rowIn('abandoned', lookedFor), { hits: [own] })?.to).toBe('sent');
    const settled = { endedAt: endedAt - SECOND };
    expect(afterScan(rowIn('rejected', settled))).toEqual({ to: 'rejected', ...free });
    expect(afterScan(rowIn('abandoned', settled))).toEqual({ to: 'abandoned', ...free });
    const vain = { ...lookedFor, inconclusiveScans: 4, inconclusiveSince: NOW - 30 * MINUTE };
    expect(afterScan(rowIn('rejected', vain), unreached)).toEqual({ to: 'rejected', ...free });
    // A person who gave up a send after comparing it is not asked about it again.
    const given = rowIn('abandoned', { endedAt, lookAt: null });
    expect(afterScan(given, { lookalikes: 1 })).toBeNull();
  });

  it('is left to a person if an agreement could be its match', () => {
    const step = { ...asked, verify: false };
    expect(afterScan(refused(), { lookalikes: 1 })).toEqual(step);
    expect(afterScan(turnedAway(), { lookalikes: 2 })).toEqual(step);
  });

  it('is sent again only after a list that shows the control agreement', () => {
    const endedAt = SERVER_NOW - 10 * MINUTE + SECOND;
    const track = { looks: 1, lookAt: NOW + SECOND };
    expect(afterScan(turnedAway({ endedAt }))).toEqual({ to: 'queued', track });
    // A signature is verified by its agreement, not by a list.
    const signature = turnedAway({ endedAt }, { mark: { by: 'object' } });
    expect(afterScan(signature)).toEqual({ to: 'queued', ...free });
  });

  it('is looked for eight minutes after an inconclusive scan', () => {
    const track = {
      inconclusiveScans: 1,
      inconclusiveSince: NOW,
      looks: 1,
      lookAt: NOW + 8 * MINUTE,
    };
    expect(afterScan(refused(), unreached)).toEqual({ to: 'rejected', track });
    expect(afterScan(turnedAway(), unreached)).toEqual({ to: 'queued', track });
  });

  it('is finally left to a person if it would be sent again, and otherwise still looked for', () => {
    const vain = { inconclusiveScans: 4, inconclusiveSince: NOW - 30 * MINUTE };
    expect(afterScan(turnedAway(vain), unreached)).toEqual(asked);
    const inconclusiveSince = NOW - 29 * MINUTE;
    expect(afterScan(turnedAway({ ...vain, inconclusiveSince }), unreached)?.to).toBe('queued');
    const onward = afterScan(refused({ ...vain, endedAt: SERVER_NOW }), unreached);
    expect(onward).toMatchObject({ to: 'rejected', track: { lookAt: NOW + 8 * MINUTE } });
  });

  it('is left to a person immediately if it would be sent again after reading another user’s list', () => {
    expect(afterScan(turnedAway(), otherUser)).toEqual(asked);
    // The inconclusive scan still counts: the correction is also left to a person.
    const track = { inconclusiveScans: 1, inconclusiveSince: NOW, looks: 1, lookAt: null };
    const unproved = { to: 'rejected', verify: false, track };
    expect(afterScan(refused({ endedAt: SERVER_NOW }), otherUser)).toEqual(unproved);
  });

  it('is looked for during only one day if the service cannot be reached (DL-V18)', () => {
    const scans = { endedAt: SERVER_NOW, inconclusiveScans: 90 };
    const since = (inconclusiveSince: number) => refused({ ...scans, inconclusiveSince });
    const onward = { verify: false, track: { lookAt: NOW + 8 * MINUTE, inconclusiveScans: 91 } };
    expect(afterScan(since(NOW - DAY + 1), unreached)).toMatchObject(onward);
    const over = { verify: false, track: { lookAt: null, inconclusiveScans: 91 } };
    expect(afterScan(since(NOW - DAY), unreached)).toMatchObject(over);
  });

  it('counts as compared if a person gives it up while unknown, but not if it is undone (DL-V19)', () => {
    const givenUp = (state: OutboxState) =>
      transition(
        rowIn(state, { inconclusiveScans: 2 }, { verify: true }),
        { kind: 'abandon' },
        NOW,
      );
    const compared = { verify: false, track: { lookAt: null, inconclusiveScans: 0 } };
    for (const state of ['human', 'unknown', 'absent'] as const) {
      expect(givenUp(state)).toMatchObject(compared);
    }
    expect(givenUp('rejected')).toEqual(
      expect.objectContaining({ verify: true, track: { lookAt: NOW } }),
    );
  });
});

describe('a recorded time that no clock can show', () => {
  const years = SERVER_NOW + 3_650 * DAY;

  it('is replaced by the next scan, from which the whole wait counts (DL-R4)', () => {
    const begun = { to: 'unknown', track: { endedAt: SERVER_NOW, cleanPasses: 0, cleanAt: null } };
    expect(afterScan(rowIn('unknown', { endedAt: years }))).toMatchObject(begun);
    const clean = { endedAt: NOW, cleanPasses: 1, cleanAt: years };
    expect(afterScan(rowIn('unknown', clean))).toMatchObject(begun);
    const verified = { endedAt: SERVER_NOW };
    expect(afterScan(turnedAway({ endedAt: years }))).toMatchObject({ track: verified });
    expect(afterScan(refused({ endedAt: years }))).toMatchObject({ track: verified });
    // A clock may be wrong by a day, so this time is kept.
    const wrong = { endedAt: SERVER_NOW + DAY };
    expect(afterScan(rowIn('unknown', wrong))?.track).not.toHaveProperty('endedAt');
  });

  it('makes a scan inconclusive, and is not recorded (DL-R4)', () => {
    for (const track of [{}, { endedAt: 0 }, { endedAt: 0, cleanPasses: 1, cleanAt: 0 }]) {
      const after = afterScan(rowIn('unknown', track), { serverAt: null });
      expect(after).toEqual({ to: 'unknown', track: { looks: 1, lookAt: expect.any(Number) } });
    }
    const after = afterScan(turnedAway({ endedAt: 0 }), { serverAt: null });
    expect(after).toEqual({ to: 'queued', track: { looks: 1, lookAt: expect.any(Number) } });
  });
});

describe('a service whose clock makes every scan too early', () => {
  /** Runs scans as they fall due; returns the final row and the time needed. */
  function scanAll(row: MachineRow, serverAt: (now: number) => number | null) {
    let at = NOW;
    let after = row;
    for (let scans = 1; scans < 100; scans += 1) {
      const { lookAt } = after.track;
      if (lookAt === null) return { after, scans, took: at - NOW };
      at = Math.max(at, lookAt);
      const seen = { hits: [], lookalikes: 0, incompleteReason: null, serverAt: serverAt(at) };
      const step = transition(after, { kind: 'pass', seen }, at);
      if (step === null) return { after, scans, took: at - NOW };
      const { to: state, verify = after.verify, track = {} } = step;
      after = { ...after, state, verify, track: { ...after.track, ...track } };
    }
    throw new Error('It is looked for without an end');
  }
  const clocks = [
    ['does not advance', () => SERVER_NOW],
    ['is unknown', () => null],
  ] as const;

  it.each(clocks)(
    '(the clock %s) leaves an unknown row to a person within two hours (DL-W19)',
    (_, at) => {
      const { after, took } = scanAll(rowIn('unknown', { endedAt: SERVER_NOW }), at);
      expect(after.state).toBe('human');
      expect(took).toBeGreaterThan(30 * MINUTE);
      expect(took).toBeLessThan(120 * MINUTE);
    },
  );

  it.each(clocks)(
    '(the clock %s) ends the scans for a refused row within two hours (DL-W20)',
    (_, at) => {
      const { after, took } = scanAll(refused({ endedAt: SERVER_NOW }), at);
      expect(after).toMatchObject({ state: 'rejected', verify: false });
      expect(took).toBeLessThan(120 * MINUTE);
    },
  );

  it.each(clocks)(
    '(the clock %s) delays the correction of an undone send by at most two hours (DL-W21)',
    (_, at) => {
      const undone = rowIn('abandoned', { endedAt: SERVER_NOW }, { verify: true });
      const { after, took } = scanAll(undone, at);
      expect(after).toMatchObject({ state: 'abandoned', verify: false, track: { lookAt: null } });
      // The scans were inconclusive, so a person is asked.
      expect(after.track.inconclusiveScans).toBeGreaterThan(0);
      expect(took).toBeLessThan(120 * MINUTE);
    },
  );

  it.each(clocks)(
    '(the clock %s) never causes a rejected row to be sent again automatically (DL-W22)',
    (_, at) => {
      expect(scanAll(turnedAway({ endedAt: SERVER_NOW }), at).after.state).toBe('human');
    },
  );

  it('makes scans conclusive once it runs again, however many were too early (DL-W23)', () => {
    const often = rowIn('unknown', { endedAt: SERVER_NOW, looks: 50 });
    const { after, took } = scanAll(often, (now) => SERVER_NOW + (now - NOW));
    expect(after.state).toBe('absent');
    expect(took).toBeLessThan(20 * MINUTE);
  });
});
