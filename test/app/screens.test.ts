import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ORIGIN } from '../../electron/hosts/chromium/launch.ts';
import { audit } from './support/audit.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { overlays, places, screenNames, screenViews, type View } from './support/views.ts';
import { words } from './support/words.ts';

const WHOLE = { width: 1280, height: 800 } as const;
/** The window at 200 %. */
const TWICE = { width: 640, height: 400 } as const;

let app: FurnishedDesk;
let page: Page;
const asked: string[] = [];

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
  page.on('request', (request) => asked.push(request.url()));
});

afterAll(() => app.close());

/** Opens a view, and finds nobody kept out at 100 % and at 200 %, in light and in dark. */
async function auditView({ open, leave }: View): Promise<void> {
  await open(app);
  try {
    for (const size of [WHOLE, TWICE]) {
      await page.setViewportSize(size);
      await audit(page);
    }
  } finally {
    await page.setViewportSize(WHOLE);
    await leave?.(app);
  }
}

describe('every screen', () => {
  it('stands in the rail once, and is among those that are looked at', async () => {
    const rows = await page.getByTestId(/^shell\.nav\./).all();
    const names = await Promise.all(rows.map((row) => row.getAttribute('data-testid')));
    expect(names.map((name) => name?.replace('shell.nav.', ''))).toEqual(screenNames);
    const hashes = new Set(places.map(({ hash }) => hash(app).split('/')[1]));
    expect(screenNames.filter((name) => !hashes.has(name))).toEqual([]);
  });

  it.each(screenViews)(
    '$name can be used by everybody, in both themes, at 100 % and 200 % (AP-02)',
    async (view) => {
      await auditView(view);
    },
  );
});

describe('every overlay', () => {
  it.each(overlays)(
    '$name can be used by everybody, in both themes, at 100 % and 200 %; Escape closes it (AP-02)',
    async (view) => {
      await auditView(view);
    },
  );
});

describe('an audit', () => {
  afterEach(async () => {
    await page.emulateMedia({ colorScheme: null });
    await page.evaluate(() => {
      document.documentElement.style.removeProperty('--text');
      document.querySelector('main > button:empty')?.remove();
    });
  });

  it('finds words that cannot be read in dark alone', async () => {
    await show(app, '#/settings/sending');
    await page.getByText(words.settings_hold()).waitFor();
    await page.evaluate(() =>
      document.documentElement.style.setProperty('--text', 'light-dark(#1c1b19, #33312c)'),
    );
    await expect(audit(page)).rejects.toThrow(/^dark: /);
  });

  it('finds a button without a name', async () => {
    await show(app, '#/settings/sending');
    await page.getByText(words.settings_hold()).waitFor();
    await page.evaluate(() =>
      document.querySelector('main')?.append(document.createElement('button')),
    );
    await expect(audit(page)).rejects.toThrow(/^light: /);
  });

  it('may judge dark by its colours, since the styles say nothing else of it', async () => {
    const asking = await page.evaluate(() =>
      [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules])
        .filter(({ cssText }) => cssText.includes('prefers-color-scheme'))
        .map(({ cssText }) => cssText),
    );
    expect(asking).toEqual([]);
    expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
  });
});

describe('all the while', () => {
  it('nothing left the window, and the page had nothing to complain of (TX-53)', () => {
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((url) => !/^(blob:|data:)/.test(url) && !url.startsWith(ORIGIN))).toEqual(
      [],
    );
    expect(app.complaints).toEqual([]);
  });
});
