import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedact } from '../../electron/adapters/rest/http/redact.ts';
import { maskPersonNumber, redact as redactLog } from '../../shared/rules/text/mask.ts';
import { anyText, TIMEOUT_MS, settings } from './runs.ts';

/** Secrets: visible ASCII with the length of an API key, too mixed to occur in a text by chance. */
const secret = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 12,
    maxLength: 60,
  })
  .filter((text) => new Set(text.toLowerCase()).size > 8);

const bytes = (text: string) => Buffer.from(text, 'latin1');
const coded = (text: string, write: (code: number) => string) =>
  [...text].map((sign) => write(sign.charCodeAt(0))).join('');
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');

/** Forms in which a service may quote an API key. */
const forms: readonly ((secret: string, around: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => coded(text, (code) => `%${hex(code, 2)}`),
  (text) => coded(text, (code) => `\\u${hex(code, 4)}`),
  (text) => coded(text, (code) => `&#${String(code)};`),
  (text) => coded(text, (code) => `&#x${hex(code, 4)};`),
  (text) => bytes(text).toString('hex'),
  (text, around) => bytes(around + text).toString('base64'),
  (text, around) => bytes(text + around).toString('base64url'),
  (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
];

const DAY = ['01', '19', '28'];
const personal: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: 10, max: 99 }),
      fc.constantFrom('01', '12'),
      fc.constantFrom(...DAY),
      fc.constantFrom('', '-', '+'),
      fc.integer({ min: 1000, max: 9999 }),
    )
    .map(
      ([year, month, day, sign, last]) => `19${String(year)}${month}${day}${sign}${String(last)}`,
    ),
  fc
    .tuple(
      fc.constantFrom(...DAY),
      fc.constantFrom('01', '12'),
      fc.integer({ min: 10, max: 99 }),
      fc.constantFrom('-', 'A'),
      fc.integer({ min: 100, max: 899 }),
      fc.constantFrom(...'0123456789ABCDEFHJKLMNPRSTUVWXY'),
    )
    .map(
      ([day, month, year, sign, number, mark]) =>
        `${day}${month}${String(year)}${sign}${String(number)}${mark}`,
    ),
  fc
    .tuple(
      fc.constantFrom(...DAY),
      fc.constantFrom('01', '12'),
      fc.integer({ min: 10, max: 99 }),
      fc.integer({ min: 10_000, max: 99_999 }),
    )
    .map(([day, month, year, last]) => `${day}${month}${String(year)}${String(last)}`),
);
/** Characters that may be next to a number in a sentence, a list, JSON or an address. */
const beside = fc.constantFrom(' ', '"', "'", ',', ';', '(', '<', '>', ':', '/', '=', '\n', '\t');

describe('a cleaned message of the service', () => {
  it(
    'never contains an API key, in any quoted form (TE-P14)',
    () => {
      fc.assert(
        fc.property(
          secret,
          fc.constantFrom(...forms),
          anyText(20),
          anyText(20),
          fc.stringMatching(/^[a-z:]{0,5}$/),
          (key, form, before, behind, around) => {
            const said = createRedact([key])(`${before} ${form(key, around)} ${behind}`);
            const quoted = form(key, around);
            expect(said.toLowerCase()).not.toContain(key.toLowerCase());
            expect(said.toLowerCase()).not.toContain(quoted.toLowerCase());
          },
        ),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it('never contains a personal number or an email address (TE-P15)', () => {
    const redact = createRedact([]);
    fc.assert(
      fc.property(
        personal,
        beside,
        beside,
        anyText(20),
        anyText(20),
        (number, left, right, before, behind) => {
          expect(redact(`${before}${left}${number}${right}${behind}`)).not.toContain(number);
          const address = `kim.${number.slice(0, 4)}@example.com`;
          expect(redact(`${before}${left}${address}${right}${behind}`)).not.toContain(address);
        },
      ),
      settings,
    );
  });

  it('is short, and does not change if it is cleaned again (TE-P15)', () => {
    const redact = createRedact([]);
    fc.assert(
      fc.property(fc.oneof(anyText(600), anyText(30)), (text) => {
        const said = redact(text);
        expect(said.length).toBeLessThanOrEqual(501);
        expect(redact(said)).toBe(said);
      }),
      settings,
    );
  });
});

describe('the log', () => {
  it('never contains a personal number, in any part of an entry (TE-P15)', () => {
    fc.assert(
      fc.property(
        personal,
        beside,
        beside,
        anyText(20),
        anyText(20),
        (number, left, right, before, behind) => {
          expect(redactLog(`${before}${left}${number}${right}${behind}`)).not.toContain(number);
        },
      ),
      settings,
    );
  });

  it('shows of a number at most the part before its last four characters (TE-P15)', () => {
    fc.assert(
      fc.property(fc.oneof(personal, anyText(40)), (number) => {
        const shown = maskPersonNumber(number);
        const marks = [...number].filter((mark) => /[\p{L}\p{N}]/u.test(mark));
        const left = [...shown].filter((mark) => /[\p{L}\p{N}]/u.test(mark));
        expect(left).toEqual(marks.slice(0, Math.max(0, marks.length - 4)));
      }),
      settings,
    );
  });
});
