import { describe, expect, it } from 'vitest';
import { digestLine } from '../../../shared/rules/digest/line.ts';

describe('a text in a daily summary', () => {
  it('is unchanged when it has nothing to hide', () => {
    expect(digestLine('  Hyresavtal “Åsa” 2026', 300)).toBe('  Hyresavtal “Åsa” 2026');
  });

  it.each(['\n', '\r\n', '\u2028', '\u0085', '\v', '\0'])(
    'is one line, with any line break character',
    (end) => {
      expect(digestLine(`Lease${end}${end}Bcc: x`, 300)).toBe('Lease Bcc: x');
    },
  );

  it.each([
    '198507099805',
    '19850709-9805',
    '19850709-\n9805',
    '19850709\n9805',
    '850709-\r\n9805',
  ])('has no personal number, even when a line break splits it', (number) => {
    expect(digestLine(`Lease ${number} A`, 300)).toBe('Lease [person number] A');
  });

  it('is cut between characters, and never shows part of a number', () => {
    expect(digestLine('😀'.repeat(10), 8)).toBe('😀😀😀…');
    const number = '19850709-9805';
    for (let at = 280; at < 305; at += 1) {
      expect(digestLine(`${'x '.repeat(at / 2)}${number}`, 300)).not.toMatch(/1985|9805/);
    }
    // No part of a number is shown even if the checked part of the text ends in the number: the
    // addresses before it become shorter.
    for (let at = 16_360; at < 16_390; at += 1) {
      const long = 'a'.repeat(60);
      const addresses = `${long}@${long}.${long}.${long}.example `.repeat(80).slice(0, at);
      expect(digestLine(`${addresses} ${number}`, 20_000)).not.toMatch(/1985|9805/);
    }
  });
});
