import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument, PDFHexString, PDFName } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Demo } from '../../../electron/demo/start.ts';
import { people } from '../../support/desks/batch-desk.ts';
import { cliHome } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 2_400_000;
const HEADER = 'Förnamn;Efternamn;Personnummer;E-post;Hyra;Hero;Planet;Box';
const LISTED = z.object({
  data: z.array(
    z.object({
      title: z.string(),
      attachments: z.array(
        z.object({ fields: z.array(z.object({ name: z.string(), value: z.string() })) }),
      ),
    }),
  ),
});

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let form: string;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ seed: 'none' }));
  form = path.join(home.folder, 'choices.pdf');
  await writeFile(form, await choicesForm());
  await home.value(['templates', 'add', form, '--name', 'Choices', '--api', 'v1']);
  const fields = { hero: '{Hero}', planet: '{Planet}', box: '{Box|yes-no}' };
  await writeFile(
    path.join(home.folder, 'map.json'),
    JSON.stringify({ title: 'Row {Hyra}', parties: [party('{Förnamn}', '{E-post}')], fields }),
  );
}, TIMEOUT_MS);
afterAll(() => close());

const party = (firstName: string, email: string) => ({
  type: 'PRIVATE',
  firstName,
  lastName: 'Öberg',
  email,
  signingConfigurations: [{ type: 'CLICK' }],
});

/**
 * Creates a form whose fields already have values: a text, an entry of a list, and a ticked
 * checkbox.
 */
async function choicesForm(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 200]);
  const pdf = document.getForm();
  const hero = pdf.createTextField('hero');
  hero.setText('One Punch Man');
  hero.addToPage(page, { x: 20, y: 150 });
  const planet = pdf.createDropdown('planet');
  const option = (held: string, shown: string) =>
    [held, shown].map((one) => PDFHexString.fromText(one));
  planet.setOptions(['Venus', 'Pluto']);
  planet.addToPage(page, { x: 20, y: 100 });
  planet.acroField.dict.set(
    PDFName.of('Opt'),
    document.context.obj([option('2', 'Venus'), option('9', 'Pluto')]),
  );
  planet.acroField.dict.set(PDFName.of('V'), PDFHexString.fromText('9'));
  const box = pdf.createCheckBox('box');
  box.addToPage(page, { x: 20, y: 50 });
  box.check();
  return document.save({ updateFieldAppearances: false });
}

const batch = async (what: string, cells: readonly string[], ...more: string[]) => {
  const file = path.join(home.folder, 'rows.csv');
  const rows = people(cells.length).map((row, at) => `${row};${cells[at] ?? ''}`);
  await writeFile(file, `\uFEFF${[HEADER, ...rows].join('\r\n')}`);
  return [
    ...['batch', what, file, '--template', 'Choices', '--connection', 'Office'],
    ...['--mapping', path.join(home.folder, 'map.json'), ...more],
  ];
};

/** Returns the field values that the service received, by agreement title. */
async function held(): Promise<Record<string, Record<string, string>>> {
  const url = `${demo.v1Url}/v1/agreements?include=attachments,attachments.fields`;
  const headers = { authorization: `Token ${demo.credentials.token}` };
  const { data } = LISTED.parse(await (await fetch(url, { headers })).json());
  return Object.fromEntries(
    data.map(({ title, attachments }) => {
      const fields = attachments.flatMap((one) => one.fields);
      return [title, Object.fromEntries(fields.map(({ name, value }) => [name, value]))];
    }),
  );
}

describe('a field’s value on its way to the service', { timeout: TIMEOUT_MS }, () => {
  it('blocks its row, with the permitted values, if the list or checkbox does not offer it (FE-D1)', async () => {
    const cells = ['Hulk;Atlantis;x', 'Hulk;Venus;perhaps', 'Hulk;Venus;ja'];
    const found = await home.value(await batch('check', cells), '', 3);
    expect(found).toMatchObject({
      rows: 3,
      ok: 1,
      errors: [
        { row: 2, column: 'Planet', code: 'not-offered' },
        { row: 3, column: 'Box', code: 'not-offered' },
      ],
    });
    expect(JSON.stringify(found['errors'])).toContain('Pluto');
    expect(demo.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('is sent if the list contains it, is omitted if empty, and is cleared by <empty> (FE-D1, FE-D2)', async () => {
    const cells = ['Hulk;Venus;nej', ';;', '<empty>;<empty>;<empty>', 'Hulk;9;ja'];
    expect(await home.value(await batch('check', cells))).toMatchObject({ ok: 4, keptDefaults: 3 });
    await home.value(await batch('send', cells, '--confirm', '4', '--wait'));
    expect(await held()).toEqual({
      'Row 9000': { hero: 'Hulk', planet: '2', box: 'false' },
      'Row 9001': {},
      'Row 9002': { hero: '', planet: '', box: 'false' },
      'Row 9003': { hero: 'Hulk', planet: '9', box: 'true' },
    });
  });

  it('is checked for a single draft as for the rows of a batch (FE-D1, FE-D2)', async () => {
    const draft = async (title: string, values: Record<string, string>) => {
      const fields = Object.entries(values).map(([name, value]) => ({ name, value }));
      const attachment = { type: 'BASE64', name: 'choices.pdf', category: 'AGREEMENT', fields };
      const body = { title, parties: [party('Åsa', 'asa@example.com')], attachments: [attachment] };
      const file = path.join(home.folder, 'body.json');
      await writeFile(file, JSON.stringify(body));
      const add = ['drafts', 'add', '--api', 'v1', '--from', file, '--attach', form];
      return String((await home.value(add))['id']);
    };
    const wrong = await draft('Wrong', { planet: 'Atlantis', box: 'perhaps' });
    const { document, exit } = await home.json(['drafts', 'check', wrong]);
    expect(exit).toBe(3);
    expect(JSON.stringify(document)).toMatch(/offers[^]*Pluto/);
    const good = await draft('Good', { hero: '', planet: 'Pluto', box: '<empty>' });
    await home.value([
      'drafts',
      'send',
      good,
      '--connection',
      'Office',
      '--confirm',
      '1',
      '--wait',
    ]);
    expect((await held())['Good']).toEqual({ planet: '9', box: 'false' });
  });
});
