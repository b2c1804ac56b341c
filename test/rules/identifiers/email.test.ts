import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isEmail, validateEmail, formatEmail } from '../../../shared/rules/identifiers/email.ts';
import { decodeLabel, encodeLabel } from '../../../shared/rules/identifiers/punycode.ts';
import { createSeeded } from '../../support/seeded.ts';

describe('an email address', () => {
  it.each([
    ['anna@example.se', 'anna@example.se'],
    [' anna@example.se\u00a0', 'anna@example.se'],
    ['anna@example.se\n', 'anna@example.se'],
    ['\ufeffanna@example.se', 'anna@example.se'],
    ['Anna.Berg+avtal@EXAMPLE.SE', 'Anna.Berg+avtal@example.se'],
    ["o'brien@a-b.example.co.uk", "o'brien@a-b.example.co.uk"],
  ])('%j is sent as %s (T1-44)', (text, value) => {
    expect(validateEmail(text)).toEqual({ verdict: 'fine', value });
  });

  it.each([
    ['a@example.se; b@example.se', 'several'],
    ['a@example.se, b@example.se', 'several'],
    ['a@example.se b@example.se', 'several'],
    ['a@@example.se', 'several'],
    ['mailto:a@example.se', 'mailto'],
    ['Anna <a@example.se>', 'display-name'],
    ['a@example.se.', 'trailing-dot'],
    ['a@example', 'no-top-domain'],
    ['a@example.1', 'no-top-domain'],
    ['a@192.168.0.1', 'no-top-domain'],
    ['"a b"@example.se', 'form'],
    ['a b@example.se', 'form'],
    ['a..b@example.se', 'form'],
    ['.a@example.se', 'form'],
    ['a.@example.se', 'form'],
    ['@example.se', 'form'],
    ['a@example..se', 'form'],
    ['a@-example.se', 'form'],
    ['a@exa_mple.se', 'form'],
    ['example.se', 'form'],
    ['a@xn--999999999.se', 'form'],
    ['a@example.se\r\nBcc: b@example.se', 'line-break'],
    ['', 'empty'],
    [`${'a'.repeat(65)}@example.se`, 'too-long'],
    [
      `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(9)}.se`,
      'too-long',
    ],
    [`a@${'b'.repeat(64)}.se`, 'form'],
  ])('%j is wrong: %s (T1-44)', (text, why) => {
    expect(validateEmail(text)).toMatchObject({ verdict: 'wrong', why });
  });

  it('with letters outside a–z in the domain is sent in Punycode and shown in both forms (T1-44)', () => {
    const judged = validateEmail('a@räksmörgås.se');
    expect(judged).toEqual({
      verdict: 'suspicious',
      value: 'a@xn--rksmrgs-5wao1o.se',
      why: 'international-domain',
    });
    expect(formatEmail(judged.value)).toBe('a@räksmörgås.se');
    expect(validateEmail(judged.value)).toEqual(judged);
  });

  it('with a decomposed domain, as on a Mac, has the same domain (T1-44)', () => {
    expect(validateEmail('a@räksmörgås.se'.normalize('NFD')).value).toBe('a@xn--rksmrgs-5wao1o.se');
  });

  it.each(['a@ex\u0430mple.se', 'a@xn--exmple-4nf.se', 'a@\u03b1lpha.se'])(
    '%j looks like another domain, with a notice (T1-44)',
    (text) => {
      expect(validateEmail(text)).toMatchObject({ verdict: 'suspicious', why: 'look-alike' });
    },
  );

  it('with letters outside a–z before the @ gets a warning (T1-44)', () => {
    expect(validateEmail('åsa@example.se')).toMatchObject({
      verdict: 'suspicious',
      value: 'åsa@example.se',
      why: 'international-name',
    });
  });

  it('is ready to send only without surrounding text (T1-44)', () => {
    expect(isEmail('a@example.se')).toBe(true);
    for (const text of [' a@example.se', 'a@example.se\u200b', 'a@example', '']) {
      expect(isEmail(text)).toBe(false);
    }
  });
});

describe('a Punycode label', () => {
  it('matches the result of the platform, and decodes to the original (T1-44)', () => {
    const chance = createSeeded(44);
    const letters = [...'abcxyz019åäöéüßçñøæœžłšабвгдещъыиαβγδεω日本語中文한국어'];
    for (let round = 0; round < 500; round += 1) {
      const size = chance.whole(1, 12);
      // The label begins with a letter: the platform would read digits alone as an IPv4 address.
      const label = [
        'q',
        ...Array.from({ length: size }, () => letters[chance.whole(0, letters.length - 1)]),
      ]
        .join('')
        .normalize('NFC');
      const coded = encodeLabel(label);
      const platform = domainToASCII(label);
      // The platform returns an empty text for labels that are too long or mix directions.
      if (platform !== '') expect(coded).toBe(platform);
      expect(decodeLabel(coded)).toBe(label);
      if (platform !== '') expect(domainToUnicode(coded)).toBe(label);
    }
  });

  it.each(['xn--99999999999', 'xn--a-Ä', 'xn--'.padEnd(40, '9')])('%j is invalid', (text) => {
    expect(decodeLabel(text)).toBeNull();
  });
});
