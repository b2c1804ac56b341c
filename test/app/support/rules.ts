import type { Locator, Page } from 'playwright';
import { questionOf } from './steps.ts';
import { words } from './words.ts';

/** Opens the drawer for a new rule; the screen of the rules is open. */
export async function beginRule(page: Page, kind: 'remind' | 'watch' | 'archive'): Promise<void> {
  await page.getByTestId('automation.new').click();
  await page.getByTestId(`automation.new.${kind}`).click();
}

export const ruleCard = (page: Page, name: string): Locator =>
  page.getByTestId('rule.card').filter({ hasText: name });

export const ruleSwitch = (page: Page, name: string): Locator =>
  page.getByRole('switch', { name: words.rule_runs({ name }), exact: true });

/** Chooses an action in the menu of a rule. */
export async function chooseForRule(
  page: Page,
  name: string,
  action: 'edit' | 'try' | 'run' | 'remove',
): Promise<void> {
  await ruleCard(page, name).getByTestId('rule.more').click();
  await page.getByTestId(`rule.more.${action}`).click();
}

/** Closes the drawer of a rule without saving what was changed in it. */
export async function discardRule(page: Page, drawer: string): Promise<void> {
  const dialog = page.getByTestId(drawer);
  await dialog.getByRole('button', { name: words.common_cancel(), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Deletes a rule, and confirms the question. */
export async function removeRule(page: Page, name: string): Promise<void> {
  await chooseForRule(page, name, 'remove');
  await questionOf(page)
    .getByRole('button', { name: words.rule_remove_confirm(), exact: true })
    .click();
}

/** Chooses an action in the menu of the backups; the section of the settings is open. */
export async function chooseForBackups(
  page: Page,
  action: 'edit' | 'page' | 'words' | 'open' | 'move',
): Promise<void> {
  await page.getByTestId('backup.more').press('Enter');
  await page.getByTestId(`backup.more.${action}`).press('Enter');
}
