import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, type Day } from '../../shared/rules/time/days.ts';
import { validateDanish } from '../../shared/rules/identifiers/identity-denmark.ts';
import { validateFinnish } from '../../shared/rules/identifiers/identity-finland.ts';
import { validateNorwegian } from '../../shared/rules/identifiers/identity-norway.ts';
import { validateSwedish } from '../../shared/rules/identifiers/identity-sweden.ts';
import {
  validateOrganisationNumber,
  formatOrganisationNumber,
} from '../../shared/rules/identifiers/organisation-number.ts';
import {
  validatePersonNumberV1,
  validatePersonNoV2,
} from '../../shared/rules/identifiers/identity.ts';
import type { ValidationResult } from '../../shared/rules/text/verdict.ts';
import { anyText, replaced, settings } from './runs.ts';

const TODAY: Day = '2026-11-22';
const DIGITS = [...'0123456789'];

/**
 * Dates of birth from 1903 on. Earlier dates are excluded, because numbers of older people cause a
 * warning.
 */
const born = fc.integer({ min: 0, max: 39_000 }).map((days) => addDays('1903-01-01', days));
const serial = (min: number, max: number) =>
  fc.integer({ min, max }).map((number) => String(number).padStart(3, '0'));
const short = (day: Day) => day.slice(8, 10) + day.slice(5, 7) + day.slice(2, 4);

const luhn = (nine: string): string => {
  const sum = [...nine].reduce((total, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + Math.floor(weighted / 10) + (weighted % 10);
  }, 0);
  return nine + String((10 - (sum % 10)) % 10);
};

const swedish = fc
  .tuple(born, serial(1, 999), fc.boolean())
  .map(([day, number, isCoordination]) => {
    const [century, rest] = [day.slice(0, 2), day.slice(2).replaceAll('-', '')];
    const date = isCoordination ? rest.slice(0, 4) + String(Number(rest.slice(4)) + 60) : rest;
    return century + luhn(date + number);
  });

const organisation = fc
  .tuple(
    fc.constantFrom(...'1235679').chain((first) => serial(0, 9).map((second) => first + second[2])),
    fc.integer({ min: 2, max: 9 }),
    fc.integer({ min: 0, max: 999_999 }),
  )
  .map(([start, third, rest]) => luhn(`${start}${String(third)}${String(rest).padStart(6, '0')}`));

const finnish = fc.tuple(born, serial(2, 899)).map(([day, number]) => {
  const sign = day < '2000' ? '-' : 'A';
  const mark = '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(short(day) + number) % 31] ?? '';
  return short(day) + sign + number + mark;
});

const rest11 = (digits: string, weights: readonly number[]) =>
  (11 - (weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11)) % 11;

const norwegian = fc
  .tuple(born, fc.integer({ min: 0, max: 499 }), fc.boolean())
  .map(([day, number, isD]) => {
    const of2000 = day >= '2000';
    const date = isD
      ? String(Number(short(day).slice(0, 2)) + 40) + short(day).slice(2)
      : short(day);
    const nine = date + String(number + (of2000 ? 500 : 0)).padStart(3, '0');
    const first = nine + String(rest11(nine, [3, 7, 6, 1, 8, 9, 4, 5, 2]));
    return first + String(rest11(first, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]));
  })
  .filter((number) => number.length === 11);

const danish = fc
  .tuple(born, fc.integer({ min: 0, max: 999 }))
  .map(([day, number]) => {
    const seventh = day < '2000' ? '2' : '5';
    const nine = short(day) + seventh + String(number % 100).padStart(2, '0');
    return nine + String(rest11(nine, [4, 3, 2, 7, 6, 5, 4, 3, 2]));
  })
  .filter((number) => number.length === 10 && !number.startsWith('0101'));

interface Country {
  readonly name: string;
  readonly valid: fc.Arbitrary<string>;
  readonly judge: (text: string) => ValidationResult;
  /** Positions (from 0) of the digits whose change is revealed by a check digit. */
  readonly checked: readonly number[];
  /** Whether the number is one of those that were issued without a check digit. */
  readonly isUnchecked?: (number: string) => boolean;
  /** Returns the other forms in which people write the same number. */
  readonly forms: (number: string) => readonly string[];
}

