// tier: all
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSheet } from '../../../electron/adapters/sheets/read/sheet.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { people } from '../../support/desks/batch-desk.ts';
import { cliHome, connect } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

const HEADER = 'Förnamn;Efternamn;Personnummer;E-post;Hyra';
const ROWS = 8;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let file: string;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ create: createMixedHome }));
  file = path.join(home.folder, 'leases.csv');
  await writeFile(file, [HEADER, ...people(ROWS)].join('\r\n'));
  const form = path.join(home.folder, 'lease.pdf');
  await writeFile(form, await formPdf('Hyresavtal', ['tenant', 'rent']));
  await home.value(['templates', 'add', form, '--name', 'Lease', '--api', 'v1']);
  await writeFile(path.join(home.folder, 'map.json'), JSON.stringify(mapping));
});
afterAll(() => close());

const mapping = {
  title: 'Lease {Efternamn}',
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

const batch = (what: string, sheet: string, ...more: string[]): string[] => [
  ...['batch', what, sheet, '--template', 'Lease', '--connection', 'Office'],
  ...['--mapping', path.join(home.folder, 'map.json'), ...more],
];
/**
 * Writes a spreadsheet with the people from index `from` to index `to`, who are in no other
 * spreadsheet.
 */
async function sheetOf(name: string, from: number, to: number): Promise<string> {
  const sheet = path.join(home.folder, name);
  await writeFile(sheet, [HEADER, ...people(to).slice(from)].join('\n'));
  return sheet;
}
const creates = () =>
  demo.requests.filter(({ method, url }) => method === 'POST' && /\/agreements$/.test(url));

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;

describe('batches on the command line', { timeout: TIMEOUT_MS }, () => {
  it('write no spreadsheet for a template that has no questions yet', async () => {
    const out = path.join(home.folder, 'sample.xlsx');
    const { exit } = await home.json(['batch', 'sample', 'Lease', '--out', out]);
    expect(exit).toBe(3);
  });

  it('report every problem with its row, send nothing, and end with exit code 3', async () => {
    const rows = people(3).map((row, at) => (at === 1 ? row.replace(/@/, '') : row));
    const bad = path.join(home.folder, 'bad.csv');
    await writeFile(bad, [HEADER, ...rows].join('\n'));
    const found = await home.value(batch('check', bad), '', 3);
    expect(found).toMatchObject({ rows: 3, ok: 2, duplicates: [] });
    expect(found['errors']).toMatchObject([{ row: 3, column: 'E-post', code: 'format' }]);
    expect(Object.keys(found)).toEqual([
      'rows',
      'hidden',
      'ok',
      'blocked',
      'errors',
      'warnings',
      'duplicates',
      'notices',
      'mapping',
      'keptDefaults',
      'later',
      'laterCount',
    ]);
    expect(creates()).toHaveLength(0);
  });

  it('reject a wrong count, a missing column and an invalid file with exit code 3', async () => {
    const { exit } = await home.json(batch('send', file, '--confirm', '7'));
    expect(exit).toBe(3);
    const other = path.join(home.folder, 'other.csv');
    const sheet = await readFile(file, 'utf8');
    await writeFile(other, sheet.replace('Hyra', 'Sort'));
    const { errors } = await home.value(batch('check', other), '', 3);
    expect(errors).toMatchObject([{ row: 1, column: 'Hyra', code: 'column-missing' }]);
    expect(await home.json(batch('send', other, '--confirm', String(ROWS)))).toMatchObject({
      exit: 3,
      document: {
        ok: false,
        error: {
          message: 'The sheet has no column for "Hyra". Add the column, or choose another column',
        },
      },
    });
    expect(await home.json(batch('check', home.folder))).toMatchObject({ exit: 3 });
    expect(creates()).toHaveLength(0);
  });

  it('send each row once, and report every row as sent before in a second run (CLI-A7)', async () => {
    const sent = await home.value(batch('send', file, '--confirm', String(ROWS)));
    expect(sent).toMatchObject({ rows: ROWS, sent: ROWS, refused: 0, unknown: 0, waiting: 0 });
    expect(Object.keys(sent)).toEqual([
      'batch',
      'rows',
      'hidden',
      'sent',
      'refused',
      'unknown',
      'givenUp',
      'waiting',
      'seconds',
      'notices',
    ]);
    expect(creates()).toHaveLength(ROWS);
    const again = await home.value(batch('check', file));
    expect(again).toMatchObject({ ok: 0 });
    expect(again['duplicates']).toHaveLength(ROWS);
    const id = String(sent['batch']);
    expect(await home.value(['batch', 'status', id])).toMatchObject({ sent: ROWS, gate: 'open' });
    for (const form of ['csv', 'xlsx']) {
      const out = path.join(home.folder, `result.${form}`);
      await home.value(['batch', 'report', id, '--out', out]);
      const { shape, rows } = await readSheet(new Uint8Array(await readFile(out)), {});
      expect(shape.columns.map(({ name }) => name)).toEqual([
        ...HEADER.split(';'),
        ...['row', 'state', 'id', 'error', 'error code', 'time'],
      ]);
      expect(rows.map(({ cells }) => cells[6])).toEqual(Array<string>(ROWS).fill('sent'));
    }
  });

  it('list a batch as armed until all its rows are sent, and then as finished (FE-D13)', async () => {
    const sheet = await sheetOf('finished.csv', ROWS + 60, ROWS + 62);
    const { batch: id } = await home.value(batch('send', sheet, '--confirm', '2', '--queue'));
    const stage = async () => {
      const { batches } = await home.value(['batch', 'list']);
      const found = (batches as { batch: unknown; stage: unknown }[]).find(
        (one) => one.batch === id,
      );
      return found?.stage;
    };
    expect(await stage()).toBe('armed');
    await home.value(['outbox', 'run']);
    expect(await stage()).toBe('finished');
  });

  it('explain in send --help how a mapping writes yes, no and "when" (FE-D13)', async () => {
    expect((await home.desk(['batch', 'send', '--help'])).stdout).toMatch(
      /\{Column\|yes-no\}[^]*"when": "\{Column\}"/,
    );
  });

  it('end with exit code 7 after a lost answer, leave it to a person, and send nothing twice', async () => {
    demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'cut-json' } });
    const sheet = path.join(home.folder, 'more.csv');
    await writeFile(sheet, [HEADER, ...people(ROWS + 3).slice(ROWS)].join('\n'));
    const before = creates().length;
    const { exit, document } = await home.json(batch('send', sheet, '--confirm', '3', '--wait'));
    expect({ exit, document }).toMatchObject({
      exit: 7,
      document: { value: { rows: 3, unknown: 1 } },
    });
    expect(creates()).toHaveLength(before + 3);
  });

  it('count a row that the user gave up on its own, and end with exit code 6', async () => {
    const { items } = await home.value(['outbox', 'list']);
    const [lost] = (items as { ref: string; state: string }[]).filter(
      ({ state }) => state === 'unknown',
    );
    await home.value(['outbox', 'settle', String(lost?.ref), '--as', 'abandon']);
    const { batches: listed } = await home.value(['batch', 'list']);
    const going = { waiting: 0, needsPerson: 0, givenUp: 1 };
    const [found] = (listed as { batch: string; rows: number }[]).filter(({ rows }) => rows === 3);
    expect(found).toMatchObject({ stage: 'finished', going });
    const id = String(found?.batch);
    const { exit, document } = await home.json(['batch', 'status', id]);
    expect({ exit, document }).toMatchObject({
      exit: 6,
      document: { value: { rows: 3, sent: 2, unknown: 0, givenUp: 1, needsPerson: 0 } },
    });
    expect((await home.desk(['batch', 'status', id])).stdout).toMatch(/UNKNOWN +GIVEN UP/);
  });

  it('queue without sending, and name the command that sends (CLI-A7)', async () => {
    const sheet = await sheetOf('queued.csv', 20, 23);
    const before = creates().length;
    const { exit, stdout } = await home.desk(batch('send', sheet, '--confirm', '3', '--queue'));
    expect(exit).toBe(0);
    expect(stdout).toMatch(/3 rows not sent yet: `outbox run` or the open window sends it/);
    expect(creates()).toHaveLength(before);
    await home.desk(['outbox', 'run']);
    expect(creates()).toHaveLength(before + 3);
  });

  it('send nothing before the chosen time, which they print, and spread rows over hours by a rate', async () => {
    const sheet = await sheetOf('later.csv', 80, 83);
    const before = creates().length;
    const times = ['--at', '2030-03-01T09:00Z', '--per-hour', '2'];
    const later = batch('send', sheet, '--confirm', '3', ...times);
    const { exit, stdout } = await home.desk(later);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/3 rows waiting until 2030-03-01T09:00Z: .*`outbox run`/);
    const { items } = await home.value(['outbox', 'list']);
    const planned = (items as { nextAt: string | null }[]).map(({ nextAt }) => nextAt);
    expect(planned.filter((at) => at?.startsWith('2030')).toSorted()).toEqual([
      '2030-03-01T09:00:00.000Z',
      '2030-03-01T09:30:00.000Z',
      '2030-03-01T10:00:00.000Z',
    ]);
    await home.desk(['outbox', 'run']);
    expect(creates()).toHaveLength(before);
  });

  it('send within Swedish office hours, from the next opening', async () => {
    const sheet = await sheetOf('hours.csv', 84, 86);
    // The time is a Saturday. The office opens on Monday at eight, which in winter is seven UTC.
    const times = ['--at', '2030-03-02T12:00Z', '--hours', '8-17'];
    const sent = await home.value(batch('send', sheet, '--confirm', '2', ...times));
    expect(sent).toMatchObject({ waiting: 2, nextAt: '2030-03-04T07:00:00.000Z' });
  });

  it.each([
    ['--hours', '17-8', 'the earlier one first'],
    ['--hours', '8:30-17', 'two whole hours'],
    ['--per-hour', '0', 'from 1 to 10000'],
    ['--at', 'tomorrow', 'with its zone'],
  ])('refuse %s %s with an explanation, and store nothing', async (option, value, why) => {
    const { exit, stderr } = await home.desk(
      batch('send', file, '--confirm', String(ROWS), option, value),
    );
    expect(exit).toBe(2);
    expect(stderr).toContain(why);
  });

  it.skipIf(process.platform === 'win32')(
    'keep unsent rows for outbox run when Ctrl+C stops them (CLI-A7)',
    async () => {
      const sheet = await sheetOf('many.csv', 30, 60);
      const before = creates().length;
      const life = home.start(batch('send', sheet, '--confirm', '30', '--json'));
      let isInterrupted = false;
      demo.weather(({ method, url }) => {
        if (method !== 'POST' || !/\/agreements$/.test(url)) return null;
        if (!isInterrupted) life.interrupt();
        isInterrupted = true;
        // The delay is long enough that the signal arrives before the answer.
        return { kind: 'delay', ms: 2000 };
      });
      const { exit, stdout } = await life.ended;
      demo.weather(() => null);
      const { value } = JSON.parse(stdout) as { value: Record<string, number> };
      const left = creates().length - before;
      expect({ exit, value }).toMatchObject({
        exit: 130,
        value: { rows: 30, sent: left, waiting: 30 - left, unknown: 0 },
      });
      expect(left).toBeLessThan(30);
      await home.desk(['outbox', 'run']);
      expect(creates()).toHaveLength(before + 30);
      expect(await home.value(['batch', 'status', String(value['batch'])])).toMatchObject({
        sent: 30,
        waiting: 0,
      });
    },
  );

  it('print what blocks the rows if none can be sent, and end with exit code 5 (CLI-A7)', async () => {
    const gone = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    await connect(home, gone, { connections: { Gone: 'v1' } });
    await gone.close();
    const sheet = await sheetOf('offline.csv', 70, 72);
    const send = batch('send', sheet, '--confirm', '2').map((one) =>
      one === 'Office' ? 'Gone' : one,
    );
    const { exit, stdout } = await home.desk(send);
    expect({ exit, stdout }).toMatchObject({
      exit: 5,
      stdout: expect.stringMatching(/2 rows not sent yet \(.+\): `outbox run`/) as string,
    });
  });

  it('arm a batch, stop it before anything is sent, and report that', async () => {
    const sheet = await sheetOf('late.csv', ROWS + 3, ROWS + 6);
    const before = creates().length;
    const { batch: id } = await home.value(batch('send', sheet, '--confirm', '3', '--queue'));
    expect(await home.value(['batch', 'pause', String(id)])).toMatchObject({
      gate: 'paused',
      waiting: 3,
    });
    expect(await home.value(['batch', 'stop', String(id)])).toMatchObject({
      gate: 'stopped',
      stopped: 3,
    });
    expect(creates()).toHaveLength(before);
  });
});
