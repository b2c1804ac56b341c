import { describe, expect, it } from 'vitest';
import { backupName, parseBackupName } from '../../../shared/rules/backup/names.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const DESK = '1f2e3d4c';
const AT = Date.UTC(2026, 10, 22, 2, 30, 5);
const name = backupName(DESK, AT);

describe('the name of a backup', () => {
  it('contains its owner and time, and works on every system', () => {
    expect(name).toBe('signing-desk-1f2e3d4c-2026-11-22T02-30-05Z.signingdesk');
    expect(parseBackupName(DESK, name)).toEqual({ at: AT, isBeforeUpgrade: false });
  });

  it('shows that it holds the data from before an upgrade', () => {
    const before = backupName(DESK, AT, true);
    expect(before).toBe('signing-desk-1f2e3d4c-2026-11-22T02-30-05Z-before-upgrade.signingdesk');
    expect(parseBackupName(DESK, before)).toEqual({ at: AT, isBeforeUpgrade: true });
  });

  it('sorts by time', () => {
    const times = [AT, AT + 1000, AT + DAY, AT + 40 * DAY];
    const names = times.map((at) => backupName(DESK, at));
    expect(names.toSorted()).toEqual(names);
  });

  it.each([
    name.replace(DESK, '00000000'),
    `${name}.part`,
    name.replace('-11-', '-13-'),
    name.replace('Z.', 'Z-before.'),
    name.replace('02-30', '02:30'),
    'signing-desk-1f2e3d4c-.signingdesk',
    'notes.txt',
  ])('does not match another file: %s', (other) => {
    expect(parseBackupName(DESK, other)).toBeNull();
  });
});
