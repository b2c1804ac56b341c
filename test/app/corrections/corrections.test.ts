// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DraftId } from '../../../shared/model/ids.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { ods, odsRow, odsText } from '../../adapters/sheets/ods.ts';
import { rowsOf, workbook } from '../../adapters/sheets/workbook.ts';
import {
  choose,
  expectFocus,
  expectSeen,
  fill,
  press,
  questionOf,
  tabTo,
  tryDemo,
} from '../support/steps.ts';
import { words } from '../support/words.ts';

interface Waiting {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly email: string;
}

let app: DeskApp;
let page: Page;
let people: readonly Waiting[];

beforeAll(async () => {
  app = await startDeskApp({ seed: 'full', size: { width: 1024, height: 700 } });
  ({ page } = app);
  await tryDemo(page);
  people = await waitingOfV1();
});
afterAll(() => app.close());

const list = (): Locator => page.getByTestId('corrections.list');
const rows = (): Locator => page.getByTestId('corrections.rows').getByRole('row');
const find = (): Locator => page.getByTestId('corrections.find');
const run = (): Locator => page.getByTestId('corrections.run');

/**
 * Returns the person whose turn it is to sign, for each open agreement of API v1 that waits for a
 * person. Each email address and name occurs only once.
 */
async function waitingOfV1(): Promise<readonly Waiting[]> {
  const { items } = await apiOf(app)['agreements.list']({ search: '' });
  const open = items.filter(({ api, state }) => api === 'v1' && /waiting|part-signed/.test(state));
  const shown = await Promise.all(
    open.map(({ connectionId, id }) =>
      apiOf(app)['agreements.show']({ connectionId, id, refresh: true }),
    ),
  );
  const seen = new Set<string>();
  return shown.flatMap(({ id, title, parties }) => {
    const one = parties?.find(({ state, kind }) => state === 'turn' && kind === 'person');
    if (!one?.email || seen.has(one.email) || seen.has(one.name)) return [];
    seen.add(one.email).add(one.name);
    return [{ id, title, name: one.name, email: one.email }];
  });
}

function waiting(at: number): Waiting {
  const one = people[at];
  if (one === undefined) throw new Error('The demo has too few people who are waited for');
  return one;
}

/** Returns an open agreement of API v2, and a person who has not signed it. */
async function openOfV2(): Promise<{ readonly title: string; readonly name: string }> {
  const { items } = await apiOf(app)['agreements.list']({ search: '' });
  for (const { api, state, connectionId, id, title } of items) {
    if (api !== 'v2' || !/waiting|part-signed/.test(state)) continue;
    const { parties } = await apiOf(app)['agreements.show']({ connectionId, id, refresh: true });
    const one = parties?.find(({ kind, state: now }) => kind === 'person' && now !== 'signed');
    if (one !== undefined) return { title, name: one.name };
  }
  throw new Error('No open agreement of v2 waits for a person');
}

/** Drops a file on the list of corrections, as a file manager does. */
async function dropFile(on: Page, name: string, data: Uint8Array): Promise<void> {
  const transfer = await on.evaluateHandle(
    (given) => {
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(given.data)], given.name));
      return files;
    },
    { name, data: [...data] },
  );
  await list().dispatchEvent('drop', { dataTransfer: transfer });
}

const changesSince = (count: number): number =>
  app.demo.requests.slice(count).filter(({ method }) => method !== 'GET').length;

