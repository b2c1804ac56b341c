import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchId } from '../../shared/model/ids.ts';
import { HEADER, leaseV1, people } from '../support/desks/batch-desk.ts';
import { audit } from './support/audit.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { show } from './support/furnished-desk.ts';
import { leaseForm } from './support/pdfs.ts';
import { takePicture } from './support/picture.ts';
import { apiOf } from './support/prepared-draft.ts';
import { expectGone, expectSeen, press, questionOf, tryDemo } from './support/steps.ts';
import { words } from './support/words.ts';

const CREATE = { method: 'POST', path: /\/agreements$/ } as const;
const ROWS = 8;
const REFUSED = 2;
const NUMBERS = /\d{6}/;

let app: DeskApp;
let page: Page;
let batchId: BatchId;
const said: string[] = [];
const fractions: (number | null)[] = [];

beforeAll(async () => {
  app = await startDeskApp({
    seed: 'none',
    onDesktop: (shown) => {
      if ('said' in shown) said.push(shown.said);
      else fractions.push(shown.fraction);
    },
  });
  ({ page } = app);
  await tryDemo(page);
  // The user works in another window: the page reports that it has no focus.
  await page.evaluate(() => (document.hasFocus = () => false));
});
afterAll(() => app.close());

/** Adds a batch with a template of its own. */
async function addBatch(name: string, rows: readonly string[]): Promise<BatchId> {
  const api = apiOf(app);
  const { buffer } = await leaseForm();
  const pdf = app.desk.acceptBytes(new Uint8Array(buffer));
  const about = {
    name: `Hyresavtal, ${name}`,
    api: 'v1',
    fileName: 'Hyresavtal.pdf',
    bytes: pdf,
  } as const;
  const template = await api['templates.add'](about);
  await api['templates.save']({ ...template, content: leaseV1 });
  const connections = await api['connections.list']({});
  const connectionId = connections.find((one) => one.api === 'v1')?.id ?? null;
  const sheet = Buffer.from(`\uFEFF${[HEADER, ...rows].join('\r\n')}\r\n`);
  const { id } = await api['batches.create']({
    name,
    fileName: 'hyror.csv',
    choices: {},
    connectionId,
    bytes: app.desk.acceptBytes(sheet),
    templateId: template.id,
  });
  return id;
}

async function startSending(id: BatchId, confirm = ROWS): Promise<void> {
  const { revision } = await apiOf(app)['batches.show']({ id });
  await apiOf(app)['batches.send']({ id, confirm, revision });
}

/** Sends a batch of which two rows are rejected, and the reply to a third one is lost. */
async function sendBatch(): Promise<BatchId> {
  const api = apiOf(app);
  const id = await addBatch('Hyror i höst', people(ROWS));
  const body = '{"message":"blocked by policy"}';
  const refusal = { kind: 'status', status: 422, body } as const;
  // The reply to one row is late, so that the window can show rows in flight.
  app.demo.fault({ ...CREATE, times: 1, do: { kind: 'delay', ms: 2000 } });
  app.demo.fault({ ...CREATE, times: REFUSED, do: refusal });
  app.demo.fault({ ...CREATE, times: 1, do: { kind: 'reset-before' } });
  await startSending(id);
  const going = async () => (await api['batches.list']({})).find((one) => one.id === id)?.going;
  await expect.poll(going).toMatchObject({ waiting: 0, needsPerson: REFUSED + 1 });
  return id;
}

const batchLine = (): Locator => page.getByRole('grid').locator('[role=row][data-id^="batch-"]');
const batchRows = (): Locator =>
  page.getByRole('grid').locator('[role=row][data-id]:not([data-id^="batch-"])');

describe('a batch with failures', () => {
  const finished = words.batch_gate_done_needs({ count: REFUSED + 1 });

  it('ends with a count of the rows that need attention (SC-02)', async () => {
    batchId = await sendBatch();
  });

  it('is not shown as complete, and its link shows exactly the rows that need attention (SC-02)', async () => {
    await show(app, `#/batch/${batchId}/send`);
    await page.getByText(finished).waitFor();
    expect(await page.getByText(words.batch_gate_done(), { exact: true }).count()).toBe(0);
    expect(await page.getByRole('progressbar').locator('.refused').count()).toBe(1);
    await takePicture(page, 'batch-failures');
    await audit(page);
    await page.getByRole('link', { name: words.batch_decide() }).click();
    const rows = batchRows();
    await expect.poll(() => rows.count()).toBe(REFUSED + 1);
    await rows.first().click();
    await page.getByTestId('outbox.details').waitFor();
    expect(await rows.count()).toBe(REFUSED + 1);
    await takePicture(page, 'outbox-needs-you');
    await audit(page);
  });

  it('is one line of the outbox, which shows and hides its rows by pointer and by keyboard', async () => {
    const line = batchLine();
    expect(await line.count()).toBe(1);
    expect(await line.innerText()).toContain(words.outbox_kind_batch());
    expect(await batchRows().first().innerText()).toContain(words.outbox_kind_create());
    await line.click();
    await expect.poll(() => batchRows().count()).toBe(0);
    const pane = page.getByTestId('outbox.batch');
    await expectSeen(pane.getByRole('heading', { name: 'Hyror i höst', level: 2 }));
    await audit(page);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => batchRows().count()).toBe(ROWS);
    await page.keyboard.press('ArrowDown');
    await page.getByTestId('outbox.details').waitFor();
    await page.keyboard.press('ArrowUp');
    await expectSeen(pane);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => batchRows().count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => batchRows().count()).toBe(ROWS);
  });

  it('lists the rows that need the user at each press of the link in the status bar', async () => {
    const link = page.getByRole('link', { name: words.activity_attention({ count: REFUSED + 1 }) });
    // The line of the batch is already the active one.
    await link.click();
    await expect.poll(() => batchRows().count()).toBe(REFUSED + 1);
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => batchRows().count()).toBe(0);
    await link.click();
    await expect.poll(() => batchRows().count()).toBe(REFUSED + 1);
  });

  it('is shown in the list of batches, the side bar and the status bar of every screen (SC-02)', async () => {
    await show(app, '#/batch');
    const list = page.getByTestId('batch.list');
    await list.getByText(words.batch_needs({ count: REFUSED + 1 })).waitFor();
    await takePicture(page, 'batch-list');
    const rail = page.getByTestId('shell.nav.outbox');
    await expect.poll(() => rail.innerText()).toContain(String(REFUSED + 1));
    await show(app, '#/settings');
    const call = words.activity_attention({ count: REFUSED + 1 });
    await expect.poll(() => page.title()).toMatch(new RegExp(String.raw`^\(${REFUSED + 1}\) `));
    await page.getByRole('link', { name: call }).click();
    const rows = batchRows();
    await expect.poll(() => rows.count()).toBe(REFUSED + 1);
  });
});

