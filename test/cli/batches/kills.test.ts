// tier: all
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSheet } from '../../../electron/adapters/sheets/read/sheet.ts';
import type { FaultAction } from '../../../electron/demo/server/faults.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { textCell, workbook } from '../../adapters/sheets/workbook.ts';
import { people } from '../../support/desks/batch-desk.ts';
import { connect } from '../../support/desks/cli-home.ts';
import { createHome, type Home } from '../../support/desks/desk-process.ts';
import { startStorm } from '../../support/storm.ts';

const HEADER = ['Förnamn', 'Efternamn', 'Personnummer', 'E-post', 'Hyra'];
const ROWS = 200;
/** Text in the spreadsheet that must stay a text, and not become a formula. */
const FORMULA = '=1+1';
/** Settings of LibreOffice's CSV export: semicolons, quotes, UTF-8. */
const CSV_FILTER = 'CSV:59,34,76';
/**
 * Share of create requests with a fault. Half of these requests are carried out, but their answer
 * is lost.
 */
const FAULTY = 0.15;
const FAULTS: readonly FaultAction[] = [
  { kind: 'cut-json' },
  { kind: 'delay', ms: 100 },
  { kind: 'reset-after' },
  { kind: 'drip', bytes: 40, everyMs: 2 },
];
/**
 * Maximum number of runs until the last lost answer is found; the circuit breaker stops each run
 * after a few lost answers.
 */
const MAX_RUNS = 30;
const TIMEOUT_MS = 3_000_000;

let demo: Demo;
let home: Home;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  home = await createHome();
  const form = path.join(home.folder, 'lease.pdf');
  await writeFile(form, await formPdf('Hyresavtal', ['tenant', 'rent']));
  await connect(home, demo);
  await home.value(['templates', 'add', form, '--name', 'Lease', '--api', 'v1']);
  await writeFile(path.join(home.folder, 'map.json'), JSON.stringify(mapping));
}, TIMEOUT_MS);
afterAll(async () => {
  await demo.close();
  await home.remove();
});

const mapping = {
  title: 'Lease {Efternamn} {Förnamn}',
  parties: [
    {
      type: 'PRIVATE',
      firstName: '{Förnamn}',
      lastName: '{Efternamn}',
      email: '{E-post}',
      country: 'SE',
      personNumber: '{Personnummer}',
      signingConfigurations: [{ type: 'EID', country: 'SE' }],
    },
  ],
  fields: { tenant: '{Förnamn} {Efternamn}', rent: '{Hyra}' },
};

/**
 * Returns the status of a batch. Its exit code is ignored: it reports rows that wait or have an
 * unknown outcome as not finished.
 */
async function statusOf(id: string): Promise<{ readonly sent: number }> {
  const { document } = await home.json(['batch', 'status', id]);
  return (document as { readonly value: { readonly sent: number } }).value;
}

/**
 * Returns a spreadsheet as Excel stores it: personal numbers as numbers, except those destroyed by
 * pasting from a CSV file.
 */
function excelSheet(isDestroyed: (at: number) => boolean): Uint8Array {
  const rows = people(ROWS).map((line, at) => {
    const [given = '', family = '', number = '', email = '', rent = ''] = line.split(';');
    const person = isDestroyed(at) ? textCell('1,98001E+11') : `<c><v>${number}</v></c>`;
    const cells = [textCell(given), textCell(`${family}; ${String(at)}`), person, textCell(email)];
    const last = textCell(at === 0 ? FORMULA : `${rent}; per månad`);
    return `<row r="${String(at + 2)}">${cells.join('')}${last}</row>`;
  });
  const first = `<row r="1">${HEADER.map((name) => textCell(name)).join('')}</row>`;
  return workbook({ sheets: { Blad1: first + rows.join('') } });
}

const batch = (what: string, file: string, ...more: string[]): string[] => [
  ...['batch', what, file, '--template', 'Lease', '--connection', 'Office'],
  ...['--mapping', path.join(home.folder, 'map.json'), ...more],
];

describe('200 rows of a Swedish spreadsheet on the command line', { timeout: TIMEOUT_MS }, () => {
  const sheet = () => path.join(home.folder, 'hyror.xlsx');

  it('are not sent while some of their numbers have lost digits, each reported with its row (TX-21)', async () => {
    await writeFile(
      sheet(),
      excelSheet((at) => at % 40 === 7),
    );
    const found = await home.value(batch('check', sheet()), '', 3);
    expect(found).toMatchObject({ rows: ROWS, ok: ROWS - 5 });
    const rows = (found['errors'] as { row: number; column: string }[]).map((one) => one.row);
    expect(rows).toEqual([9, 49, 89, 129, 169]);
  });

  it('become one agreement each despite faults and two kills, as their report shows (TX-12)', async () => {
    await writeFile(
      sheet(),
      excelSheet(() => false),
    );
    expect(await home.value(batch('check', sheet()))).toMatchObject({ rows: ROWS, ok: ROWS });
    let life = home.start(batch('send', sheet(), '--confirm', String(ROWS), '--wait'));
    startStorm(demo, { faulty: FAULTY, faults: FAULTS }, () => life.kill());
    expect((await life.ended).exit).toBeNull();
    const { batches } = await home.value(['batch', 'list']);
    const [{ batch: id }] = batches as [{ batch: string }];
    let [ends, sent, runs] = [1, 0, 0];
    for (; sent < ROWS && runs < MAX_RUNS; runs += 1) {
      life = home.start(['outbox', 'run', '--json']);
      if ((await life.ended).exit === null) ends += 1;
      ({ sent } = await statusOf(id));
    }
    expect({ ends, sent }).toEqual({ ends: 1 + 1, sent: ROWS });
    demo.weather(() => null);
    const out = path.join(home.folder, 'result.xlsx');
    await home.value(['batch', 'report', id, '--out', out]);
    await home.value(['batch', 'report', id, '--out', path.join(home.folder, 'result.csv')]);
    const { rows } = await readSheet(new Uint8Array(await readFile(out)), {});
    expect(rows.map(({ cells }) => cells[6])).toEqual(Array<string>(ROWS).fill('sent'));
    expect(new Set(rows.map(({ cells }) => cells[7])).size).toBe(ROWS);
    const titles = demo.agreements.v1().map(({ title }) => title);
    expect(titles).toHaveLength(ROWS);
    expect(new Set(titles).size).toBe(ROWS);
  });

  it('have a report that LibreOffice opens without any calculation (TX-24)', async ({ skip }) => {
    const office = await promisify(execFile)('soffice', ['--version']).catch(() => null);
    skip(office === null, 'LibreOffice is not installed');
    const seen = path.join(home.folder, 'seen');
    const convert = async (file: string, ...as: readonly string[]): Promise<void> => {
      const order = ['--headless', ...as, '--outdir', seen, path.join(home.folder, file)];
      await promisify(execFile)('soffice', order);
    };
    const text = async () => {
      await convert(path.join('seen', 'result.ods'), '--convert-to', 'csv');
      return readFile(path.join(seen, 'result.csv'), 'utf8');
    };
    for (const [file, ...how] of [
      ['result.xlsx'],
      ['result.csv', `--infilter=${CSV_FILTER}`],
    ] as const) {
      await convert(file, '--convert-to', 'ods', ...how);
      const lines = (await text()).trim().split('\n');
      expect(lines).toHaveLength(ROWS + 1);
      expect(lines[1]).toMatch(/,'?=1\+1,/);
    }
  });
});