describe('address corrections from a list', () => {
  it('start in the address book, and are listed before anything changes', async () => {
    await show(app, '#/people');
    await page.getByTestId('people.more').click();
    await page.getByRole('menuitem', { name: words.corrections_title() }).click();
    await expectFocus(page.getByRole('heading', { name: words.corrections_title(), level: 1 }));
    const before = app.demo.requests.length;
    const lines = [
      `${waiting(0).email}; first@new.example`,
      `${waiting(1).name}; second@new.example`,
      `550 5.1.1 <${waiting(2).email}>: user unknown`,
      'nobody@old.example; x@new.example',
      'not a line',
    ];
    await tabTo(page, list());
    await page.keyboard.insertText(lines.join('\n'));
    await page.keyboard.press('Control+Enter');
    await rows().filter({ hasText: 'first@new.example' }).first().waitFor();
    await rows().filter({ hasText: 'second@new.example' }).first().waitFor();
    await rows().filter({ hasText: words.corrections_needs() }).first().waitFor();
    await page.getByText(words.corrections_problem_no_address({ line: 5 })).waitFor();
    await page.getByText(words.corrections_unfound({ count: 1, lines: '4' })).waitFor();
    expect(changesSince(before)).toBe(0);
    await audit(page);
    await takePicture(page, 'corrections');
  });

  it('are typed into the list for returned messages, whose other rows are kept', async () => {
    await press(page, page.getByTestId('corrections.fill'));
    const text = await list().inputValue();
    expect(text).toContain(`${waiting(0).email}; first@new.example`);
    expect(text).toContain(`${waiting(2).email}; `);
    expect(text).not.toContain('550');
    // The rows that were found for an earlier list cannot be corrected after the list has changed.
    expect(await run().getAttribute('aria-disabled')).toBe('true');
    await list().fill(
      text.replace(`${waiting(2).email}; `, `${waiting(2).email}; third@new.example`),
    );
    await press(page, find());
    await rows().filter({ hasText: 'third@new.example' }).first().waitFor();
  });

  it('change only the selected addresses, once, and show the result of each row', async () => {
    const row = (address: string): Locator => rows().filter({ hasText: address }).first();
    await tabTo(page, page.getByTestId('corrections.rows').getByRole('grid'));
    await row('second@new.example').getByRole('checkbox').click();
    await row('second@new.example').getByText(words.corrections_left()).waitFor();
    const before = app.demo.requests.length;
    await press(page, run());
    const question = questionOf(page);
    await question.getByText('third@new.example').first().waitFor();
    expect(await question.getByText('second@new.example').count()).toBe(0);
    expect(changesSince(before)).toBe(0);
    await takePicture(page, 'corrections-question');
    await press(page, question.getByRole('button', { name: /^Correct/ }));
    await expectSeen(row('first@new.example').getByText(words.corrections_done_notified()));
    await takePicture(page, 'corrections-done');
    const sent = app.demo.requests.slice(before).filter(({ method }) => method !== 'GET');
    const first = sent.filter(({ url }) => url.includes(waiting(0).id));
    expect(first.filter(({ url }) => !url.endsWith('/notify'))).toHaveLength(1);
    expect(sent.filter(({ url }) => url.includes(waiting(1).id))).toHaveLength(0);
    // The list still has its typed text after a visit to another screen.
    await show(app, '#/people');
    await page.getByTestId('people.more').waitFor();
    await show(app, '#/people/corrections');
    expect(await list().inputValue()).toContain('third@new.example');
  });

  it('are read from a chosen or dropped spreadsheet, and the previous list can be restored', async () => {
    const pairs = [
      [waiting(3).email, 'chosen@new.example'],
      [waiting(4).name, 'other@new.example'],
    ];
    const before = await list().inputValue();
    const hidden = '<row r="3" hidden="1"><c t="inlineStr"><is><t>Left out</t></is></c></row>';
    const sheets = { Read: rowsOf([['me', waiting(3).email]]), Moved: rowsOf(pairs) + hidden };
    await page.getByTestId('corrections.file').setInputFiles({
      name: 'moved.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(workbook({ sheets })),
    });
    await page
      .getByText(words.corrections_taken({ name: 'moved.xlsx' }))
      .first()
      .waitFor();
    const choices = page.getByTestId('corrections.choices');
    await choose(page, choices.getByRole('combobox'), 'Moved');
    await rows().filter({ hasText: 'chosen@new.example' }).first().waitFor();
    await rows().filter({ hasText: 'other@new.example' }).first().waitFor();
    expect(await list().inputValue()).toBe(pairs.map((row) => row.join('\t')).join('\n'));
    await audit(page);
    await takePicture(page, 'corrections-workbook');
    await tabTo(page, choices.getByRole('checkbox'));
    await page.keyboard.press('Space');
    await page.getByText(words.corrections_problem_no_address({ line: 3 })).waitFor();
    // The choice of another sheet was not a separate step: one undo restores the list from before
    // the file.
    await press(page, page.getByRole('button', { name: words.command_undo() }).first());
    expect(await list().inputValue()).toBe(before);
    await choices.waitFor({ state: 'detached' });

    const tables = { Blad1: odsRow([odsText(waiting(3).email), odsText('dropped@new.example')]) };
    await dropFile(page, 'moved.ods', ods({ tables }));
    await rows().filter({ hasText: 'dropped@new.example' }).first().waitFor();
    expect(await choices.count()).toBe(0);
    await dropFile(page, 'moved.pdf', new TextEncoder().encode('%PDF-1.7'));
    await expectSeen(page.getByText(words.reason_sheet_kind()).first());
    // A file that cannot be read leaves the list unchanged.
    expect(await list().inputValue()).toContain('dropped@new.example');
  });

  it('create a new draft for an agreement of v2, which is revoked on request', async () => {
    const { title, name } = await openOfV2();
    await fill(page, list(), `${name}; other@new.example`);
    await press(page, find());
    const row = page
      .getByTestId('corrections.copies')
      .getByRole('listitem')
      .filter({ hasText: title })
      .first();
    const before = app.demo.requests.length;
    await press(page, row.getByRole('button', { name: words.corrections_copy() }));
    await row.getByRole('button', { name: words.corrections_open_draft() }).waitFor();
    await audit(page);
    await takePicture(page, 'corrections-copies');
    expect(changesSince(before)).toBe(0);
    await press(page, row.getByRole('button', { name: words.corrections_revoke() }));
    await press(
      page,
      questionOf(page).getByRole('button', { name: words.revoke_confirm({ count: 1 }) }),
    );
    await expectSeen(row.getByText(words.corrections_revoked()));
    await press(page, row.getByRole('button', { name: words.corrections_open_draft() }));
    await page.getByTestId('draft.title').waitFor();
    const [, draft = ''] = /drafts\/(.+)$/.exec(page.url()) ?? [];
    const { content } = await apiOf(app)['drafts.show']({ id: DraftId.parse(draft) });
    expect(JSON.stringify(content.body.parties)).toContain('other@new.example');
  });
});
