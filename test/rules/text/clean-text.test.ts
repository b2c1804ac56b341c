import { describe, expect, it } from 'vitest';
import {
  hasLineBreak,
  cleanText,
  isShortened,
  validateName,
} from '../../../shared/rules/text/clean-text.ts';
import { createSeeded } from '../../support/seeded.ts';

describe('a cleaned number', () => {
  it.each([
    ['\u00a0850709\u20139805\u202f', '850709-9805'],
    ['850709\u22129805', '850709-9805'],
    ['8507\u200b09\u2060-98\ufeff05', '850709-9805'],
    ['\u202a850709-9805\u202c', '850709-9805'],
    ['\u2066１２３\u2069', '123'],
    ['070\u2007123', '070 123'],
    ['a\u030a', 'å'],
  ])('%j becomes %j', (text, value) => {
    expect(cleanText(text)).toBe(value);
  });

  it('keeps digits of other scripts, so that the rule for the number rejects them', () => {
    expect(cleanText('٨٥٠')).toBe('٨٥٠');
  });

  it('does not change when cleaned again', () => {
    const chance = createSeeded(1);
    const marks = [...'0aå–−\u200b\u200e\u00a0\u202f １é\u0301'] as [string, ...string[]];
    for (let round = 0; round < 1000; round += 1) {
      const size = chance.whole(0, 12);
      const once = cleanText(Array.from({ length: size }, () => chance.pick(marks)).join(''));
      expect(cleanText(once)).toBe(once);
    }
  });

  it('is recognised as shortened by a spreadsheet, unless it is a Finnish identity code', () => {
    expect(isShortened('1,98507E+11')).toBe(true);
    expect(isShortened('4.67e10')).toBe(true);
    expect(isShortened('010105E0028')).toBe(false);
    expect(isShortened('198507099805')).toBe(false);
  });

  it('counts as several lines with any line break character of mail and files', () => {
    for (const mark of ['\n', '\r', '\t', '\0', '\u0085', '\u2028']) {
      expect(hasLineBreak(`a${mark}b`)).toBe(true);
    }
    expect(hasLineBreak('a b')).toBe(false);
  });
});

describe('a cleaned name', () => {
  it.each([
    [' Åsa Öberg\u00a0', 'Åsa Öberg'],
    ['A\u030asa', 'Åsa'],
    ["Siobhán O'Neill-Ng", "Siobhán O'Neill-Ng"],
    ['Zoë 🦊', 'Zoë 🦊'],
  ])('%j is %j', (text, value) => {
    expect(validateName(text, 50)).toEqual({ verdict: 'fine', value });
  });

  it.each([
    ['', 'empty'],
    [' \u00a0 ', 'empty'],
    ['\u200b\u200b', 'empty'],
    ['Anna\nBcc: b', 'line-break'],
    ['Anna\u202egreB', 'hidden-direction'],
    ['Anna\u2066Berg\u2069', 'hidden-direction'],
    ['å'.repeat(51), 'too-long'],
  ])('%j is wrong: %s', (text, why) => {
    expect(validateName(text, 50)).toMatchObject({ verdict: 'wrong', why });
  });

  it('is measured in visible characters, not in code units', () => {
    expect(validateName('🦊'.repeat(50), 50).verdict).toBe('fine');
    expect(validateName('a\u030a'.repeat(50), 50).verdict).toBe('fine');
  });

  it('keeps a joiner, which some scripts need, with a notice', () => {
    expect(validateName('علی\u200cرضا', 50)).toEqual({
      verdict: 'suspicious',
      value: 'علی\u200cرضا',
      why: 'invisible',
    });
  });
});
