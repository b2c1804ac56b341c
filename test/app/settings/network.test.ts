// tier: all
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import {
  type OfficeService,
  OFFICE_HOST,
  startOfficeService,
} from '../../support/office-service.ts';
import { startProxy } from '../../support/proxy.ts';
import { audit } from '../support/audit.ts';
import { cutTexts } from '../support/cut-texts.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  enterConnection,
  expectGone,
  expectSeen,
  fill,
  goTo,
  press,
  tabTo,
} from '../support/steps.ts';
import { words } from '../support/words.ts';

const PASSWORD = 'Secret-of-the-proxy';
const CREDENTIALS = `anna:${PASSWORD}`;
const SMALL = { width: 1024, height: 700 } as const;
const USUAL = { width: 1280, height: 800 } as const;

/**
 * Checks the page in two window sizes and in both themes: no text is cut off, and axe finds no
 * problem.
 */
async function look(page: Page, name: string): Promise<void> {
  await takePicture(page, `network-${name}`);
  await page.setViewportSize(SMALL);
  await takePicture(page, `network-${name}-small`);
  expect(await cutTexts(page), name).toEqual([]);
  await page.setViewportSize(USUAL);
  await audit(page);
}

async function openSettings(page: Page, title: string): Promise<void> {
  await goTo(page, 'Control+,', words.screen_settings());
  await press(page, page.getByRole('link', { name: title, exact: true }));
}

/** Selects a kind of proxy with the arrow keys, starting at the selected kind. */
async function chooseProxy(page: Page, name: string): Promise<void> {
  const group = page.getByRole('group', { name: words.network_proxy(), exact: true });
  await tabTo(page, group.locator('input:checked'));
  const wanted = group.getByRole('radio', { name, exact: true });
  for (let pressed = 0; pressed < 3 && !(await wanted.isChecked()); pressed += 1)
    await page.keyboard.press('ArrowDown');
  expect(await wanted.isChecked()).toBe(true);
}

interface Typed {
  readonly address?: string;
  readonly user?: string;
  readonly password?: string;
}

async function saveProxy(page: Page, { address, user, password }: Typed): Promise<void> {
  const form = page.getByTestId('network.proxy');
  const fields = [
    [words.network_address(), address],
    [words.network_user(), user],
    [words.network_password(), password],
  ] as const;
  for (const [label, text] of fields) {
    if (text !== undefined) await fill(page, form.getByLabel(label, { exact: true }), text);
  }
  await press(page, form.getByRole('button', { name: words.settings_save() }));
}

/** Enters the office's service as a connection, and tests the connection. */
async function testConnection({ page }: DeskApp, office: OfficeService): Promise<void> {
  await openSettings(page, words.settings_connections());
  await press(page, page.getByRole('button', { name: words.settings_add_v1() }));
  await testForm(page, office);
}

async function testForm(page: Page, { url, demo }: OfficeService): Promise<void> {
  const form = page.getByTestId('connection.form');
  const fields = [
    [words.connection_name(), 'Office'],
    [words.connection_address(), url],
    [words.connection_secret_v1(), demo.credentials.token],
  ] as const;
  for (const [label, text] of fields)
    await fill(page, form.getByLabel(label, { exact: true }), text);
  await press(page, form.getByRole('button', { name: words.connection_test(), exact: true }));
  await page.locator('[data-testid="connection.test"][aria-busy=false]').waitFor();
}

/** Starts a window with a connection to another service, so that the settings can be opened. */
async function startWindow(): Promise<DeskApp> {
  const app = await startDeskApp({ size: USUAL });
  onTestFinished(() => app.close());
  const { token } = app.demo.credentials;
  const other = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  await apiOf(app)['connections.add']({
    ...other,
    orgNo: null,
    url: app.demo.v1Url,
    secret: token,
  });
  await app.page.reload();
  await app.page.getByTestId('agreements.new-draft').waitFor();
  return app;
}

