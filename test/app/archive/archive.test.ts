// tier: all
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { archivedFiles } from '../support/archived-files.ts';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectSeen } from '../support/steps.ts';
import { words } from '../support/words.ts';

/** Timeout for reading three connections on a busy computer (ms). */
const LONG = 90_000;

let app: FurnishedDesk;
let page: Page;
let folder = '';
const dragged: string[] = [];

beforeAll(async () => {
  app = await furnish({ onDragged: (file) => dragged.push(file) });
  ({ page } = app);
  // All connections are read first, so that no sync runs during these tests: each connection would
  // sync at its own time, and the tests count agreements.
  const api = apiOf(app);
  await api['agreements.sync']({ full: false });
  const isRead = async () =>
    (await api['agreements.syncStatus']({})).every(({ checkedAt }) => checkedAt !== null);
  await vi.waitUntil(isRead, { timeout: LONG });
  folder = path.join(app.folder, 'archive');
  await mkdir(folder);
});
afterAll(() => app.close());

const search = () => page.getByRole('searchbox', { name: words.archive_filter_words() });
const chip = (name: string) =>
  page
    .getByRole('group', { name: words.archive_show() })
    .getByRole('button', { name: new RegExp(`^${name}`) });

/** Takes screenshots for reviewers if a folder for them is set. */
async function picture(name: string): Promise<void> {
  const shots = process.env['ARCHIVE_PICTURES'];
  if (shots === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(shots, `${name}-${colorScheme}.png`) });
  }
}

