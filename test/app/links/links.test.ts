// tier: all
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passToDesk } from '../../../electron/hosts/open-arguments.ts';
import { AgreementId, type ApiName, type ConnectionId } from '../../../shared/model/ids.ts';
import { agreementLink } from '../../../shared/rules/links/link.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import {
  expectFocus,
  expectGone,
  expectSeen,
  fill,
  press,
  questionOf,
  tryDemo,
} from '../support/steps.ts';
import { words } from '../support/words.ts';

const DRAFT = [
  'signingdesk:draft?title=Hyra%20av%20lokal',
  'message=Hej!%0AL%C3%A4s%20noga.',
  'person=Anna%20Berg%20%3Canna.berg@example.com%3E',
  'company=Ek%20AB%20%3Cinfo@ek.example%3E',
].join('&');

let folder: string;
let dataDir: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-links-'));
  dataDir = path.join(folder, 'data');
  app = await startDeskApp({ seed: 'full', dataDir });
  ({ page } = app);
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Gives the program a link or a file, as a host does when the system opens one. */
const open = (word: string): Promise<void> => passToDesk(app.desk, [word]);
const said = (text: string): Locator =>
  page.getByTestId('activity.message').filter({ hasText: text });
const drafts = () => apiOf(app)['drafts.list']({});
const cancel = (): Locator =>
  questionOf(page).getByRole('button', { name: words.common_cancel(), exact: true });
const confirm = (): Locator =>
  questionOf(page).getByRole('button', { name: words.link_draft_confirm(), exact: true });
/** Returns the requests to the service that change data. */
const writes = () => app.demo.requests.filter(({ method }) => method !== 'GET');

async function anAgreement(
  of: ApiName = 'v2',
): Promise<{ connectionId: ConnectionId; id: string; title: string }> {
  const { items } = await apiOf(app)['agreements.list']({ limit: 100 });
  const found = items.find(({ api }) => api === of);
  if (found === undefined) throw new Error('The demo has no agreement');
  return found;
}

describe('a link that fills a draft', () => {
  it('waits until the first start is complete, and shows its contents before storing them (TX-61)', async () => {
    await expectFocus(page.getByTestId('choice.connect'));
    await open(DRAFT);
    expect(await questionOf(page).count()).toBe(0);
    await tryDemo(page);
    await expectSeen(questionOf(page).getByText(words.link_draft_lead()));
    await expectFocus(page.getByTestId('link.connection'));
    await expectSeen(page.getByTestId('link.parties').getByText('anna.berg@example.com'));
    expect(await page.getByTestId('link.message').textContent()).toBe('Hej!\nLäs noga.');
    const before = (await drafts()).length;
    await press(page, cancel());
    await expectGone(questionOf(page));
    expect(await drafts()).toHaveLength(before);
  });

  it('becomes a new draft that names its origin, and sends nothing (TX-61)', async () => {
    const known = (await drafts()).map(({ id }) => id);
    const before = writes().length;
    await open(DRAFT);
    await expectFocus(page.getByTestId('link.connection'));
    const v2 = (await apiOf(app)['connections.list']({})).find(({ api }) => api === 'v2');
    await page.getByTestId('link.connection').selectOption(v2?.id ?? '');
    await expectSeen(questionOf(page).getByText(words.link_draft_nameless()));
    await press(page, confirm());
    await expectSeen(page.getByTestId('draft.origin').getByText(words.draft_from_link()));
    expect(await page.getByTestId('draft.title').inputValue()).toBe('Hyra av lokal');
    await audit(page);
    const made = (await drafts()).filter(({ id }) => !known.includes(id));
    expect(made).toMatchObject([
      { title: 'Hyra av lokal', api: 'v2', connectionId: v2?.id, files: 0, sending: null },
    ]);
    expect(await apiOf(app)['outbox.list']({})).toEqual([]);
    expect(writes()).toHaveLength(before);
  });

  it('keeps the text that is being typed in another draft', async () => {
    const id = await prepareDraft(app, 'v1', 'Under arbete');
    await show(app, `#/drafts/${id}`);
    await fill(page, page.getByTestId('draft.title'), 'Under arbete, halvvägs');
    await open(DRAFT);
    await expectFocus(page.getByTestId('link.connection'));
    await press(page, confirm());
    await expectSeen(page.getByTestId('draft.origin'));
    expect(await apiOf(app)['drafts.show']({ id })).toMatchObject({
      content: { body: { title: 'Under arbete, halvvägs' } },
    });
    await show(app, `#/drafts/${id}`);
    await expectGone(page.getByTestId('draft.origin'));
  });
});

