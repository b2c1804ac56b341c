import { describe, expect, it } from 'vitest';
import { backupDueAt, isBackupOverdue } from '../../../shared/rules/backup/due.ts';

const at = (text: string) => new Date(text).getTime();
const daily = { kind: 'daily', at: '02:30' } as const;
/** Schedule for every Sunday, for example 2026-11-22. */
const sundays = { kind: 'weekly', day: 7, at: '03:00' } as const;

describe('the due time of a backup', () => {
  it('is empty if the user makes backups manually', () => {
    expect(backupDueAt({ kind: 'by-hand' }, 0, at('2026-11-25T12:00'))).toBeNull();
  });

  it.each([
    ['in the next night', daily, '2026-11-25T02:31', '2026-11-25T12:00', '2026-11-26T02:30'],
    [
      'in this night, if that was missed',
      daily,
      '2026-11-24T02:31',
      '2026-11-25T12:00',
      '2026-11-25T02:30',
    ],
    [
      'due once for many missed backups',
      daily,
      '2026-11-01T02:31',
      '2026-11-25T01:00',
      '2026-11-24T02:30',
    ],
    ['on the coming Sunday', sundays, '2026-11-22T03:01', '2026-11-25T12:00', '2026-11-29T03:00'],
    [
      'on the last Sunday, if that was missed',
      sundays,
      '2026-11-15T03:01',
      '2026-11-25T12:00',
      '2026-11-22T03:00',
    ],
    [
      'on the previous Sunday, before the hour of this Sunday',
      sundays,
      '2026-11-10T00:00',
      '2026-11-22T02:59',
      '2026-11-15T03:00',
    ],
    [
      'at the same time on a day that lost an hour',
      daily,
      '2026-03-28T02:31',
      '2026-03-29T12:00',
      '2026-03-29T02:30',
    ],
    [
      'immediately, after the clock was set back',
      daily,
      '2027-01-01T00:00',
      '2026-11-25T12:00',
      '2026-11-25T02:30',
    ],
  ] as const)('is %s', (_, when, last, now, due) => {
    expect(backupDueAt(when, at(last), at(now))).toBe(at(due));
  });

  it('becomes overdue after two periods', () => {
    const last = at('2026-11-20T02:30');
    expect(isBackupOverdue(daily, last, at('2026-11-22T02:30'))).toBe(false);
    expect(isBackupOverdue(daily, last, at('2026-11-22T02:31'))).toBe(true);
    expect(isBackupOverdue(sundays, last, at('2026-12-04T02:30'))).toBe(false);
    expect(isBackupOverdue(sundays, last, at('2026-12-04T02:31'))).toBe(true);
    expect(isBackupOverdue({ kind: 'by-hand' }, 0, last)).toBe(false);
  });
});
