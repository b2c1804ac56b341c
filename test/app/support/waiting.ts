import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { formatV1Time } from '../../../shared/rules/time/wire-time.ts';
import type { DeskApp } from './desk.ts';
import { expectSoon } from '../../support/soon.ts';
import { apiOf } from './prepared-draft.ts';
import { expectFocus, tabTo } from './steps.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/**
 * Titles of the agreements, whose numbers sort both APIs. A v2 agreement expires a day before that
 * of v1 with the same number.
 */
export const titleOf = {
  v1: (number: number): string => `Leverans ${two(number)}`,
  v2: (number: number): string => `Ramavtal ${two(number)}`,
} as const;
export const fileOf = (number: number): string => `leverans-${two(number)}.pdf`;
const two = (number: number): string => String(number).padStart(2, '0');

/** Additional document of agreements with several documents. */
export const EXTRA = 'prislista.pdf';

/**
 * Creates agreements of both APIs that only our company still has to sign, an equal number of each,
 * and adds both connections. The end of the evidence log is stored in a folder.
 */
export async function waitForUs(
  app: DeskApp,
  each: number,
  extras: readonly (typeof EXTRA)[] = [],
): Promise<void> {
  const document = Buffer.from(await formPdf('Leveransavtal', [])).toString('base64');
  for (let number = 1; number <= each; number += 1) {
    await createV1(app.demo, number, [fileOf(number), ...extras], document);
    await createV2(app.demo, number);
  }
  const { v1Url, v2Url, credentials, company } = app.demo;
  const { token, accessKey, accountId } = credentials;
  const api = apiOf(app);
  const usual = { environment: 'test', accountId: null, orgNo: null } as const;
  const { orgNo } = company;
  const add = api['connections.add'];
  await add({ ...usual, name: 'Kontoret', api: 'v1', url: v1Url, secret: token });
  const old = { name: 'Gamla', api: 'v2', url: v2Url, secret: accessKey } as const;
  await add({ ...usual, ...old, accountId, orgNo });
  await api['settings.write']({ evidenceFolder: path.join(app.folder, 'anchors') });
  await api['agreements.sync']({});
  // The queue is read and the questions of the first start are closed when its number appears.
  await app.page
    .getByTestId('shell.nav.signing')
    .filter({ hasText: String(2 * each) })
    .waitFor();
}

async function createV1(
  { v1Url, credentials }: Demo,
  number: number,
  names: readonly string[],
  data: string,
): Promise<void> {
  const secret = { Authorization: `Token ${credentials.token}` };
  await post(`${v1Url}/v1/agreements`, secret, {
    title: titleOf.v1(number),
    expireOn: formatV1Time(Date.now() + (2 * number + 1) * DAY),
    attachments: names.map((name) => ({ type: 'BASE64', category: 'AGREEMENT', name, data })),
    parties: [{ type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] }],
  });
}

async function createV2({ v2Url, credentials, company }: Demo, number: number): Promise<void> {
  const { accessKey, accountId } = credentials;
  const ours = { orgNo: company.orgNo, firstName: 'Karin', lastName: 'Lindqvist' };
  await post(
    `${v2Url}/agreements`,
    { accessKey, accountId },
    {
      name: titleOf.v2(number),
      type: 'FREE_TEXT',
      text: 'All of it.',
      expireIn: 2 * number,
      parties: { privates: [], companies: [{ ...ours, email: 'karin@example.com' }] },
    },
  );
}

async function post(url: string, secret: Record<string, string>, body: object): Promise<void> {
  const headers = { ...secret, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
}

/** The service's id of the waiting agreement with this title. */
export function idOf({ agreements }: Demo, title: string): string {
  const v2 = agreements.v2().find(({ name }) => name === title)?.referenceNumber;
  const id = agreements.v1().find((one) => one.title === title)?.id ?? v2;
  if (id === undefined) throw new Error(`The service has no ${title}`);
  return id;
}

/** Number of agreements that are signed by all, according to the service. */
export function signedOn({ agreements }: Demo): number {
  const states = [
    ...agreements.v1().map(({ state }): string => state),
    ...agreements.v2().map(({ status }): string => status),
  ];
  return states.filter((state) => state === 'SIGNED_BY_ALL').length;
}

/**
 * Opens the selected agreement with the keyboard, reads it or states that it was read, and marks it
 * as reviewed. The next readable agreement opens automatically; otherwise the list gets the focus
 * again.
 */
export async function reviewCurrent(page: Page): Promise<void> {
  const grid = page.getByRole('grid');
  if (!(await isReading(page))) {
    await expectFocus(grid);
    const isReadable = (await currentRow(page, grid).textContent())?.includes('Leverans');
    await page.keyboard.press('Enter');
    if (isReadable === true)
      await expectSoon('the agreement is open and drawn', () => isReading(page));
    else {
      await expectFocus(page.getByTestId('signing.stated'));
      await page.keyboard.press('Space');
    }
  }
  const heading = page.getByRole('complementary').getByRole('heading').first();
  const before = await heading.innerText();
  // The controls of the page are tab stops too.
  await tabTo(page, page.getByTestId('signing.reviewed'));
  await page.keyboard.press('Enter');
  const isDone = async (): Promise<boolean> =>
    (await isInList(page)) || ((await isReading(page)) && (await heading.innerText()) !== before);
  await expectSoon(`${before} is marked, and the list or the next agreement has the focus`, isDone);
}

/**
 * Returns to the list after `title` is marked as reviewed, from the next agreement, which may open
 * automatically.
 */
export async function goBackFromReading(page: Page, title: string): Promise<void> {
  const grid = page.getByRole('grid');
  const back = page.getByTestId('signing.back');
  const heading = page.getByRole('complementary').getByRole('heading').first();
  const isNext = async (): Promise<boolean> =>
    (await back.isVisible()) && (await heading.innerText()) !== title;
  const isPast = async (): Promise<boolean> => (await isInList(page)) || (await isNext());
  await expectSoon(`the list or the agreement after ${title} is shown`, isPast);
  if (await isNext()) await back.press('Enter');
  await expectFocus(grid);
}

/**
 * Whether the list has the focus. While a document is open, the list is hidden, and locators of
 * visible elements do not find it.
 */
const isInList = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid');

/** Waits until the first page of the next agreement is drawn and has the focus. */
async function isReading(page: Page): Promise<boolean> {
  const isOpen = await page.getByTestId('signing.back').isVisible();
  if (!isOpen || (await page.locator('[data-testid="pdf.page"][data-drawn="1"]').count()) === 0) {
    return false;
  }
  return page.evaluate(() => document.activeElement?.getAttribute('role') === 'group');
}

function currentRow(page: Page, grid: Locator): Locator {
  return grid.and(page.locator('[aria-activedescendant]')).locator('.grid-row.active');
}
