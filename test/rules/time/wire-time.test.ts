import { describe, expect, it } from 'vitest';
import {
  parseV1Time,
  parseV2Time,
  formatV1Time,
  formatV2Time,
} from '../../../shared/rules/time/wire-time.ts';

describe('v1 timestamps', () => {
  it('are read and written in the compact form only (T1-01)', () => {
    expect(parseV1Time('20260131T235959Z')).toBe(Date.UTC(2026, 0, 31, 23, 59, 59));
    expect(formatV1Time(Date.UTC(2026, 0, 31, 23, 59, 59, 999))).toBe('20260131T235959Z');
  });

  it('are unchanged after writing and reading at every boundary (T1-01)', () => {
    const first = Date.UTC(1970, 0, 1);
    const last = Date.UTC(9999, 11, 31, 23, 59, 59);
    const some = Array.from(
      { length: 500 },
      (_, at) => Math.floor((at * last) / 500 / 1000) * 1000,
    );
    const edges = [2024, 2026, 2027].flatMap((year) => [
      Date.UTC(year, 0, 1) - 1000,
      Date.UTC(year, 0, 1),
      Date.UTC(year, 1, 28, 23, 59, 59),
    ]);
    for (const at of [first, last, ...some, ...edges])
      expect(parseV1Time(formatV1Time(at))).toBe(at);
  });

  it.each([
    '20261231T235960Z',
    '2026-01-31T23:59:59Z',
    '20260131T235959',
    '20260131T235959.000Z',
    '20260230T000000Z',
    '20260131T240000Z',
    '20261301T000000Z',
    '00000101T000000Z',
    '',
  ])('do not include %j, which is read as no instant without an error (T1-01)', (text) => {
    expect(parseV1Time(text)).toBeNull();
  });

  it('have no colon, which separates the parts of a filter (T1-02)', () => {
    expect(formatV1Time(Date.UTC(2026, 6, 1, 12, 30, 15))).not.toMatch(/[:-]/);
  });

  it('are rejected for years that do not fit the form', () => {
    expect(() => formatV1Time(Date.UTC(10_000, 0, 1))).toThrow(RangeError);
    expect(() => formatV1Time(Number.NaN)).toThrow(RangeError);
  });
});

describe('v2 date-times', () => {
  it('are read as Swedish local time, in summer and in winter (T2-12)', () => {
    expect(parseV2Time('2026-07-01 12:00:00')).toBe(Date.UTC(2026, 6, 1, 10));
    expect(parseV2Time('2026-01-15 12:00:00')).toBe(Date.UTC(2026, 0, 15, 11));
    expect(formatV2Time(Date.UTC(2026, 6, 1, 10))).toBe('2026-07-01 12:00:00');
  });

  it('mean the first of the two repeated hours in October (T2-23)', () => {
    expect(parseV2Time('2026-10-25 02:30:00')).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(formatV2Time(Date.UTC(2026, 9, 25, 1, 30))).toBe('2026-10-25 02:30:00');
  });

  it('in the hour skipped in March come after the hour before (T2-23)', () => {
    expect(parseV2Time('2026-03-29 02:30:00')).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(parseV2Time('2026-03-29 01:59:59')).toBe(Date.UTC(2026, 2, 29, 0, 59, 59));
    expect(parseV2Time('2026-03-29 03:00:00')).toBe(Date.UTC(2026, 2, 29, 1));
  });

  it('are unchanged after writing and reading around midnight and the new year (T2-23)', () => {
    for (const text of ['2026-12-31 23:59:59', '2027-01-01 00:00:00', '2026-06-30 00:00:00']) {
      expect(formatV2Time(parseV2Time(text) ?? 0)).toBe(text);
    }
  });

  it.each(['2026-07-01', '2026-07-01T12:00:00', '2026-02-30 12:00:00', '2026-07-01 24:00:00', ''])(
    'are not guessed from the text %j (T2-12)',
    (text) => {
      expect(parseV2Time(text)).toBeNull();
    },
  );
});
