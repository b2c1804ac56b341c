// tier: all
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOffice } from '../../../electron/adapters/documents/office/find.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';
import { mergeField, run, wordFile } from '../../support/documents.ts';
import { flatJpeg } from '../../support/jpeg.ts';

let home: HomeHere;

beforeAll(async () => {
  home = await createMixedHome();
});
afterAll(() => home.remove());

async function fileOf(name: string, data: Uint8Array): Promise<string> {
  const file = path.join(home.folder, name);
  await writeFile(file, data);
  return file;
}

const fieldOf = (name: string, x: number, y: number) => ({
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

describe.skipIf(findOffice() === null)('a Word file, converted with LibreOffice,', () => {
  it('becomes a template with its merge codes as fields', async () => {
    const file = await fileOf(
      'lease.docx',
      await wordFile([`${run('Tenant: ')}${mergeField('MERGEFIELD Tenant')}`]),
    );
    await home.value(['templates', 'add', file, '--name', 'Word lease']);
    const { fields } = await home.value(['templates', 'fields', 'Word lease']);
    expect(fields).toMatchObject([{ name: 'Tenant', type: 'text' }]);
    // The data folder contains no readable part of the document.
    const left = await readdir(home.folder, { recursive: true });
    expect(left.filter((name) => /document-|document\.docx/u.test(name))).toEqual([]);
  }, 240_000);
});

it('a command removes the temporary files that a killed conversion left', async () => {
  await home.value(['templates', 'list']);
  const place = path.join(home.data, 'converting');
  const left = path.join(place, 'document-1');
  await mkdir(left, { recursive: true });
  await writeFile(path.join(left, 'document.docx'), 'in the open');
  await home.value(['templates', 'list']);
  await expect.poll(() => existsSync(place)).toBe(false);
});

describe('the command line', () => {
  it('attaches a picture to a draft as a PDF if --as-pdf is given', async () => {
    const photo = await fileOf('photo.jpg', flatJpeg({ blocks: [[[128]]] }));
    const body = await fileOf('body.json', Buffer.from('{"title":"With a photo","parties":[]}'));
    const add = ['drafts', 'add', '--api', 'v1', '--from', body, '--attach', photo];
    const names = async (more: readonly string[]) => {
      const { id } = await home.value([...add, ...more]);
      const shown = await home.value(['drafts', 'show', String(id)]);
      return /photo\.\w+/u.exec(JSON.stringify(shown))?.[0];
    };
    expect(await names(['--as-pdf'])).toBe('photo.pdf');
    expect(await names([])).toBe('photo.jpg');
  }, 120_000);

  it('keeps matching fields when a template’s PDF is replaced, and names the others to decide', async () => {
    const lines = ['The tenant moves in on the first of May.', 'The rent is paid monthly.'];
    const first = await fileOf('first.pdf', await plainPdf('Lease', lines));
    await home.value(['templates', 'add', first, '--name', 'Flat']);
    const fields = await fileOf(
      'fields.json',
      Buffer.from(JSON.stringify([fieldOf('Beside', 80, 760), fieldOf('Apart', 300, 100)])),
    );
    await home.value(['templates', 'place', 'Flat', '--fields', fields]);
    const next = await fileOf('next.pdf', await plainPdf('Lease', ['Now at once.', ...lines]));
    const replace = ['templates', 'replace', 'Flat', next];
    const asked = await home.json(replace);
    expect(asked).toMatchObject({
      exit: 3,
      document: { error: { fields: { Beside: 'the text around it has changed' } } },
    });
    expect(await home.value([...replace, '--stay', 'Beside'])).toMatchObject({
      carried: ['Apart'],
      stayed: ['Beside'],
      dropped: [],
    });
    expect(await home.json([...replace, '--stay', 'Nobody'])).toMatchObject({ exit: 3 });
    const { fields: now } = await home.value(['templates', 'fields', 'Flat']);
    expect((now as { name: string }[]).map(({ name }) => name).toSorted()).toEqual([
      'Apart',
      'Beside',
    ]);
  }, 120_000);
});
