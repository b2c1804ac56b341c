// tier: all
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultAction } from '../../../electron/demo/server/faults.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { audit } from '../support/audit.ts';
import {
  DESTROYED,
  FILE,
  HEADER,
  lease,
  NO_PLUS,
  NO_ZERO,
  numberOf,
  ROWS,
  swedishWorkbook,
} from '../support/batch-story.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { addLeaseTemplate, apiOf } from '../support/prepared-draft.ts';
import { choose, chosenColumns, goTo, moveToRow, press, tabTo } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { startStorm, UNANSWERED } from '../../support/storm.ts';

const CHILD = path.join(import.meta.dirname, '../children/batch-sitting.ts');
/**
 * Position from which on elements are not visible (CSS pixels from the top): the window is 800
 * pixels high.
 */
const FOLD = 700;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/**
 * Share of create requests with a fault. Most of these requests create the agreement, but their
 * answer is lost.
 */
const FAULTY = 0.15;
const FAULTS: readonly FaultAction[] = [
  { kind: 'cut-json' },
  { kind: 'reset-after' },
  { kind: 'drip', bytes: 40, everyMs: 2 },
  { kind: 'html', commits: true },
  { kind: 'status', status: 503, contentType: 'text/html', body: '', commits: true },
  { kind: 'delay', ms: 100 },
];
/** Delay of the requests without a fault, so that the progress is visible. */
const UNHURRIED: FaultAction = { kind: 'delay', ms: 250 };
/**
 * Timeout of the tests (ms). It is long, because the program looks for lost answers only every five
 * seconds, a few at a time.
 */
const TIMEOUT_MS = 4_000_000;

let demo: Demo;
let folder: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  folder = await mkdtemp(path.join(tmpdir(), 'batch-story-'));
  await open();
  const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  const { token } = demo.credentials;
  const api = apiOf(app);
  await api['connections.add']({ ...office, orgNo: null, url: demo.v1Url, secret: token });
  await addLeaseTemplate(app, lease);
  await page.reload();
  await page.getByTestId('agreements.new-draft').waitFor();
});
afterAll(async () => {
  await app.close();
  await demo.close();
  await rm(folder, { recursive: true, force: true });
});

const dataDir = (): string => path.join(folder, 'data');

async function open(): Promise<void> {
  app = await startDeskApp({ dataDir: dataDir(), demo });
  ({ page } = app);
}

const picture = (name: string): Promise<void> => takePicture(page, `story-${name}`);
const summaryShows = (ready: number) =>
  page
    .getByTestId('batch.summary')
    .getByText(words.batch_summary({ rows: ROWS, ready, errors: ROWS - ready, excluded: 0 }))
    .waitFor();
const creates = () =>
  demo.requests.filter(({ method, url }) => method === 'POST' && /\/agreements$/.test(url));

/** Opens a window on the same data, in its own process, which the caller kills. */
async function sitting(name: 'first' | 'second'): Promise<ChildProcess> {
  // The process has its own temporary folder, so that the leftovers of the killed process are
  // removed with it.
  const rest = path.join(folder, name);
  await mkdir(rest);
  const env = { ...process.env, TMPDIR: rest };
  return fork(CHILD, [name, dataDir()], { execArgv: [], env });
}