const places = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => from + at);

const countries: readonly Country[] = [
  {
    name: 'Swedish personal',
    valid: swedish,
    judge: (text) => validateSwedish(text, TODAY),
    // The check digit covers the last ten digits, but not the century.
    checked: places(2, 12),
    forms: (number) => [
      `${number.slice(0, 8)}-${number.slice(8)}`,
      ` ${number}`,
      `\ufeff${number}`,
    ],
  },
  {
    name: 'Swedish organisation',
    valid: organisation,
    judge: (text) => validateOrganisationNumber(text, TODAY),
    checked: places(0, 10),
    forms: (number) => [
      formatOrganisationNumber(number),
      `${number} `,
      number.replace(/^(.{6})/, '$1–'),
    ],
  },
  {
    name: 'Finnish',
    valid: finnish,
    judge: (text) => validateFinnish(text, TODAY),
    checked: [0, 1, 2, 3, 4, 5, 7, 8, 9, 10],
    forms: (number) => [number.toLowerCase(), ` ${number} `, number.replace('-', '−')],
  },
  {
    name: 'Norwegian',
    valid: norwegian,
    judge: (text) => validateNorwegian(text, TODAY),
    checked: places(0, 11),
    forms: (number) => [
      `${number.slice(0, 6)} ${number.slice(6)}`,
      `${number.slice(0, 6)}-${number.slice(6)}`,
    ],
  },
  {
    name: 'Danish',
    valid: danish,
    judge: (text) => validateDanish(text, TODAY),
    checked: places(0, 10),
    // Numbers of people born on 1 January have no check digit (cpr.dk, since 2007).
    isUnchecked: (number) => number.startsWith('0101'),
    forms: (number) => [
      `${number.slice(0, 6)}-${number.slice(6)}`,
      `${number.slice(0, 6)} ${number.slice(6)}`,
    ],
  },
];

describe.each(countries)(
  'a $name number',
  ({ valid, judge, checked, forms, isUnchecked = () => false }) => {
    it('is valid, and read as the same number in every form that people write (TE-P6)', () => {
      fc.assert(
        fc.property(valid, (number) => {
          expect(judge(number)).toEqual({ verdict: 'fine', value: number });
          for (const form of forms(number))
            expect(judge(form)).toEqual({ verdict: 'fine', value: number });
        }),
        settings,
      );
    });

    it('is never valid after one digit was changed (TE-P6)', () => {
      fc.assert(
        fc.property(
          valid,
          fc.constantFrom(...checked),
          fc.constantFrom(...DIGITS),
          (number, at, digit) => {
            fc.pre(number[at] !== digit);
            const changed = replaced(number, at, digit);
            fc.pre(!isUnchecked(changed));
            expect(judge(changed).verdict).not.toBe('fine');
          },
        ),
        settings,
      );
    });
  },
);

describe('any text', () => {
  const some = fc.oneof(anyText(), fc.stringMatching(/^[ \d+A-Y-]{6,14}$/), swedish, organisation);
  const judges: readonly (readonly [string, (text: string) => ValidationResult])[] = [
    ...countries.map(({ name, judge }) => [name, judge] as const),
    ...['SE', 'FI', 'NO', 'DK', 'DE'].map(
      (country) =>
        [
          `v1 of ${country}`,
          (text: string) => validatePersonNumberV1(text, country, TODAY),
        ] as const,
    ),
    ['v2', (text) => validatePersonNoV2(text, TODAY)],
  ];

  it.each(judges)(
    'is valid or not as a %s number, and the corrected number has the same result (TE-P7)',
    (_, judge) => {
      fc.assert(
        fc.property(some, (text) => {
          const first = judge(text);
          const second = judge(first.value);
          expect(second.value).toBe(first.value);
          // A correction is reported only once. After it, the number is valid or has the same
          // warning.
          if (first.verdict === 'fine') expect(second).toEqual(first);
          if (first.verdict === 'wrong') expect(second.verdict).toBe('wrong');
        }),
        settings,
      );
    },
  );
});
