import type { Locator, Page } from 'playwright';
import { choose, expectFocus, fill, goTo, moveToRow, press, questionOf, tabTo } from './steps.ts';
import { words } from './words.ts';

/** Default delay of a send (s). */
const HELD_SECONDS = 10;

/** The control of a field of the draft's body. */
export const at = (page: Page, field: string): Locator => page.locator(`[data-field="${field}"]`);

/** Waits until the window shows its first screen and handles keys. */
export async function started(page: Page): Promise<void> {
  await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
}

/** Waits until all typed text is on disk. */
export async function stored(page: Page): Promise<void> {
  await page
    .getByTestId('draft.saved')
    .filter({ hasText: /^Saved/ })
    .waitFor();
}

/** Goes from the first screen back to a draft of an earlier session. */
export async function reopen(page: Page, title: string): Promise<void> {
  await started(page);
  await goTo(page, 'Control+Digit2', words.screen_drafts());
  await moveToRow(page, title);
  await page.keyboard.press('Enter');
  await page.getByTestId('draft.editor').waitFor();
}

/**
 * Adds a party with the keyboard. Number 0 is a person, which Ctrl+Shift+P adds; higher numbers are
 * items of the menu next to the button, counted from 1.
 */
export async function addParty(page: Page, choice: number): Promise<void> {
  const cards = page.locator('article[data-testid^="draft.parties."]');
  const before = await cards.count();
  if (choice === 0) await page.keyboard.press('Control+Shift+P');
  else {
    await press(page, page.getByTestId('draft.add-party-other'));
    await expectFocus(page.getByRole('menuitem').first());
    for (let down = 1; down < choice; down += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  await cards.nth(before).waitFor();
}

/** Writes texts into the fields of one part of the body, and expands its sections. */
export async function write(
  page: Page,
  part: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [key, text] of Object.entries(values)) {
    const field = at(page, `${part}.${key}`);
    // The collapsed section is known only once the field exists.
    await field.waitFor({ state: 'attached' });
    const folded = page.locator('details:not([open])').filter({ has: field });
    if ((await folded.count()) > 0) await unfold(page, folded.first());
    await fill(page, field, text);
  }
}

/** Chooses an option by name in a list of the body. */
export async function pick(page: Page, field: string, option: string): Promise<void> {
  await choose(page, at(page, field), option);
}

/** Sets or clears a checkbox. */
export async function tick(page: Page, box: Locator): Promise<void> {
  await tabTo(page, box);
  await page.keyboard.press('Space');
}

/** Expands a section. */
export async function unfold(page: Page, part: Locator): Promise<void> {
  await press(page, part.locator('summary').first());
}

/** Opens the options of the draft, unless they are open. */
export async function openOptions(page: Page): Promise<void> {
  const options = page.getByTestId('draft.options');
  await options.waitFor();
  if ((await options.getAttribute('open')) === null) await unfold(page, options);
}

/** Switches from the default messages to custom ones, with two key presses. */
export async function custom(page: Page, part: Locator): Promise<void> {
  await tabTo(page, part.getByRole('radio').first());
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
}

/** Checks the open draft and sends it; the program sends it after the delay. */
export async function send(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter');
  const verb = words.draft_send_held({ seconds: HELD_SECONDS });
  await press(page, questionOf(page).getByRole('button', { name: verb }));
}
