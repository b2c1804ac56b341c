import { describe, expect, it } from 'vitest';
import { validateDanish } from '../../../shared/rules/identifiers/identity-denmark.ts';

const TODAY = '2026-11-21';

describe('a Danish personal number', () => {
  it.each(['211062-5629', '2110625629', '211062 5629'])('%j has ten digits (T1-46)', (text) => {
    expect(validateDanish(text, TODAY)).toEqual({ verdict: 'fine', value: '2110625629' });
  });

  it('with a wrong check digit gets a warning, never an error', () => {
    expect(validateDanish('2110625620', TODAY)).toEqual({
      verdict: 'suspicious',
      value: '2110625620',
      why: 'check-digit',
    });
  });

  it('of 1 January has no check digit to verify', () => {
    expect(validateDanish('010165-1011', TODAY)).toEqual({ verdict: 'fine', value: '0101651011' });
  });

  it.each([
    ['310262-5629', 'birth-date'],
    // The seventh digit decides the century: here, the years are 1900, 2036 and 2057. 29 February
    // 1900 did not exist.
    ['290200-0001', 'birth-date'],
    ['010136-4001', 'future'],
    ['010157-5001', 'future'],
    ['21106-5629', 'form'],
    ['211062/5629', 'form'],
    ['2.11063E+09', 'spreadsheet'],
  ])('%j is wrong: %s', (text, why) => {
    expect(validateDanish(text, TODAY)).toMatchObject({ verdict: 'wrong', why });
  });

  it('has its century in the seventh digit', () => {
    expect(validateDanish('290200-4001', TODAY).verdict).not.toBe('wrong');
    expect(validateDanish('290200-9001', TODAY).verdict).not.toBe('wrong');
    expect(validateDanish('290200-5001', TODAY).verdict).not.toBe('wrong');
    expect(validateDanish('290237-4001', TODAY)).toMatchObject({ why: 'birth-date' });
    expect(validateDanish('290260-5001', TODAY).verdict).not.toBe('wrong');
    expect(validateDanish('290258-8001', TODAY)).toMatchObject({ why: 'birth-date' });
  });
});
