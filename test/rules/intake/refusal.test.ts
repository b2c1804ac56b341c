import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { place } from '../../../build/places.ts';
import { languages } from '../../../shared/model/languages.ts';
import { intakeDataError } from '../../../shared/rules/intake/data.ts';
import { refusalNote, refusalWords } from '../../../shared/rules/intake/refusal.ts';

const keyOf = (name: string): string => name.replaceAll('-', '_');

describe('the note for a refused file', () => {
  it.each(languages)('gives in %s the same reason as the window', (language) => {
    const file = place(`renderer/messages/${language}.json`);
    const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const { reasons, wrong } = refusalWords[language];
    for (const [reason, text] of Object.entries(reasons)) {
      expect([reason, text]).toEqual([reason, messages[`reason_${keyOf(reason)}`]]);
    }
    for (const [code, text] of Object.entries(wrong)) {
      expect([code, text]).toEqual([code, messages[`intake_wrong_${keyOf(code)}`]]);
      expect(text.includes('{at}')).toBe(refusalWords.en.wrong[code as 'row'].includes('{at}'));
    }
  });

  it('names where the problem is, followed by the exact facts', () => {
    const { failure } = intakeDataError('row', '7 (email)', 'email: $& is none.');
    expect(refusalNote('avtal.pdf', failure, 'sv')).toBe(
      'avtal.pdf: Rad 7 (email) har ogiltiga uppgifter.\n\n' +
        'invalid · intake-data · Row 7 (email) has invalid data. email: $& is none.\n',
    );
    expect(refusalNote('a', intakeDataError('answer', '$&').failure, 'en')).toContain('answer $&.');
  });

  it('gives reasons without a translation in English', () => {
    const failure = { code: 'invalid', message: 'It is too blue' } as const;
    expect(refusalNote('a.pdf', failure, 'de')).toBe(
      'a.pdf: It is too blue\n\ninvalid · It is too blue\n',
    );
  });
});