describe('a link to an agreement', () => {
  it('shows the agreement without changing anything at the service (TX-61)', async () => {
    await show(app, '#/archive');
    const { id, title } = await anAgreement();
    const before = writes().length;
    await open(agreementLink(AgreementId.parse(id)));
    const details = page.getByTestId('agreements.details');
    await expectSeen(details.getByRole('heading', { name: title, level: 2 }));
    expect(writes()).toHaveLength(before);
  });

  it('is copied with the palette and the agreement’s menu', async () => {
    const copied = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          // This listener runs after the listener of the program, which puts the link into the
          // clipboard.
          window.addEventListener(
            'copy',
            ({ clipboardData }) => resolve(clipboardData?.getData('text/plain') ?? ''),
            { once: true },
          );
        }),
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words.detail_copy_link());
    await page.keyboard.press('Enter');
    await expectSeen(said(words.detail_link_copied()));
    const { id } = await anAgreement();
    expect(await copied).toBe(`signingdesk:agreement/${id}`);
    await page.getByTestId('agreements.more').click();
    await expectSeen(page.getByRole('menuitem', { name: words.detail_copy_link() }));
    await page.keyboard.press('Escape');
  });

  it('reports that this computer has no such agreement, and offers to read the service', async () => {
    await open('signingdesk:agreement/999999999999');
    await expectSeen(said(words.link_missing()));
    await expectSeen(page.getByTestId('activity.show').getByText(words.command_check()));
  });

  it('asks which connection is meant if several connections have the agreement', async () => {
    const { id, connectionId, title } = await anAgreement();
    const { v2Url, credentials, company } = app.demo;
    const { id: other } = await apiOf(app)['connections.add']({
      name: 'Gamla',
      api: 'v2',
      environment: 'test',
      url: v2Url,
      secret: credentials.accessKey,
      accountId: credentials.accountId,
      orgNo: company.orgNo,
    });
    await expect
      .poll(async () => {
        await apiOf(app)['agreements.sync']({ connectionId: other });
        return (await apiOf(app)['agreements.find']({ id: AgreementId.parse(id) })).length;
      })
      .toBe(2);
    await open(agreementLink(AgreementId.parse(id)));
    await expectSeen(page.getByText(words.link_which_lead()));
    await audit(page);
    await press(page, page.getByTestId(`choice.${other}`));
    await expect.poll(() => page.url()).toContain(`#/agreements/${other}/`);
    expect(page.url()).not.toContain(connectionId);
    await expectSeen(page.getByTestId('agreements.details').getByText(title).first());
  });
});

it.each([
  ['to send', 'signingdesk:send/1', words.link_unknown],
  ['for a file', 'signingdesk:draft?title=x&file=/etc/passwd', words.link_unknown],
  ['for a folder', 'signingdesk:agreement/..%2F..%2Fetc', words.link_damaged],
  ['for a long message', `signingdesk:draft?message=${'a'.repeat(3000)}`, words.link_too_much],
  [
    'for more than a link holds',
    `signingdesk:draft?message=${'a'.repeat(5000)}`,
    words.link_too_long,
  ],
])('a link that asks %s is rejected with a reason (TX-61)', async (_, link, why) => {
  const before = await drafts();
  await open(link);
  await expectSeen(said(why()));
  expect(await questionOf(page).count()).toBe(0);
  expect(await drafts()).toEqual(before);
});

it('a link waits while a form is being filled in, and the form keeps its input', async () => {
  await show(app, '#/settings');
  await page.getByRole('button', { name: words.settings_add_v2(), exact: true }).click();
  const field = page.getByTestId('connection.form').locator('input').first();
  await field.fill('Gamla kontoret');
  const { id } = await anAgreement('v1');
  await open(agreementLink(AgreementId.parse(id)));
  await expectSeen(said(words.link_waits()));
  expect(await field.inputValue()).toBe('Gamla kontoret');
  await page
    .getByTestId('connection.form')
    .getByRole('button', { name: words.common_cancel(), exact: true })
    .click();
  await expectSeen(page.getByTestId('agreements.details'));
});

describe('a draft file', () => {
  it('becomes a new draft that names its origin when the system opens the file', async () => {
    const id = await prepareDraft(app, 'v1', 'Ur en fil');
    const file = path.join(folder, 'Hyra "2".signdraft');
    await apiOf(app)['drafts.export']({ id, file });
    const before = (await drafts()).length;
    await open(file);
    await expectSeen(
      page
        .getByTestId('draft.origin')
        .getByText(words.draft_from_file({ file: path.basename(file) })),
    );
    expect(await page.getByTestId('draft.title').inputValue()).toBe('Ur en fil');
    expect(await drafts()).toHaveLength(before + 1);
  });

  it('is reported if it is missing or damaged, and creates no draft', async () => {
    const before = await drafts();
    await open(path.join(folder, 'borta.signdraft'));
    await expectSeen(said(words.link_no_file({ file: 'borta.signdraft' })));
    const file = path.join(folder, 'trasig.signdraft');
    await writeFile(file, '{"format":"signing-desk-draft"');
    await open(file);
    await expectSeen(said(words.reason_not_a_draft()));
    expect(await drafts()).toEqual(before);
  });
});

it('a link waits while the data is locked, and is shown after unlocking (TX-61)', async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  const keyfile = `${dataDir}.key`;
  const right = await readFile(keyfile);
  await writeFile(keyfile, randomBytes(right.length));
  app = await startDeskApp({ seed: 'none', dataDir });
  ({ page } = app);
  await expectSeen(page.getByText(words.unlock_wrong_key()));
  await open(DRAFT);
  await writeFile(keyfile, right);
  await press(page, page.getByTestId('unlock.retry'));
  await expectSeen(questionOf(page).getByText(words.link_draft_lead()));
  await expectFocus(page.getByTestId('link.connection'));
});
