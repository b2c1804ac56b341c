import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ORIGIN } from '../../electron/hosts/chromium/launch.ts';
import { audit } from './support/audit.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { questionOf } from './support/steps.ts';
import { words } from './support/words.ts';

const ROUTER = path.resolve(import.meta.dirname, '../../renderer/window/router.svelte.ts');
/** As the router lists them; the module itself runs in the page only. */
const screenNames = [
  ...(/screenNames = \[([^\]]*)\]/.exec(readFileSync(ROUTER, 'utf8'))?.[1] ?? '').matchAll(
    /'(\w+)'/g,
  ),
].map((found) => found[1] ?? '');

let app: FurnishedDesk;
let page: Page;
const asked: string[] = [];

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
  page.on('request', (request) => asked.push(request.url()));
});

afterAll(() => app.close());

const button = (name: string): Locator => page.getByRole('button', { name, exact: true }).first();

/** A place, the way there, and what stands there once it is drawn. */
type Place = readonly [name: string, hash: string, shown: () => Locator];

const places: readonly Place[] = [
  ['agreements', '#/agreements', () => page.getByTestId('agreements.grid')],
  ['drafts', '#/drafts', () => page.getByRole('grid')],
  ['a new draft', '#/drafts/new', () => page.getByText(words.drafts_new_for())],
  ['outbox', '#/outbox', () => page.getByTestId('outbox.grid')],
  ['templates', '#/templates', () => page.getByRole('heading', { name: words.templates_empty() })],
  ['signing queue', '#/signing', () => page.getByRole('grid')],
  ['evidence', '#/signing/evidence', () => page.getByText(words.evidence_empty()).first()],
  ['batches', '#/batch', () => page.getByTestId('shell.nav.batch')],
  ['archive', '#/archive', () => page.getByRole('grid')],
  ['connections', '#/settings', () => page.getByTestId('settings.connection').first()],
  ['identities', '#/settings/identities', () => page.getByText('Karin Lindqvist')],
  ['appearance', '#/settings/appearance', () => page.getByText(words.settings_theme())],
  ['sending', '#/settings/sending', () => page.getByText(words.settings_hold())],
  ['notifications', '#/settings/notifications', () => page.getByText(words.settings_notify())],
  ['archive place', '#/settings/archive', () => page.getByText(words.settings_archive_pattern())],
  ['data', '#/settings/data', () => page.getByTestId('settings.doctor')],
  ['shortcuts', '#/settings/shortcuts', () => page.getByText(words.sheet_lists())],
];

describe('every screen', () => {
  it('stands in the rail once', async () => {
    const rows = await page.getByTestId(/^shell\.nav\./).all();
    const names = await Promise.all(rows.map((row) => row.getAttribute('data-testid')));
    expect(names.map((name) => name?.replace('shell.nav.', ''))).toEqual(screenNames);
  });

  it('has a place in this file or is opened by its name, and can be used by everybody', async () => {
    for (const name of screenNames) {
      if (places.some(([, hash]) => hash === `#/${name}`)) continue;
      await show(app, `#/${name}`);
      await page.getByTestId(`shell.nav.${name}`).and(page.locator('[aria-current]')).waitFor();
      await audit(page);
    }
    expect(screenNames.length).toBeGreaterThan(0);
  });

  it.each(places)('%s can be used by everybody, in light and in dark', async (_, hash, shown) => {
    await show(app, hash);
    await shown().waitFor();
    await audit(page);
  });

  it.each(['agreements', 'drafts', 'signing', 'archive'])(
    '%s can be used by everybody with a row chosen',
    async (screen) => {
      await show(app, `#/${screen}`);
      await page.getByRole('grid').focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('complementary').getByRole('heading').first().waitFor();
      await audit(page);
    },
  );

  it.each(['v1', 'v2'] as const)(
    'the editor of a %s draft can be used by everybody',
    async (api) => {
      await show(app, `#/drafts/${app.drafts[api]}`);
      await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
      await page.getByLabel('tenant').waitFor();
      await audit(page);
    },
  );

  it('a send of unknown outcome can be settled by everybody', async () => {
    await show(app, `#/outbox/${app.unknown}`);
    await page.getByTestId('outbox.details').waitFor();
    await audit(page);
  });

  it.each([
    ['connection', '#/settings', () => button(words.settings_add_v2()), 'connection.form'],
    [
      'identity',
      '#/settings/identities',
      () => page.getByTestId('settings.identity.add'),
      'settings.identity.form',
    ],
  ] as const)(
    'the form for a new %s can be filled in by everybody',
    async (_, hash, open, form) => {
      await show(app, hash);
      await open().click();
      await page.getByTestId(form).waitFor();
      await audit(page);
      await button(words.common_cancel()).click();
    },
  );
});

