import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { m, speak } from '../../../../renderer/ui/language.svelte.ts';
import { languages } from '../../../../shared/model/languages.ts';
import { reminderWarnings } from '../../../../renderer/features/actions/remind-words.ts';
import { HOUR } from '../../../../shared/rules/time/units.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

beforeAll(() => vi.stubGlobal('document', { documentElement: { lang: '' } }));
afterAll(async () => {
  await speak('en', 'en');
  vi.unstubAllGlobals();
});

type Reminder = Parameters<typeof reminderWarnings>[0];

const cares = (change: Partial<Reminder> = {}) =>
  reminderWarnings({
    party: { name: 'Bo Ek', state: 'turn' },
    agreement: 'waiting',
    last: null,
    now: NOW,
    ...change,
  });

describe.each(languages)('the warning before a notification is sent again, in %s', (language) => {
  beforeAll(() => speak(language, 'en'));

  it('is missing for the invitation of a party whose turn it is (T1-80)', () => {
    expect(cares()).toEqual([]);
    expect(cares({ type: 'READY_TO_SIGN' })).toEqual([]);
  });

  it.each(['waiting', 'signed', 'rejected'] as const)(
    'is shown for a party that is %s, because it is not its turn (T1-80)',
    (state) => {
      const [only, ...others] = cares({ party: { name: 'Bo Ek', state } });
      expect(only).toBe(m.remind_not_turn({ name: 'Bo Ek' }));
      expect(only).toContain('Bo Ek');
      expect(others).toEqual([]);
    },
  );

  it.each(['waiting', 'part-signed'] as const)(
    'is shown for "signed by all" while the agreement is %s (T1-80)',
    (agreement) => {
      expect(cares({ type: 'SIGNED_BY_ALL', agreement })).toEqual([m.remind_not_all_signed()]);
      expect(cares({ type: 'SIGNED', agreement })).toEqual([]);
    },
  );

  it('is missing for "signed by all" once all have signed (T1-80)', () => {
    const party = { name: 'Bo Ek', state: 'signed' } as const;
    const warnings = cares({ party, type: 'SIGNED_BY_ALL', agreement: 'signed' });
    expect(warnings).not.toContain(m.remind_not_all_signed());
  });

  it('includes the time of the last notification', () => {
    expect(cares({ last: NOW - 2 * HOUR })).toHaveLength(1);
  });
});
