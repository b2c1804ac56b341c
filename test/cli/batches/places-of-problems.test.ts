// tier: quick, 20 s, because each check is a command of its own
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { cliHome } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

let home: HomeHere;
let close: () => Promise<void>;

const inHome = (name: string) => path.join(home.folder, name);

beforeAll(async () => {
  ({ home, close } = await cliHome({ create: createMixedHome }));
  await writeFile(inHome('lease.pdf'), await formPdf('Lease', ['tenant']));
  await home.value([
    ...['templates', 'add', inHome('lease.pdf'), '--name', 'Lease', '--api', 'v1'],
  ]);
});
afterAll(() => close());

/**
 * Returns the output of `batch check` for a spreadsheet; `body` has the values of each row besides
 * the party.
 */
async function check(body: object, sheet: string | Uint8Array, ...more: readonly string[]) {
  const party = {
    type: 'PRIVATE',
    firstName: '{First}',
    lastName: '{Last}',
    email: '{E-mail}',
    country: 'SE',
    signingConfigurations: [{ type: 'CLICK' }],
  };
  const mapping = { title: 'Lease', parties: [party], fields: { tenant: '{Last}' }, ...body };
  await writeFile(inHome('map.json'), JSON.stringify(mapping));
  await writeFile(inHome('rows.csv'), sheet);
  const order = ['batch', 'check', inHome('rows.csv'), '--template', 'Lease'];
  return [...order, '--connection', 'Office', '--mapping', inHome('map.json'), ...more];
}

const SHEET = 'First;Last;E-mail\nBo;Ek;bo@example.com\nEva;Ek;eva@example.com\n';

describe('a problem of a row on the command line', () => {
  it('names the mapping’s field if the value comes from no column (FE-N6)', async () => {
    const args = await check({ expireOn: '2026-13-77', tags: { room: '{Last}' } }, SHEET);
    const { errors } = await home.value(args, '', 3);
    expect(errors).toMatchObject([
      { row: 2, column: null, field: 'expireOn' },
      { row: 3, column: null, field: 'expireOn' },
    ]);
    const { stderr, stdout } = await home.desk(args);
    expect(`${stdout}${stderr}`).toContain('Row 2, expireOn: ');
  });

  it('is not reported for a time given as a date in the form that the help shows (FE-N6)', async () => {
    const args = await check({ expireOn: '{=today+30}', deleteOn: '{=today+400}' }, SHEET);
    expect(await home.value(args)).toMatchObject({ ok: 2, errors: [], blocked: null });
  });

  it('is not reported for a guessed encoding, which blocks the whole file instead (FE-N9)', async () => {
    const sheet = Buffer.from(SHEET.replaceAll('Ek', 'Öberg'), 'latin1');
    const args = await check({}, sheet);
    const { blocked } = await home.value(args, '', 3);
    expect(blocked).toContain('--encoding windows-1252');
    const accepted = await home.value([...args, '--accept-guesses']);
    expect(accepted).toMatchObject({ ok: 2, blocked: null });
  });
});

describe('the advice printed by a command', () => {
  it('names the option and values for the encoding if a text cannot be read (IN-C02)', async () => {
    const { stderr } = await home.desk(await check({}, SHEET.replace('Eva', 'E\u0007va')));
    expect(stderr).toContain('--encoding NAME');
    expect(stderr).toContain('macintosh');
  });

  it('is about joining an office, not about backups, if the computer has no office (FE-N11)', async () => {
    const { stderr } = await home.desk(['office', 'activity']);
    expect(stderr).toContain('office join');
    expect(stderr).not.toContain('backup');
  });
});

describe('an archive file name with an unknown placeholder', () => {
  it.each([
    ['--name', '{nope}.pdf', '{nope}'],
    ['--name', '{title:long}', '{title:long}'],
    ['--subfolder', '{closed:yyyy}/{tag:}', '{tag:}'],
  ])('is refused before anything is saved: %s %s (FE-N12)', async (option, pattern, token) => {
    const to = inHome('archive');
    const { exit, document } = await home.json(['archive', 'run', '--to', to, option, pattern]);
    expect(exit).toBe(3);
    expect(JSON.stringify(document)).toContain(token);
  });
});
