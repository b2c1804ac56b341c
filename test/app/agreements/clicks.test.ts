// tier: all
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import { formatV1Time } from '../../../shared/rules/time/wire-time.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { noteReviews } from '../support/noted-reviews.ts';
import { questionOf } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

/** Window size in which every list scrolls. */
const SIZE = { width: 1280, height: 480 } as const;
const DRAFTS = 14;
const SENDS = 10;

let app: FurnishedDesk;
let page: Page;
let arrived = 0;

beforeAll(async () => {
  app = await furnish({ size: SIZE });
  ({ page } = app);
  const api = apiOf(app);
  await api['settings.write']({ archiveFolder: path.join(app.folder, 'archive') });
  await mkdir(path.join(app.folder, 'archive'));
  await queueSends(SENDS);
  await noteReviews(app, SENDS);
  const bytes = () => app.desk.acceptBytes(Buffer.from('Namn;E-post\nÅsa;asa@example.com'));
  for (let number = 0; number < DRAFTS; number += 1) {
    await prepareDraft(app, 'v1', `Utkast ${String(number)}`);
    const batch = { name: `Blad ${String(number)}`, fileName: 'blad.csv', choices: {} };
    await api['batches.create']({
      ...batch,
      bytes: bytes(),
      templateId: null,
      connectionId: null,
    });
  }
});
afterAll(() => app.close());

/** Queues sends that wait, because their connection is paused. */
async function queueSends(count: number): Promise<void> {
  const api = apiOf(app);
  for (let number = 0; number < count; number += 1) {
    const id = await prepareDraft(app, 'v2', `Väntar ${String(number)}`);
    const { connectionId } = await api['drafts.show']({ id });
    if (connectionId === null) throw new Error('The demo has no connection for v2');
    await api['outbox.pause']({ connectionId });
    await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
  }
}

/** Prefix of the titles of all new agreements. */
const ARRIVED = 'Kom under';
/**
 * Time from which the last days of new agreements are calculated (epoch ms). It is fixed, because
 * on a busy computer minutes may pass between two new agreements.
 */
const SOON = Date.now() + HOUR;

const grid = (): Locator => page.getByRole('grid');
const rows = (): Locator => grid().locator('[role=row][data-id]');
const activeKey = (): Promise<string | null> =>
  grid()
    .locator('.grid-row.active')
    .evaluateAll(([row]) => row?.getAttribute('data-id') ?? null);
const scrolled = (): Promise<number> => grid().evaluate((element) => element.scrollTop);

/** Loads the page again; no row is selected, and no element has the focus. */
async function freshScreen(hash: string): Promise<void> {
  await show(app, hash);
  await page.reload();
  await rows().first().waitFor();
  await page.mouse.move(0, 0);
}

/** Scrolls with the wheel until the list stays at a position below its top. */
async function scrollDown(): Promise<void> {
  const box = await grid().boundingBox();
  if (box === null) throw new Error('The list is not shown');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, 400);
  await expect.poll(scrolled).toBeGreaterThan(0);
  let last = -1;
  await expect
    .poll(async () => {
      const before = last;
      last = await scrolled();
      return last === before;
    })
    .toBe(true);
}

