import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sentenceFor } from '../../../renderer/ui/failure-words.ts';
import { m, speak } from '../../../renderer/ui/language.svelte.ts';
import { languages } from '../../../shared/model/languages.ts';
import type { AgreementEnd, ErrorReason, Failure } from '../../../shared/errors.ts';

beforeAll(() => vi.stubGlobal('document', { documentElement: { lang: '' } }));
afterAll(async () => {
  await speak('en', 'en');
  vi.unstubAllGlobals();
});

const refused = (reason: ErrorReason, end?: AgreementEnd): Failure => ({
  code: 'conflict',
  message: '',
  reason,
  ...(end === undefined ? {} : { end }),
});

describe('the reason why an item cannot be handed over', () => {
  it.each(languages)('names the file that cannot be searched, in %s (DL-U6)', async (language) => {
    await speak(language, 'en');
    const file = sentenceFor({ ...refused('file-unsearched'), file: 'old.doc' });
    expect(file).toMatch(/^old\.doc: .+\.docx/);
    const sentences = [file, sentenceFor(refused('numbers-withheld'))];
    expect(sentences).not.toContain(sentenceFor({ code: 'forbidden', message: '' }));
  });
});

describe('the message about invalid entries', () => {
  const fields = { 'hours.to': 'The closing time is too early', country: 'Unknown holidays' };

  it('names the reason of each invalid entry, because most dialogs highlight none', () => {
    const failure = { code: 'invalid', message: 'Two entries are wrong', fields } as const;
    expect(sentenceFor(failure)).toContain('The closing time is too early. Unknown holidays');
  });

  it('contains the reason of an error that names no entry', () => {
    const failure = { code: 'invalid', message: 'Choose a connection first' } as const;
    expect(sentenceFor(failure)).toContain('Choose a connection first');
  });
});

describe('the message about a failed request to the service', () => {
  /**
   * Failures for the answers 401, 403, 404, 412, 422 and 429, for no answer, for an error of the
   * service, and for an unexpected error.
   */
  const failures: readonly Failure[] = [
    ...([
      'signed-out',
      'forbidden',
      'not-found',
      'conflict',
      'invalid',
      'limited',
      'offline',
    ] as const),
    ...(['service', 'unexpected'] as const),
  ].map((code) => ({ code, message: '' }));
  const late: Failure = { code: 'offline', message: '', reason: 'timed-out' };

  it.each(languages)('differs for each kind of failure, in %s (AP-22)', async (language) => {
    await speak(language, 'en');
    const sentences = [...failures, late].map(sentenceFor);
    expect(new Set(sentences).size).toBe(sentences.length);
    // Each sentence states the failure and the next step.
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length < 4)).toEqual([]);
  });

  it.each(languages)(
    'quotes the service if it refuses the content, in %s (AP-22)',
    async (language) => {
      await speak(language, 'en');
      const refused: Failure = { code: 'invalid', message: 'HTTP 422', said: 'A holiday' };
      expect(sentenceFor(refused)).toBe(m.refused_by_service_because({ said: 'A holiday' }));
      expect(sentenceFor(refused)).toContain('A holiday');
    },
  );
});

describe('the reason why an agreement was not signed', () => {
  const at = new Date(2026, 10, 22, 9, 30).getTime();

  it.each(languages)('names who ended it and when, in %s (SC-03)', async (language) => {
    await speak(language, 'en');
    const end = { state: 'rejected', by: 'Bo Ek', at } as const;
    const whole = sentenceFor(refused('agreement-ended', end));
    expect(whole).toContain('Bo Ek');
    expect(whole).toContain('2026');
    expect(sentenceFor(refused('agreement-ended', { ...end, by: null }))).not.toContain('Bo Ek');
    expect(sentenceFor(refused('agreement-ended', { ...end, at: null }))).not.toContain('2026');
  });

  it.each(languages)('differs for each cause, in %s (SC-03)', async (language) => {
    await speak(language, 'en');
    const sentences = [
      ...(['rejected', 'revoked', 'expired'] as const).map((state) =>
        refused('agreement-ended', { state, by: null, at }),
      ),
      ...(['signed-already', 'not-offered', 'not-your-turn'] as const).map((reason) =>
        refused(reason),
      ),
    ].map(sentenceFor);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
