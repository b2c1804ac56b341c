import { describe, expect, it } from 'vitest';
import { leavesOf, setLeaves } from '../../../renderer/window/rule-leaves.ts';

describe('kept values of a rule', () => {
  it('are single values, so that later changes of other values stay', () => {
    expect(leavesOf({ name: 'A', hours: { from: '09:00', to: '16:00' }, pattern: null })).toEqual({
      name: '"A"',
      'hours/from': '"09:00"',
      'hours/to': '"16:00"',
      pattern: 'null',
    });
    const rule = { name: 'A', hours: { from: '09:00', to: '17:00' } };
    setLeaves(rule, { 'hours/from': '"08:00"' });
    expect(rule).toEqual({ name: 'A', hours: { from: '08:00', to: '17:00' } });
  });

  it('of another type, of another rule or for an unknown group are not used', () => {
    const rule = { id: 'mine', name: 'A', filter: {} };
    setLeaves(rule, { id: '"other"', name: '7', 'hours/from': '"08:00"', 'filter/tag': '"x"' });
    setLeaves(rule, { '__proto__/isOn': 'true' });
    expect(rule).toEqual({ id: 'mine', name: 'A', filter: { tag: 'x' } });
    expect(Reflect.get({}, 'isOn')).toBeUndefined();
  });
});
