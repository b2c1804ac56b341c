// tier: all
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountSmallDisk, whyNoMount } from '../../support/small-disk.ts';
import { chooseArchiveFolder, saveArchiveFolder } from '../support/archive-folder.ts';
import { archivedFiles } from '../support/archived-files.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { encryptedPdf, leaseForm, notPdf, xfaForm } from '../support/pdfs.ts';
import { expectGone, expectSeen, questionOf } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
});

afterAll(() => app.close());

describe('several files that cannot be added to a draft', () => {
  it('are each reported with the reason, and the files added earlier stay', async () => {
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

  it('do not prevent adding a valid file afterwards, nor sending the draft', async () => {
    await page.getByTestId('draft.file').setInputFiles(await leaseForm('Bilaga.pdf'));
    await page.getByTestId('draft.attachments.1').waitFor();
    await page.getByTestId('draft.send').click();
    await expectSeen(page.getByTestId('draft.send.people'));
    await page.keyboard.press('Escape');
  });
});

async function archiveInto(folder: string): Promise<void> {
  await show(app, '#/archive');
  await chooseArchiveFolder(page, folder);
  // The button archives all agreements, because the failures of an aborted run are not kept as a
  // selection.
  await page.getByRole('button', { name: /^Archive \d+ agreements$/ }).click();
}

const obstacle = whyNoMount();
if (obstacle !== '') console.warn(`SKIPPED: full and read-only archive disks (${obstacle})`);

describe('an archive folder that cannot be written to', () => {
  it('is rejected in its dialog if its path is impossible, and the typed path stays', async () => {
    const file = path.join(app.folder, 'a file');
    await writeFile(file, '');
    const folder = path.join(file, 'arkiv');
    await show(app, '#/archive');
    await saveArchiveFolder(page, folder);
    await expectSeen(questionOf(page).getByText(words.reason_folder_missing()));
    expect(await page.getByTestId('archive.folder').inputValue()).toBe(folder);
    await page.keyboard.press('Escape');
    await expectGone(questionOf(page));
  });

  it.skipIf(obstacle !== '')('is reported if it is read-only', async () => {
    const folder = path.join(app.folder, 'bara läsa');
    await mkdir(folder);
    using _ = mountSmallDisk(folder, 'size=1m,ro');
    await archiveInto(folder);
    await expectSeen(page.getByText(words.reason_folder_read_only()).first());
  });

  it.skipIf(obstacle !== '')(
    'is reported if its disk is full, and keeps no partial file (TX-43)',
    async () => {
      const folder = path.join(app.folder, 'full');
      await mkdir(folder);
      using _ = mountSmallDisk(folder, 'size=16k');
      await archiveInto(folder);
      await page.getByText(words.reason_disk_full()).first().waitFor();
      expect((await archivedFiles(folder)).part).toEqual([]);
    },
  );

  it('can be replaced by another folder, which then receives every agreement', async () => {
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
