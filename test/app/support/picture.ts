import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';

/** Takes a picture in both themes for reviewers, if `DESK_PICTURES` names a folder. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['DESK_PICTURES'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: null });
}
