// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOffice } from '../../../electron/adapters/documents/office/find.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import { mergeField, run, wordFile } from '../../support/documents.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectSeen, goTo, press, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await tryDemo(page);
});
afterAll(() => app.close());

async function add(name: string, buffer: Buffer): Promise<void> {
  await goTo(page, 'Control+4', words.screen_templates());
  await page
    .getByTestId('templates.file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

async function templateOf(name: string) {
  const found = (await apiOf(app)['templates.list']({})).find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no template ${name}`);
  return apiOf(app)['templates.get']({ id: found.id });
}

const fieldsOf = async (name: string): Promise<readonly string[]> => {
  const { source } = await templateOf(name);
  return source.kind === 'pdf' ? source.form.fields.map((one) => one.name).toSorted() : [];
};

describe.skipIf(findOffice() === null)('a Word file, converted with LibreOffice,', () => {
  it('becomes a template with its merge codes as fields when it is added in the window', async () => {
    const lease = await wordFile([
      run('Lease of a flat'),
      `${run('Tenant: ')}${mergeField('MERGEFIELD Tenant')}`,
      `${run('Rent: ')}${mergeField('MERGEFIELD Rent')}`,
    ]);
    await add('Lease.docx', Buffer.from(lease));
    await expectSeen(page.getByRole('heading', { name: 'Lease', level: 2, exact: true }));
    await page.getByRole('group', { name: 'Lease' }).locator('[data-mark]').first().waitFor();
    expect(await fieldsOf('Lease')).toEqual(['Rent', 'Tenant']);
    await takePicture(page, 'template-of-word');
  });
});

it('a phone picture in an unsupported format is rejected with advice, and no template is added', async () => {
  const before = (await apiOf(app)['templates.list']({})).length;
  await add('photo.heic', Buffer.from('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000'));
  await expectSeen(page.getByText(words.reason_picture_kind()));
  expect(await apiOf(app)['templates.list']({})).toHaveLength(before);
});

it('a new version of a template’s PDF asks about drawn fields whose surrounding words changed', async () => {
  const lines = ['The tenant moves in on the first of May.', 'The rent is paid monthly.'];
  await add('Flat.pdf', await plainPdf('Lease', lines));
  await expectSeen(page.getByRole('heading', { name: 'Flat', level: 2, exact: true }));
  const { id, revision } = await templateOf('Flat');
  const fieldAt = (name: string, x: number, y: number): PlacedField => ({
    name,
    kind: 'text',
    label: '',
    required: false,
    maxLength: null,
    fontSize: null,
    align: 'left',
    options: [],
    value: '',
    places: [{ page: 1, box: { x, y, width: 120, height: 20 } }],
  });
  const fields = [fieldAt('Beside', 80, 760), fieldAt('Apart', 300, 100)];
  await apiOf(app)['templates.place']({ id, revision, fields });
  await page.reload();
  await expectSeen(page.getByRole('heading', { name: 'Flat', level: 2, exact: true }));
  const next = await plainPdf('Lease', ['Now at once.', ...lines]);
  await page
    .getByTestId('templates.replace')
    .setInputFiles({ name: 'Flat 2.pdf', mimeType: 'application/pdf', buffer: next });
  const unsure = page.getByTestId('templates.unsure');
  await expectSeen(unsure);
  await takePicture(page, 'template-replacing');
  await audit(page);
  await unsure.getByRole('checkbox').first().check();
  await press(
    page,
    page.getByRole('button', { name: words.templates_replace_confirm(), exact: true }),
  );
  await expect.poll(() => fieldsOf('Flat')).toEqual(['Apart', 'Beside']);
});
