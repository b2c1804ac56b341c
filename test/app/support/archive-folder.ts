import type { Page } from 'playwright';
import { fill, press, questionOf } from './steps.ts';
import { words } from './words.ts';

/** Enters the folder of the archive in its dialog, with the keyboard, and saves it. */
export async function saveArchiveFolder(page: Page, folder: string): Promise<void> {
  await press(page, page.getByTestId('archive.place'));
  await fill(page, page.getByTestId('archive.folder'), folder);
  const save = { name: words.settings_save(), exact: true };
  await press(page, questionOf(page).getByRole('button', save));
}

/** Changes the folder of the archive on its screen; the dialog accepts the folder. */
export async function chooseArchiveFolder(page: Page, folder: string): Promise<void> {
  await saveArchiveFolder(page, folder);
  await questionOf(page).waitFor({ state: 'detached' });
}
