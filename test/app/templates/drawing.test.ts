// tier: all
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument, rgb } from 'pdf-lib';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrangements } from '../../../renderer/features/templates/drawing/arrange.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import type { DrawnField } from '../../../shared/model/template.ts';
import { people } from '../../support/desks/batch-desk.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  choose,
  expectFocus,
  expectGone,
  expectSeen,
  fill,
  goTo,
  press,
  tabTo,
} from '../support/steps.ts';
import { words } from '../support/words.ts';

const ROWS = 50;

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  const api = apiOf(app);
  const { token } = app.demo.credentials;
  const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  await api['connections.add']({ ...office, orgNo: null, url: app.demo.v1Url, secret: token });
  await page.reload();
  await page.getByTestId('agreements.new-draft').waitFor();
});

afterAll(() => app.close());

const board = (): Locator => page.getByTestId('draw.page');
const box = (name: string): Locator => page.locator(`[data-spot][data-field="${name}"]`);
const row = (name: string): Locator =>
  page.getByTestId('draw.list').locator('button.row').filter({ hasText: name });
const kind = (name: string): Locator => page.getByTestId(`draw.kind.${name}`);
const sourceOf = (name: string): Locator =>
  page
    .getByTestId('draw.list')
    .getByLabel(words.templates_from_of({ field: name }), { exact: true });
/** An action in the menu of the header. */
const more = (action: string): Locator => page.getByTestId(`draw.more.${action}`);
const number = (side: string): Locator => page.getByTestId(`draw.${side}`);

/**
 * Creates three A4 pages, each with a line that starts 140 points from the left and 200 from the
 * top.
 */
async function flatPages(): Promise<Buffer> {
  const file = await PDFDocument.create();
  for (let at = 0; at < 3; at += 1) {
    const sheet = file.addPage([595, 842]);
    sheet.drawText(`Page ${String(at + 1)} of a lease`, { x: 60, y: 780, size: 14 });
    const ends = { start: { x: 140, y: 642 }, end: { x: 400, y: 642 } };
    sheet.drawLine({ ...ends, thickness: 1, color: rgb(0, 0, 0) });
  }
  return Buffer.from(await file.save());
}

async function addPdf(name: string, buffer: Buffer): Promise<void> {
  await goTo(page, 'Control+4', words.screen_templates());
  const file = { name: `${name}.pdf`, mimeType: 'application/pdf', buffer };
  await page.getByTestId('templates.file').setInputFiles(file);
  await page.getByRole('heading', { name, level: 2, exact: true }).waitFor();
}

