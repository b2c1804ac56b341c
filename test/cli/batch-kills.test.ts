import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSheet } from '../../electron/adapters/sheets/read-sheet.ts';
import type { FaultAction } from '../../electron/demo/faults.ts';
import { formPdf } from '../../electron/demo/pdf-form.ts';
import { type Demo, startDemo } from '../../electron/demo/start.ts';
import { textCell, workbook } from '../adapters/sheets/workbook.ts';
import { people } from '../support/batch-desk.ts';
import { createHome, type Home } from '../support/desk-process.ts';

const HEADER = ['Förnamn', 'Efternamn', 'Personnummer', 'E-post', 'Hyra'];
const ROWS = 200;
/** Of all creates; the answers of half of them are lost although they were carried out. */
const FAULTY = 0.15;
const FAULTS: readonly FaultAction[] = [
  { kind: 'cut-json' },
  { kind: 'delay', ms: 100 },
  { kind: 'reset-after' },
  { kind: 'drip', bytes: 40, everyMs: 2 },
];
/** The process is killed when so many creates have come, with those on the wire unanswered. */
const KILL_AFTER = [60, 130];
const ON_THE_WIRE = 3;
const FOREVER = 600_000;
/** Runs until the last lost answer is found; each closes its gate after a few of them. */
const MOST_RUNS = 30;
const PATIENCE = 300_000;

let demo: Demo;
let home: Home;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  home = await createHome();
  const form = path.join(home.folder, 'lease.pdf');
  await writeFile(form, await formPdf('Hyresavtal', ['tenant', 'rent']));
  const { token } = demo.credentials;
  const office = ['connections', 'add', 'Office', '--api', 'v1', '--url', demo.v1Url];
  await value([...office, '--environment', 'test'], 0, `${token}\n`);
  await value(['templates', 'add', form, '--name', 'Lease', '--api', 'v1']);
  await writeFile(path.join(home.folder, 'map.json'), JSON.stringify(mapping));
}, PATIENCE);
afterAll(async () => {
  await demo.close();
  await home.remove();
});

const mapping = {
  title: 'Lease {Efternamn} {Förnamn}',
  parties: [
    {
      ...{ type: 'PRIVATE', firstName: '{Förnamn}', lastName: '{Efternamn}', email: '{E-post}' },
      ...{ country: 'SE', personNumber: '{Personnummer}' },
      signingConfigurations: [{ type: 'EID', country: 'SE' }],
    },
  ],
  fields: { tenant: '{Förnamn} {Efternamn}', rent: '{Hyra}' },
};

/** Runs a command with `--json`, and gives its exit and value. */
async function run(args: readonly string[], input = '') {
  const { exit, document, stderr } = await home.json(args, input);
  expect({ args, stderr, document }).toMatchObject({ document: { ok: true } });
  return { exit, value: (document as { value: Record<string, unknown> }).value };
}
async function value(args: readonly string[], wanted = 0, input = '') {
  const ended = await run(args, input);
  expect({ args, ...ended }).toMatchObject({ exit: wanted });
  return ended.value;
}

/** As Excel keeps it: numbers as numbers but for those that someone pasted from a CSV file. */
function excelSheet(isDestroyed: (at: number) => boolean): Uint8Array {
  const rows = people(ROWS).map((line, at) => {
    const [given = '', family = '', number = '', email = '', rent = ''] = line.split(';');
    const person = isDestroyed(at) ? textCell('1,98001E+11') : `<c><v>${number}</v></c>`;
    const cells = [textCell(given), textCell(`${family}; ${String(at)}`), person, textCell(email)];
    return `<row r="${String(at + 2)}">${cells.join('')}${textCell(`${rent}; per månad`)}</row>`;
  });
  const first = `<row r="1">${HEADER.map((name) => textCell(name)).join('')}</row>`;
  return workbook({ sheets: { Blad1: first + rows.join('') } });
}

