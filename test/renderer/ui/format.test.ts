import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../renderer/ui/format.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

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
