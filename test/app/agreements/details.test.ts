// tier: all
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobId } from '../../../shared/model/ids.ts';
import type { AgreementKey, ApiName, ConnectionId } from '../../../shared/model/ids.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectSeen, fill, press, questionOf, tabTo, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'full' });
  ({ page } = app);
  await tryDemo(page);
});

afterAll(() => app.close());

const details = (): Locator => page.getByTestId('agreements.details');
const more = (): Locator => page.getByTestId('agreements.more');
const answer = (name: string): Locator =>
  questionOf(page).getByRole('button', { name, exact: true });

/** Shows the details of the agreement with this title; returns its key. */
async function open(
  api: ApiName,
  title: string,
  connectionId?: ConnectionId,
): Promise<AgreementKey> {
  const where = connectionId === undefined ? {} : { connectionId };
  const { items } = await apiOf(app)['agreements.list']({ search: title, ...where });
  const row = items.find((one) => one.api === api && one.title === title);
  if (row === undefined) throw new Error(`The demo has no agreement ${title}`);
  await show(app, `#/agreements/${row.connectionId}/${encodeURIComponent(row.id)}`);
  await details().getByRole('heading', { name: title, level: 2 }).waitFor();
  return { connectionId: row.connectionId, id: row.id };
}

async function expectSaid(sentence: string): Promise<void> {
  const said = page.getByTestId('activity.message');
  await expect.poll(() => said.textContent()).toBe(sentence);
}

/** Changes the last day of the agreement at the service, as another user would. */
async function changeElsewhere(id: string, expireOn: string): Promise<void> {
  const url = `${app.demo.v1Url}/v1/agreements/${id}`;
  const headers = { authorization: `Token ${app.demo.credentials.token}` };
  const etag = (await fetch(url, { headers })).headers.get('etag') ?? '';
  const reply = await fetch(url, {
    method: 'PATCH',
    headers: { ...headers, 'if-match': etag, 'content-type': 'application/json' },
    body: JSON.stringify({ expireOn }),
  });
  expect(reply.status).toBe(200);
}

describe('an agreement of a colleague', () => {
  it('names its owner, and offers no action reserved for the owner (T1-22)', async () => {
    await open('v1', 'Bergs avtal, delat för läsning');
    await details()
      .getByText(words.detail_owner({ name: 'Jonas Berg' }))
      .waitFor();
    expect(await page.getByTestId('agreements.remind').count()).toBe(0);
    await press(page, more());
    for (const [id, why] of [
      ['revoke', words.why_not_owner()],
      ['deadlines', words.why_not_owner()],
      ['delete', words.why_no_delete_right()],
    ] as const) {
      const item = page.getByTestId(`agreements.more.${id}`);
      // The owner may become known only a moment after the menu has opened.
      await expect.poll(() => item.getAttribute('aria-disabled')).toBe('true');
      expect(await item.textContent()).toContain(why);
    }
    await page.keyboard.press('Escape');
  });

  it('stays in the details when the focus passes through a filtered list that does not contain it', async () => {
    const title = 'Bergs avtal, delat för läsning';
    await open('v1', title);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('Leieavtale');
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'Leieavtale' }).waitFor();
    await open('v1', title);
    await page.getByRole('grid').focus();
    await tabTo(page, more());
    await expectSeen(details().getByRole('heading', { name: title, level: 2 }));
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
  });

  it('can be deleted if a group of the user has the right to delete it (T1-22)', async () => {
    await open('v1', 'Bergs avtal, delat med säljarna');
    await press(page, more());
    const remove = page.getByTestId('agreements.more.delete');
    await remove.waitFor();
    expect(await remove.getAttribute('aria-disabled')).not.toBe('true');
    await page.keyboard.press('Escape');
  });
});

describe('the parties and documents of an agreement', () => {
  it('are listed with the email addresses of the parties', async () => {
    const { connectionId, id } = await open('v1', 'Fullmakt för ombud');
    const { parties } = await apiOf(app)['agreements.show']({ connectionId, id, refresh: false });
    const [first] = parties ?? [];
    if (first?.email === null || first?.email === undefined) throw new Error('No email address');
    const party = details().getByRole('listitem').filter({ hasText: first.name });
    await expectSeen(party.getByText(first.email, { exact: true }));
  });

  it('show whose signature is awaited, in the list and in the details, for both APIs', async () => {
    for (const api of ['v1', 'v2'] as const) {
      const { items } = await apiOf(app)['agreements.list']({
        states: ['waiting'],
        more: ['awaited'],
      });
      const row = items.find((one) => one.api === api && one.more?.awaited.length === 1);
      if (row === undefined) throw new Error(`The demo has no waiting agreement of ${api}`);
      await open(api, row.title, row.connectionId);
      const waits = words.state_waiting_for({ name: row.more?.awaited[0] ?? '' });
      await expectSeen(details().getByText(waits, { exact: true }));
      await expectSeen(page.getByRole('grid').locator('.active').getByText(waits, { exact: true }));
    }
  });

  it('can be read in the window by clicking the name of a document, and saved', async () => {
    await open('v1', 'Fullmakt för ombud');
    const name = page.getByTestId('agreements.open-document').first();
    await press(page, name);
    const shown = page.getByRole('dialog');
    await shown.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    const heading = shown.getByRole('heading', { level: 2 });
    expect(await heading.textContent()).toBe((await name.textContent())?.trim());
    await press(page, shown.getByRole('button', { name: words.act_save_this_document() }));
    await expectSeen(
      questionOf(page).getByRole('heading', { name: words.documents_title({ count: 1 }) }),
    );
    await page.keyboard.press('Escape');
  });

  it('have no link if the API provides no single documents', async () => {
    const { items } = await apiOf(app)['agreements.list']({ states: ['waiting'] });
    const row = items.find(({ api }) => api === 'v2');
    await open('v2', row?.title ?? '', row?.connectionId);
    await expectSeen(details().getByText(words.why_v2_has_no_attachments()));
    expect(await page.getByTestId('agreements.open-document').count()).toBe(0);
  });
});

