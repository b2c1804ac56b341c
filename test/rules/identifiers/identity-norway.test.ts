import { describe, expect, it } from 'vitest';
import { validateNorwegian } from '../../../shared/rules/identifiers/identity-norway.ts';

const TODAY = '2026-11-21';
const IN_2032 = '2032-01-01';

/**
 * Appends both check digits, calculated with the published weights. `wider` is added to the first
 * digit, as is allowed from 2032. Null if a check digit would be 10.
 */
function withChecks(nineDigits: string, wider = 0): string | null {
  const weigh = (digits: string, weights: readonly number[]) =>
    (11 - (weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11)) % 11;
  const first = (weigh(nineDigits, [3, 7, 6, 1, 8, 9, 4, 5, 2]) + wider) % 11;
  const second = weigh(nineDigits + String(first), [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]);
  return first === 10 || second === 10 ? null : `${nineDigits}${String(first)}${String(second)}`;
}

/** Returns the first number, starting with `serial`, that has both check digits. */
function numberOf(date: string, serial: number, wider = 0): string {
  for (let next = serial; next < serial + 20; next += 1) {
    const number = withChecks(date + String(next).padStart(3, '0'), wider);
    if (number !== null) return number;
  }
  throw new Error('No number');
}

describe('a Norwegian personal number', () => {
  it.each([
    ['of the 1900s', numberOf('010150', 100)],
    ['of the 2000s', numberOf('010105', 600)],
    ['of the 1800s', numberOf('010170', 510)],
    ['of the late 1900s with a high serial', numberOf('010160', 920)],
    ['of a foreigner (day + 40)', numberOf('410150', 100)],
  ])('%s is valid (T1-46)', (_, value) => {
    expect(validateNorwegian(value, TODAY)).toEqual({ verdict: 'fine', value });
    const spaced = `${value.slice(0, 6)} ${value.slice(6)}`;
    expect(validateNorwegian(spaced, TODAY)).toEqual({ verdict: 'fine', value });
    expect(validateNorwegian(spaced.replace(' ', '-'), TODAY)).toEqual({ verdict: 'fine', value });
  });

  it.each(['151086-95088', '151086–95088', '15108695088'])(
    '%j is accepted in its written form (IN-17)',
    (text) => {
      expect(validateNorwegian(text, TODAY)).toEqual({ verdict: 'fine', value: '15108695088' });
    },
  );

  it('for temporary or test use gets a warning', () => {
    expect(validateNorwegian(numberOf('014150', 100), TODAY)).toMatchObject({
      verdict: 'suspicious',
      why: 'temporary-number',
    });
    expect(validateNorwegian(numberOf('018150', 100), TODAY)).toMatchObject({
      verdict: 'suspicious',
      why: 'test-number',
    });
  });

  it.each([1, 2, 3])('of the wider check, remainder %i, gets a warning until 2032', (wider) => {
    const number = numberOf('010150', 100, wider);
    expect(validateNorwegian(number, TODAY)).toMatchObject({
      verdict: 'suspicious',
      why: 'check-digit-2032',
    });
    expect(validateNorwegian(number, IN_2032)).toMatchObject({ verdict: 'fine' });
  });

  it('with a remainder outside all rules is invalid', () => {
    for (const wider of [4, 5, 6]) {
      const number = numberOf('010150', 100, wider);
      expect(validateNorwegian(number, IN_2032)).toMatchObject({ why: 'check-digit' });
    }
  });

  it('with a wrong last digit, an impossible date or a future date is invalid', () => {
    const good = numberOf('010150', 100);
    const bad = good.slice(0, 10) + String((Number(good[10]) + 1) % 10);
    expect(validateNorwegian(bad, TODAY)).toMatchObject({ verdict: 'wrong', why: 'check-digit' });
    expect(validateNorwegian('32015010000', TODAY)).toMatchObject({ why: 'birth-date' });
    expect(validateNorwegian(numberOf('010138', 600), TODAY)).toMatchObject({ why: 'future' });
    expect(validateNorwegian('1015010000', TODAY)).toMatchObject({ verdict: 'wrong', why: 'form' });
  });

  it('of 2032 needs no century in the serial number', () => {
    expect(validateNorwegian(numberOf('010145', 800), TODAY)).toMatchObject({ verdict: 'wrong' });
    expect(validateNorwegian(numberOf('010145', 800), IN_2032)).toMatchObject({ verdict: 'fine' });
  });
});
