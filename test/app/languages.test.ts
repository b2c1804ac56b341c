// tier: all
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Language } from '../../shared/model/languages.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { takePicture } from './support/picture.ts';
import { readAll } from './support/read-all.ts';
import { apiOf } from './support/prepared-draft.ts';
import { goToPlace, places } from './support/views.ts';
import { readIn, words } from './support/words.ts';

const Variants = z.array(z.object({ match: z.record(z.string(), z.string()) }));
const Catalogue = z.record(z.string(), z.union([z.string(), Variants]));

/** Every text of a language, each form of a plural by itself. */
function textsOf(language: Language): ReadonlySet<string> {
  const url = new URL(`../../renderer/messages/${language}.json`, import.meta.url);
  const messages = Object.values(Catalogue.parse(JSON.parse(readFileSync(url, 'utf8'))));
  return new Set(
    messages.flatMap((one) =>
      typeof one === 'string' ? [one] : one.flatMap(({ match }) => Object.values(match)),
    ),
  );
}

const LETTERS = /\p{L}{3}/u;

/** A text with values as a pattern; null where too little of it is its own to tell it by. */
function patternOf(text: string): RegExp | null {
  if (!LETTERS.test(text.replaceAll(/\{\w+\}/g, ''))) return null;
  const parts = text
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.+')}$`, 's');
}

describe.each(['pl', 'fi'] as const)('the window in %s', (language) => {
  let app: FurnishedDesk;

  beforeAll(async () => {
    await readIn(language);
    app = await furnish({ language, size: { width: 1024, height: 700 } });
  });

  afterAll(async () => {
    await app.close();
    await readIn('en');
  });

  it('says nothing in English on any screen (AP-23)', async () => {
    const own = [...textsOf(language)].flatMap((text) => patternOf(text) ?? []);
    const english = [...textsOf('en')].flatMap((text) => patternOf(text) ?? []);
    const left: string[] = [];
    for (const { name } of places) {
      await goToPlace(app, name);
      const said = await readAll(app.page);
      expect(said.length, name).toBeGreaterThan(10);
      const foreign = said.filter(
        (text) =>
          english.some((pattern) => pattern.test(text)) &&
          !own.some((pattern) => pattern.test(text)),
      );
      left.push(...foreign.map((text) => `${name}: ${text}`));
      await takePicture(app.page, `${language}-${name.replaceAll(' ', '-')}`);
    }
    expect(left).toEqual([]);
  });

  it('changes its language without losing what was typed, and names it for readers', async () => {
    const { page } = app;
    await show(app, `#/drafts/${app.drafts.v1}`);
    await page.getByTestId('draft.title').fill('Umowa na próbę');
    const before = words.draft_check_send();
    await page.getByTestId('draft.send').getByText(before).waitFor();
    const calls = apiOf(app);
    await calls['settings.write']({ language: 'sv' });
    await readIn('sv');
    await page.getByTestId('draft.send').getByText(words.draft_check_send()).waitFor();
    expect(await page.getByTestId('draft.title').inputValue()).toBe('Umowa na próbę');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('sv');
    await readIn(language);
    await calls['settings.write']({ language });
    await page.getByTestId('draft.send').getByText(before).waitFor();
  });
});