describe('the desktop', () => {
  it('notifies a user who works in another program, without names or personal numbers (FE-D14)', async () => {
    const text = `${words.app_name()}: ${words.notify_batch({ count: REFUSED + 1 })}`;
    await expect.poll(() => said).toContain(text);
    expect(said.filter((one) => NUMBERS.test(one) || one.includes('Hyror'))).toEqual([]);
  });

  it('shows the progress of running work, and shows none after its end (FE-D14)', async () => {
    await expect.poll(() => fractions.at(-1)).toBeNull();
    expect(fractions.every((one) => one === null || (one >= 0 && one <= 1))).toBe(true);
    expect(fractions.some((one) => one !== null)).toBe(true);
  });
});

describe('a row that the user records as not sent', () => {
  it('is counted as given up in its batch, needs nothing more, and can be sent again from there', async () => {
    const [lost] = (await apiOf(app)['outbox.list']({ batchId })).filter(
      ({ state }) => state === 'unknown',
    );
    await show(app, `#/outbox/${String(lost?.ref)}`);
    await page.getByTestId('outbox.decide').click();
    await page.getByRole('button', { name: words.outbox_was_not_sent() }).click();
    await expectSeen(questionOf(page).getByText(words.outbox_not_sent_row_lead()));
    const confirm = words.outbox_not_sent_confirm();
    await questionOf(page).getByRole('button', { name: confirm }).click();
    await show(app, `#/batch/${batchId}/send`);
    await page.getByText(words.batch_gate_done_needs({ count: REFUSED })).waitFor();
    await expectSeen(page.getByText(words.outbox_state_abandoned(), { exact: true }));
    await expectGone(page.getByText(words.batch_progress_unknown(), { exact: true }));
    expect(await page.getByRole('progressbar').locator('.given-up').count()).toBe(1);
    await takePicture(page, 'batch-given-up');
    await audit(page);
    await page.getByRole('button', { name: words.batch_refused_given_up() }).click();
    const given = page.getByTestId('batch.grid').getByText(/Given up: .* Check the service first/);
    await given.click();
    await page.getByRole('button', { name: words.batch_take_in() }).click();
    await expectSeen(page.getByRole('button', { name: words.batch_leave_out() }));
    await takePicture(page, 'batch-given-up-again');
    await audit(page);
  });
});

describe('a batch that is being sent', () => {
  it('is paused, continued and stopped in the window, and then sends no further row (AP-15)', async () => {
    // Only a few rows are in flight at a time.
    const rows = 2 * ROWS;
    const id = await addBatch('Hyror i vår', people(3 * ROWS).slice(ROWS));
    const slow = app.demo.fault({ ...CREATE, times: rows, do: { kind: 'delay', ms: 1000 } });
    const sent = () => app.demo.agreements.v1().length;
    const before = sent();
    await startSending(id, rows);
    await show(app, `#/batch/${id}/send`);
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    const states = async () =>
      (await apiOf(app)['outbox.list']({ batchId: id })).map(({ state }) => state);
    /** Waits until no request of the batch is in flight. */
    const settled = () => expect.poll(states).not.toContain('sending');
    await press(page, button(words.batch_pause()));
    await expectSeen(page.getByText(words.batch_gate_paused(), { exact: true }));
    await settled();
    const paused = sent() - before;
    expect(paused).toBeLessThan(rows);
    await takePicture(page, 'batch-paused');
    await press(page, button(words.batch_resume()));
    await expectSeen(page.getByText(words.batch_gate_open(), { exact: true }));
    await expect.poll(() => sent() - before).toBeGreaterThan(paused);
    await press(page, button(words.batch_stop()));
    await press(page, questionOf(page).getByRole('button', { name: words.batch_stop_do() }));
    await expectSeen(page.getByText(words.batch_gate_stopped(), { exact: true }));
    await settled();
    const stopped = sent() - before;
    expect(stopped).toBeLessThan(rows);
    slow.clear();
    await apiOf(app)['outbox.run']({});
    expect(sent() - before).toBe(stopped);
    expect((await states()).filter((state) => state === 'sent')).toHaveLength(stopped);
  });
});
