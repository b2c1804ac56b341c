// tier: quick, 15 s, because a sheet that is read wrongly invites other people
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { textCell, workbook } from '../../adapters/sheets/workbook.ts';
import { cliHome } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
const HEADER = ['Given', 'Family', 'Address'];

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ seed: 'none' }));
  const form = path.join(home.folder, 'lease.pdf');
  await writeFile(form, await formPdf('Lease', ['tenant']));
  await home.value(['templates', 'add', form, '--name', 'Lease']);
  await writeFile(path.join(home.folder, 'map.json'), JSON.stringify(mapping));
});
afterAll(() => close());

const mapping = {
  title: 'Lease {Family}',
  parties: [
    {
      type: 'PRIVATE',
      firstName: '{Given}',
      lastName: '{Family}',
      email: '{Address}',
      signingConfigurations: [{ type: 'CLICK' }],
    },
  ],
  fields: { tenant: '{Given}' },
};

const batch = (what: string, sheet: string, ...more: string[]): string[] => [
  ...['batch', what, sheet, '--template', 'Lease', '--connection', 'Office'],
  ...['--mapping', path.join(home.folder, 'map.json'), ...more],
];
const titles = () => demo.agreements.v1().map(({ title }) => title);

async function fileOf(name: string, data: string | Uint8Array): Promise<string> {
  const file = path.join(home.folder, name);
  await writeFile(file, data);
  return file;
}

