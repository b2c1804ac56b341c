// tier: all
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import * as z from 'zod';
import { findOffice } from '../../../electron/adapters/documents/office/find.ts';
import { throughTool } from '../../adapters/pdf/sample-pdfs.ts';
import { apart, byMuPdf, byPdfJs, byPoppler } from '../../adapters/pdf/viewers.ts';
import { people } from '../../support/desks/batch-desk.ts';
import { run, table, wordFile } from '../../support/documents.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  choose,
  chooseNew,
  chosenColumns,
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
/**
 * Maximum share of a page's ink that may differ between two programs. Measured: 0.00026, at the
 * edges of a few letters in MuPDF. One of the two thousand letters on the page is a larger share.
 */
const MAX_DIFFERENCE = 0.0004;
/** Field names derived from the words next to each blank, from top to bottom. */
const PLACES = [
  ...['Tenant', 'Personal number', 'Monthly rent', 'Moves in on', 'Parking'],
  ...['Pets', 'Signature of the landlord', 'Signature of the tenant'],
];

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  const { token } = app.demo.credentials;
  const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  const at = { orgNo: null, url: app.demo.v1Url, secret: token };
  await apiOf(app)['connections.add']({ ...office, ...at });
  await page.reload();
  await page.getByTestId('agreements.new-draft').waitFor();
});
afterAll(() => app.close());

/**
 * Creates a typical office document, with blanks of underscores and dots, a table, boxes and
 * signature lines.
 */
async function lease(): Promise<Buffer> {
  const bold = '<w:b/><w:sz w:val="32"/>';
  const dots = '<w:r><w:tab/></w:r>';
  // The paragraphs are far enough apart that a finger can touch one of them.
  const apart = '<w:spacing w:before="120" w:after="240"/>';
  const spaced = (inner: string, about = ''): string => `<w:pPr>${about}${apart}</w:pPr>${inner}`;
  const leader = '<w:tabs><w:tab w:val="left" w:leader="dot" w:pos="6000"/></w:tabs>';
  const clause = 'The flat is let as it was seen. Whoever leaves gives three months of notice. ';
  const file = await wordFile([
    run('Lease of a flat', bold),
    spaced(run(`Tenant: ${'_'.repeat(40)}`)),
    spaced(run(`Personal number: ${'_'.repeat(24)}`)),
    table([['Monthly rent', '']]),
    spaced(`${run('Moves in on: ')}${dots}`, leader),
    spaced(run('\u2610 Parking       \u2610 Pets')),
    ...Array.from({ length: 12 }, () => run(clause.repeat(4))),
    `<w:pPr><w:pageBreakBefore/></w:pPr>${run(clause)}`,
    run(' '),
    run(`${'_'.repeat(30)}          ${'_'.repeat(30)}`),
    run('Signature of the landlord          Signature of the tenant'),
  ]);
  return Buffer.from(file);
}

const tenants = people(ROWS).map((row, at) => {
  const [first = '', last = '', number = '', mail = '', rent = ''] = row.split(';');
  // The second name has a character that is missing in the fonts of every viewer.
  const name = at === 1 ? `Łukasz ${last}` : `${first} ${last}`;
  return { first: at === 1 ? 'Łukasz' : first, last, number, mail, rent, name };
});

async function sheet(): Promise<Buffer> {
  const header = ['First name', 'Last name', 'Personal number', 'E-mail', 'Country'];
  const rows = tenants.map(({ first, last, number, mail, rent }, at) => [
    ...[first, last, number, mail, 'SE', rent],
    `2027-0${String(1 + (at % 9))}-01`,
    at % 2 === 0 ? 'yes' : 'no',
  ]);
  const cells = [[...header, 'Monthly rent', 'Moves in on', 'Parking'], ...rows];
  return writeXlsxFile(
    cells.map((row) => row.map((value) => ({ value, type: String }))),
  ).toBuffer();
}

/**
 * Opens the system's file dialog with the keyboard, and gives it the file; the dialog does not
 * belong to the program.
 */
