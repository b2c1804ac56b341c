// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultAction } from '../../../electron/demo/server/faults.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { enterConnection, expectFresh, expectSeen, rowOf } from '../support/steps.ts';
import { words } from '../support/words.ts';

const STRANGE_STATE = 'WAITING_FOR_MOON';
/** Number of requests with a fault: more than the attempts of any reading. */
const TRIES = 10;

let app: DeskApp;
let page: Page;
const sentences = new Set<string>();

beforeAll(async () => {
  app = await startDeskApp({ seed: 'full' });
  ({ page } = app);
  await enterConnection(page, 'v1');
});

afterAll(() => app.close());

/** Expects a message that no earlier fault has shown. */
function expectNew(sentence: string): void {
  expect(sentences).not.toContain(sentence);
  sentences.add(sentence);
}

interface Entered {
  readonly url: string;
  readonly token?: string;
}

/** Fills in the form of a connection, and tests the connection. */
async function tryConnection({ url, token }: Entered): Promise<void> {
  await page.getByLabel(words.connection_name(), { exact: true }).fill('Kontoret');
  await page.getByLabel(words.connection_address()).fill(url);
  const secret = token ?? app.demo.credentials.token;
  await page.getByLabel(words.connection_secret_v1()).fill(secret);
  await page.getByRole('button', { name: words.connection_test(), exact: true }).click();
}

/** Whether the buttons that test and save the connection are the main action. */
const kindsInForm = (): Promise<boolean[]> =>
  Promise.all(
    [words.connection_test(), words.connection_save()].map((name) =>
      page
        .getByTestId('connection.form')
        .getByRole('button', { name, exact: true })
        .evaluate((button) => button.classList.contains('primary')),
    ),
  );

describe('the form of a connection', () => {
  it.each([
    ['no address at all', 'avtal', words.reason_address_invalid()],
    ['one that others could listen to', 'http://example.com', words.reason_address_not_https()],
    ['one with the version too much', 'https://example.com/v1', words.reason_address_has_version()],
  ])('with %s is rejected before any request is sent (TX-54)', async (_, url, sentence) => {
    const before = app.demo.requests.length;
    await tryConnection({ url });
    await page.getByTestId('connection.form').getByText(sentence).first().waitFor();
    expectNew(sentence);
    expect(app.demo.requests).toHaveLength(before);
  });

  it('reports an unreachable computer by its name, and keeps its input', async () => {
    const url = 'http://127.0.0.1:9';
    await tryConnection({ url });
    const sentence = words.test_note_not_reached({ value: '127.0.0.1:9' });
    await page.getByTestId('connection.test').getByText(sentence).waitFor();
    expectNew(sentence);
    expect(await page.getByLabel(words.connection_address()).inputValue()).toBe(url);
  });

  it('reports a key that the service does not know', async () => {
    await tryConnection({ url: app.demo.v1Url, token: 'a-key-from-somewhere-else' });
    const sentence = words.test_note_refused();
    await page.getByTestId('connection.test').getByText(sentence).waitFor();
    expectNew(sentence);
    expect(await kindsInForm()).toEqual([true, false]);
  });

  it('reports a web page that answers instead of the service', async () => {
    app.demo.fault({ path: /agreements/, do: { kind: 'html' } });
    await tryConnection({ url: app.demo.v1Url });
    const sentence = words.test_note_not_this_service();
    await page.getByTestId('connection.test').getByText(sentence).waitFor();
    expectNew(sentence);
  });

  it('accepts the correct address and key', async () => {
    await tryConnection({ url: app.demo.v1Url });
    const listed = page.getByTestId('connection.test').getByText(words.test_note_accepted());
    await listed.waitFor();
    expect(await kindsInForm()).toEqual([false, true]);
    await page.getByRole('button', { name: words.connection_save() }).click();
    await page.getByTestId('choice.look').click();
    await expectFresh(page);
  });
});