describe('the archive', () => {
  it('saves everything, keeps failed agreements selected, and downloads only those again (AP-21)', async () => {
    const one = app.demo.agreements.v1().find(({ state }) => state === 'SIGNED_BY_ALL');
    const path = new RegExp(`${one?.id ?? ''}/download`);
    const broken = app.demo.fault({ path, times: 1000, do: { kind: 'html' } });
    await show(app, '#/archive');
    await page.getByTestId('archive.folder').fill(folder);
    await page.getByTestId('archive.folder').blur();
    await page.getByRole('button', { name: /^Archive \d+ agreements$/ }).click();
    const outcome = page.getByTestId('archive.outcome');
    await outcome.waitFor();
    await picture('outcome');
    const failed = Number(/(\d{1,9}) failed/.exec(await outcome.innerText())?.[1]);
    expect(failed).toBeGreaterThan(0);
    broken.clear();
    await page.getByRole('button', { name: words.archive_run_marked({ count: failed }) }).click();
    await outcome.getByText(/ 0 failed/).waitFor();
    const { pdf, part } = await archivedFiles(folder);
    expect(part).toEqual([]);
    expect(pdf.length).toBeGreaterThan(10);
    expect((await readdir(folder)).filter((name) => name.endsWith('.rejected'))).toEqual([]);
  });

  it('immediately removes saved agreements from the count of missing ones (SC-20)', async () => {
    await show(app, '#/agreements');
    const missing = page
      .getByTestId('agreements.counter.not-archived')
      .getByText('0', { exact: true });
    await expectSeen(missing);
  });

  it('is the first source when an archived agreement is opened (SC-19)', async () => {
    const { items } = await apiOf(app)['agreements.list']({ states: ['signed'] });
    const [row] = items;
    if (row === undefined) throw new Error('Nothing is signed');
    await show(app, `#/agreements/${row.connectionId}/${encodeURIComponent(row.id)}`);
    const details = page.getByTestId('agreements.details');
    await details.getByRole('heading', { name: row.title, level: 2 }).waitFor();
    const first = details.getByRole('button').first();
    await expect.poll(() => first.textContent()).toContain(words.archive_open_file());
    await show(app, '#/archive');
  });

  it('reads every file to verify it, and lists the changed ones', async () => {
    const [first = ''] = (await archivedFiles(folder)).pdf;
    await appendFile(path.join(folder, first), ' ');
    await page.getByRole('button', { name: words.archive_verify() }).click();
    const verdict = page.getByTestId('archive.verdict');
    await verdict.getByText(words.archive_changed_file()).waitFor();
    await verdict.getByText(path.basename(first)).waitFor();
    await chip(words.archive_archived()).click();
    await page
      .getByText(/SHA-256 OK/)
      .first()
      .waitFor();
    expect(await page.getByText(/SHA-256 OK/).count()).toBeGreaterThan(5);
    // The list renders only visible rows, so the agreement is searched for.
    const [, title = ''] = path.basename(first).split('_');
    await search().fill(title);
    // Two connections may contain the same agreement, saved in separate folders.
    const named = page.getByRole('row').filter({ hasText: path.basename(first) });
    const row = named.filter({ hasText: /Changed, noticed/ });
    await row.waitFor();
    await row.dispatchEvent('dragstart');
    await expect.poll(() => dragged).toEqual([path.join(folder, first)]);
    await row.click();
    await picture('verdict');
    await audit(page);
    await search().fill('');
  });

  it('shows how to restore a manually deleted file, and downloads it again (SC-3)', async () => {
    const { pdf } = await archivedFiles(folder);
    const gone = pdf.at(-1) ?? '';
    const api = apiOf(app);
    await rm(path.join(folder, gone));
    const opening = api['host.openPath']({ path: path.join(folder, gone) });
    await expect(opening).rejects.toMatchObject({ failure: { reason: 'file-missing' } });
    await page.getByRole('button', { name: words.archive_verify() }).click();
    const verdict = page.getByTestId('archive.verdict');
    await verdict.getByText(words.archive_missing_file()).waitFor();
    await search().fill('');
    const lost = page.getByTestId('archive.lost');
    await lost.getByText(words.archive_lost({ count: 2 })).waitFor();
    await picture('lost');
    await audit(page);
    const missing = page.getByRole('row').filter({ hasText: path.basename(gone) });
    await search().fill(path.basename(gone).split('_')[1] ?? '');
    await missing.first().click();
    await page.getByRole('button', { name: words.archive_fetch_one(), exact: true }).click();
    await lost.getByText(words.archive_lost({ count: 1 })).waitFor();
    expect((await archivedFiles(folder)).pdf).toContain(gone);
    await search().fill('');
  });

  it('is filtered by words and days', async () => {
    // The rendered rows are not counted: the filters take the space of one row.
    const count = (): Promise<string | null> =>
      page.getByRole('grid').getAttribute('aria-rowcount');
    const all = await count();
    await search().fill('zzz');
    await page.getByText(words.archive_empty_narrowed()).waitFor();
    await search().fill('');
    await expect.poll(count).toBe(all);
    await page.getByTestId('archive.filters').click();
    const until = words.filter_to_label({ what: words.archive_closed() });
    await page.getByLabel(until).fill('2001-01-01');
    await page.getByText(words.archive_empty_narrowed()).waitFor();
    await page.getByLabel(until).fill('');
    await expect.poll(count).toBe(all);
  });

  it('is exported as a bag, which leaves out changed files', async () => {
    const bag = path.join(app.folder, 'bag');
    await page.getByTestId('archive.more').click();
    await page.getByTestId('archive.more.bag').click();
    await page.getByTestId('archive.bag.folder').fill(bag);
    await picture('bag-dialog');
    await page.getByRole('button', { name: words.archive_bag_confirm(), exact: true }).click();
    const outcome = page.getByTestId('archive.bag');
    await outcome.getByText(words.archive_bag_left_out()).waitFor();
    await picture('bag');
    expect((await readdir(bag)).toSorted()).toEqual([
      ...['bag-info.txt', 'bagit.txt', 'data', 'manifest-sha256.txt', 'tagmanifest-sha256.txt'],
    ]);
    expect((await archivedFiles(bag)).pdf).toHaveLength(
      (await archivedFiles(folder)).pdf.length - 1,
    );
    await outcome.getByRole('button', { name: words.close() }).click();
  });

  it('downloads a changed file again, and keeps the changed file next to the new one (SC-2)', async () => {
    const before = (await archivedFiles(folder)).pdf;
    const lost = page.getByTestId('archive.lost');
    await lost.getByRole('button', { name: words.archive_fetch_again({ count: 1 }) }).click();
    await lost.waitFor({ state: 'detached' });
    expect((await archivedFiles(folder)).pdf).toEqual(before);
    const all = await readdir(folder, { recursive: true });
    expect(all.filter((name) => name.endsWith('.changed'))).toHaveLength(1);
    await page.getByRole('button', { name: words.archive_verify() }).click();
    const files = before.length;
    const said = words.archive_verified({ ok: files, files, listed: files, saved: files });
    await page.getByTestId('archive.verdict').getByText(said, { exact: true }).waitFor();
  });

  it('is filled by a rule that previews its file names before anything is written', async () => {
    await page.getByRole('button', { name: words.archive_rules(), exact: true }).click();
    await page.getByRole('button', { name: words.archive_rule_add() }).click();
    await page.getByTestId('rule.name').fill('By year');
    await page.getByTestId('rule.folder').fill(path.join(app.folder, 'by year'));
    await page.getByTestId('rule.subfolder').fill('{connection}/{closed:yyyy}');
    await page.getByTestId('rule.pattern').fill('{title}');
    const preview = page.getByTestId('rule.preview');
    const count = async () =>
      Number(/(\d+)/.exec(await preview.getByRole('heading').innerText())?.[1]);
    await expect.poll(count).toBeGreaterThan(10);
    const signed = await count();
    await page.getByLabel(words.state_rejected()).check();
    await expect.poll(count).toBeGreaterThan(signed);
    await page.getByLabel(words.state_rejected()).uncheck();
    await page.getByTestId('rule.search').fill('zzz');
    await expect.poll(count).toBe(0);
    await page.getByTestId('rule.search').fill('');
    await expect.poll(count).toBe(signed);
    await page.getByTestId('rule.parallel').fill('99');
    await page.getByTestId('rule.parallel').blur();
    expect(await page.getByTestId('rule.parallel').inputValue()).toBe('32');
    await preview
      .getByText(/\/20\d\d\//)
      .first()
      .waitFor();
    await picture('rule');
    await audit(page);
    await page.getByRole('button', { name: words.archive_rule_save() }).click();
    await page.getByRole('button', { name: words.archive_rule_run({ name: 'By year' }) }).click();
    await page
      .getByText(/: \d{1,9} saved$/)
      .first()
      .waitFor();
    await picture('rules');
    await audit(page);
  });
});
