import { expect, it } from 'vitest';
import { forecastText, reminderSentence } from '../../../../renderer/features/reminders/words.ts';
import { HeldReminder, type ReminderPreview } from '../../../../shared/contract/reminders.ts';

const hours = { zone: 'Europe/Stockholm', from: '09:00', to: '16:00' };
const nothing: ReminderPreview = {
  day: '2026-11-30',
  planned: [],
  held: [],
  heldCount: 0,
  outside: 0,
  unable: [],
};
const held = HeldReminder.parse({
  connectionId: '0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0001',
  id: 'agreement',
  title: 'Lease',
  partyId: 'party',
  party: 'Anna Berg',
  ruleId: '0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0002',
  because: 'switched-off',
  nextAt: null,
});

it.each([
  [5, 3, 3, 'Remind after 5 days, every 3 days, at most 3 times · 09:00–16:00'],
  [1, 1, 1, 'Remind after 1 day, every day, at most once · 09:00–16:00'],
])('a reminder rule with %i, %i and %i is described as “%s”', (first, every, most, sentence) => {
  const rule = { firstAfterDays: first, everyDays: every, most, hours };
  expect(reminderSentence(rule)).toBe(sentence);
});

it('the forecast of a reminder rule shows the next reminder if there is none today', () => {
  expect(forecastText(nothing)).toBe('Would remind no party today');
  const waits = { ...held, nextAt: new Date(2026, 11, 2, 9).getTime() };
  const later = { ...held, nextAt: new Date(2026, 11, 3, 9).getTime() };
  expect(forecastText({ ...nothing, held: [later, held, waits], heldCount: 3 })).toBe(
    'Would remind no party today · Next: 2 Dec 2026, 09:00',
  );
});
