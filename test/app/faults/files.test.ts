// tier: all
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountSmallDisk, whyNoMount } from '../../support/small-disk.ts';
import { archivedFiles } from '../support/archived-files.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { encryptedPdf, leaseForm, notPdf, xfaForm } from '../support/pdfs.ts';
import { expectSeen } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
});

afterAll(() => app.close());

describe('files that cannot be sent', () => {
  it('each gets a sentence of its own, and the files before them stay', async () => {
    await show(app, `#/drafts/${app.drafts.v1}`);
    await page.getByTestId('draft.attachments.0').waitFor();
    const files = [
      notPdf('Kalkyl.pdf'),
      await encryptedPdf('Låst.pdf'),
      xfaForm('Blankett.pdf'),
      { ...notPdf('Tom.pdf'), buffer: Buffer.alloc(0) },
    ];
    await page.getByTestId('draft.file').setInputFiles(files);
    const refused = page.getByTestId('draft.refused').getByRole('listitem');
    await expect.poll(() => refused.count()).toBe(files.length);
    expect(
      (await refused.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    ).toEqual([
      `Kalkyl.pdf ${words.reason_not_a_pdf()}`,
      `Låst.pdf ${words.reason_pdf_encrypted()}`,
      `Blankett.pdf ${words.reason_pdf_xfa()}`,
      `Tom.pdf ${words.reason_file_empty()}`,
    ]);
    expect(await page.getByTestId(/^draft\.attachments\.\d+$/).count()).toBe(1);
  });

  it('a whole file is taken after them, and nothing keeps the draft from being sent', async () => {
    await page.getByTestId('draft.file').setInputFiles(await leaseForm('Bilaga.pdf'));
    await page.getByTestId('draft.attachments.1').waitFor();
    await page.getByTestId('draft.send').click();
    await expectSeen(page.getByTestId('draft.send.people'));
    await page.keyboard.press('Escape');
  });
});

async function archiveInto(folder: string): Promise<void> {
  await show(app, '#/archive');
  await page.getByTestId('archive.folder').fill(folder);
  await page.getByTestId('archive.folder').blur();
  // All of them: what a run could not save before it was cut short is no selection.
  await page.getByRole('button', { name: /^Archive \d+ agreements$/ }).click();
}

const obstacle = whyNoMount();
if (obstacle !== '') console.warn(`SKIPPED: full and read-only archive disks (${obstacle})`);

describe('folders that take nothing', () => {
  it('one that cannot be there is told', async () => {
    const file = path.join(app.folder, 'a file');
    await writeFile(file, '');
    await archiveInto(path.join(file, 'arkiv'));
    await expectSeen(page.getByText(words.reason_folder_missing()).first());
  });

  it.skipIf(obstacle !== '')('one that is read-only is told', async () => {
    const folder = path.join(app.folder, 'bara läsa');
    await mkdir(folder);
    using _ = mountSmallDisk(folder, 'size=1m,ro');
    await archiveInto(folder);
    await expectSeen(page.getByText(words.reason_folder_read_only()).first());
  });

  it.skipIf(obstacle !== '')('a full disk is told, and leaves nothing half (TX-43)', async () => {
    const folder = path.join(app.folder, 'full');
    await mkdir(folder);
    using _ = mountSmallDisk(folder, 'size=16k');
    await archiveInto(folder);
    await page.getByText(words.reason_disk_full()).first().waitFor();
    expect((await archivedFiles(folder)).part).toEqual([]);
  });

  it('after all of them, a folder with room takes every agreement', async () => {
    const folder = path.join(app.folder, 'archive');
    await mkdir(folder);
    await archiveInto(folder);
    await page
      .getByTestId('archive.outcome')
      .getByText(/ 0 failed/)
      .waitFor();
    const { pdf, part } = await archivedFiles(folder);
    expect(part).toEqual([]);
    expect(pdf.length).toBeGreaterThan(10);
  });
});
