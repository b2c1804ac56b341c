// tier: all
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { passToDesk } from '../../../electron/hosts/open-arguments.ts';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import {
  beginRule,
  chooseForRule,
  discardRule,
  removeRule,
  ruleCard,
  ruleSwitch,
} from '../support/rules.ts';
import { expectFocus, expectGone, expectSeen, press } from '../support/steps.ts';
import { words } from '../support/words.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const NAME = 'Scans';
/** Timeout of each wait (ms). */
const TIMEOUT_MS = MINUTE;

let app: FurnishedDesk;
let page: Page;
let base: string;
let folder: string;
let lease: Uint8Array;

beforeAll(async () => {
  base = mkdtempSync(path.join(tmpdir(), 'desk-intake-'));
  folder = path.join(base, 'In');
  mkdirSync(folder);
  lease = await formPdf('Lease', ['tenant']);
  app = await furnish();
  ({ page } = app);
  await show(app, '#/automation');
});
afterAll(async () => {
  await app.close();
  rmSync(base, { recursive: true, force: true });
});

/** Takes screenshots for reviewers if a folder for them is set. */
async function picture(name: string): Promise<void> {
  const shots = process.env['DESK_PICTURES'];
  if (shots === undefined) return;
  for (const [width, height] of [
    [1280, 800],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const file = `${name}-${String(width)}-${colorScheme}.png`;
      await page.screenshot({ path: path.join(shots, file) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const drafts = () => apiOf(app)['drafts.list']({});
/** Returns the number of requests to the service that change data. */
const writes = () => app.demo.requests.filter(({ method }) => method !== 'GET').length;
/** Writes a file that is one minute old, so that the program regards it as complete. */
function put(name: string, content: Uint8Array | string): void {
  writeFileSync(path.join(folder, name), content);
  const when = new Date(Date.now() - MINUTE);
  utimesSync(path.join(folder, name), when, when);
}

describe('a watched folder among the rules', () => {
  it('is created with the keyboard, after its form has named the missing fields', async () => {
    await press(page, page.getByTestId('automation.new'));
    await page.getByTestId('automation.new.watch').press('Enter');
    await expectFocus(page.getByTestId('intake.name'));
    const save = button(words.archive_rule_save());
    expect(await save.getAttribute('title')).toBe(words.archive_rule_incomplete());
    await page.keyboard.type(NAME);
    // A folder that does not exist is rejected, and the typed text stays.
    await page.getByTestId('intake.folder').fill(path.join(folder, 'not', 'there'));
    const forecast = page.getByTestId('intake.forecast');
    await expectSeen(forecast.getByText(words.reason_folder_missing()));
    await press(page, save);
    await expectSeen(page.getByRole('alert').getByText(words.reason_folder_missing()));
    expect(await page.getByTestId('intake.name').inputValue()).toBe(NAME);
    await page.getByTestId('intake.folder').fill(folder);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expectSeen(forecast.getByText(words.intake_preview_none()));
    await page.getByLabel(words.draft_for()).selectOption('v2');
    await picture('dialog');
    await press(page, save);
    await expectSeen(ruleCard(page, NAME).getByText(words.intake_says({ folder })));
    const [shown] = await apiOf(app)['intake.rules']({});
    expect(shown?.rule).toMatchObject({
      name: NAME,
      folder,
      api: 'v2',
      connectionId: null,
      templateId: null,
      needsData: false,
      isOn: true,
    });
  });

  it('previews its action for each file without doing anything', async () => {
    const copies = ['Copy 1.pdf', 'Copy 2.pdf'];
    put('Lease.pdf', lease);
    put('Lease.json', '{"title":"Hyra 12","parties":[{"firstName":"Åsa"}]}');
    for (const name of copies) put(name, lease);
    put('picture.jpg', 'picture');
    put('Wrong.pdf', lease);
    put('Wrong.json', '{"parties":[{"email":"nowhere"}]}');
    const before = (await drafts()).length;
    await chooseForRule(page, NAME, 'try');
    const preview = page.getByTestId('intake.preview');
    await expectSeen(preview.getByText(words.intake_becomes_draft({ title: 'Hyra 12' })));
    await expectSeen(preview.getByText(words.reason_intake_kind()));
    await expectSeen(preview.getByText(words.intake_wrong_party({ at: '1 (email)' })));
    await expectSeen(preview.getByText(words.intake_same({ file: 'Copy 1.pdf' })));
    await picture('preview');
    await page.keyboard.press('Escape');
    await expectGone(preview);
    expect(await drafts()).toHaveLength(before);
    expect(readdirSync(folder)).toHaveLength(7);
    for (const name of ['Wrong.pdf', 'Wrong.json', ...copies]) rmSync(path.join(folder, name));
  });

  it('imports the files on request and reports the result, without sending anything', async () => {
    const sent = writes();
    await chooseForRule(page, NAME, 'run');
    await expectSeen(ruleCard(page, NAME).getByText('drafts: 1 · refused: 1'));
    await picture('rules');
    await audit(page);
    const found = (await drafts()).find(({ title }) => title === 'Hyra 12');
    expect(found).toMatchObject({ api: 'v2', parties: ['Åsa'], files: 1, sending: null });
    expect(readdirSync(path.join(folder, 'done')).toSorted()).toEqual(['Lease.json', 'Lease.pdf']);
    expect(writes()).toBe(sent);
  });

  it('shows in its drawer what it would do with the files that are in the folder now', async () => {
    put('Next.pdf', lease);
    await chooseForRule(page, NAME, 'edit');
    const forecast = page.getByTestId('intake.forecast');
    await expectSeen(forecast.getByText(words.intake_forecast({ count: 1 })));
    await page.getByLabel(words.intake_needs_data()).check();
    await expectSeen(forecast.getByText(words.intake_count_waiting({ count: 1 })));
    await discardRule(page, 'intake.drawer');
    expect(readdirSync(folder)).toContain('Next.pdf');
    rmSync(path.join(folder, 'Next.pdf'));
  });

  it('is turned off, edited and deleted', async () => {
    await press(page, ruleSwitch(page, NAME));
    await expectSeen(ruleCard(page, NAME).getByText(words.rule_off()));
    await chooseForRule(page, NAME, 'edit');
    await page.getByLabel(words.intake_needs_data()).check();
    await press(page, button(words.archive_rule_save()));
    await expectGone(page.getByTestId('intake.drawer'));
    const [shown] = await apiOf(app)['intake.rules']({});
    expect(shown?.rule).toMatchObject({ isOn: false, needsData: true, api: 'v2' });
    await removeRule(page, NAME);
    await expectGone(ruleCard(page, NAME));
  });
});

/** Drops or pastes files, as Chromium does for files from the desktop and from mail programs. */
async function handOver(
  kind: 'drop' | 'paste',
  files: readonly { readonly name: string; readonly type: string; readonly data: Uint8Array }[],
  target = 'main',
): Promise<void> {
  const given = files.map(({ name, type, data }) => ({ name, type, data: [...data] }));
  await page.evaluate(
    ({ kind: how, given: all, target: where }) => {
      const transfer = new DataTransfer();
      for (const { name, type, data } of all) {
        transfer.items.add(new File([new Uint8Array(data)], name, { type }));
      }
      const element = document.querySelector(where) ?? document.body;
      const about = { bubbles: true, cancelable: true };
      if (how === 'paste') {
        element.dispatchEvent(new ClipboardEvent('paste', { ...about, clipboardData: transfer }));
        return;
      }
      element.dispatchEvent(new DragEvent('dragover', { ...about, dataTransfer: transfer }));
      element.dispatchEvent(new DragEvent('drop', { ...about, dataTransfer: transfer }));
    },
    { kind, given, target },
  );
}

const titleBox = () => page.getByTestId('draft.title');
/** Returns a document of the open draft, by its name. */
const file = (name: string) =>
  page.getByTestId('draft.editor').getByText(name, { exact: true }).first();

/** Waits until the draft with this title and this number of files is saved; returns the draft. */
const kept = (wanted: string, count: number) =>
  vi.waitUntil(
    async () => (await drafts()).find(({ title, files }) => title === wanted && files === count),
    TIMEOUT_MS,
  );

async function firstConnection(): Promise<Connection> {
  const [first] = await apiOf(app)['connections.list']({});
  return first ?? expect.unreachable();
}

async function chooseConnection(): Promise<void> {
  const { id } = await firstConnection();
  await press(page, page.getByTestId(`choice.${id}`));
}

describe('PDFs added from outside', () => {
  it('are collected in one new draft if more arrive before a connection is chosen', async () => {
    const id = await prepareDraft(app, 'v1', 'Fanns redan');
    await show(app, '#/archive');
    await handOver('drop', [{ name: 'Left.pdf', type: 'application/pdf', data: lease }]);
    await page.getByRole('heading', { name: words.drafts_new_for() }).waitFor();
    // Instead of choosing a connection, the user can open another draft, which stays unchanged.
    await show(app, `#/drafts/${id}`);
    await expectSeen(titleBox());
    expect(await titleBox().inputValue()).toBe('Fanns redan');
    await show(app, '#/archive');
    for (const name of ['First.pdf', 'Next.pdf']) {
      await handOver('drop', [{ name, type: 'application/pdf', data: lease }]);
      await page.getByRole('heading', { name: words.drafts_new_for() }).waitFor();
    }
    await chooseConnection();
    expect(await kept('First', 2)).toMatchObject({ sending: null });
    expect(await apiOf(app)['drafts.show']({ id })).toMatchObject({ files: [expect.anything()] });
  });

  it('start a draft if dropped where no draft is open, also as an email attachment', async () => {
    await show(app, '#/archive');
    await handOver('drop', [
      { name: 'Attachment', type: 'application/pdf', data: lease },
      { name: 'Bilaga.PDF', type: '', data: lease },
    ]);
    // The connection that was chosen last is used again, and shown.
    const { name, environment } = await firstConnection();
    const environments = {
      production: words.environment_production,
      test: words.environment_test,
      demo: words.environment_demo,
    };
    const used = words.drafts_new_through({ name, environment: environments[environment]() });
    await expectSeen(page.getByTestId('activity.message').filter({ hasText: used }));
    await expectSeen(titleBox());
    await expectSeen(file('Bilaga.PDF'));
    expect(await titleBox().inputValue()).toBe('Attachment');
    expect(await kept('Attachment', 2)).toMatchObject({ sending: null });
  });

  it('start a draft when pasted, or are added to the open draft', async () => {
    await show(app, '#/archive');
    await handOver('paste', [{ name: 'Pasted.pdf', type: 'application/pdf', data: lease }]);
    await expectSeen(titleBox());
    await expectSeen(file('Pasted.pdf'));
    await handOver('paste', [{ name: 'Second.pdf', type: 'application/pdf', data: lease }]);
    await expectSeen(file('Second.pdf'));
    expect(await kept('Pasted', 2)).toMatchObject({ sending: null });
  });

  it('start no draft if they are not PDFs, or while a question is open', async () => {
    await show(app, '#/archive');
    const before = (await drafts()).length;
    const said = (count: number, names: string) =>
      page
        .getByTestId('activity.message')
        .filter({ hasText: words.drafts_drop_refused({ count, names }) });
    const data = new Uint8Array([1]);
    await handOver('drop', [{ name: 'a.exe', type: '', data }]);
    await expectSeen(said(1, 'a.exe'));
    await handOver('drop', [
      { name: 'a.exe', type: '', data },
      { name: 'b.mp3', type: 'audio/mpeg', data },
    ]);
    await expectSeen(said(2, 'a.exe, b.mp3'));
    await show(app, '#/automation');
    await beginRule(page, 'watch');
    await expectFocus(page.getByTestId('intake.name'));
    await handOver('drop', [{ name: 'a.pdf', type: 'application/pdf', data: lease }]);
    await handOver('paste', [{ name: 'a.pdf', type: 'application/pdf', data: lease }]);
    await expectSeen(page.getByTestId('intake.drawer'));
    await page.keyboard.press('Escape');
    await expectGone(page.getByTestId('intake.drawer'));
    expect(await drafts()).toHaveLength(before);
  });

  it('start one draft when the system opens them, without losing typed text', async () => {
    const id = await prepareDraft(app, 'v1', 'Under arbete');
    await show(app, `#/drafts/${id}`);
    await expectSeen(titleBox());
    for (const name of ['Opened.pdf', 'Other.pdf']) writeFileSync(path.join(base, name), lease);
    await passToDesk(app.desk, [path.join(base, 'Opened.pdf'), path.join(base, 'Other.pdf')]);
    await expectSeen(file('Opened.pdf'));
    expect(await kept('Opened', 2)).toMatchObject({ sending: null });
    expect((await drafts()).some(({ title }) => title === 'Other')).toBe(false);
    expect(await apiOf(app)['drafts.show']({ id })).toMatchObject({ files: [expect.anything()] });
  });
});
