import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatDuration,
  formatNames,
  formatRelative,
} from '../../../renderer/ui/format.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

describe('a list of names', () => {
  it('omits the names of parties that have none', () => {
    expect(formatNames(['', 'Åsa Öberg', '', 'Ola Nordmann'])).toBe('Åsa Öberg, Ola Nordmann');
    expect(formatNames([''])).toBe('');
  });
});

describe('the size of a file', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [941, '941 bytes'],
    [1000, '1 kB'],
    [214_400, '214 kB'],
    [3_250_000, '3.3 MB'],
  ])('of %d bytes is “%s”', (bytes, said) => {
    expect(formatBytes(bytes)).toBe(said);
  });
});

describe('the duration between two moments', () => {
  it.each([
    [20 * 60_000, '20 minutes'],
    [0, '0 minutes'],
    [HOUR, '1 hour'],
    [47 * HOUR, '47 hours'],
    [48 * HOUR, '2 days'],
    [76.8 * HOUR, '3.2 days'],
  ])('of %d ms is shown in its most suitable unit: %s', (time, said) => {
    expect(formatDuration(time)).toBe(said);
  });
});

describe('the time of an event, relative to now', () => {
  it.each([
    [29 * SECOND, 'now'],
    [-29 * SECOND, 'now'],
    [31 * SECOND, 'in 1 minute'],
    [-59 * MINUTE, '59 minutes ago'],
    [-23 * HOUR, '23 hours ago'],
    [DAY, 'tomorrow'],
    [12 * DAY, 'in 12 days'],
  ])('that is %d ms away is “%s”', (away, said) => {
    expect(formatRelative(1_000_000 + away, 1_000_000)).toBe(said);
  });
});