it('a user sets an office’s proxy and certificate by keyboard, corrects reported errors, and connects a service through them (IN-N1) (IN-N2)', async () => {
  const office = await startOfficeService('Office Inspection CA', 'full');
  const proxy = await startProxy({
    names: { [OFFICE_HOST]: office.port },
    credentials: CREDENTIALS,
  });
  const app = await startWindow();
  const { page } = app;
  const file = path.join(app.folder, 'office-ca.pem');
  await writeFile(file, office.authority.cert);

  await openSettings(page, words.network_title());
  await page.getByTestId('network.proxy').waitFor();
  await look(page, '1-unset');
  await chooseProxy(page, words.network_proxy_fixed());
  await saveProxy(page, { address: 'socks5://proxy.example:1080' });
  await expectSeen(page.getByText(words.network_address_wrong()));
  await look(page, '2-no-proxy-address');

  await saveProxy(page, { address: proxy.origin, password: 'wrong' });
  await expectSeen(page.getByText(words.network_user_wrong()));
  await saveProxy(page, { user: 'anna' });
  await expectSeen(page.getByText(words.settings_saved()));
  await expectGone(page.getByText(words.network_address_wrong()));
  await testConnection(app, office);
  const result = page.getByTestId('connection.test');
  await expectSeen(result.getByText(words.reason_proxy_sign_in()));
  expect(proxy.asked.at(-1)).toEqual({
    authority: `${OFFICE_HOST}:443`,
    credentials: 'anna:wrong',
  });
  await look(page, '3-wrong-password');

  await openSettings(page, words.network_title());
  await expectSeen(page.getByText(words.network_password_kept()));
  await look(page, '4-password-stored');
  await saveProxy(page, { password: PASSWORD });
  await expectSeen(page.getByText(words.settings_saved()));
  await testConnection(app, office);
  await expectSeen(result.getByText(words.reason_tls_issued({ issuer: 'Office Inspection CA' })));
  await look(page, '5-untrusted-certificate');

  await openSettings(page, words.network_title());
  const add = page.getByRole('button', { name: words.network_trust() });
  for (const [named, text] of [
    ['notes.pem', 'These are notes.'],
    [file, null],
  ] as const) {
    const chosen = page.waitForEvent('filechooser');
    await press(page, add);
    const files =
      text === null ? named : { name: named, mimeType: 'text/plain', buffer: Buffer.from(text) };
    await (await chosen).setFiles(files);
    if (text === null) continue;
    await expectSeen(page.getByText(words.reason_not_a_certificate()));
    await page.getByTestId('network.certificates').scrollIntoViewIfNeeded();
    await look(page, '6-no-certificate');
  }
  const certificates = page.getByTestId('network.certificates');
  await expectSeen(certificates.getByText('Office Inspection CA', { exact: true }));
  await expectGone(page.getByText(words.reason_not_a_certificate()));
  await certificates.scrollIntoViewIfNeeded();
  await look(page, '7-certificate-added');

  await testConnection(app, office);
  await expectSeen(result.getByText(words.test_note_tls_ok()));
  expect(await result.locator('.bad').count()).toBe(0);
  await look(page, '8-connected');
  await press(page, page.getByRole('button', { name: words.connection_save(), exact: true }));
  const row = page.getByTestId('settings.connection').filter({ hasText: office.url });
  await expectSeen(row);
  expect(new Set(proxy.asked.slice(-2).map(({ credentials }) => credentials))).toEqual(
    new Set([CREDENTIALS]),
  );
  expect(await page.content()).not.toContain(PASSWORD);
  expect(app.complaints).toEqual([]);
}, 300_000);

it('the proxy and the certificate can be set below the form of the first connection (IN-N1) (IN-N2)', async () => {
  const office = await startOfficeService();
  const proxy = await startProxy({ names: { [OFFICE_HOST]: office.port } });
  const app = await startDeskApp({ size: USUAL });
  onTestFinished(() => app.close());
  const { page } = app;
  const file = path.join(app.folder, 'office-ca.pem');
  await writeFile(file, office.authority.cert);
  await page.getByTestId('choice.connect').waitFor();
  await enterConnection(page, 'v1');
  await testForm(page, office);
  expect(await page.getByTestId('connection.test').locator('.bad').count()).toBe(1);

  const settings = page.getByTestId('onboarding.network');
  await press(page, settings.locator('summary'));
  await page.getByTestId('network.proxy').waitFor();
  await chooseProxy(page, words.network_proxy_fixed());
  await saveProxy(page, { address: proxy.origin });
  await expectSeen(settings.getByRole('status').filter({ hasText: words.settings_saved() }));
  const chosen = page.waitForEvent('filechooser');
  await press(page, page.getByRole('button', { name: words.network_trust() }));
  await (await chosen).setFiles(file);
  await expectSeen(settings.getByText('Office Inspection CA', { exact: true }));
  await look(page, '9-first-start');
  // The form still has the connection that was entered before the settings were opened.
  await press(page, page.getByRole('button', { name: words.connection_test(), exact: true }));
  await expectSeen(page.getByText(words.test_note_tls_ok()));
  await press(page, page.getByRole('button', { name: words.connection_save(), exact: true }));
  await expectSeen(page.getByTestId('choice.look'));
  expect(app.complaints).toEqual([]);
}, 300_000);