describe('the details of an open agreement', () => {
  const asOf = (): Locator => page.getByTestId('agreements.as-of');

  /**
   * Moves the clock of the page forward, so that the page treats the agreements it has read as
   * outdated.
   */
  const growOld = (): Promise<void> =>
    page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 120_000;
    });

  it('are requested once, and show when they were read (T1-12)', async () => {
    const key = await open('v1', 'Fullmakt för ombud');
    await asOf().waitFor();
    await changeElsewhere(key.id, '20380131T120000Z');
    await open('v1', 'Partnership agreement');
    await growOld();
    await open('v1', 'Fullmakt för ombud');
    await expectSeen(details().getByText(/expires in/));
  });

  it('are requested even while the answer about the previous agreement is awaited (T1-12)', async () => {
    const slow = await open('v1', 'Contrat de prestation – été 2026');
    const { id } = await open('v1', 'Contrato de confidencialidad – Núñez');
    await changeElsewhere(id, '20380131T120000Z');
    const path = new RegExp(`/v1/agreements/${slow.id}\\?`);
    const fault = app.demo.fault({ path, times: 9, do: { kind: 'hang' } });
    await growOld();
    await open('v1', 'Contrat de prestation – été 2026');
    await asOf().getByText(words.detail_refreshing()).waitFor();
    await open('v1', 'Contrato de confidencialidad – Núñez');
    await details()
      .getByText(/expires in/)
      .waitFor();
    fault.clear();
  });

  it('stay unchanged, marked as not refreshed, if the service is unreachable (T1-12)', async () => {
    const alone = { path: /\/v1\/agreements\/[^/?]+\?/, times: 99 } as const;
    const fault = app.demo.fault({ ...alone, do: { kind: 'reset-before' } });
    const before = page.getByTestId('activity.message');
    const said = await before.textContent();
    await open('v1', 'Contrat de prestation – été 2026');
    await growOld();
    await open('v1', 'Contrato de confidencialidad – Núñez');
    await asOf()
      .getByText(/could not be refreshed/)
      .waitFor();
    expect(await before.textContent()).toBe(said);
    await details().getByText('Begoña Ibáñez Güell', { exact: true }).waitFor();
    fault.clear();
  });
});

describe('a signing link', () => {
  it('is copied to the clipboard on request, and is never displayed (T1-89)', async () => {
    await open('v1', 'Partnership agreement');
    await press(page, page.getByTestId('agreements.party').first());
    await page.getByRole('menuitem', { name: words.act_link() }).click();
    await press(page, answer(words.link_confirm()));
    await expectSaid(words.link_copied());
    expect(await page.content()).not.toContain('sign.example.com');
    const search = page.getByRole('searchbox').first();
    await tabTo(page, search);
    await page.keyboard.press('Control+v');
    expect(await search.inputValue()).toMatch(/^https:\/\/sign\.example\.com\/[\w-]{32}$/);
    await search.fill('');
  });
});

describe('the PDF of a partly signed agreement', () => {
  it('is saved from the Legacy API as an unsigned copy, named as such (T2-69)', async () => {
    await open('v2', 'Parkeringsavtal');
    await press(page, more());
    await page.getByRole('menuitem', { name: words.detail_save_unsigned() }).click();
    const file = page.getByTestId('agreements.save.file');
    await questionOf(page).getByText(words.save_unsigned_lead()).waitFor();
    expect(await file.inputValue()).toContain('unsigned copy');
    await audit(page);
    const wanted = path.join(app.folder, 'copy.pdf');
    await fill(page, file, wanted);
    await press(page, answer(words.save_confirm_unsigned()));
    await expectSaid(words.save_done_unsigned({ file: wanted }));
    expect((await readFile(wanted)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('is not requested from the Pro API while a party can still sign (T1-85)', async () => {
    await open('v1', 'Partnership agreement');
    await press(page, more());
    const save = page.getByTestId('agreements.more.save');
    await save.waitFor();
    expect(await save.textContent()).toContain(words.detail_save_reason());
    await page.keyboard.press('Escape');
  });
});

describe('a test environment', () => {
  it('is shown at its agreements and in the path of their archived files (T1-90)', async () => {
    const api = apiOf(app);
    const { token } = app.demo.credentials;
    const real = { name: 'Provet', api: 'v1', environment: 'test', accountId: null } as const;
    const { id } = await api['connections.add']({ ...real, url: app.demo.v1Url, secret: token });
    await ended((await api['agreements.sync']({ connectionId: id })).jobId);
    const folder = path.join(app.folder, 'arkiv');
    await ended((await api['archive.run']({ folder, connectionId: id })).jobId);
    await open('v1', 'Köpekontrakt 1998', id);
    await details().getByText(path.join('arkiv', 'TEST')).waitFor();
    expect(await details().getByText(words.test_badge(), { exact: true }).count()).toBe(2);
    await audit(page);
    await open('v1', 'Fullmakt för ombud');
  });

  /** Waits until the job has ended. */
  async function ended(jobId: JobId): Promise<void> {
    const state = async () => {
      const jobs = await apiOf(app)['jobs.list']({});
      return jobs.find((job) => job.id === jobId)?.state;
    };
    await expect.poll(state).toBe('done');
  }
});

it('the page logs no error while details are shown', () => {
  expect(app.complaints.filter((one) => !one.includes('net::'))).toEqual([]);
});
