import { describe, expect, it } from 'vitest';
import { type IntakeRule, IntakeRuleId } from '../../../../shared/contract/intake.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const file = { folder: '/in', hash: 'h', nameHash: 'n', dataHash: 'd' };

describe('a file imported from a folder', () => {
  it('is stored once, and only together with its result', () => {
    using place = tempDatabase();
    const { intake } = place.stores;
    const fails = () => {
      throw new Error('killed');
    };
    expect(() => intake.once(file, fails)).toThrow('killed');
    expect(intake.known('/in', 'h')).toBeNull();
    let made = 0;
    const make = () => {
      made += 1;
    };
    expect([intake.once(file, make), intake.once(file, make)]).toEqual([true, false]);
    expect(made).toBe(1);
    expect(intake.known('/in', 'h')).toEqual({ ...file, isMoved: false });
    intake.moved('/in', 'h');
    expect(intake.known('/in', 'h')).toEqual({ ...file, isMoved: true });
    expect(intake.known('/other', 'h')).toBeNull();
  });

  it('is identified by its name and its data together', () => {
    using place = tempDatabase();
    const { intake } = place.stores;
    intake.once(file, () => {});
    expect(intake.isTaken('/in', 'n', 'd')).toBe(true);
    for (const [folder, name, data] of [
      ['/other', 'n', 'd'],
      ['/in', 'm', 'd'],
      ['/in', 'n', 'e'],
    ] as const) {
      expect(intake.isTaken(folder, name, data)).toBe(false);
    }
  });

  it('is remembered until it changes or is gone', () => {
    using place = tempDatabase();
    const { intake } = place.stores;
    const sight = (nameHash: string, bytes: number) => ({
      nameHash,
      bytes,
      changedAt: 1.5,
      since: NOW,
    });
    intake.keepSights('/in', [sight('a', 1), sight('b', 1)], []);
    intake.keepSights('/other', [sight('a', 9)], []);
    intake.keepSights('/in', [sight('b', 2)], ['a']);
    expect(intake.sights('/in')).toEqual([sight('b', 2)]);
    expect(intake.sights('/other')).toEqual([sight('a', 9)]);
  });
});

describe('a folder import rule', () => {
  const rule: IntakeRule = {
    id: IntakeRuleId.parse('c0000000-0000-4000-8000-000000000001'),
    name: 'Leases',
    folder: '/in',
    isOn: true,
    api: 'v1',
    connectionId: null,
    templateId: null,
    needsData: true,
    createdAt: NOW,
  };
  const run = {
    drafts: 1,
    sheets: 2,
    again: 3,
    refused: 4,
    replaced: 6,
    waiting: 5,
    at: NOW,
    inRow: 0,
  };

  it('is read back as saved, with its last result', () => {
    using place = tempDatabase();
    const { rules } = place.stores.intake;
    rules.save(rule);
    rules.noteRun(rule.id, { ...run, failure: null });
    rules.save({ ...rule, name: 'Other' });
    expect(rules.list()).toEqual([
      { rule: { ...rule, name: 'Other' }, last: { ...run, failure: null } },
    ]);
    rules.remove(rule.id);
    expect(rules.list()).toEqual([]);
    expect(() => rules.get(rule.id)).toThrow('This watched-folder rule does not exist');
    expect(() => rules.remove(rule.id)).toThrow('This watched-folder rule does not exist');
  });

  it('has a unique name and folder', () => {
    using place = tempDatabase();
    const { rules } = place.stores.intake;
    rules.save(rule);
    const other = { ...rule, id: IntakeRuleId.parse('c0000000-0000-4000-8000-000000000002') };
    expect(() => rules.save({ ...other, folder: '/b' })).toThrow('has this name');
    expect(() => rules.save({ ...other, name: 'B' })).toThrow('watches this folder');
    expect(rules.list()).toHaveLength(1);
  });
});
