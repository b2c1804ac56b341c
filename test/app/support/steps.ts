import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { words } from './words.ts';

/**
 * Limit of Tab presses: more than any screen has stops, so at the limit the focus goes round in
 * circles.
 */
const MAX_STOPS = 300;

/** Presses Tab until `target` has the focus. Throws if the keyboard cannot reach it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' });
  const key = (await target.evaluate(isShorterBack)) ? 'Shift+Tab' : 'Tab';
  let element = await target.elementHandle();
  for (let pressed = 0; pressed < MAX_STOPS; pressed += 1) {
    const found = await element?.evaluate(whereFocusIs);
    if (found === 'here') return;
    // Leaving a field may have rendered the target again.
    if (found === 'gone') element = await target.elementHandle();
    else await page.keyboard.press(key);
  }
  throw new Error(`${key} never reached ${String(target)}`);
}

function whereFocusIs(target: Element): 'here' | 'elsewhere' | 'gone' {
  if (target === document.activeElement) return 'here';
  return target.isConnected ? 'elsewhere' : 'gone';
}

/** Whether `target` is nearer in the reverse tab order than in the tab order. */
function isShorterBack(target: Element): boolean {
  // Entering a date field backwards focuses its last part, and the year would be typed first.
  if (target.matches('[type=date], [type=time], [type=datetime-local]')) return false;
  const stops = [
    ...document.querySelectorAll('a[href], button, input, select, summary, textarea, [tabindex]'),
  ].filter(
    (stop) =>
      stop === target ||
      (stop instanceof HTMLElement && stop.tabIndex >= 0 && stop.checkVisibility()),
  );
  const from = stops.findIndex((stop) => stop === document.activeElement);
  const ahead = stops.indexOf(target) - from;
  return from >= 0 && (ahead + stops.length) % stops.length > stops.length / 2;
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Waits until the focus has moved to `target`. */
export async function expectFocus(target: Locator): Promise<void> {
  await expectSeen(target.and(target.page().locator(':focus')));
}

/** Waits until `target` is visible; counts as an assertion, unlike Playwright's own waiting. */
export async function expectSeen(target: Locator): Promise<void> {
  await expect(target.waitFor(), `${String(target)} is not seen`).resolves.toBeUndefined();
}

/** Waits until `target` is gone from the page; counts as an assertion too. */
export async function expectGone(target: Locator): Promise<void> {
  const gone = target.waitFor({ state: 'detached' });
  await expect(gone, `${String(target)} is still there`).resolves.toBeUndefined();
}

/** Goes to a field with the keyboard and replaces its value with `text`. */
export async function fill(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Time after which a list has forgotten typed characters (ms). */
const FORGOTTEN_MS = 1500;

/**
 * First characters of an option that the test keyboard can type; a list matches typed characters.
 */
const typedOf = (option: string): string => /^[ -~]+/.exec(option)?.[0] ?? option;

/** Goes to a list of choices with the keyboard, and chooses by typing a choice's name. */
export async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await chooseNew(page, field, option);
  const typed = typedOf(option);
  const chosen = field.locator('option:checked');
  // A list forgets typed characters after a second: on a busy computer, a late key starts another
  // word.
  for (let tried = 1; !(await chosen.innerText()).trim().startsWith(typed); tried += 1) {
    if (tried === 5) throw new Error(`${String(field)} has no choice that begins with ${typed}`);
    await page.waitForTimeout(FORGOTTEN_MS);
    await page.keyboard.type(typed);
  }
}

/** Chooses an option that creates an item, whose name the list then shows. */
export async function chooseNew(page: Page, field: Locator, option: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(typedOf(option));
}

/** Goes to a control with the keyboard, and presses it. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Chooses an action in the menu of a toolbar, by its test id. */
export async function chooseMore(page: Page, menu: Locator, item: string): Promise<void> {
  await menu.press('Enter');
  await page.getByTestId(item).press('Enter');
}

/** Opens a screen with its key, and waits for its heading. */
export async function goTo(page: Page, keys: string, title: string): Promise<void> {
  await page.keyboard.press(keys);
  await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
}

/** The rows of the visible list that contain these words. */
export function rowOf(page: Page, text: string): Locator {
  return page.getByRole('grid').getByRole('row').filter({ hasText: text });
}

/** Goes to the list with the keyboard and moves down to the row that contains these words. */
export async function moveToRow(page: Page, text: string): Promise<void> {
  await tabTo(page, page.getByRole('grid'));
  await page.keyboard.press('Home');
  const wanted = rowOf(page, text);
  const isActive = async (): Promise<boolean> => {
    const active = await page.getByRole('grid').getAttribute('aria-activedescendant');
    return (await wanted.getAttribute('id')) === active;
  };
  for (let pressed = 0; !(await isActive()); pressed += 1) {
    if (pressed === MAX_STOPS) throw new Error(`The arrow keys never reached ${text}`);
    await page.keyboard.press('ArrowDown');
  }
}

/** The dialog with a question that is open. */
export function questionOf(page: Page): Locator {
  return page.getByRole('alertdialog');
}

/** Begins the form of a connection to one API, at the first start. */
export async function enterConnection(page: Page, api: 'v1' | 'v2'): Promise<void> {
  const choice = page.getByTestId(`choice.${api}`);
  const more = page.getByTestId('onboarding.more');
  if ((await more.getAttribute('open')) === null) await press(page, more.locator('summary'));
  await press(page, choice);
}

/** Opens the demo at the first start, and reads both of its connections. */
export async function tryDemo(page: Page): Promise<void> {
  await expectFocus(page.getByTestId('choice.connect'));
  await press(page, page.getByTestId('choice.demo'));
  await page.getByRole('heading', { name: words.screen_agreements(), level: 1 }).waitFor();
  await expectFresh(page);
}

/** Waits until the running check for changes has succeeded. */
export async function expectFresh(page: Page): Promise<void> {
  const [before = ''] = words.sync_fresh({ time: '\n' }).split('\n');
  const fresh = new RegExp(String.raw`^\s*${before}\d`);
  await expectSeen(page.getByTestId('agreements.freshness').filter({ hasText: fresh }));
}

/** Adds the person who signs for the company, in the settings. */
export async function addIdentity(page: Page): Promise<void> {
  await goTo(page, 'Control+,', words.screen_settings());
  await press(page, page.getByRole('link', { name: words.settings_identities() }));
  await press(page, page.getByTestId('settings.identity.add'));
  const form = page.getByTestId('settings.identity.form');
  const values = [
    [words.settings_identity_first_name(), 'Karin'],
    [words.settings_identity_last_name(), 'Lindqvist'],
    [words.settings_identity_number(), '198507099805'],
    [words.settings_identity_org_no(), '5599990008'],
  ] as const;
  for (const [label, value] of values) {
    await fill(page, form.getByLabel(label, { exact: true }), value);
  }
  const country = form.getByLabel(words.draft_country(), { exact: true });
  await choose(page, country, await country.locator('option[value=SE]').innerText());
  await press(page, form.getByRole('button', { name: words.settings_save() }));
  const added = words.settings_added({ name: 'Karin Lindqvist' });
  await page.getByTestId('activity.message').getByText(added).waitFor();
}

/** The columns that fill a batch's placeholders, as its second step shows them. */
export async function chosenColumns(page: Page): Promise<readonly string[]> {
  const chosen = page.locator('tbody select option:checked');
  return (await chosen.allTextContents()).toSorted();
}