describe('after a failure of the service,', () => {
  it.each<readonly [string, FaultAction, string]>([
    ['a web page', { kind: 'html' }, words.reason_not_json()],
    ['half an answer', { kind: 'cut-json' }, words.reason_cut_answer()],
    ['a key that was withdrawn', { kind: 'unauthorized' }, words.reason_credential_refused()],
    [
      'an answer of another form',
      { kind: 'mutate', change: () => ({ hello: 'world' }) },
      words.reason_answer_mismatch(),
    ],
    [
      'being sent elsewhere',
      { kind: 'redirect', status: 302, location: 'https://example.com/' },
      words.reason_redirected(),
    ],
  ])(
    '%s is reported, and the agreement list stays visible (T1-05)',
    async (_, action, sentence) => {
      const rows = await page.getByRole('grid').getAttribute('aria-rowcount');
      const fault = app.demo.fault({ path: /agreements/, times: TRIES, do: action });
      await page.keyboard.press('F5');
      await page.getByTestId('failure').getByText(sentence).waitFor();
      fault.clear();
      expectNew(sentence);
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(rows);
    },
  );

  it('a revoked key can be replaced immediately, and the side bar shows the failure (SC-14)', async () => {
    const fault = app.demo.fault({
      path: /agreements/,
      times: TRIES,
      do: { kind: 'unauthorized' },
    });
    await page.keyboard.press('F5');
    const bar = page.getByTestId('failure');
    await bar.getByText(`Kontoret · ${words.reason_credential_refused()}`).waitFor();
    const dot = page.getByTestId('shell.connection').locator('.dot');
    expect(await colourOf(dot)).toBe(await danger());
    await bar.getByRole('button', { name: words.settings_replace() }).click();
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await question.getByText(words.settings_replace_title({ name: 'Kontoret' })).waitFor();
    fault.clear();
    await page.keyboard.press('Escape');
    await show(app, '#/agreements');
  });

  it('a revoked key of two connections is reported once, with both names and the key first', async () => {
    const api = apiOf(app);
    const lager = await api['connections.add']({
      name: 'Lager',
      api: 'v1',
      url: app.demo.v1Url,
      environment: 'test',
      accountId: null,
      orgNo: null,
      secret: app.demo.credentials.token,
    });
    await api['settings.write']({ connection: null });
    const open = app.demo.agreements.v1().find(({ state }) => state === 'READY_TO_SIGN');
    await show(app, '#/agreements');
    await page.keyboard.press('F5');
    await expectSeen(page.getByTestId('activity.message').getByText(/./));
    await show(app, `#/agreements/${lager.id}/${open?.id ?? ''}`);
    const remind = page.getByTestId('agreements.remind');
    await remind.waitFor();
    const fault = app.demo.fault({ path: /./, times: 2 * TRIES, do: { kind: 'unauthorized' } });
    await page.keyboard.press('F5');
    const bar = page.getByTestId('failure');
    const sentence = words.reason_credential_refused();
    await expectSeen(bar.getByText(new RegExp(`^(Kontoret, Lager|Lager, Kontoret) · ${sentence}`)));
    expect(await bar.count()).toBe(1);
    expect(await bar.getByRole('button').first().innerText()).toContain(words.settings_replace());
    await expect.poll(() => page.getByText(sentence).count()).toBe(1);
    await expect.poll(() => remind.getAttribute('title')).toBe(words.why_key_refused());
    expect(await remind.evaluate((button) => button.classList.contains('primary'))).toBe(false);
    fault.clear();
    // The list would show the agreement of the removed connection again.
    const [office] = await api['connections.list']({});
    await show(app, `#/agreements/${office?.id ?? ''}/${open?.id ?? ''}`);
    await api['connections.remove']({ id: lager.id, agreements: 'delete', drafts: 'keep' });
    await page.keyboard.press('F5');
    await bar.waitFor({ state: 'detached', timeout: 20_000 });
  });

  it('actions that need the unreachable service are disabled, with the reason (SC-14)', async () => {
    const open = app.demo.agreements.v1().find(({ state }) => state === 'READY_TO_SIGN');
    const [connection] = await apiOf(app)['connections.list']({});
    await show(app, `#/agreements/${connection?.id ?? ''}/${open?.id ?? ''}`);
    const remind = page.getByTestId('agreements.remind');
    await page.locator('[data-testid="agreements.remind"]:not([aria-disabled=true])').waitFor();
    const gone = app.demo.fault({ path: /./, times: TRIES, do: { kind: 'reset-before' } });
    await page.keyboard.press('F5');
    await page.getByTestId('agreements.offline').waitFor();
    await expect.poll(() => remind.getAttribute('title')).toBe(words.why_offline());
    expect(await remind.getAttribute('aria-disabled')).toBe('true');
    gone.clear();
    await page.keyboard.press('F5');
    await page.locator('[data-testid="agreements.remind"]:not([aria-disabled=true])').waitFor();
  });

  it('the message is removed by the next successful check', async () => {
    await page.keyboard.press('F5');
    await page.getByTestId('failure').waitFor({ state: 'detached' });
    await expectFresh(page);
  });

  it('an unknown agreement status is shown as the service writes it (T1-26)', async () => {
    const [agreement] = app.demo.agreements.v1();
    const title = agreement?.title ?? '';
    const id = agreement?.id ?? '';
    const [connection] = await apiOf(app)['connections.list']({});
    const strange = app.demo.fault({
      path: new RegExp(`/agreements/${id}`),
      times: TRIES,
      do: { kind: 'mutate', change: withState },
    });
    await show(app, `#/agreements/${connection?.id ?? ''}/${id}`);
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByTestId('agreements.more').click();
    await page.getByRole('menuitem', { name: words.detail_refresh(), exact: true }).click();
    const word = words.state_unknown({ native: STRANGE_STATE });
    await page.getByTestId('agreements.details').getByText(word).waitFor();
    await page.getByRole('searchbox').fill(title);
    await expectSeen(rowOf(page, title).filter({ hasText: word }));
    strange.clear();
  });
});

const colourOf = (element: Locator): Promise<string> =>
  element.evaluate((dot) => getComputedStyle(dot).backgroundColor);

/** Returns the colour of the design token for trouble, as the browser prints it. */
const danger = (): Promise<string> =>
  page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.backgroundColor = 'var(--danger)';
    document.body.append(probe);
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });

function withState(answer: unknown): unknown {
  const text = JSON.stringify(answer);
  return JSON.parse(text.replace(/"state":"[A-Z_]+"/, `"state":"${STRANGE_STATE}"`));
}
