import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

let home: HomeHere;
let form: string;

beforeAll(async () => {
  home = await createMixedHome();
  form = path.join(home.folder, 'lease.pdf');
  await writeFile(form, await formPdf('Lease', ['tenant', 'rent']));
});
afterAll(() => home.remove());

describe('templates on the command line', () => {
  it('are stored by name, listed with their fields, filled, and deleted', async () => {
    const added = await home.json(['templates', 'add', form, '--name', 'Lease']);
    expect(added).toMatchObject({ exit: 0, document: { ok: true, value: { name: 'Lease' } } });
    const listed = await home.json(['templates', 'list']);
    expect(listed.document).toMatchObject({ value: { items: [{ name: 'Lease', api: 'v1' }] } });
    const [byName, byFile] = [
      await home.json(['templates', 'fields', 'Lease']),
      await home.json(['templates', 'fields', form]),
    ];
    expect(byName.document).toEqual(byFile.document);
    const values = path.join(home.folder, 'values.json');
    await writeFile(values, JSON.stringify({ tenant: 'Åsa', accepted: true }));
    const out = path.join(home.folder, 'filled.pdf');
    const merge = ['templates', 'merge', 'Lease', '--values', values, '--out', out, '--flatten'];
    expect(await home.json(merge)).toMatchObject({
      exit: 0,
      document: { value: { filled: 2, unfilled: ['rent'] } },
    });
    expect(await home.json(['templates', 'fields', out])).toMatchObject({
      document: { value: { fields: [], notices: ['no-fields'] } },
    });
    expect(await home.json(['templates', 'remove', 'Lease'])).toMatchObject({ exit: 0 });
    expect((await home.json(['templates', 'list'])).document).toMatchObject({
      value: { items: [] },
    });
  }, 120_000);

  it('are rejected if their name is already used, and are also found by their ids (FE-D5)', async () => {
    const { id } = await home.value(['templates', 'add', form, '--name', 'Sublet']);
    const again = await home.desk(['templates', 'add', form, '--name', 'sublet']);
    expect({ exit: again.exit, stderr: again.stderr }).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining(`"Sublet" already exists (${String(id)})`) as string,
    });
    const { stdout } = await home.desk(['templates', 'list']);
    expect(stdout).toContain(String(id));
    const fields = await home.value(['templates', 'fields', 'Sublet']);
    expect(await home.value(['templates', 'fields', String(id)])).toEqual(fields);
    expect(await home.json(['templates', 'remove', String(id)])).toMatchObject({ exit: 0 });
    await home.value(['templates', 'add', form, '--name', 'Sublet']);
  }, 120_000);

  it('can have fields drawn on a PDF without form fields, which are listed, changed and filled', async () => {
    const flat = path.join(home.folder, 'flat.pdf');
    await writeFile(flat, await plainPdf('Lease', ['Tenant: ______']));
    await home.value(['templates', 'add', flat, '--name', 'Drawn']);
    const places = [{ page: 1, box: { x: 100, y: 600, width: 200, height: 20 } }];
    const rest = { label: '', required: false, maxLength: null, fontSize: null, align: 'left' };
    const tenant = { ...rest, name: 'Tenant', kind: 'text', options: [], value: '', places };
    const file = path.join(home.folder, 'places.json');
    await writeFile(file, JSON.stringify([tenant]));
    const drawn = await home.value(['templates', 'place', 'Drawn', '--fields', file]);
    expect(drawn).toMatchObject({ fields: 1, revision: 2 });
    const shown = await home.value(['templates', 'fields', 'Drawn']);
    expect(shown).toMatchObject({ fields: [{ name: 'Tenant' }], placed: [tenant] });
    const found = await home.value([
      'templates',
      'find',
      path.resolve('test/fixtures/flat/lease-en.pdf'),
    ]);
    expect(found).toMatchObject({
      placed: expect.arrayContaining([expect.objectContaining({ name: 'Tenant' })]) as unknown,
    });
    const { stdout } = await home.desk(['templates', 'find', 'Drawn']);
    expect(stdout).toContain('Tenant 2');
    // The definition that was shown can be used as input again.
    await writeFile(file, JSON.stringify(shown));
    const form = path.join(home.folder, 'form.pdf');
    await home.value(['templates', 'place', flat, '--fields', file, '--out', form]);
    const own = path.join(home.folder, 'own.pdf');
    await home.value(['templates', 'pdf', 'Drawn', '--out', own]);
    expect(await readFile(own)).toEqual(await readFile(form));
    const values = path.join(home.folder, 'tenant.json');
    await writeFile(values, JSON.stringify({ Tenant: 'Åsa' }));
    const filled = path.join(home.folder, 'tenant.pdf');
    const merge = ['templates', 'merge', 'Drawn', '--values', values, '--out', filled];
    expect(await home.value(merge)).toMatchObject({ filled: 1, unfilled: [] });
    await writeFile(file, JSON.stringify([{ ...tenant, kind: 'choice' }]));
    const refused = await home.desk(['templates', 'place', 'Drawn', '--fields', file]);
    expect(refused).toMatchObject({ exit: 3 });
    expect(refused.stderr).toContain('"Tenant" has no options');
    await writeFile(file, JSON.stringify([{ ...tenant, name: 'a.b' }]));
    const misnamed = await home.desk(['templates', 'place', 'Drawn', '--fields', file]);
    expect(misnamed.stderr).toContain('places.json, 0.name');
    await writeFile(file, '[]');
    await home.value(['templates', 'place', 'Drawn', '--fields', file]);
    expect(await home.value(['templates', 'fields', 'Drawn'])).toMatchObject({ fields: [] });
  }, 120_000);

  it('are reported as not found if their name is unknown', async () => {
    expect(await home.json(['templates', 'remove', 'Nobody'])).toMatchObject({
      exit: 3,
      document: { ok: false, error: { code: 'not-found' } },
    });
  }, 30_000);
});
