// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutTexts } from './support/cut-texts.ts';
import { furnish, type FurnishedDesk } from './support/furnished-desk.ts';
import { dataOf, foreignTexts } from './support/foreign-texts.ts';
import { takePicture } from './support/picture.ts';
import { compilePseudo, type Pseudo, STAND_IN } from './support/pseudo-window.ts';
import { overlays, screenViews } from './support/views.ts';
import { readIn, readWith } from './support/words.ts';

const sizes = [
  { width: 1024, height: 700 },
  { width: 1280, height: 800 },
] as const;

describe('the window in a language of longer words that nobody speaks', () => {
  let app: FurnishedDesk;
  let page: Page;
  let pseudo: Pseudo;

  beforeAll(async () => {
    pseudo = await compilePseudo();
    readWith(pseudo.messages);
    app = await furnish({ language: STAND_IN, over: pseudo.over });
    ({ page } = app);
  });

  afterAll(async () => {
    await app.close();
    await readIn('en');
  });

  it('takes every text from its catalogue, and cuts none (AP-05, AP-23)', async () => {
    const data = await dataOf(app);
    const foreign = new Set<string>();
    const cut = new Set<string>();
    let read = 0;
    for (const { name, open, leave } of [...screenViews, ...overlays]) {
      await open(app);
      for (const size of sizes) {
        await page.setViewportSize(size);
        const { left, count } = await foreignTexts(page, data);
        read += count;
        for (const text of left) foreign.add(`${name}: ${text}`);
        for (const text of await cutTexts(page)) cut.add(`${name}, ${size.width}: ${text}`);
        await takePicture(page, `pseudo-${name.replaceAll(/\W+/g, '-')}-${size.width}`);
      }
      await page.setViewportSize(sizes[1]);
      await leave?.(app);
    }
    expect(read).toBeGreaterThan(1000);
    expect({ foreign: [...foreign], cut: [...cut] }).toEqual({ foreign: [], cut: [] });
  });
});
