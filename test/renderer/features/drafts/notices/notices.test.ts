import { describe, expect, it } from 'vitest';
import { updateInPlace } from '../../../../../renderer/features/drafts/become.ts';
import {
  choiceOf,
  choose,
  type Notice,
  separateMedia,
  toggle,
} from '../../../../../renderer/features/drafts/notices/notices.ts';
import {
  dropSetting,
  repeatedSettings,
  setSetting,
  settingOf,
} from '../../../../../renderer/features/drafts/settings/settings.ts';
import { moveOf, stepsOf } from '../../../../../renderer/features/drafts/parties/steps.ts';
import { clockChangeProblem } from '../../../../../shared/rules/drafts/wall-time.ts';

describe('the choice of notifications', () => {
  it('as standard, none or custom gives three different bodies (T1-52)', () => {
    const owner: { notifications?: Notice[] } = {};
    const bodies = (['custom', 'none', 'standard'] as const).map((choice) => {
      choose(owner, choice);
      expect(choiceOf(owner)).toBe(choice);
      return JSON.stringify(owner);
    });
    expect(bodies).toEqual([
      '{"notifications":[{"type":"READY_TO_SIGN"},{"type":"SIGNED_BY_ALL"}]}',
      '{"notifications":[]}',
      '{}',
    ]);
  });

  it('is stored in one block for each medium, in the order of events (T1-53)', () => {
    const notices: Notice[] = [{ type: 'SIGNED_BY_ALL' }];
    toggle(notices, 'READY_TO_SIGN', 'SMS', '+46701234567');
    toggle(notices, 'SIGNED_BY_ALL', 'EMAIL', '');
    expect(notices).toEqual([
      { type: 'READY_TO_SIGN', recipients: [{ medium: 'SMS', address: '+46701234567' }] },
    ]);
  });

  it('with several media in one block is separated (T1-53)', () => {
    const recipients = [
      { medium: 'EMAIL' as const, address: 'a@example.com' },
      { medium: 'SMS' as const, address: '+46701234567' },
    ];
    const blocks = separateMedia([{ type: 'SIGNED', locale: 'sv_SE', recipients }]);
    expect(blocks).toEqual(
      recipients.map((one) => ({ type: 'SIGNED', locale: 'sv_SE', recipients: [one] })),
    );
  });
});

it('an empty setting is not sent, and neither is an empty list of settings (T1-91)', () => {
  const body: Parameters<typeof setSetting>[0] = {};
  setSetting(body, 'DEFAULT', { timeZone: 'Europe/Helsinki', locale: '' });
  expect(body).toEqual({ configurations: [{ type: 'DEFAULT', timeZone: 'Europe/Helsinki' }] });
  setSetting(body, 'DEFAULT', { timeZone: '' });
  expect(body).toEqual({});
});

describe('the steps of signing', () => {
  const parties = [{ signingOrder: 3 }, {}, { signingOrder: 3 }];

  it('group parties who sign at the same time, and skip gaps in the numbers (T1-45)', () => {
    const shown = stepsOf(parties).map(({ parties: all }) => all.map(({ index }) => index));
    expect(shown).toEqual([[1], [0, 2]]);
  });

  it('let a party move past one in its step, into the next step, or to a new last step (T1-45)', () => {
    expect(moveOf(parties, 0, 1)).toEqual({ kind: 'place', to: 2 });
    expect(moveOf(parties, 0, -1)).toEqual({ kind: 'order', order: 1 });
    expect(moveOf(parties, 2, 1)).toEqual({ kind: 'order', order: 4 });
    expect(moveOf(parties, 1, -1)).toBeNull();
  });
});

it('a second setting of a type is kept when the first one changes, until the user removes it', () => {
  const second = { type: 'DEFAULT' as const, locale: 'fi_FI' };
  const owner = { configurations: [{ type: 'DEFAULT' as const, locale: 'sv_SE' }, second] };
  setSetting(owner, 'DEFAULT', { locale: 'da_DK' });
  expect(settingOf(owner, 'DEFAULT').locale).toBe('da_DK');
  expect(repeatedSettings(owner)).toEqual([{ setting: second, index: 1 }]);
  dropSetting(owner, 1);
  expect(owner.configurations).toEqual([{ type: 'DEFAULT', locale: 'da_DK' }]);
});

it('a time that is skipped in March or repeated in October is reported (T1-51)', () => {
  expect(clockChangeProblem({ date: '2027-03-28', time: '02:30' })).toBe('missing-hour');
  expect(clockChangeProblem({ date: '2026-10-25', time: '02:30' })).toBe('doubled-hour');
  expect(clockChangeProblem({ date: '2026-11-21', time: '02:30' })).toBeNull();
});

describe('copying one draft over another', () => {
  it('makes both identical, including the order of keys', () => {
    const next: { b: unknown[]; a: Record<string, number> } = { b: [1, { c: 2 }], a: { x: 1 } };
    expect(JSON.stringify(updateInPlace({ a: { x: 2, y: 1 }, b: [1, { c: 2 }, 3] }, next))).toBe(
      JSON.stringify(next),
    );
  });

  it('keeps unchanged objects', () => {
    const kept = { c: 2 };
    const target = { b: [kept], a: 1 };
    expect(updateInPlace(target, { b: [{ c: 2 }], a: 2 }).b[0]).toBe(kept);
  });
});
