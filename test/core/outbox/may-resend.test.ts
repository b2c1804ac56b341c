import { describe, expect, it } from 'vitest';
import { type MachineRow, transition } from '../../../electron/core/outbox/machine.ts';
import { MAX_ON_WIRE, OLD } from '../../../electron/core/outbox/times.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const MADE = Date.UTC(2026, 10, 21, 12);

/** A row of a batch that may be repeated, proven absent after its first attempt. */
function absentRow(change: Partial<MachineRow> = {}): MachineRow {
  return {
    state: 'absent',
    policy: 'auto',
    attempts: 1,
    verify: false,
    remoteId: null,
    createdAt: MADE,
    mark: { by: 'tag' },
    track: {
      endedAt: MADE,
      cleanPasses: 2,
      cleanAt: MADE,
      inconclusiveScans: 0,
      inconclusiveSince: null,
      looks: 5,
      lookAt: null,
    },
    wasInDoubt: true,
    ...change,
  };
}

/** State of an absent row of this `age`. */
const fateOf = (row: MachineRow, { age = MINUTE, mayResend = true, isNeverMade = true } = {}) =>
  transition(row, { kind: 'absent', mayResend, isNeverMade }, MADE + age)?.to;

describe('a row that was proven absent', () => {
  it.each([
    { when: 'a minute old', age: 60_000, to: 'queued' },
    { when: 'a day old', age: OLD, to: 'queued' },
    { when: 'a millisecond older than a day', age: OLD + 1, to: 'human' },
  ])('and that is $when becomes $to (TE-O03)', ({ age, to }) => {
    expect(OLD).toBe(DAY);
    expect(fateOf(absentRow(), { age })).toBe(to);
  });

  it.each([
    { by: 'tag', to: 'queued' },
    { by: 'field', to: 'queued' },
    { by: 'name', to: 'queued' },
    { by: 'token', to: 'queued' },
    { by: 'object', to: 'human' },
    { by: 'nothing', to: 'human' },
  ] as const)('with a mark of kind $by becomes $to (TE-O02)', ({ by, to }) => {
    expect(fateOf(absentRow({ mark: { by } }))).toBe(to);
  });

  it.each([
    { attempts: 0, to: 'human' },
    { attempts: 1, to: 'queued' },
    { attempts: 2, to: 'queued' },
    { attempts: 3, to: 'human' },
    { attempts: 4, to: 'human' },
  ])('and that was sent $attempts times becomes $to (TE-O01)', ({ attempts, to }) => {
    expect(MAX_ON_WIRE).toBe(3);
    expect(fateOf(absentRow({ attempts }))).toBe(to);
  });

  it('is left to a person if its policy requires that, and while a gate is closed', () => {
    expect(fateOf(absentRow({ policy: 'ask' }))).toBe('human');
    expect(fateOf(absentRow(), { mayResend: false })).toBe('human');
  });

  it('is left to a person if a colleague may have deleted its agreement (DL-A7)', () => {
    expect(fateOf(absentRow(), { isNeverMade: false })).toBe('human');
  });
});