describe('200 rows of a Swedish spreadsheet, sent in the window', { timeout: TIMEOUT_MS }, () => {
  it('are read from a file as Excel saves it, and all columns but one are recognised', async () => {
    await goTo(page, 'Control+5', words.screen_batch());
    const buffer = Buffer.from(swedishWorkbook());
    const pick = page.getByTestId('batch.pick');
    await pick.setInputFiles({ name: FILE, mimeType: XLSX, buffer });
    await choose(page, page.getByTestId('batch.template'), 'Hyres');
    await choose(page, page.getByTestId('batch.connection'), 'Kontoret');
    await page.getByRole('cell', { name: 'Öberg; 1', exact: true }).waitFor();
    await picture('1-file');
    await press(page, page.getByTestId('batch.next'));
    await page.getByRole('heading', { name: words.batch_columns_title() }).waitFor();
    const rent = page.getByLabel(`${words.batch_columns_from()}: Monthly rent`);
    expect(await rent.inputValue()).toBe('');
    await press(page, page.getByTestId('batch.step.review'));
    await page.getByTestId('batch.count').fill(String(ROWS));
    // If the focus is moved to a disabled button, its reason is shown below it (AP-22).
    await tabTo(page, page.getByTestId('batch.send'));
    await page.getByText(words.reason_column_missing()).waitFor();
    await press(page, page.getByTestId('batch.step.columns'));
    await page.getByTestId('batch.missing-columns').getByText('Monthly rent').waitFor();
    await picture('2-column-missing');
    await choose(page, rent, 'Hyra');
    expect(await chosenColumns(page)).toEqual([...HEADER].toSorted());
    await picture('2-columns');
  });

  it('are corrected: lost digits by hand, missing plus signs and zeros with one key (TX-21)', async () => {
    await press(page, page.getByTestId('batch.next'));
    const wrong = DESTROYED.length + NO_PLUS.length + NO_ZERO.length;
    await summaryShows(ROWS - wrong);
    await page.keyboard.press('F8');
    const pane = page.getByTestId('batch.cell-pane');
    await pane.getByText(words.batch_problem_spreadsheet()).waitFor();
    await picture('3-check');
    for (const [index, at] of DESTROYED.entries()) {
      if (index > 0) await page.keyboard.press('F8');
      await pane.getByText(words.batch_problem_spreadsheet()).waitFor();
      await page.keyboard.press('F2');
      await page.getByTestId('batch.cell').waitFor();
      await page.keyboard.type(numberOf(at));
      await page.keyboard.press('Enter');
      await summaryShows(ROWS - wrong + index + 1);
    }
    await page.keyboard.press('F8');
    const lost = page.getByRole('gridcell', { name: '46701000020' });
    await expect.poll(async () => (await lost.boundingBox())?.y ?? Infinity).toBeLessThan(FOLD);
    await picture('4-lost-plus');
    await press(page, pane.getByRole('button', { name: words.batch_repair_all() }));
    await summaryShows(ROWS);
    await picture('5-repaired');
    const api = apiOf(app);
    const [batch] = await api['batches.list']({});
    if (batch === undefined) throw new Error('There is no batch');
    const window = { id: batch.id, filter: 'all', offset: 0, limit: ROWS } as const;
    const { rows } = await api['batches.rows'](window);
    expect(NO_PLUS.map((at) => rows[at]?.cells[4]?.slice(0, 5))).toEqual(
      NO_PLUS.map(() => '+4670'),
    );
    expect(NO_ZERO.map((at) => rows[at]?.cells[4]?.slice(0, 3))).toEqual(NO_ZERO.map(() => '070'));
  });

  it('are shown as PDFs, with a summary of what will be sent, before anything is sent', async () => {
    await press(page, page.getByTestId('batch.next'));
    const facts = page.getByTestId('batch.facts');
    await facts.getByText(words.batch_review_agreements()).waitFor();
    expect(await facts.textContent()).toMatch(/200.*Kontoret.*Test/s);
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await picture('6-review');
    expect(creates()).toHaveLength(0);
    expect(app.complaints).toEqual([]);
  });

  it('become exactly one agreement each despite faults and two kills (TX-12)', async () => {
    await app.close();
    let life: ChildProcess | null = null;
    const storm = { faulty: FAULTY, faults: FAULTS, calm: UNHURRIED };
    startStorm(demo, storm, () => life?.kill('SIGKILL'));
    for (const name of ['first', 'second'] as const) {
      life = await sitting(name);
      expect(await once(life, 'exit')).toEqual([null, 'SIGKILL']);
    }
    await open();
    await page.getByTestId('agreements.new-draft').waitFor();
    await goTo(page, 'Control+5', words.screen_batch());
    await moveToRow(page, FILE);
    await page.keyboard.press('Enter');
    const progress = page.getByTestId('batch.progress');
    await progress.waitFor();
    await picture('7-sending');
    const done = words.batch_progress({ done: ROWS, total: ROWS });
    await progress.getByText(done).waitFor({ timeout: TIMEOUT_MS / 2 });
    await picture('8-sent');
    await audit(page);
    const made = demo.agreements.v1();
    expect(made).toHaveLength(ROWS);
    expect(new Set(made.map(({ title }) => title)).size).toBe(ROWS);
    expect(new Set(made.map(({ tags }) => tags['desk.ref'])).size).toBe(ROWS);
    // The service records a request only when it answers. It did not answer the requests that were
    // in flight when a process was killed.
    const bodies = creates().map(({ bodySha256 }) => bodySha256);
    expect(bodies).toHaveLength(ROWS - UNANSWERED);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(app.complaints).toEqual([]);
  });
});
