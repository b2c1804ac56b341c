import { describe, expect, it } from 'vitest';
import { validateZone, zoneNames } from '../../../shared/rules/time/zones.ts';

describe('a time zone', () => {
  it('in the list is valid, with the four Nordic ones first (T1-91)', () => {
    expect(zoneNames().slice(0, 5)).toEqual([
      'Europe/Stockholm',
      'Europe/Helsinki',
      'Europe/Oslo',
      'Europe/Copenhagen',
      'UTC',
    ]);
    expect(new Set(zoneNames()).size).toBe(zoneNames().length);
    for (const zone of zoneNames()) {
      expect(validateZone(zone)).toEqual({ verdict: 'fine', value: zone });
    }
  });

  it.each(['Europe/Kyiv', 'Europe/Kiev', 'Asia/Kolkata', 'America/Port-au-Prince', 'Etc/GMT-1'])(
    '%s keeps its name, old or new (T1-91)',
    (zone) => {
      expect(validateZone(zone)).toEqual({ verdict: 'fine', value: zone });
    },
  );

  it('is spelled as servers expect it (T1-91)', () => {
    expect(validateZone(' europe/stockholm ')).toEqual({
      verdict: 'fine',
      value: 'Europe/Stockholm',
    });
  });

  it.each(['CET', 'EST', 'GMT'])('%s names no place, and gets a warning (T1-91)', (zone) => {
    expect(validateZone(zone)).toMatchObject({ verdict: 'suspicious', why: 'zone-without-place' });
  });

  it.each(['+01:00', '-0500', 'Europe/Gothenburg', 'Stockholm', 'Sweden', 'UTC+1'])(
    '%j is unknown (T1-91)',
    (zone) => {
      expect(validateZone(zone)).toMatchObject({ verdict: 'wrong', why: 'unknown' });
    },
  );

  it('that is empty is invalid, and not the default (T1-91)', () => {
    expect(validateZone('')).toMatchObject({ verdict: 'wrong', why: 'empty' });
  });
});
