import { describe, expect, it } from 'vitest';
import { fittingClocks, judgeZone, zoneNames } from '../../shared/rules/zones.ts';

describe('a time zone', () => {
  it('to choose from is good, the four of the north first (T1-91)', () => {
    expect(zoneNames().slice(0, 5)).toEqual([
      'Europe/Stockholm',
      'Europe/Helsinki',
      'Europe/Oslo',
      'Europe/Copenhagen',
      'UTC',
    ]);
    expect(new Set(zoneNames()).size).toBe(zoneNames().length);
    for (const zone of zoneNames()) {
      expect(judgeZone(zone)).toEqual({ verdict: 'fine', value: zone });
    }
  });

  it.each(['Europe/Kyiv', 'Europe/Kiev', 'Asia/Kolkata', 'America/Port-au-Prince', 'Etc/GMT-1'])(
    '%s keeps its name, old or new (T1-91)',
    (zone) => {
      expect(judgeZone(zone)).toEqual({ verdict: 'fine', value: zone });
    },
  );

  it('is spelled as servers know it (T1-91)', () => {
    expect(judgeZone(' europe/stockholm ')).toEqual({ verdict: 'fine', value: 'Europe/Stockholm' });
  });

  it.each(['CET', 'EST', 'GMT'])('%s names no place, and is a doubt (T1-91)', (zone) => {
    expect(judgeZone(zone)).toMatchObject({ verdict: 'suspicious', why: 'zone-without-place' });
  });

  it.each(['+01:00', '-0500', 'Europe/Gothenburg', 'Stockholm', 'Sweden', 'UTC+1'])(
    '%j is not known (T1-91)',
    (zone) => {
      expect(judgeZone(zone)).toMatchObject({ verdict: 'wrong', why: 'unknown' });
    },
  );

  it('that is empty is wrong, and not the default (T1-91)', () => {
    expect(judgeZone('')).toMatchObject({ verdict: 'wrong', why: 'empty' });
  });
});

describe('the clock of the v2 service', () => {
  const summer = Date.UTC(2026, 6, 1, 10, 0, 0);
  const winter = Date.UTC(2026, 0, 15, 10, 0, 0);

  it.each([
    ['2026-07-01 12:00:04', ['Europe/Stockholm']],
    ['2026-07-01 11:00:04', ['+01:00']],
    ['2026-07-01 09:59:58', ['UTC']],
    ['2026-07-01 13:00:00', []],
    ['2026-07-01 12:15:00', []],
    ['soon', []],
  ])('is told in summer from %j (T2-23)', (text, clocks) => {
    expect(fittingClocks(text, summer)).toEqual(clocks);
  });

  it('is told apart from UTC only, in winter (T2-23)', () => {
    expect(fittingClocks('2026-01-15 11:00:00', winter)).toEqual(['Europe/Stockholm', '+01:00']);
    expect(fittingClocks('2026-01-15 10:00:00', winter)).toEqual(['UTC']);
  });
});