describe('notices from reading a spreadsheet', { timeout: TIMEOUT_MS }, () => {
  /** CSV file with `Żółć` in Windows-1250, whose bytes are also valid Windows-1252. */
  const polish = Buffer.from(
    'Given;Family;Address\nEwa;\xaf\xf3\xb3\xe6;e@example.com\n',
    'latin1',
  );

  it('show a guessed encoding, which blocks sending until it is confirmed (IN-03, FE-D9)', async () => {
    const file = await fileOf('polish.csv', polish);
    const { exit, stdout } = await home.desk(batch('check', file));
    expect(exit).toBe(3);
    expect(stdout).toContain('does not state its character encoding: this is a guess');
    expect(stdout).toMatch(/reads as "¯ó³æ"\. Write --encoding windows-1252 .*--accept-guesses/);
    const found = await home.value(batch('check', file), '', 3);
    expect(found).toMatchObject({ ok: 1, notices: [{ code: 'guessed-encoding', count: 1 }] });

    const refused = await home.json(batch('send', file, '--confirm', '1'));
    expect(refused).toMatchObject({ exit: 3, document: { ok: false } });
    expect(refused.stdout).toMatch(/--encoding .*--accept-guesses .*Nothing was sent\./);
    expect(demo.agreements.v1()).toEqual([]);
    expect(await home.value(['batch', 'list'])).toEqual({ batches: [] });

    const right = ['--encoding', 'windows-1250'];
    expect(await home.value(batch('check', file, ...right))).toMatchObject({ notices: [] });
    await home.value(batch('send', file, ...right, '--confirm', '1'));
    expect(titles()).toEqual(['Lease Żółć']);
  });

  it('allow sending with an accepted encoding, and name that encoding with the result (IN-03)', async () => {
    const file = await fileOf(
      'swedish.csv',
      Buffer.from('Given;Family;Address\nEva;Öberg;eva@example.com\n', 'latin1'),
    );
    const send = batch('send', file, '--accept-guesses', '--confirm', '1');
    expect(await home.value(send)).toMatchObject({
      sent: 1,
      notices: [{ code: 'guessed-encoding', count: 1 }],
    });
    expect(titles()).toContain('Lease Öberg');
  });

  it('report doubly converted characters, which block sending in any named encoding (IN-03)', async () => {
    const file = await fileOf('twice.csv', 'Given;Family;Address\nÃ…sa;Ek;asa@example.com\n');
    const before = titles();
    const refused = await home.json(batch('send', file, '--confirm', '1', '--encoding', 'utf-8'));
    expect(refused).toMatchObject({ exit: 3 });
    expect(refused.stdout).toMatch(/converted twice.*Write --accept-guesses to send it as it is/);
    expect(titles()).toEqual(before);
  });

  it('report a completely sent batch as finished, and count its excluded hidden rows (FE-N14)', async () => {
    const row = (number: number, hidden: boolean, ...cells: string[]) =>
      `<row r="${String(number)}"${hidden ? ' hidden="1"' : ''}>${cells.map(textCell).join('')}</row>`;
    const people = [
      row(1, false, ...HEADER),
      row(2, false, 'Eva', 'Ek', 'eva@example.com'),
      row(3, true, 'Fia', 'Ek', 'fia@example.com'),
    ];
    const data = workbook({ sheets: { People: people.join('') } });
    const file = await fileOf('one-hidden.xlsx', data);
    expect(await home.value(batch('check', file))).toMatchObject({ rows: 1, hidden: 1 });
    expect((await home.desk(batch('check', file))).stdout).toContain(
      '1 row: 1 ready, 0 with errors, 0 excluded; 1 hidden row not read.',
    );
    const sent = await home.desk(batch('send', file, '--confirm', '1'));
    expect(sent.stdout).toMatch(/State +finished/);
    expect(sent.stdout).toMatch(/Hidden rows +1, not in the batch/);
    const id = /Batch +(\S+)/.exec(sent.stdout)?.[1] ?? '';
    expect(await home.value(['batch', 'status', id])).toMatchObject({ sent: 1, hidden: 1 });
    const out = path.join(home.folder, 'one-hidden-report.csv');
    const report = await home.desk(['batch', 'report', id, '--out', out]);
    expect(report.stdout).toContain(`Wrote ${out} without 1 hidden row.`);
    const waits = await fileOf('waits.csv', 'Given;Family;Address\nGun;Ek;gun@example.com\n');
    const queued = await home.desk(batch('send', waits, '--confirm', '1', '--queue'));
    expect(queued.stdout).toMatch(/State +open/);
    expect(queued.stdout).not.toContain('Hidden rows');
  });

  it('count hidden rows, other sheets and formulas (IN-03, FE-D9)', async () => {
    const row = (number: number, hidden: boolean, ...cells: string[]) =>
      `<row r="${String(number)}"${hidden ? ' hidden="1"' : ''}>${cells.join('')}</row>`;
    const person = (name: string) => [name, 'Ek', `${name}@example.com`].map(textCell);
    const rows = [
      row(1, false, ...HEADER.map(textCell)),
      row(2, false, ...person('Ada')),
      row(3, true, ...person('Bo')),
      row(4, true, ...person('Cia')),
      row(5, false, '<c t="str"><f>"D"</f><v>Dan</v></c>', ...person('Dan').slice(1)),
    ];
    const data = workbook({
      sheets: { People: rows.join(''), Other: row(1, false, textCell('x')) },
    });
    const file = await fileOf('hidden.xlsx', data);
    const { stdout } = await home.desk(batch('check', file));
    expect(stdout).toMatch(/Note: 2 hidden rows skipped/);
    expect(stdout).toMatch(/Note: The spreadsheet has 1 other sheet, not read/);
    const found = await home.value(batch('check', file));
    expect(found).toMatchObject({ rows: 2 });
    const codes = (found['notices'] as { code: string; count: number }[]).map(
      ({ code, count }) => `${code} ${String(count)}`,
    );
    expect(codes).toEqual(
      expect.arrayContaining(['hidden-rows 2', 'other-sheets 1', 'formulas 1']),
    );
    expect(await home.value(batch('check', file, '--hidden', 'read'))).toMatchObject({ rows: 4 });
    const sent = await home.desk(batch('send', file, '--confirm', '2'));
    expect({ exit: sent.exit, stdout: sent.stdout }).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('2 hidden rows skipped') as string,
    });
  });
});