/** What opens an overlay, where, and the overlay. */
type Overlay = readonly [
  name: string,
  hash: string,
  open: () => Promise<void>,
  shown: () => Locator,
];

const dialog = (): Locator => page.getByRole('dialog');
const question = (): Locator => questionOf(page);
const real = (): Locator => page.getByTestId('settings.connection').filter({ hasText: 'Kontoret' });

/** From the archive, opens the agreement that stands first in it. */
async function openSigned(): Promise<void> {
  await page.getByRole('heading', { name: words.screen_archive(), level: 1 }).waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await button(words.signing_show_agreement()).click();
}

const overlays: readonly Overlay[] = [
  ['the palette', '#/agreements', () => page.keyboard.press('Control+k'), dialog],
  ['the sheet of shortcuts', '#/agreements', () => page.keyboard.press('F1'), dialog],
  [
    'the choice of connection',
    '#/agreements',
    () => page.getByTestId('shell.connection').click(),
    () => page.getByRole('menu'),
  ],
  [
    'the actions on an agreement',
    '#/archive',
    async () => {
      await openSigned();
      await page.getByTestId('agreements.more').click();
    },
    () => page.getByRole('menu'),
  ],
  [
    'saving a PDF',
    '#/archive',
    async () => {
      await openSigned();
      await page.getByTestId('agreements.save').click();
    },
    question,
  ],
  [
    'the check before a send',
    '#/drafts/new',
    async () => {
      await show(app, `#/drafts/${app.drafts.v1}`);
      await page.getByTestId('draft.send').click();
    },
    question,
  ],
  [
    'signing',
    '#/signing',
    async () => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await page.getByTestId('signing.reviewed').click();
      // Marked once the queue was read again, with its review; the next agreement may hide the list.
      const marked = page.getByRole('checkbox', { checked: true, includeHidden: true });
      await marked.first().waitFor({ state: 'attached' });
      await page.keyboard.press('Control+Enter');
    },
    question,
  ],
  ...(['outbox_was_sent', 'outbox_was_not_sent'] as const).map((name): Overlay => [
    `the question of ${name}`,
    '#/outbox',
    async () => {
      await show(app, `#/outbox/${app.unknown}`);
      await page.getByTestId('outbox.decide').click();
      await button(words[name]()).click();
    },
    question,
  ]),
  [
    'a decision about a send',
    '#/outbox',
    async () => {
      await show(app, `#/outbox/${app.unknown}`);
      await page.getByTestId('outbox.decide').click();
    },
    dialog,
  ],
  ...(['settings_rename', 'settings_replace', 'settings_remove'] as const).map((name): Overlay => [
    `the question of ${name}`,
    '#/settings',
    () => real().getByRole('button', { name: words[name](), exact: true }).click(),
    question,
  ]),
  [
    'removing a person',
    '#/settings/identities',
    () => button(words.settings_identity_remove()).click(),
    question,
  ],
];

describe('every overlay', () => {
  it.each(overlays)('%s can be used by everybody, and Escape closes it', async (...overlay) => {
    const [, hash, open, shown] = overlay;
    await show(app, hash);
    await open();
    await shown().waitFor();
    try {
      await audit(page);
    } finally {
      await page.keyboard.press('Escape');
    }
    await shown().waitFor({ state: 'detached' });
  });
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
