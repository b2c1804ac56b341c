import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archivedFiles } from './support/archived-files.ts';
import { audit } from './support/audit.ts';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { words } from './support/words.ts';

let app: FurnishedDesk;
let page: Page;
let folder = '';

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
  folder = path.join(app.folder, 'archive');
  await mkdir(folder);
});
afterAll(() => app.close());

/** Pictures for people to look at, when a folder for them is named. */
async function picture(name: string): Promise<void> {
  const shots = process.env['ARCHIVE_PICTURES'];
  if (shots === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(shots, `${name}-${colorScheme}.png`) });
  }
}

describe('the archive', () => {
  it('saves everything, keeps what failed selected, and fetches only that the next time', async () => {
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
    const failed = Number(/(\d+) failed/.exec(await outcome.innerText())?.[1]);
    expect(failed).toBeGreaterThan(0);
    broken.clear();
    await page.getByRole('button', { name: words.archive_run_marked({ count: failed }) }).click();
    await outcome.getByText(/ 0 failed/).waitFor();
    const { pdf, part } = await archivedFiles(folder);
    expect(part).toEqual([]);
    expect(pdf.length).toBeGreaterThan(10);
  });

  it('is verified by reading every file, and tells what changed', async () => {
    const [first = ''] = (await archivedFiles(folder)).pdf;
    await appendFile(path.join(folder, first), ' ');
    await page.getByRole('button', { name: words.archive_verify() }).click();
    const verdict = page.getByTestId('archive.verdict');
    await verdict.getByText(words.archive_changed_file()).waitFor();
    await verdict.getByText(path.basename(first)).waitFor();
    await picture('verdict');
    await audit(page);
  });

  it('is kept by a rule that shows its names before anything is written', async () => {
    await page.getByRole('button', { name: words.archive_rules(), exact: true }).click();
    await page.getByRole('button', { name: words.archive_rule_add() }).click();
    await page.getByTestId('rule.name').fill('By year');
    await page.getByTestId('rule.folder').fill(path.join(app.folder, 'by year'));
    await page.getByTestId('rule.subfolder').fill('{connection}/{closed:yyyy}');
    await page.getByTestId('rule.pattern').fill('{title}');
    const preview = page.getByTestId('rule.preview');
    await preview
      .getByText(/\/20\d\d\//)
      .first()
      .waitFor();
    await picture('rule');
    await audit(page);
    await page.getByRole('button', { name: words.archive_rule_save() }).click();
    await page.getByRole('button', { name: words.archive_rule_run({ name: 'By year' }) }).click();
    await page
      .getByText(/\d+ saved, 0 failed/)
      .first()
      .waitFor();
    await picture('rules');
    await audit(page);
  });
});