async function templateOf(name: string) {
  const api = apiOf(app);
  const found = (await api['templates.list']({})).find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no template ${name}`);
  return api['templates.get']({ id: found.id });
}

const kept = async (name: string): Promise<readonly DrawnField[]> =>
  (await templateOf(name)).content.drawing?.fields ?? [];

async function formOf(name: string): Promise<readonly PlacedField[]> {
  const { source } = await templateOf(name);
  return source.kind === 'pdf' ? (source.form.placed ?? []) : [];
}

/** Returns the screen position of a point of the page, given in points from its upper left. */
async function onScreen(x: number, y: number): Promise<{ x: number; y: number }> {
  const { left, top, width } = await board().evaluate((element) => {
    const rect = element.getBoundingClientRect();
    return { left: rect.left, top: rect.top, width: rect.width };
  });
  return { x: left + (x * width) / 595, y: top + (y * width) / 595 };
}

async function drag(
  from: readonly [number, number],
  to: readonly [number, number],
  isFree = true,
): Promise<void> {
  const [begin, end] = [await onScreen(...from), await onScreen(...to)];
  await page.mouse.move(begin.x, begin.y);
  await page.mouse.down();
  if (isFree) await page.keyboard.down('Alt');
  await page.mouse.move((begin.x + end.x) / 2, (begin.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
  if (isFree) await page.keyboard.up('Alt');
}

/** Goes to a drawing tool with the keyboard, and presses it. The strip of tools is one Tab stop. */
async function pressTool(name: string): Promise<void> {
  await tabTo(page, page.locator('[data-kind][tabindex="0"]'));
  await page.keyboard.press('Home');
  while (!(await kind(name).evaluate((tool) => tool === document.activeElement))) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

/** Chooses an action in the menu of the header, with the keyboard. */
async function pressMore(action: string): Promise<void> {
  await press(page, page.getByTestId('draw.more'));
  await more(action).waitFor();
  while ((await more(action).getAttribute('data-highlighted')) === null) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Waits until all drawn fields are in the PDF. */
const expectSaved = (): Promise<void> =>
  expectGone(page.locator('header').getByText(words.draw_not_in_pdf()));

/** Goes to the field at a place in the list of drawn fields; the list is one Tab stop. */
async function goToRow(place: number): Promise<void> {
  const rows = page.getByTestId('draw.list').locator('button.row');
  await tabToRow('draw.list');
  const count = await rows.count();
  for (let up = 0; up < count; up += 1) await page.keyboard.press('ArrowUp');
  for (let down = 0; down < place; down += 1) await page.keyboard.press('ArrowDown');
  await expectFocus(rows.nth(place));
}

/**
 * Presses Tab until a row of the list has the focus. The list is one Tab stop: the row of the field
 * that had the focus last.
 */
async function tabToRow(list: string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    page.evaluate(
      (id) => document.activeElement?.matches(`[data-testid="${id}"] .row`) === true,
      list,
    );
  for (let pressed = 0; !(await isThere()); pressed += 1) {
    if (pressed > 60) throw new Error(`Tab never reached ${list}`);
    await page.keyboard.press('Tab');
  }
}

describe('fields drawn on a PDF without form fields', () => {
  beforeAll(async () => {
    await addPdf('Flat', await flatPages());
    await page.getByTestId('templates.none.draw').click();
    await board().waitFor();
  });

  it('can first be searched for: the search is the only next step', async () => {
    expect(await page.locator('main .primary').count()).toBe(1);
    await expectSeen(page.getByTestId('draw.find').and(page.locator('.primary')));
  });

  it('appear where a box is dragged, and are saved as drawn', async () => {
    await kind('text').click();
    await drag([100, 300], [250, 324]);
    await box('Text 1').waitFor();
    await expect.poll(async () => (await kept('Flat')).length).toBe(1);
    const [field] = await kept('Flat');
    expect(field).toMatchObject({ name: 'Text 1', kind: 'text' });
    const drawn = field?.places[0]?.box ?? expect.unreachable();
    const apart = [drawn.x - 100, drawn.y - (842 - 324), drawn.width - 150, drawn.height - 24];
    expect(Math.max(...apart.map(Math.abs))).toBeLessThan(1.5);
    expect(await board().getAttribute('class')).not.toContain('draws');
  });

  it('snap to the lines on the page, unless Alt is held', async () => {
    // The line is 200 points from the top, that is 642 from the bottom; the field's lower edge
    // comes near it.
    await drag([175, 312], [217, 186], false);
    await expect.poll(async () => (await kept('Flat'))[0]?.places[0]?.box.y).toBe(642);
    expect((await kept('Flat'))[0]?.places[0]?.box.x).toBe(140);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await kept('Flat'))[0]?.places[0]?.box.x).toBeCloseTo(100, 0);
  });

  it('move by one or ten points and grow with the arrow keys, as one undo step', async () => {
    await box('Text 1').focus();
    await number('left').fill('100');
    await number('top').fill('300');
    await number('width').fill('150');
    await number('height').fill('24');
    await box('Text 1').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Alt+Shift+ArrowDown');
    const shown = (side: string) => number(side).inputValue();
    expect(await shown('left')).toBe('101');
    expect(await shown('top')).toBe('310');
    expect(await shown('width')).toBe('151');
    expect(await shown('height')).toBe('34');
    expect(await page.getByTestId('draw.said').textContent()).toBe(
      words.draw_at({ left: 101, top: 310, width: 151, height: 34 }),
    );
    await expectFocus(box('Text 1'));
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => shown('left')).toBe('100');
    expect(await shown('width')).toBe('150');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => shown('height')).toBe('34');
  });

  it('grow with a handle', async () => {
    await box('Text 1').focus();
    await board().evaluate((element) => element.closest('.scroll')?.scrollTo(0, 250));
    await drag([252, 344], [302, 364]);
    await expect.poll(() => number('width').inputValue()).toMatch(/^20[01]/);
    expect(Number(await number('height').inputValue())).toBeCloseTo(54, -1);
  });

  it('are placed, copied, aligned and distributed with the keyboard, and all of it is undone', async () => {
    await pressTool('date');
    await expectFocus(box('Date 1'));
    await page.keyboard.press('Control+d');
    await expectFocus(box('Date 2'));
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expectFocus(box('Date 3'));
    await page.keyboard.press('Shift+ArrowDown');
    for (const name of ['Date 1', 'Date 2', 'Date 3']) {
      await tabTo(page, box(name));
      await page.keyboard.press('Space');
    }
    expect(await page.locator('[data-spot][aria-pressed=true]').count()).toBe(3);
    await expectFocus(box('Date 3'));
    const arrange = async (place: number): Promise<void> => {
      await press(page, page.getByTestId('draw.arrange'));
      await expectFocus(page.getByTestId('draw.arrange.left'));
      for (let at = 0; at < place; at += 1) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await arrange(arrangements.indexOf('left'));
    await arrange(arrangements.indexOf('down'));
    const lefts = async () => (await seenBoxes(['Date 1', 'Date 2', 'Date 3'])).map(([x]) => x);
    await expect.poll(async () => new Set(await lefts()).size).toBe(1);
    const tops = (await seenBoxes(['Date 1', 'Date 2', 'Date 3'])).map(([, y]) => y);
    const [first = 0, second = 0, third = 0] = tops.toSorted((one, other) => one - other);
    expect(Math.abs(second - first - (third - second))).toBeLessThanOrEqual(1);
    await takePicture(page, 'draw-arranged');
    for (let at = 0; at < 2; at += 1) await page.getByTestId('draw.undo').click();
    await expect.poll(async () => new Set(await lefts()).size).toBeGreaterThan(1);
    for (let at = 0; at < 2; at += 1) await page.getByTestId('draw.redo').click();
    await expect.poll(async () => new Set(await lefts()).size).toBe(1);
  });

  it('appear on all pages when repeated, and are deleted from one page at a time', async () => {
    // Each tool has a key: this one is the eighth.
    await page.keyboard.press('Alt+8');
    await expectFocus(box('Initials 1'));
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await press(page, page.getByTestId('draw.everywhere'));
    await expectFocus(box('Initials 1'));
    await expect
      .poll(
        async () => (await kept('Flat')).find(({ name }) => name === 'Initials 1')?.places.length,
      )
      .toBe(3);
    await box('Initials 1').focus();
    await page.keyboard.press('PageDown');
    await page.locator('[data-drawn="2"]').waitFor();
    await box('Initials 1').focus();
    await page.keyboard.press('Delete');
    await expectGone(box('Initials 1'));
    await expect
      .poll(
        async () => (await kept('Flat')).find(({ name }) => name === 'Initials 1')?.places.length,
      )
      .toBe(2);
    await page.keyboard.press('Control+z');
    await expectSeen(box('Initials 1'));
    await page.getByRole('group', { name: 'Flat' }).focus();
    await page.keyboard.press('PageUp');
    await page.locator('[data-drawn="1"]').waitFor();
  });

  it('are listed in the order of filling, and move earlier with the keyboard', async () => {
    const names = async () => page.getByTestId('draw.list').locator('.name').allInnerTexts();
    const before = await names();
    expect(before).toHaveLength(5);
    await tabToRow('draw.list');
    for (let at = 0; at < before.length; at += 1) await page.keyboard.press('ArrowUp');
    await expectFocus(row('Text 1'));
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(async () => (await names())[1]).toBe('2 Text 1');
    await expectFocus(row('Text 1'));
    await page.keyboard.press('Control+z');
    await expect.poll(names).toEqual(before);
  });

  it('show their errors, and cannot become a form until these are fixed', async () => {
    await row('Date 1').focus();
    await page.keyboard.press('Enter');
    const name = page.getByTestId('draw.name');
    await expectFocus(name);
    await page.keyboard.type('Text 1');
    await row('Text 1').first().getByText(words.draw_problem_name_taken()).waitFor();
    const save = page.getByTestId('draw.save');
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await takePicture(page, 'draw-problem');
    await audit(page);
    await box('Date 3').focus();
    await page.keyboard.press('F8');
    await expectFocus(box('Text 1').nth(0));
    await page.keyboard.press('F8');
    await expectFocus(box('Text 1').nth(1));
    await page.keyboard.press('Enter');
    await fill(page, name, 'From');
    await expect.poll(() => save.getAttribute('aria-disabled')).toBeNull();
    await page.keyboard.press('F8');
    await expectSeen(page.getByText(words.draft_no_problems()));
  });

  it('are kept when the screen is left immediately and opened again', async () => {
    await box('From').focus();
    await page.keyboard.press('Delete');
    await goTo(page, 'Control+2', words.screen_drafts());
    await page.goBack();
    await board().waitFor();
    await box('Text 1').waitFor();
    expect(await box('From').count()).toBe(0);
    expect(await page.getByTestId('draw.list').locator('.name').count()).toBe(4);
  });

  it('are listed next to the page at 1024 by 700, with all controls within reach', async () => {
    const size = page.viewportSize() ?? { width: 0, height: 0 };
    await box('Text 1').focus();
    await takePicture(page, 'draw-1280');
    await page.setViewportSize({ width: 1024, height: 700 });
    await takePicture(page, 'draw-1024');
    await box('Text 1').click({ trial: true });
    await row('Text 1').click({ trial: true });
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways).toBe(0);
    await page.setViewportSize(size);
  });

  it('have a font, a size and a number format', async () => {
    await box('Text 1').focus();
    await page.keyboard.press('Enter');
    await expectFocus(page.getByTestId('draw.name'));
    const form = page.getByTestId('draw.form');
    await choose(page, form.getByTestId('draw.font'), words.draw_font_mono());
    await fill(page, form.getByLabel(words.draw_size(), { exact: true }), '11');
    await choose(
      page,
      form.getByLabel(words.draw_kind(), { exact: true }),
      words.draw_kind_number(),
    );
    await expect
      .poll(async () => (await kept('Flat'))[0])
      .toMatchObject({ font: 'mono', fontSize: 11 });
    await choose(page, form.getByTestId('draw.number'), '1 234,50');
    await expectSeen(form.getByText(words.draw_number_hint()));
    await expect.poll(async () => (await kept('Flat'))[0]).toMatchObject({ number: '1 234,50' });
    await form.getByTestId('draw.font').scrollIntoViewIfNeeded();
    await takePicture(page, 'draw-font');
    await page.setViewportSize({ width: 1024, height: 700 });
    await form.getByTestId('draw.font').scrollIntoViewIfNeeded();
    await takePicture(page, 'draw-font-1024');
    await audit(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    // The option is selected directly: letters typed into a list soon after other letters extend
    // the earlier text.
    await form.getByTestId('draw.number').selectOption('');
    await expect.poll(async () => 'number' in ((await kept('Flat'))[0] ?? {})).toBe(false);
    await form.getByTestId('draw.number').selectOption('1 234,50');
    await expect.poll(async () => (await kept('Flat'))[0]).toMatchObject({ number: '1 234,50' });
  });

  it('become a form of the PDF, and are drawn from it again', async () => {
    await press(page, page.getByTestId('draw.save'));
    await page.getByText(words.draw_saved({ count: 4 })).waitFor();
    const saved = await templateOf('Flat');
    if (saved.source.kind !== 'pdf') expect.unreachable();
    expect(saved.source.form.placed?.map(({ name }) => name)).toContain('Text 1');
    expect(saved.content.drawing).toBeUndefined();
    await box('Text 1').focus();
    await page.keyboard.press('Enter');
    await expectFocus(page.getByTestId('draw.name'));
    await page.keyboard.type('Tenant');
    await press(page, page.getByTestId('draw.save'));
    await expect
      .poll(async () => {
        const { source } = await templateOf('Flat');
        return source.kind === 'pdf' ? source.form.fields.map(({ name }) => name) : [];
      })
      .toContain('Tenant');
    await expectSaved();
    // Undo and redo also cover steps from before the saving. If they are undone and the fields are
    // saved again, the form equals the earlier form.
    await box('Tenant').focus();
    await page.keyboard.press('Control+z');
    await box('Text 1').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(async () => 'number' in ((await kept('Flat'))[0] ?? {})).toBe(false);
    await press(page, page.getByTestId('draw.save'));
    await expect
      .poll(() => formOf('Flat'))
      .toMatchObject([{ name: 'Text 1', kind: 'number' }, {}, {}, {}]);
    await box('Text 1').focus();
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+Shift+z');
    await box('Tenant').waitFor();
    await press(page, page.getByTestId('draw.save'));
    await expect
      .poll(() => formOf('Flat'))
      .toMatchObject([{ name: 'Tenant', number: '1 234,50', font: 'mono' }, {}, {}, {}]);
    await expectSaved();
    await pressMore('pdf');
    const file = path.join(app.folder, 'documents', 'Flat.pdf');
    await page.getByText(words.file_saved_as({ file })).first().waitFor();
    const form = (await PDFDocument.load(await readFile(file))).getForm();
    expect(form.getFields().map((field) => field.getName())).toContain('Tenant');
    expect(app.complaints).toEqual([]);
  });
});

describe('from a flat lease to a batch, without a mouse', () => {
  const found = (): Locator => page.getByTestId('draw.found');

  it('suggests fields at the blank places of the page, each to accept or reject', async () => {
    await addPdf('Lease', await readFile(path.resolve('test/fixtures/flat/lease-en.pdf')));
    await press(page, page.getByTestId('templates.role.add'));
    await fill(page, page.getByLabel(words.templates_role_name()), 'Tenant');
    await tabTo(page, page.getByLabel(words.templates_role_method()));
    await page.keyboard.type('Drawn');
    // The next step of a PDF without fields opens the drawing and searches.
    await press(page, page.getByTestId('templates.find'));
    await board().waitFor();
    await found().waitFor();
    await expectFocus(page.locator('[data-found="Landlord"]'));
    expect(await page.locator('[data-found]').count()).toBe(9);
    await takePicture(page, 'draw-found');
    await audit(page);
    // The fields of the landlord are rejected, because they are filled in by hand.
    await page.keyboard.press('n');
    await expectFocus(page.locator('[data-found="Personal number"]'));
    await page.keyboard.press('Delete');
    await expectFocus(page.locator('[data-found="Tenant"]'));
    await page.keyboard.press('y');
    await box('Tenant').waitFor();
    // After the undo, the field of the tenant is a suggestion again.
    await page.keyboard.press('Control+z');
    await expectGone(box('Tenant'));
    await page.keyboard.press('Control+Shift+z');
    await box('Tenant').waitFor();
    await tabToRow('draw.found');
    await page.keyboard.press('Enter');
    await press(page, page.getByTestId('draw.accept'));
    await expectGone(found());
    expect(await page.locator('[data-spot]').count()).toBe(7);
  });

  it('assigns two of the fields to a party, and saves all fields', async () => {
    await goToRow(0);
    await tabTo(page, sourceOf('Tenant'));
    await page.keyboard.type('Tenant: full');
    await goToRow(6);
    await tabTo(page, sourceOf('Signature of the tenant'));
    await page.keyboard.type('Drawn');
    await expect
      .poll(async () => (await kept('Lease')).flatMap(({ source }) => source ?? []))
      .toMatchObject([{ from: 'party' }, { from: 'signature' }]);
    await press(page, page.getByTestId('draw.save'));
    await page.getByText(words.draw_saved({ count: 7 })).waitFor();
    await press(page, page.getByTestId('draw.back'));
    await page.getByTestId('templates.tab.fields').waitFor();
    const { content, source: pdf } = await templateOf('Lease');
    expect(content.mapping.map(({ field, source: from }) => [field, from.from])).toEqual([
      ['Tenant', 'party'],
      ['Signature of the tenant', 'signature'],
    ]);
    if (pdf.kind !== 'pdf') expect.unreachable();
    expect(pdf.form.fields.find(({ name }) => name === 'SEK a month, from')?.day).toBe(
      'yyyy-MM-dd',
    );
  });

  it('creates fifty agreements from a spreadsheet', async () => {
    await goTo(page, 'Control+5', words.screen_batch());
    const header = 'Förnamn;Efternamn;Personnummer;E-post;Hyra';
    const buffer = Buffer.from([header, ...people(ROWS)].join('\r\n'));
    await page
      .getByTestId('batch.pick')
      .setInputFiles({ name: 'hyror.csv', mimeType: 'text/csv', buffer });
    await tabTo(page, page.getByTestId('batch.template'));
    await page.keyboard.type('Lease');
    await tabTo(page, page.getByTestId('batch.connection'));
    await page.keyboard.type('Kontoret');
    await press(page, page.getByTestId('batch.next'));
    await page.getByRole('heading', { name: words.batch_columns_title() }).waitFor();
    await press(page, page.getByTestId('batch.next'));
    const counts = { rows: ROWS, ready: ROWS, errors: 0, excluded: 0 };
    await page.getByTestId('batch.summary').getByText(words.batch_summary(counts)).waitFor();
    await press(page, page.getByTestId('batch.next'));
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await takePicture(page, 'draw-batch');
    await tabTo(page, page.getByTestId('batch.count'));
    await page.keyboard.type(String(ROWS));
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('button', { name: words.activity_send_now() }));
    const done = words.batch_progress({ done: ROWS, total: ROWS });
    await page.getByTestId('batch.progress').getByText(done).waitFor();
    const sent = app.demo.requests.filter(
      ({ method, url }) => method === 'POST' && /\/agreements$/.test(url),
    );
    expect(sent).toHaveLength(ROWS);
    expect(app.complaints).toEqual([]);
  });
});

/** Returns the position of each box on the screen (CSS pixels from the left and the top). */
async function seenBoxes(
  names: readonly string[],
): Promise<readonly (readonly [number, number])[]> {
  return Promise.all(
    names.map(async (name) => {
      const rect = await box(name).boundingBox();
      return [Math.round(rect?.x ?? 0), Math.round(rect?.y ?? 0)] as const;
    }),
  );
}
