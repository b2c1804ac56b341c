import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SheetEncoding } from '../../../shared/contract/sheets.ts';
import { languages } from '../../../shared/model/languages.ts';
import { speak } from '../../../renderer/ui/language.svelte.ts';
import { encodingText } from '../../../renderer/ui/sheet-words.ts';

beforeAll(() => vi.stubGlobal('document', { documentElement: { lang: '' } }));
afterAll(async () => {
  await speak('en', 'en');
  vi.unstubAllGlobals();
});

describe.each(languages)('the name of a text encoding, in %s', (language) => {
  beforeAll(() => speak(language, 'en'));

  it('is in words, and differs for each encoding', () => {
    const names = SheetEncoding.options.map((code) => encodingText[code]());
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^\p{Lu}\p{Ll}.* \(.+\)$/u);
  });
});
