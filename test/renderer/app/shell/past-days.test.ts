import { expect, it } from 'vitest';
import { groupByDay } from '../../../../renderer/app/shell/past-days.ts';
import { formatDate } from '../../../../renderer/ui/format.ts';

const at = (day: number, hour: number) => ({
  words: () => `${String(day)} ${String(hour)}`,
  at: new Date(2026, 10, day, hour).getTime(),
  isWarning: false,
});

it('messages of earlier days have the date as their heading, and those of today have none', () => {
  const past = [at(19, 9), at(19, 0), at(18, 23), at(16, 8), at(16, 7)];
  const days = groupByDay(past, new Date(2026, 10, 19, 12).getTime());
  expect(
    days.map(({ heading, messages }) => [heading, messages.map(({ words }) => words())]),
  ).toEqual([
    [null, ['19 9', '19 0']],
    [formatDate(at(18, 0).at), ['18 23']],
    [formatDate(at(16, 0).at), ['16 8', '16 7']],
  ]);
});

it('messages of a day get their heading at midnight', () => {
  const [only] = groupByDay([at(18, 23)], new Date(2026, 10, 19).getTime());
  expect(only?.heading).toBe(formatDate(at(18, 0).at));
});
