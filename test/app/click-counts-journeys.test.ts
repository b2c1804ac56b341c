// tier: all
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlacedField } from '../../shared/model/placed-field.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { show } from './support/furnished-desk.ts';
import { leaseForm } from './support/pdfs.ts';
import { apiOf } from './support/prepared-draft.ts';
import { expectFocus, press, questionOf, tabTo, tryDemo } from './support/steps.ts';
import { words } from './support/words.ts';

const FLAT_LEASE = path.resolve('test/fixtures/flat/lease-en.pdf');

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'full' });
  ({ page } = app);
  await tryDemo(page);
  await page.evaluate(startCounting);
  const folder = path.join(app.folder, 'archive');
  await mkdir(folder);
  await apiOf(app)['settings.write']({ archiveFolder: folder });
});
afterAll(() => app.close());
beforeEach(() =>
  page.evaluate(() => {
    const { dataset } = document.documentElement;
    dataset['clicks'] = '0';
    dataset['keys'] = '0';
  }),
);

/** Counts the presses of the mouse button, and of keys that do not only type a character. */
function startCounting(): void {
  const { dataset } = document.documentElement;
  const modifiers = new Set(['Control', 'Shift', 'Alt', 'Meta']);
  const count = (what: string): void => {
    dataset[what] = String(Number(dataset[what]) + 1);
  };
  const press = ({ isTrusted }: Event): void => {
    if (isTrusted) count('clicks');
  };
  const type = ({ isTrusted, key, ctrlKey }: KeyboardEvent): void => {
    if (isTrusted && !modifiers.has(key) && (ctrlKey || key.length > 1)) count('keys');
  };
  // The window ignores a press at the place of an earlier one, so releases are counted.
  document.addEventListener('pointerup', press, { capture: true });
  document.addEventListener('keydown', type, { capture: true });
}

/** The counted presses since the start of the test. */
async function counted(): Promise<{ readonly clicks: number; readonly keys: number }> {
  const { clicks, keys } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  return { clicks: Number(clicks), keys: Number(keys) };
}

/** Chooses a file in the system's dialog, which `open` opens. */
async function chooseFile(
  open: () => Promise<void>,
  file: Parameters<Locator['setInputFiles']>[0],
): Promise<void> {
  const dialog = page.waitForEvent('filechooser');
  await open();
  await (await dialog).setFiles(file);
}

const party = (number: number): Locator => page.getByTestId(`draft.parties.${number}`);
const answer = (name: string): Locator => questionOf(page).getByRole('button', { name });
const guests = ['Åsa', 'Nils'];
const emailOf = (name: string): string => `${name.toLowerCase()}@example.com`;

/** Writes a new draft with the mouse, from the list of agreements; typing needs no click here. */
async function sendByMouse(title: string, chooseConnection: () => Promise<void>): Promise<void> {
  await show(app, '#/agreements');
  await page.getByTestId('agreements.new-draft').click();
  await chooseConnection();
  await page.getByTestId('draft.title').fill(title);
  const add = page.getByRole('button', { name: words.draft_add_file() });
  await add.click();
  // The system's dialog returns the file.
  await page.getByTestId('draft.file').setInputFiles(await leaseForm());
  for (const [number, name] of guests.entries()) {
    await page.getByTestId('draft.add-party').click();
    await party(number).getByLabel(words.draft_first_name()).fill(name);
    await party(number).getByLabel(words.draft_last_name()).fill('Öberg');
    await party(number).getByLabel(words.draft_email()).fill(emailOf(name));
  }
  await page.getByTestId('draft.send').click();
  await questionOf(page).getByRole('button').last().click();
  await sent();
}

/** Waits until the send can be undone, and the list of drafts is shown again. */
async function sent(): Promise<void> {
  await page.getByTestId('activity.held').waitFor();
  await page.getByRole('heading', { name: words.screen_drafts(), level: 1 }).waitFor();
}

async function openAgreement(title: string): Promise<void> {
  const { items } = await apiOf(app)['agreements.list']({ search: title });
  const row = items.find((one) => one.title === title && one.api === 'v1');
  if (row === undefined) throw new Error(`The demo has no agreement ${title}`);
  await show(app, `#/agreements/${row.connectionId}/${row.id}`);
  await page.getByTestId('agreements.remind').waitFor();
}

const reminded = (): Promise<void> =>
  page
    .getByTestId('activity.message')
    .getByText(words.remind_done({ count: 1 }))
    .waitFor();