interface Target {
  readonly key: string;
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the key of the row in the middle of the visible part, and the position of its second
 * cell.
 */
async function middleRow(): Promise<Target> {
  const found = await grid().evaluate((element) => {
    const { top, height } = element.getBoundingClientRect();
    const all = [...element.querySelectorAll<HTMLElement>('[role=row][data-id]')];
    const middle = top + height / 2;
    const row = all.find((one) => one.getBoundingClientRect().bottom >= middle);
    const cell = row?.querySelectorAll('[role=gridcell]')[1]?.getBoundingClientRect();
    return row === undefined || cell === undefined
      ? null
      : {
          key: row.dataset['id'] ?? '',
          x: cell.left + Math.min(cell.width / 2, 40),
          y: cell.top + cell.height / 2,
        };
  });
  if (found === null) throw new Error('No row lies in the middle');
  return found;
}

/** Returns the key of the row that is now at this position of the window. */
const rowAt = (x: number, y: number): Promise<string | null> =>
  page.evaluate(
    ([left, top]) =>
      document.elementFromPoint(left, top)?.closest('[data-id]')?.getAttribute('data-id') ?? null,
    [x, y] as const,
  );

/** Adds an agreement that our company signs at the service, and reads it into the list. */
async function arrive(title: string): Promise<void> {
  const { v1Url, credentials } = app.demo;
  arrived += 1;
  const document = Buffer.from(await formPdf('Avtal', [])).toString('base64');
  const answer = await fetch(`${v1Url}/v1/agreements`, {
    method: 'POST',
    headers: { Authorization: `Token ${credentials.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      title,
      // This agreement expires before all others, so it is inserted at the top of the signing
      // queue.
      expireOn: formatV1Time(SOON - arrived * MINUTE),
      attachments: [{ type: 'BASE64', category: 'AGREEMENT', name: 'avtal.pdf', data: document }],
      parties: [{ type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] }],
    }),
  });
  if (!answer.ok) throw new Error(`${String(answer.status)}: ${await answer.text()}`);
  await apiOf(app)['agreements.sync']({});
}

/** Returns the connection and the ID of the agreement with this row key. */
function agreementOf(key: string) {
  const [connectionId, id] = key.split('/');
  return { connectionId: ConnectionId.parse(connectionId), id: AgreementId.parse(id) };
}

/**
 * Presses the mouse button on the middle row, changes the list, and releases the button. Expects
 * that the pressed row is selected.
 */
async function expectSameRow(change: (first: string) => Promise<void>): Promise<void> {
  const { key, x, y } = await middleRow();
  const first = (await rows().first().getAttribute('data-id')) ?? '';
  expect(first).not.toBe(key);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await change(first);
  await expect.poll(() => rowAt(x, y)).not.toBe(key);
  await page.mouse.up();
  await expect.poll(activeKey).toBe(key);
}

const lists = [
  { name: 'agreements', hash: '#/agreements', opens: false },
  { name: 'drafts', hash: '#/drafts', opens: false },
  { name: 'the outbox', hash: '#/outbox', opens: false },
  { name: 'archive', hash: '#/archive', opens: false },
  { name: 'signing', hash: '#/signing', opens: false },
  { name: 'evidence', hash: '#/signing/evidence', opens: false },
  { name: 'batches', hash: '#/batch', opens: true },
] as const;

describe('a click in a scrolled list without selected rows', () => {
  it.each(lists)(
    'selects the clicked row in $name, and the row keeps its place (SC-01)',
    async (one) => {
      await freshScreen(one.hash);
      await scrollDown();
      const { key, x, y } = await middleRow();
      const before = await scrolled();
      await page.mouse.click(x, y);
      if (one.opens) return expect.poll(() => page.url()).toContain(key);
      await expect.poll(activeKey).toBe(key);
      expect(await scrolled()).toBe(before);
    },
  );
});

describe('while the mouse button is held down,', () => {
  it('rows that arrive above the pointer do not redirect the click to another agreement (SC-01)', async () => {
    await freshScreen('#/agreements');
    // At the top of the list, new rows are inserted immediately and push every row down.
    const { key, x, y } = await middleRow();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await arrive(`${ARRIVED} klicket`);
    await page.getByRole('grid').getByText(`${ARRIVED} klicket`).first().waitFor();
    expect((await rowAt(x, y)) === key).toBe(false);
    await page.mouse.up();
    await expect.poll(activeKey).toBe(key);
    await page.getByTestId('agreements.details').waitFor();
    expect(page.url()).toContain(key.split('/').at(-1) ?? '?');
  });

  it('a checkbox selects the agreement to which it belonged when the button went down (SC-01)', async () => {
    await freshScreen('#/agreements');
    const row = grid().locator('[role=row][data-id]').nth(2);
    const key = await row.getAttribute('data-id');
    const box = await row.getByRole('checkbox').boundingBox();
    if (box === null) throw new Error('The row has no checkbox');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await arrive(`${ARRIVED} kryssningen`);
    await page.getByRole('grid').getByText(`${ARRIVED} kryssningen`).first().waitFor();
    await page.mouse.up();
    const ticked = grid().locator('[role=row][aria-selected=true]');
    await expect.poll(() => ticked.count()).toBe(1);
    expect(await ticked.getAttribute('data-id')).toBe(key);
  });
});

describe('a click selects the row under the pointer when the mouse button went down', () => {
  it('in the archive, even if a row above was saved and left the list before the release (SC-01)', async () => {
    await freshScreen('#/archive');
    const waiting = new RegExp(`^${words.archive_not_archived()}`);
    await page.getByRole('button', { name: waiting }).click();
    const folder = path.join(app.folder, 'archive');
    await expectSameRow(async (first) => {
      const { jobId } = await apiOf(app)['archive.run']({ folder, only: [agreementOf(first)] });
      await expect
        .poll(async () => (await apiOf(app)['jobs.show']({ jobId })).result)
        .toMatchObject({ saved: 1, failed: [] });
      await grid().locator(`[data-id="${first}"]`).waitFor({ state: 'detached' });
    });
  });

  it('in the signing queue, even if a row arrived above before the release (SC-01)', async () => {
    await freshScreen('#/signing');
    await expectSameRow(async () => {
      await arrive(`${ARRIVED} underskriften`);
      await grid().getByText(`${ARRIVED} underskriften`).first().waitFor();
    });
  });

  it('in the signing queue, even if a row above was revoked and left before the release (SC-01)', async () => {
    await freshScreen('#/signing');
    await expectSameRow(async (first) => {
      await apiOf(app)['actions.revoke']({ keys: [agreementOf(first)], confirm: 1 });
      await grid().locator(`[data-id="${first}"]`).waitFor({ state: 'detached' });
    });
  });
});

/**
 * Opens a waiting agreement by its key, because a sync moves the rows. Agreements that arrived
 * during the tests are skipped: the last one was just revoked and is being read again.
 */
async function openWaiting(): Promise<{ readonly article: Locator; readonly title: string }> {
  const { items } = await apiOf(app)['agreements.list']({ states: ['waiting'] });
  const isWanted = ({ api, title }: (typeof items)[number]): boolean =>
    api === 'v1' && !title.startsWith(ARRIVED);
  const one = items.find(isWanted);
  if (one === undefined) throw new Error('Nothing of the demo waits');
  await show(app, `#/agreements/${one.connectionId}/${one.id}`);
  const article = page.getByTestId('agreements.details');
  await article.getByRole('heading', { level: 2, name: one.title }).waitFor();
  return { article, title: one.title };
}

describe('a dialog that changes or removes an agreement', () => {
  it.each(['revoke', 'delete'])(
    'names the title and the other parties of the agreement: %s (SC-01)',
    async (what) => {
      await freshScreen('#/agreements');
      const { title } = await openWaiting();
      await page.getByTestId('agreements.more').click();
      await page.getByTestId(`agreements.more.${what}`).click();
      const about = questionOf(page).getByTestId('dialog.about');
      await about.waitFor();
      expect(await about.locator('strong').innerText()).toBe(title);
      expect((await about.locator('span').first().innerText()).length).toBeGreaterThan(2);
      await takePicture(page, `dialog-${what}`);
      await page.keyboard.press('Escape');
    },
  );

  it('is still about the same agreement if another one is selected behind the dialog (SC-01)', async () => {
    await freshScreen('#/agreements');
    const { article, title } = await openWaiting();
    const other = await rows().filter({ hasNotText: title }).first().getAttribute('data-id');
    await page.getByTestId('agreements.more').click();
    await page.getByTestId('agreements.more.revoke').click();
    const about = questionOf(page).getByTestId('dialog.about');
    await about.getByText(title, { exact: true }).waitFor();
    await show(app, `#/agreements/${other ?? ''}`);
    expect(await about.locator('strong').innerText()).toBe(title);
    expect(await article.getByRole('heading', { level: 2 }).innerText()).toBe(title);
    await page.keyboard.press('Escape');
    await questionOf(page).waitFor({ state: 'detached' });
    await expect.poll(activeKey).toBe(other);
  });
});
