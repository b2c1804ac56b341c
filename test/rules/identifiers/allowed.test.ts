import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowedEntry,
  isAllowed,
  isAllowedHost,
  splitEntries,
} from '../../../shared/rules/identifiers/allowed.ts';

describe('the allowed recipients of a trial connection', () => {
  it('are domains, addresses and numbers, each stored in its compared form', () => {
    const typed = [
      ' @Example.COM ',
      'Asa@Example.com',
      '070-123 45 67',
      '+46 70 123 45 67',
      '@å.se',
    ];
    expect(typed.map(allowedEntry)).toEqual([
      ...['@example.com', 'asa@example.com', null, '+46701234567', '@xn--5ca.se'],
    ]);
    expect(['', '@', 'example.com', '@localhost', '*'].map(allowedEntry)).toEqual([
      ...[null, null, null, null, null],
    ]);
    expect(splitEntries('a, b;\n c\n\n')).toEqual(['a', 'b', 'c']);
  });

  it('include webhook hosts only by URL, because a bare name could be an email domain', () => {
    const typed = ['https://Hooks.Example.com:8443/x?y', 'http://hooks.example.com', 'https://@'];
    expect(typed.map(allowedEntry)).toEqual([
      ...['https://hooks.example.com', 'http://hooks.example.com', null],
    ]);
    const allowed = ['@example.com', 'https://hooks.example.com'];
    expect(isAllowedHost('http://hooks.example.com/other', allowed)).toBe(true);
    expect(isAllowedHost('https://example.com/', allowed)).toBe(false);
    expect(isAllowedHost('hooks.example.com', allowed)).toBe(false);
    expect(isAllowedHost('https://example.com/', null)).toBe(true);
  });

  it.each([
    ['asa@example.com', true],
    ['ASA@EXAMPLE.com', true],
    ['asa@mail.example.com', false],
    ['asa@example.com.evil.test', false],
    ['asa@notexample.com', false],
    ['bo@other.test', true],
    ['bosse@other.test', false],
    ['+46 70 123 45 67', true],
    ['+46701234568', false],
    ['', false],
  ])('%s: %s', (address, is) => {
    expect(isAllowed(address, ['@example.com', 'bo@other.test', '+46701234567'])).toBe(is);
    expect(isAllowed(address, null)).toBe(true);
    expect(isAllowed(address, [])).toBe(false);
  });

  it('exclude every other domain, with any prefix or suffix', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const isOurs = address.toLowerCase().endsWith('@example.com');
        expect(isAllowed(address, ['@example.com'])).toBe(isOurs);
      }),
    );
  });
});
