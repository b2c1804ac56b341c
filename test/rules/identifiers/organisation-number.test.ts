import { describe, expect, it } from 'vitest';
import {
  isNumberOfPerson,
  validateOrganisationNumber,
  formatOrganisationNumber,
} from '../../../shared/rules/identifiers/organisation-number.ts';
import { createSeeded, disguise } from '../../support/seeded.ts';

const TODAY = '2026-11-21';

describe('an organisation number', () => {
  it.each([
    '556036-0793',
    '212000-0142',
    '556703-7485',
    '5560360793',
    ' 556036–0793 ',
    '556036 0793',
  ])('%j has ten digits (T2-49)', (text) => {
    const value = text.replaceAll(/\D/g, '');
    expect(validateOrganisationNumber(text, TODAY)).toEqual({ verdict: 'fine', value });
  });

  it.each(['165560360793', '16556036-0793', 'SE556036079301', 'se 556036079301'])(
    '%j loses its prefix, with a notice (T2-49)',
    (text) => {
      expect(validateOrganisationNumber(text, TODAY)).toEqual({
        verdict: 'suspicious',
        value: '5560360793',
        why: 'prefix-removed',
      });
    },
  );

  it.each(['850709-9805', '8507099805', '198507099805', '19850709-9805', 'SE850709980501'])(
    '%j is a sole trader’s number, which is a personal number (T2-49)',
    (text) => {
      const judged = validateOrganisationNumber(text, TODAY);
      expect(judged).toEqual({ verdict: 'suspicious', value: '8507099805', why: 'sole-trader' });
      expect(isNumberOfPerson(judged.value)).toBe(true);
    },
  );

  it('with a wrong check digit gets a warning', () => {
    expect(validateOrganisationNumber('556036-0794', TODAY)).toMatchObject({ why: 'check-digit' });
    expect(validateOrganisationNumber('850709-9806', TODAY)).toMatchObject({ why: 'check-digit' });
  });

  it.each([
    ['551336-0793', 'no-organisation'],
    ['16850709-9805', 'no-organisation'],
    ['556036-079', 'form'],
    ['556036079301', 'form'],
    ['556036-079A', 'form'],
    ['', 'form'],
    ['5,56036E+09', 'spreadsheet'],
  ])('%j is wrong: %s (T2-49)', (text, why) => {
    expect(validateOrganisationNumber(text, TODAY)).toMatchObject({ verdict: 'wrong', why });
  });

  it('is unchanged after formatting and reading, and cleaning it twice has no further effect (T2-49)', () => {
    const chance = createSeeded(49);
    for (let round = 0; round < 500; round += 1) {
      const value = `${String(chance.whole(1, 9))}${String(chance.whole(0, 9))}${String(
        chance.whole(20, 99),
      )}${String(chance.whole(0, 999_999)).padStart(6, '0')}`;
      const printed = formatOrganisationNumber(value);
      expect(validateOrganisationNumber(disguise(printed, chance), TODAY).value).toBe(value);
      expect(validateOrganisationNumber(value, TODAY).value).toBe(value);
    }
  });
});
