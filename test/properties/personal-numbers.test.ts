import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../shared/rules/evidence/canonical-json.ts';
import {
  containsPersonNumber,
  withMaskedNumbers,
} from '../../shared/rules/people/personal-numbers.ts';
import { settings } from './runs.ts';

const NUMBERS = ['198507099805', '19850709-9805', '850709-9806', '131052-308T', '01129955131'];
/** Names of IDs, numbers, hashes and list parts in shared items, and some other names. */
const NAMES = ['id', 'service', 'services', 'agreementId', 'documents', 'sha256', 'templateId'];
const MORE = ['identifier', 'type', 'parties', 'tags', 'scan', 'target', '*', '', 'constructor'];
const names = [...NAMES, ...MORE];

type Place = readonly (string | null)[];

const name = fc.constantFrom(...names);
/** Path to a value: names of keys in records, and null for an element of a list. */
const place: fc.Arbitrary<Place> = fc.array(
  fc.oneof({ arbitrary: name, weight: 4 }, { arbitrary: fc.constant(null), weight: 1 }),
  { minLength: 1, maxLength: 6 },
);
const beside = fc.dictionary(
  name,
  fc.constantFrom<Json>('x', 7, null, 'EID', '6fa459ea-ee8a-3ca4-894e-1985070998ab'),
  { maxKeys: 3 },
);

const planted = (at: Place, number: string, others: Readonly<Record<string, Json>>): Json =>
  at.reduceRight<Json>(
    (inner, step) => (step === null ? ['x', inner] : { ...others, [step]: inner }),
    number,
  );

describe('a personal number anywhere in a record', () => {
  it('is found and replaced, whatever the names on its path (DL-R1)', () => {
    fc.assert(
      fc.property(place, fc.constantFrom(...NUMBERS), beside, (at, number, others) => {
        const content = planted(at, number, others);
        expect(containsPersonNumber(content)).toBe(true);
        const shown = withMaskedNumbers(content);
        expect(containsPersonNumber(shown)).toBe(false);
        expect(JSON.stringify(shown)).not.toContain(number);
      }),
      settings,
    );
  });

  it('is skipped only at an excluded path, not at one with the same beginning or end (DL-R1)', () => {
    const given = [['service'], ['scan', 'agreementId'], ['documents', '*', 'id']];
    const isGiven = (at: Place) =>
      given.some((path) => path.join('/') === at.map((step) => step ?? '*').join('/'));
    fc.assert(
      fc.property(place, fc.constantFrom(...NUMBERS), (at, number) => {
        fc.pre(!isGiven(at));
        expect(containsPersonNumber(planted(at, number, {}), given)).toBe(true);
      }),
      settings,
    );
    const service = '["http://127.0.0.1:8507/0998 05",null]';
    const about = {
      service,
      scan: { agreementId: '8507099805' },
      documents: [{ id: '8507099805' }],
    };
    expect(containsPersonNumber(about)).toBe(true);
    expect(containsPersonNumber(about, given)).toBe(false);
    const title = 'For 850709-9805';
    expect(withMaskedNumbers({ ...about, title }, given)).toEqual({
      ...about,
      title: 'For ••••••-••••',
    });
  });
});