/** The fields saved in the PDF of a template. */
async function savedFields(name: string): Promise<readonly PlacedField[]> {
  const api = apiOf(app);
  const found = (await api['templates.list']({})).find((one) => one.name === name);
  if (found === undefined) return [];
  const { source } = await api['templates.get']({ id: found.id });
  return source.kind === 'pdf' ? (source.form.placed ?? []) : [];
}

describe('with the mouse alone', () => {
  it('seven clicks send a PDF to two people, one of them for the connection', async () => {
    const choice = page.getByTestId(/^choice\./).filter({ hasText: words.api_v1() });
    await sendByMouse('Hyra av garage', () => choice.click());
    expect(await counted()).toEqual({ clicks: 7, keys: 0 });
  });

  it('six clicks send a PDF to two people with the connection that was used last', async () => {
    await sendByMouse('Hyra av källare', async () => {
      await page.getByTestId('draft.editor').waitFor();
    });
    expect(await counted()).toEqual({ clicks: 6, keys: 0 });
  });

  it('two clicks send one reminder', async () => {
    await openAgreement('Leieavtale Bjørnstad');
    await page.getByTestId('agreements.remind').click();
    await answer(words.remind_confirm({ count: 1 })).click();
    await reminded();
    expect(await counted()).toEqual({ clicks: 2, keys: 0 });
  });

  it('four clicks make a fillable template from a flat PDF', async () => {
    await show(app, '#/templates');
    const add = page.getByRole('button', { name: words.templates_add_pdf() });
    await chooseFile(() => add.click(), FLAT_LEASE);
    await page.getByTestId('templates.find').click();
    await page.getByTestId('draw.accept').click();
    await page.getByTestId('draw.save').click();
    await expect.poll(async () => (await savedFields('lease-en')).length).toBeGreaterThan(5);
    expect(await counted()).toEqual({ clicks: 4, keys: 0 });
  });

  it('one click archives everything', async () => {
    await show(app, '#/archive');
    const run = page.getByRole('button', { name: /\d/ }).and(page.locator('.primary'));
    await run.click();
    await page.getByTestId('archive.outcome').waitFor();
    expect(await counted()).toEqual({ clicks: 1, keys: 0 });
    // The count of agreements missing in the archive falls without a request to the service.
    await show(app, '#/agreements');
    const { notArchived } = await apiOf(app)['agreements.counts']({});
    const counter = page.getByTestId('agreements.counter.not-archived').locator('strong');
    await expect.poll(() => counter.textContent()).toBe(String(notArchived));
  });
});

describe('with the keyboard alone', () => {
  it('eleven keys send a PDF to two people with the connection that was used last', async () => {
    await show(app, '#/agreements');
    await page.keyboard.press('Control+n');
    await expectFocus(page.getByTestId('draft.title'));
    await page.keyboard.type('Hyra av vind');
    await page.keyboard.press('Control+o');
    await page.getByTestId('draft.file').setInputFiles(await leaseForm());
    await page.getByTestId('draft.attachments.0').waitFor();
    for (const [number, name] of guests.entries()) {
      await page.keyboard.press('Control+Shift+P');
      await expectFocus(party(number).getByLabel(words.draft_first_name()));
      await page.keyboard.type(name);
      await page.keyboard.press('Tab');
      await page.keyboard.type('Ek');
      await page.keyboard.press('Tab');
      await page.keyboard.type(emailOf(name));
    }
    await page.keyboard.press('Control+Enter');
    await expectFocus(answer(words.cancel()));
    await tabTo(page, questionOf(page).getByRole('button').last());
    await page.keyboard.press('Enter');
    await sent();
    expect(await counted()).toEqual({ clicks: 0, keys: 11 });
  });

  it('at most ten keys send one reminder', async () => {
    await openAgreement('Contratto di locazione Forlì');
    const details = page.getByTestId('agreements.details');
    const pane = page.locator('[data-pane]').filter({ has: details }).last();
    for (let panes = 0; panes < 5; panes += 1) {
      if ((await pane.locator(':focus').count()) > 0) break;
      await page.keyboard.press('F6');
    }
    await press(page, page.getByTestId('agreements.remind'));
    await press(page, answer(words.remind_confirm({ count: 1 })));
    await reminded();
    const { clicks, keys } = await counted();
    expect(clicks).toBe(0);
    expect(keys).toBeLessThanOrEqual(10);
  });

  it('one key archives everything', async () => {
    await show(app, '#/archive');
    await page.getByRole('heading', { name: words.screen_archive(), level: 1 }).waitFor();
    await page.keyboard.press('Control+Shift+S');
    const said = page.getByTestId('activity.message');
    await expect.poll(() => said.textContent()).toBe(words.archive_why_nothing());
    expect(await counted()).toEqual({ clicks: 0, keys: 1 });
  });
});
