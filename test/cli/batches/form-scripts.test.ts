// tier: quick, 20 s, because each check is a command of its own
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handMade, textField } from '../../adapters/pdf/hand-made.ts';
import { cliHome, OFFICE_AND_OLD } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

let home: HomeHere;
let close: () => Promise<void>;

const inHome = (name: string) => path.join(home.folder, name);
const script = (kind: 'F' | 'C', call: string) =>
  `/AA << /${kind} << /S /JavaScript /JS (${call.replaceAll(/[()]/g, String.raw`\$&`)}) >> >>`;
const box = (at: number) => [60, 700 - 30 * at, 300, 720 - 30 * at] as const;

/** PDF form with an amount, a text in capitals, a password, and the total of one amount. */
const form = handMade([
  textField('rent', box(0), script('F', 'AFNumber_Format(2, 2, 0, 0, " kr", false);')),
  textField('room', box(1), script('F', 'event.value = event.value.toUpperCase();')),
  textField('pin', box(2), '/Ff 8192'),
  textField('total', box(3), script('C', 'AFSimple_Calculate("SUM", "rent");')),
]);

beforeAll(async () => {
  ({ home, close } = await cliHome({ create: createMixedHome, connections: OFFICE_AND_OLD }));
  await writeFile(inHome('rent.pdf'), form);
  for (const api of ['v1', 'v2']) {
    await home.value(['templates', 'add', inHome('rent.pdf'), '--name', api, '--api', api]);
  }
});
afterAll(() => close());

const person = { firstName: '{First}', lastName: 'Ek', email: 'bo@example.com' };
const personNo = '198001019804';
const bodies = {
  v1: {
    title: 'Rent',
    parties: [
      { ...person, type: 'PRIVATE', country: 'SE', signingConfigurations: [{ type: 'CLICK' }] },
    ],
  },
  v2: {
    name: 'Rent',
    type: 'ATTACHED',
    parties: { privates: [{ ...person, personNo }], companies: [] },
  },
};

/**
 * Returns the output of `batch check` for one row with these fields. PDFs for v2 are filled before
 * sending.
 */
async function check(api: 'v1' | 'v2', fields: Readonly<Record<string, string>>) {
  await writeFile(inHome('map.json'), JSON.stringify({ ...bodies[api], fields }));
  await writeFile(inHome('rows.csv'), 'First;Amount;Word\nBo;9000;about\n');
  const { document } = await home.json([
    ...['batch', 'check', inHome('rows.csv'), '--template', api, '--mapping', inHome('map.json')],
    ...['--connection', api === 'v1' ? 'Office' : 'Old'],
  ]);
  return JSON.stringify(document);
}

describe('a row that fills a form with scripts', () => {
  it('gets a warning for a script that was not run, but none for amounts and totals (IN-F11)', async () => {
    const good = await check('v2', { rent: '{Amount}' });
    expect(good).toContain('"ok":1');
    expect(good).not.toContain('written as typed');
    expect(good).not.toContain('The form calculates');
    const odd = await check('v2', { rent: '{Word}', room: '{First}' });
    expect(odd).toContain('The form writes this field as 1.234,00 kr, but it is written as typed');
    expect(odd).toContain(
      'by a script, which Signing Desk does not run, so it is written as typed',
    );
    expect(odd).toContain('The form calculates');
  });

  it('gets a warning about a total if the service fills the form (IN-F11)', async () => {
    expect(await check('v1', { rent: '{Amount}' })).toContain('The form calculates');
  });

  it('is rejected if it would make a password readable (IN-P26)', async () => {
    expect(await check('v2', { pin: '{Word}' })).toContain(
      'Everyone could read a password in the PDF',
    );
  });
});