async function pick(button: Locator, name: string, buffer: Buffer): Promise<void> {
  const dialog = page.waitForEvent('filechooser');
  await press(page, button);
  await (await dialog).setFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** Chooses an action in the menu of a template's header. */
async function pressMore(menu: string, action: string): Promise<void> {
  await press(page, page.getByTestId(menu));
  const item = page.getByTestId(`${menu}.${action}`);
  await item.waitFor();
  while ((await item.getAttribute('data-highlighted')) === null) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

async function openTab(name: string): Promise<void> {
  await tabTo(page, page.locator('[role=tab][tabindex="0"]'));
  const tab = page.getByTestId(`templates.tab.${name}`);
  while ((await tab.getAttribute('aria-selected')) !== 'true') {
    await page.keyboard.press('ArrowRight');
  }
}

/**
 * Opens the settings of a field. The list of fields is one Tab stop: arrow keys move through it,
 * and Enter opens the field.
 */
async function openField(name: string): Promise<void> {
  const rows = page.getByTestId('draw.list').locator('button.row');
  await tabTo(page, rows.and(page.locator('[tabindex="0"]')));
  const order = PLACES.filter((one) => one !== 'Pets').indexOf(name);
  for (let at = PLACES.length; at > 0; at -= 1) await page.keyboard.press('ArrowUp');
  for (let at = 0; at < order; at += 1) await page.keyboard.press('ArrowDown');
  await expectFocus(rows.nth(order));
  await page.keyboard.press('Enter');
  await expectFocus(page.getByTestId('draw.name'));
}

const box = (name: string): Locator => page.locator(`[data-spot][data-field="${name}"]`);
const sourceOf = (field: string): Locator =>
  page.getByLabel(words.templates_from_of({ field }), { exact: true });

async function template() {
  const api = apiOf(app);
  const found = (await api['templates.list']({})).find(({ name }) => name === 'Lease');
  return api['templates.get']({ id: found?.id ?? expect.unreachable() });
}

/** Name and type of each field, as stored in the PDF. */
type Listed = readonly (readonly [name: string, type: string])[];

async function byPdfjs(data: Uint8Array): Promise<Listed> {
  const loading = getDocument({ data: data.slice(), verbosity: 0 });
  const fields = z
    .map(z.string(), z.array(z.object({ type: z.string() })))
    .nullable()
    .parse(await (await loading.promise).getFieldObjects());
  await loading.destroy();
  const types = new Map(Object.entries({ text: '/Tx', checkbox: '/Btn', signature: '/Sig' }));
  return [...(fields ?? [])]
    .map(([name, parts]) => {
      // pdf.js lists a field before its widgets, and only the widgets have a type, so the last
      // entry is used.
      const { type = '' } = parts.at(-1) ?? {};
      return [name, types.get(type) ?? type] as const;
    })
    .toSorted(byName);
}

const Acroform = z.object({
  acroform: z.object({
    fields: z.array(z.object({ fullname: z.string(), fieldtype: z.string() })),
  }),
});

function byQpdf(data: Uint8Array): Listed {
  const { said } = throughTool('qpdf', data, ['--json', '--json-key=acroform', 'in.pdf']);
  const { fields } = Acroform.parse(JSON.parse(said)).acroform;
  return fields.map((one) => [one.fullname, one.fieldtype] as const).toSorted(byName);
}

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : 1;

/** Returns the documents that the service received, by agreement title. */
async function documents(): Promise<ReadonlyMap<string, Uint8Array>> {
  const headers = { Authorization: `Token ${app.demo.credentials.token}` };
  const Reply = z.object({
    data: z.object({ attachments: z.array(z.object({ id: z.string() })) }),
  });
  const files = new Map<string, Uint8Array>();
  for (const { id, title } of app.demo.agreements.v1()) {
    const at = `${app.demo.v1Url}/v1/agreements/${id}`;
    const shown = await fetch(`${at}?include=attachments`, { headers });
    const [document] = Reply.parse(await shown.json()).data.attachments;
    const link = `${at}/attachments/${document?.id ?? ''}/download`;
    // The redirect is followed without the API key, because the address of the document has its own
    // credential.
    const { headers: answer } = await fetch(link, { headers, redirect: 'manual' });
    const file = await fetch(answer.get('location') ?? expect.unreachable());
    expect(file.status).toBe(200);
    files.set(title, new Uint8Array(await file.arrayBuffer()));
  }
  return files;
}

// Each test continues from the state of the previous one. No test uses a pointer.
describe.skipIf(findOffice() === null)('a flat lease from Word, by keyboard alone', () => {
  it('becomes a template with suggested fields, each of which is accepted or rejected', async () => {
    await goTo(page, 'Control+4', words.screen_templates());
    await pick(page.locator('main .primary'), 'Lease.docx', await lease());
    await page.getByRole('heading', { name: 'Lease', level: 2, exact: true }).waitFor();
    await press(page, page.getByTestId('templates.role.add'));
    await fill(page, page.getByLabel(words.templates_role_name()), 'Tenant');
    await press(page, page.getByTestId('templates.find'));
    await expectFocus(page.locator('[data-found="Tenant"]'));
    await takePicture(page, 'word-lease-found');
    await audit(page);
    const found = await page.getByTestId('draw.found').locator('.name').allInnerTexts();
    expect(found).toEqual(PLACES);
    for (const name of PLACES) {
      await expectFocus(page.locator(`[data-found="${name}"]`));
      await page.keyboard.press(name === 'Pets' ? 'n' : 'y');
    }
    await expectGone(page.getByTestId('draw.found'));
    expect(await box('Pets').count()).toBe(0);
  });

  it('fills its fields from the party and from questions', async () => {
    for (const [name, datum] of [
      ['Tenant', words.templates_datum_full_name()],
      ['Personal number', words.templates_datum_person_number()],
    ] as const) {
      await openField(name);
      const source = words.templates_source_party({ party: 'Tenant', datum });
      await choose(page, sourceOf(name), source);
    }
    await press(page, page.getByTestId('draw.save'));
    await page.getByText(words.draw_saved({ count: PLACES.length - 1 })).waitFor();
    await takePicture(page, 'word-lease-drawn');
    await press(page, page.getByTestId('draw.back'));
    await openTab('fields');
    // The ellipsis is removed, because the test's keyboard has no key for it.
    const ask = words.templates_source_ask_new().replace('…', '');
    for (const name of ['Monthly rent', 'Moves in on', 'Parking']) {
      await chooseNew(page, sourceOf(name), ask);
      const question = words.templates_question_of({ field: name });
      await page.getByLabel(question, { exact: true }).waitFor();
    }
    await openTab('start');
    await fill(page, page.getByLabel(words.templates_title()), 'Lease {Tenant}');
    await tabTo(page, page.getByRole('radio', { name: words.templates_merge_service() }));
    await page.keyboard.press('ArrowRight');
    await takePicture(page, 'word-lease-start');
    await expect
      .poll(async () => (await template()).content)
      .toMatchObject({
        merge: 'here',
        body: { title: 'Lease {Tenant}' },
      });
    const { content } = await template();
    expect(content.mapping.map(({ field, source }) => [field, source.from])).toEqual([
      ...[
        ['Tenant', 'party'],
        ['Personal number', 'party'],
        ['Monthly rent', 'question'],
      ],
      ...[
        ['Moves in on', 'question'],
        ['Parking', 'question'],
      ],
    ]);
    expect(content.questions.map(({ kind }) => kind)).toEqual(['text', 'day', 'yes-no']);
  });

  it('is saved as a fillable PDF whose fields qpdf and pdf.js list identically', async () => {
    await pressMore('templates.more', 'draw');
    await page.getByTestId('draw.page').waitFor();
    await pressMore('draw.more', 'pdf');
    const file = path.join(app.folder, 'documents', 'Lease.pdf');
    await page.getByText(words.file_saved_as({ file })).first().waitFor();
    const data = new Uint8Array(await readFile(file));
    expect(throughTool('qpdf', data, ['--check', 'in.pdf'])).toMatchObject({ status: 0 });
    const kinds = ['/Tx', '/Tx', '/Tx', '/Tx', '/Btn', '/Sig', '/Sig'];
    const fields = PLACES.filter((name) => name !== 'Pets').map(
      (name, at) => [name, kinds[at] ?? ''] as const,
    );
    expect(byQpdf(data)).toEqual(fields.toSorted(byName));
    expect(await byPdfjs(data)).toEqual(byQpdf(data));
    await press(page, page.getByTestId('draw.back'));
  });

  it('creates fifty agreements from a spreadsheet, each once', async () => {
    await goTo(page, 'Control+5', words.screen_batch());
    const batch = page.getByTestId('batch.pick').locator('xpath=preceding-sibling::*[1]');
    await pick(batch, 'tenants.xlsx', await sheet());
    await choose(page, page.getByTestId('batch.template'), 'Lease');
    await choose(page, page.getByTestId('batch.connection'), 'Kontoret');
    await expectSeen(page.getByRole('cell', { name: 'Łukasz', exact: true }));
    await press(page, page.getByTestId('batch.next'));
    await page.getByRole('heading', { name: words.batch_columns_title() }).waitFor();
    await takePicture(page, 'word-lease-columns');
    // Eight columns, and the order of day, month and year in the column of a date question.
    expect(await chosenColumns(page)).toHaveLength(9);
    await press(page, page.getByTestId('batch.next'));
    const counts = { rows: ROWS, ready: ROWS, errors: 0, excluded: 0 };
    await page.getByTestId('batch.summary').getByText(words.batch_summary(counts)).waitFor();
    await press(page, page.getByTestId('batch.next'));
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await takePicture(page, 'word-lease-review');
    await fill(page, page.getByTestId('batch.count'), String(ROWS));
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('button', { name: words.activity_send_now() }));
    const done = words.batch_progress({ done: ROWS, total: ROWS });
    await page.getByTestId('batch.progress').getByText(done).waitFor();
    await takePicture(page, 'word-lease-sent');
    const titles = app.demo.agreements.v1().map(({ title }) => title);
    expect(titles.toSorted()).toEqual(tenants.map(({ name }) => `Lease ${name}`).toSorted());
    expect(app.complaints).toEqual([]);
  });

  // Documents that the service received, by agreement title. They are read once: the service closes
  // an idle connection, perhaps during the next request.
  let files: ReadonlyMap<string, Uint8Array> = new Map();

  it('gives each tenant their own valid PDF without form fields', async () => {
    files = await documents();
    expect(files.size).toBe(ROWS);
    const sums = [...files.values()].map((data) => createHash('sha256').update(data).digest('hex'));
    expect(new Set(sums).size).toBe(ROWS);
    for (const { name, number, rent } of tenants) {
      const data = files.get(`Lease ${name}`) ?? expect.unreachable();
      expect(throughTool('qpdf', data, ['--check', 'in.pdf'])).toMatchObject({ status: 0 });
      const { said } = throughTool('pdftotext', data, ['-layout', 'in.pdf', '-']);
      for (const text of [name, number.slice(-4), rent]) expect(said).toContain(text);
      expect(byQpdf(data)).toEqual([]);
    }
  });

  it('creates PDFs that Poppler, MuPDF and pdf.js draw identically', async () => {
    const [usual, polish] = tenants
      .slice(0, 2)
      .map(({ name }) => files.get(`Lease ${name}`) ?? expect.unreachable());
    if (usual === undefined || polish === undefined) expect.unreachable();
    for (const data of [usual, polish]) {
      for (const at of [1, 2, 3]) {
        const one = byPoppler(data, at);
        for (const other of [byMuPdf(data, at), await byPdfJs(data, at)]) {
          expect([one.width, one.height]).toEqual([other.width, other.height]);
          // All ink is within one pixel (half a point) of the ink that the other program draws.
          expect(apart(one, other, 1)).toBeLessThan(MAX_DIFFERENCE);
        }
      }
    }
    // The comparison detects a difference as small as another name.
    expect(apart(byPoppler(usual, 1), await byPdfJs(polish, 1), 1)).toBeGreaterThan(
      MAX_DIFFERENCE * 4,
    );
  });
});
