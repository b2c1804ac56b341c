// tier: all
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseArchiveFolder } from '../support/archive-folder.ts';
import { archivedFiles } from '../support/archived-files.ts';
import { audit } from '../support/audit.ts';
import { canDeleteAgreement } from '../../../shared/rules/agreements/access.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { beginRule, chooseForRule, ruleCard } from '../support/rules.ts';
import { expectFocus, expectGone, expectSeen, press, questionOf } from '../support/steps.ts';
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
const banner = () => page.getByTestId('archive.soon');
const card = () => page.getByTestId('archive.card');
/** Heading of the card, which begins with the number of safe agreements. */
const status = () => card().getByRole('heading');
const cellsOf = (word: string) => page.getByRole('gridcell', { name: word, exact: true });
const list = async () => (await apiOf(app)['archive.list']({})).items;

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
  it('warns of signed agreements that the service deletes within 14 days, and lists exactly them (AP-21)', async () => {
    await show(app, '#/archive');
    const limit = Date.now() + 14 * DAY;
    const isSoon = ({ deletesAt }: { readonly deletesAt: number | null }): boolean =>
      deletesAt !== null && deletesAt <= limit;
    const [soon, others] = [
      (await list()).filter(isSoon),
      (await list()).filter((one) => !isSoon(one)),
    ];
    expect([soon.length, others.length].every((count) => count > 0)).toBe(true);
    const count = soon.length;
    await expectSeen(banner().getByText(words.archive_endangered({ count })));
    await expectSeen(
      banner().getByRole('button', { name: words.archive_run_endangered({ count }) }),
    );
    await chip(words.archive_soon()).click();
    const grid = page.getByRole('grid');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(`${count + 1}`);
    await chip(words.archive_all()).click();
  });

  it('names at a rule the agreements that its last run could not save, with the reasons', async () => {
    const api = apiOf(app);
    const { id } = await api['archive.saveRule']({
      name: 'Failing',
      folder: path.join(app.folder, 'failing'),
      filter: {},
      beside: [],
      when: { kind: 'by-hand' },
      parallel: 8,
    });
    const broken = app.demo.fault({ path: /download/, times: 1000, do: { kind: 'html' } });
    await show(app, '#/automation');
    await chooseForRule(page, 'Failing', 'run');
    const failures = ruleCard(page, 'Failing').getByTestId('rule.failures');
    await failures.locator('summary').click();
    await expectSeen(failures.getByRole('listitem').first());
    const [shown] = await api['archive.rules']({});
    expect(await failures.getByRole('listitem').count()).toBe(shown?.last?.failed);
    const first = shown?.failures[0]?.name ?? '';
    await expectSeen(failures.getByText(first, { exact: true }).first());
    await picture('rule-failures');
    await audit(page);
    broken.clear();
    await api['archive.removeRule']({ id });
  });

  it('saves everything, keeps failed agreements selected, and downloads only those again (AP-21)', async () => {
    const one = app.demo.agreements.v1().find(({ state }) => state === 'SIGNED_BY_ALL');
    const path = new RegExp(`${one?.id ?? ''}/download`);
    const broken = app.demo.fault({ path, times: 1000, do: { kind: 'html' } });
    await show(app, '#/archive');
    const total = (await list()).length;
    const problems = words.archive_count_waiting({ count: total });
    const nothingSafe = words.archive_safe_except({ safe: '0', total: `${total}`, problems });
    await status().getByText(nothingSafe).waitFor();
    expect(await cellsOf(words.archive_word_waiting()).count()).toBeGreaterThan(5);
    await chooseArchiveFolder(page, folder);
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
    await expectGone(banner());
    expect(pdf.length).toBeGreaterThan(10);
    expect((await readdir(folder)).filter((name) => name.endsWith('.rejected'))).toEqual([]);
    const safe = words.archive_safe({ safe: `${pdf.length}`, total: `${pdf.length}` });
    await expectSeen(status().getByText(`${safe} · ${words.archive_checked_never()}`));
    await expectSeen(cellsOf(words.archive_word_unchecked()).first());
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
    const problems = words.archive_count_changed({ count: 1 });
    const files = (await list()).length;
    const counted = { safe: `${files - 1}`, total: `${files}`, problems };
    await status().getByText(words.archive_safe_except(counted)).waitFor();
    expect(await cellsOf(words.archive_word_verified()).count()).toBeGreaterThan(5);
    // The list renders only visible rows, so the file is searched for.
    await search().fill(path.basename(first));
    // Two connections may contain the same agreement, saved in separate folders.
    const row = page.getByRole('row').filter({ has: cellsOf(words.archive_word_changed()) });
    await row.waitFor();
    const headings = () =>
      page.getByRole('columnheader').evaluateAll((all) => all.map((one) => one.textContent.trim()));
    const before = await headings();
    await row.dispatchEvent('dragstart');
    await expect.poll(() => dragged).toEqual([path.join(folder, first)]);
    await row.click();
    await page.getByRole('button', { name: words.archive_fetch_one(), exact: true }).waitFor();
    expect(await headings()).toEqual(before);
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
    await search().fill('zzz');
    const problems = [
      words.archive_count_changed({ count: 1 }),
      words.archive_count_missing({ count: 1 }),
    ].join(', ');
    const total = (await list()).length;
    const counted = { safe: `${total - 2}`, total: `${total}`, problems };
    await status().getByText(words.archive_safe_except(counted)).waitFor();
    await picture('lost');
    // The button shows the problems even if the search hides them.
    await page
      .getByRole('button', { name: words.archive_show_problems({ count: 2 }), exact: true })
      .click();
    const rows = page.getByRole('grid');
    await expect.poll(() => rows.getAttribute('aria-rowcount')).toBe('3');
    await expectSeen(chip(words.archive_problems()).and(page.locator('[aria-pressed=true]')));
    await audit(page);
    const missing = { has: cellsOf(words.archive_missing_file()) };
    await page.getByRole('row').filter(missing).click();
    const details = page.getByRole('complementary');
    await details.getByText(path.basename(gone)).waitFor();
    await picture('problems');
    await details.getByRole('button', { name: words.archive_fetch_one(), exact: true }).click();
    const changed = words.archive_count_changed({ count: 1 });
    const left = { safe: `${total - 1}`, total: `${total}`, problems: changed };
    await status().getByText(words.archive_safe_except(left)).waitFor();
    expect((await archivedFiles(folder)).pdf).toContain(gone);
    await chip(words.archive_all()).click();
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
    await card()
      .getByRole('button', { name: words.archive_fetch_again({ count: 1 }) })
      .click();
    await page.getByTestId('archive.fetch').waitFor({ state: 'detached' });
    // The button is gone, and the focus is on the next button of the card.
    await expectFocus(page.getByTestId('archive.verify'));
    expect((await archivedFiles(folder)).pdf).toEqual(before);
    const all = await readdir(folder, { recursive: true });
    expect(all.filter((name) => name.endsWith('.changed'))).toHaveLength(1);
    await page.getByRole('button', { name: words.archive_verify() }).click();
    const files = before.length;
    const said = words.archive_verified({ ok: files, files, listed: files, saved: files });
    await page.getByTestId('archive.verdict').getByText(said, { exact: true }).waitFor();
    await expectSeen(
      status().getByText(words.archive_safe({ safe: `${files}`, total: `${files}` })),
    );
    expect(await status().innerText()).not.toContain(words.archive_checked_never());
    expect((await list()).map(({ finding }) => finding)).not.toContain(null);
  });

  it('fills its emptied folder again after a question', async () => {
    const before = (await archivedFiles(folder)).pdf;
    for (const name of await readdir(folder))
      await rm(path.join(folder, name), { recursive: true });
    await page.getByTestId('archive.verify').click();
    await page.getByTestId('archive.fetch').click();
    const failure = page.getByTestId('archive.failure');
    await expectSeen(failure.getByText(words.reason_archive_gone()));
    expect(await readdir(folder)).toEqual([]);
    await failure.getByRole('button', { name: words.archive_anew() }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(folder).waitFor();
    await audit(page);
    await question.getByRole('button', { name: words.archive_anew_confirm() }).click();
    await page.getByTestId('archive.outcome').waitFor();
    expect((await archivedFiles(folder)).pdf.toSorted()).toEqual(before.toSorted());
    const total = `${(await list()).length}`;
    await expectSeen(status().getByText(words.archive_safe({ safe: total, total })));
  });

  it('names a file that is lost in another folder, and is safe because its copy here is intact', async () => {
    const api = apiOf(app);
    const elsewhere = path.join(app.folder, 'elsewhere');
    const [item] = await list();
    if (item === undefined) throw new Error('Nothing is archived');
    const { connectionId, id } = item;
    const only = [{ connectionId, id }];
    const { jobId } = await api['archive.run']({ folder: elsewhere, only });
    await expect
      .poll(async () => (await api['jobs.show']({ jobId })).result)
      .toMatchObject({ saved: 1 });
    const placed = async () => (await list()).find((one) => one.id === id);
    const file = (await placed())?.file ?? '';
    expect(file.startsWith(elsewhere)).toBe(true);
    await rm(file);
    await page.getByTestId('archive.verify').click();
    await page.getByTestId('archive.verdict').getByText(path.basename(file)).waitFor();
    expect(await placed()).toMatchObject({ finding: 'intact', folder });
    const total = `${(await list()).length}`;
    await expectSeen(status().getByText(words.archive_safe({ safe: total, total })));
    expect(await page.getByTestId('archive.fetch').count()).toBe(0);
    // The next run in the other folder saves the file there again.
    const next = await api['archive.run']({ folder: elsewhere, only });
    await expect
      .poll(async () => (await api['jobs.show']({ jobId: next.jobId })).result)
      .toMatchObject({ saved: 1, copied: 1 });
    expect((await archivedFiles(elsewhere)).pdf).toHaveLength(1);
  });

  it('shows that a missing file cannot be fetched if its agreement was deleted on the service', async () => {
    const signed = app.demo.agreements.v1().filter(({ state }) => state === 'SIGNED_BY_ALL');
    const ids = new Set(signed.map(({ id }) => id));
    const item = (await list()).find(({ id, folder: place }) => ids.has(id) && place === folder);
    const file = item?.file ?? null;
    if (item === undefined || file === null) throw new Error('Nothing is archived');
    await rm(file);
    await page.getByTestId('archive.verify').click();
    const again = card().getByRole('button', { name: words.archive_fetch_again({ count: 1 }) });
    const contentType = 'text/plain';
    const deleted = { kind: 'status', status: 404, contentType, body: 'Not found' } as const;
    const gone = app.demo.fault({ path: new RegExp(item.id), times: 9, do: deleted });
    await again.click();
    await page.getByTestId('archive.outcome').getByText(item.title).waitFor();
    gone.clear();
    // The reason is shown at the button, in the details and in the header.
    await expect.poll(() => again.getAttribute('title')).toBe(words.archive_fetch_gone());
    await page.getByTestId('archive.problems').click();
    await page.getByRole('row').nth(1).click();
    const details = page.getByRole('complementary');
    await expectSeen(details.getByRole('paragraph').getByText(words.archive_fetch_gone()));
    const one = details.getByRole('button', { name: words.archive_fetch_one(), exact: true });
    expect(await one.getAttribute('title')).toBe(words.archive_fetch_gone());
    await picture('gone');
    await audit(page);
    await chip(words.archive_all()).click();
  });

  it('is filled by a rule that previews its file names before anything is written', async () => {
    await page.getByRole('button', { name: words.screen_automation(), exact: true }).click();
    await beginRule(page, 'archive');
    await page.getByTestId('rule.name').fill('By year');
    await page.getByTestId('rule.folder').fill(path.join(app.folder, 'by year'));
    await page.getByTestId('rule.subfolder').fill('{connection}/{closed:yyyy}');
    await page.getByTestId('rule.pattern').fill('{title}');
    const preview = page.getByTestId('rule.preview');
    const count = async () =>
      Number(/(\d+)/.exec(await preview.locator('summary').innerText())?.[1]);
    await expect.poll(count).toBeGreaterThan(10);
    const signed = await count();
    await page.getByLabel(words.state_rejected()).check();
    await expect.poll(count).toBeGreaterThan(signed);
    await page.getByLabel(words.state_rejected()).uncheck();
    await page.getByTestId('rule.search').fill('zzz');
    await expect.poll(count).toBe(0);
    await page.getByTestId('rule.search').fill('');
    await expect.poll(count).toBe(signed);
    await page.getByTestId('rule.more').locator('summary').click();
    await page.getByTestId('rule.parallel').fill('99');
    await page.getByTestId('rule.parallel').blur();
    expect(await page.getByTestId('rule.parallel').inputValue()).toBe('32');
    // Several agreements have the same title, so the names are shown from the start.
    await preview
      .getByText(/\/20\d\d\//)
      .first()
      .waitFor();
    await picture('rule');
    await audit(page);
    await page.getByRole('button', { name: words.archive_rule_save() }).click();
    await chooseForRule(page, 'By year', 'run');
    await ruleCard(page, 'By year')
      .getByText(/^\s*\d{1,9} saved\s*$/)
      .waitFor();
    await picture('rules');
    await audit(page);
  });

  it('saves in a new folder, with one click, the PDFs that are only in other folders', async () => {
    const later = path.join(app.folder, 'later');
    await mkdir(later);
    await show(app, '#/archive');
    await chooseArchiveFolder(page, later);
    const offer = page.getByTestId('archive.elsewhere');
    const { counts } = await apiOf(app)['archive.list']({ folder: later });
    const { archived, elsewhere } = counts;
    // One PDF is missing in every folder.
    expect(counts).toMatchObject({ here: 0, missing: 1, elsewhere: archived - 1 });
    await offer.getByText(new RegExp(`^\\s*${elsewhere} of`)).waitFor();
    await status().getByText(/^0 of/).waitFor();
    await picture('elsewhere');
    await audit(page);
    await page.getByTestId('archive.save-here').dblclick();
    await expectGone(offer);
    await expectSeen(status().getByText(new RegExp(`^${elsewhere} of`)));
    expect((await archivedFiles(later)).pdf).toHaveLength(elsewhere);
    const outcome = page.getByTestId('archive.outcome');
    await expectSeen(outcome.getByText(words.archive_copied({ count: `${elsewhere}` })));
  });

  it('states in the question before a deletion whether the archived PDF is intact, and archives it again', async () => {
    const later = path.join(app.folder, 'later');
    // Only v1 deletes signed agreements, and only agreements that the user may delete.
    let own: Awaited<ReturnType<typeof list>>[number] | undefined;
    for (const item of await list()) {
      const { connectionId, id } = item;
      const details = await apiOf(app)['agreements.show']({ connectionId, id, refresh: false });
      if (item.folder !== later || !item.isOnService || details.api !== 'v1') continue;
      if (canDeleteAgreement(details)) own ??= item;
    }
    if (own?.file === null || own?.file === undefined) throw new Error('Nothing is archived');
    await show(app, `#/agreements/${own.connectionId}/${encodeURIComponent(own.id)}`);
    const ask = async () => {
      const details = page.getByTestId('agreements.details');
      await details.getByRole('heading', { name: own.title, level: 2 }).waitFor();
      await details.getByTestId('agreements.more').click();
      await page.getByRole('menu').waitFor();
      await page.getByRole('menuitem', { name: words.act_delete() }).click();
    };
    await ask();
    const copy = page.getByTestId('agreements.delete.copy');
    await expectSeen(copy.getByText(words.delete_archived({ file: own.file })));
    await page.keyboard.press('Escape');
    await expectGone(copy);
    // Every copy in every folder is removed.
    const name = path.basename(own.file);
    for (const place of await readdir(app.folder, { recursive: true })) {
      if (path.extname(place) === '.pdf') await rm(path.join(app.folder, place));
    }
    await ask();
    await expectSeen(copy.getByText(name));
    expect(await copy.innerText()).toBe(words.delete_archived_lost({ file: own.file }));
    await expectSeen(page.getByTestId('agreements.delete.archive'));
    await audit(page);
    await page.getByTestId('agreements.delete.archive').uncheck();
    await page.getByTestId('agreements.delete.title').fill(own.title);
    const remove = questionOf(page).getByRole('button', {
      name: words.delete_confirm({ count: 1 }),
    });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await page.getByTestId('agreements.delete.archive').check();
    await press(
      page,
      questionOf(page).getByRole('button', { name: words.delete_confirm_archived({ count: 1 }) }),
    );
    const names = async () => (await archivedFiles(later)).pdf.map((one) => path.basename(one));
    await expect.poll(names).toEqual([name]);
  });
});