const batch = (what: string, file: string, ...more: string[]): string[] => [
  ...['batch', what, file, '--template', 'Lease', '--connection', 'Office'],
  ...['--mapping', path.join(home.folder, 'map.json'), ...more],
];

/** Every seventh create or so meets a fault; `kill` is told when a process is to end. */
function storm(kill: () => void): void {
  let creates = 0;
  let faults = 0;
  let held = 0;
  let kills = 0;
  demo.weather(({ method, url }) => {
    if (method !== 'POST' || !/\/agreements$/.test(url)) return null;
    creates += 1;
    if (creates > (KILL_AFTER[kills] ?? FOREVER)) {
      held += 1;
      if (held === ON_THE_WIRE) {
        [held, kills] = [0, kills + 1];
        setTimeout(kill, 50);
      }
      return { kind: 'delay', ms: FOREVER, when: 'after' };
    }
    if (creates * FAULTY < faults + 1) return null;
    faults += 1;
    return FAULTS[faults % FAULTS.length] ?? null;
  });
}

describe('200 rows of a Swedish workbook on the command line', { timeout: PATIENCE }, () => {
  const sheet = () => path.join(home.folder, 'hyror.xlsx');

  it('are not sent while numbers among them are destroyed, each told by its row (TX-21)', async () => {
    await writeFile(
      sheet(),
      excelSheet((at) => at % 40 === 7),
    );
    const found = await value(batch('check', sheet()), 3);
    expect(found).toMatchObject({ rows: ROWS, ok: ROWS - 5 });
    const rows = (found['errors'] as { row: number; column: string }[]).map((one) => one.row);
    expect(rows).toEqual([9, 49, 89, 129, 169]);
  });

  it('exist once each after faults and two kills, and the report says so (TX-12)', async () => {
    await writeFile(
      sheet(),
      excelSheet(() => false),
    );
    expect(await value(batch('check', sheet()))).toMatchObject({ rows: ROWS, ok: ROWS });
    let life = home.start(batch('send', sheet(), '--confirm', String(ROWS), '--wait'));
    storm(() => life.kill());
    expect((await life.ended).exit).toBeNull();
    const { batches } = await value(['batch', 'list']);
    const [{ batch: id }] = batches as [{ batch: string }];
    let [ends, sent, runs] = [1, 0, 0];
    for (; sent < ROWS && runs < MOST_RUNS; runs += 1) {
      life = home.start(['outbox', 'run', '--json']);
      if ((await life.ended).exit === null) ends += 1;
      ({ sent } = (await run(['batch', 'status', id])).value as { sent: number });
    }
    expect({ ends, sent }).toEqual({ ends: 1 + 1, sent: ROWS });
    demo.weather(() => null);
    const out = path.join(home.folder, 'result.xlsx');
    await value(['batch', 'report', id, '--out', out]);
    const { rows } = readSheet(new Uint8Array(await readFile(out)), {});
    expect(rows.map(({ cells }) => cells[6])).toEqual(Array<string>(ROWS).fill('sent'));
    expect(new Set(rows.map(({ cells }) => cells[7])).size).toBe(ROWS);
    const titles = demo.agreements.v1().map(({ title }) => title);
    expect(titles).toHaveLength(ROWS);
    expect(new Set(titles).size).toBe(ROWS);
  });

  it('have a report that LibreOffice opens without calculating anything (TX-24)', async ({
    skip,
  }) => {
    const office = await promisify(execFile)('soffice', ['--version']).catch(() => null);
    skip(office === null, 'LibreOffice is not installed');
    const order = ['--headless', '--convert-to', 'csv', '--outdir', home.folder];
    await promisify(execFile)('soffice', [...order, path.join(home.folder, 'result.xlsx')]);
    const text = await readFile(path.join(home.folder, 'result.csv'), 'utf8');
    expect(text.trim().split('\n')).toHaveLength(ROWS + 1);
  });
});
