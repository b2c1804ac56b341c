import { startDeskApp } from './app/support/desk.ts';
import { tryDemo } from './app/support/steps.ts';
import { apiOf } from './app/support/prepared-draft.ts';
import { AxeBuilder } from '@axe-core/playwright';
const app = await startDeskApp({ seed: 'full' });
const { page } = app;
page.setDefaultTimeout(6000);
await tryDemo(page);
const api = apiOf(app);
const list = (await api['agreements.list']({ limit: 500 })).items;
const pick = async (api_: string, title: RegExp, state: string) => {
  const row = list.find((r) => r.api === api_ && title.test(r.title) && r.state === state);
  if (!row) throw new Error(`none ${title} ${state}`);
  await page.evaluate((h) => (window.location.hash = h), `#/agreements/${row.connectionId}/${encodeURIComponent(row.id)}`);
  await page.getByTestId('agreements.details').getByRole('heading', { name: row.title }).waitFor();
  return row;
};
let n = 0;
const shot = async (name: string) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `/tmp/shots/${String(n).padStart(2, '0')}-${name}-${colorScheme}.png` });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
    for (const v of violations) if (v.impact === 'serious' || v.impact === 'critical') console.log('AXE', name, colorScheme, v.id, v.nodes[0]?.html.slice(0, 200));
  }
  n += 1;
  const f = await page.evaluate(() => `${document.activeElement?.tagName}:${document.activeElement?.textContent?.trim().slice(0, 30)}`);
  console.log(name, '| focus', f, '| said', await page.getByTestId('activity.message').textContent().catch(() => ''));
};
const esc = async () => { await page.keyboard.press('Escape'); await page.waitForTimeout(250);
  console.log('   after esc focus', await page.evaluate(() => `${document.activeElement?.tagName}:${document.activeElement?.getAttribute('data-testid')}`)); };
const step = async (name: string, f: () => Promise<void>) => { try { await f(); } catch (e) { console.log('FAIL', name, String(e).slice(0, 300)); await page.screenshot({ path: `/tmp/shots/fail-${name}.png` }); await page.keyboard.press('Escape'); } };
const menu = async (id: string) => { await page.getByTestId('agreements.more').click(); await page.getByTestId(`agreements.more.${id}`).click(); };
const party = async (i: number, id: string) => { await page.getByTestId('agreements.party').nth(i).click(); await page.getByTestId(`agreements.party.${id}`).click(); };
for (const r of list.filter((r) => ['waiting', 'part-signed', 'rejected'].includes(r.state))) console.log(r.api, r.state, r.title, r.partyCount);
const W = process.env['WHAT'] ?? 'all';
if (W === 'all' || W === 'v1') {
  await pick('v1', /./, 'waiting');
  await step('pane', async () => { await shot('pane-v1'); });
  await step('menu', async () => { await page.getByTestId('agreements.more').click(); await page.getByRole('menu').waitFor(); await shot('menu-v1'); await esc(); });
  for (const k of ['remind', 'deadlines']) await step(k, async () => { await page.getByTestId(`agreements.${k}`).click(); await page.getByRole('alertdialog').waitFor(); await page.waitForTimeout(700); await shot(k); await esc(); });
  for (const k of ['revoke', 'delete', 'record', 'documents']) await step(k, async () => { await menu(k); await page.locator('[role=alertdialog],[role=dialog]').waitFor(); await page.waitForTimeout(500); await shot(k); await esc(); });
  await step('partymenu', async () => { await page.getByTestId('agreements.party').first().click(); await page.getByRole('menu').waitFor(); await shot('party-menu'); await esc(); });
  for (const k of ['email', 'notifications', 'link']) await step(k, async () => { await party(0, k); await page.locator('[role=alertdialog],[role=dialog]').waitFor(); await page.waitForTimeout(600); await shot(k); await esc(); });
  for (const k of ['recipients', 'silence', 'remind']) await step('n-' + k, async () => { await party(0, 'notifications'); await page.getByTestId(/^agreements\.notification\./).first().click(); await page.getByRole('menuitem').filter({ visible: true }).first().waitFor(); if (k === 'recipients') await shot('notification-menu'); await page.locator(`[data-testid$=".${k}"][role=menuitem]`).click(); await page.getByRole('alertdialog').waitFor(); await page.waitForTimeout(300); await shot('n-' + k); await esc(); });
  await step('extras', async () => { await page.getByTestId('agreements.extras').locator('summary').click(); await page.waitForTimeout(600); await page.getByTestId('agreements.extras').scrollIntoViewIfNeeded(); await shot('extras'); });
  await pick('v1', /./, 'signed');
  await step('signed', async () => { await shot('pane-signed'); await menu('delete'); await page.getByRole('alertdialog').waitFor(); await shot('delete-signed'); await esc(); });
}
if (W === 'all' || W === 'v2') {
  await pick('v2', /Hyresavtal/, 'waiting');
  await step('pane', async () => { await shot('pane-v2'); await page.getByTestId('agreements.more').click(); await page.getByRole('menu').waitFor(); await shot('menu-v2'); await esc(); });
  for (const k of ['fields', 'record', 'share']) await step(k, async () => { const b = page.getByTestId(`agreements.${k}`); if (await b.count()) await b.click(); else await menu(k); await page.locator('[role=alertdialog],[role=dialog]').waitFor(); await page.waitForTimeout(500); await shot('v2-' + k); await esc(); });
  await step('reject', async () => { await party(0, 'reject'); await page.getByRole('alertdialog').waitFor(); await shot('v2-reject'); await esc(); });
  await step('partymenu', async () => { await page.getByTestId('agreements.party').first().click(); await page.getByRole('menu').waitFor(); await shot('v2-party-menu'); await esc(); });
  await step('uploads', async () => { await page.evaluate(() => (window.location.hash = '#/settings/uploads')); await page.getByTestId('settings.uploads').waitFor(); await page.waitForTimeout(500); await shot('uploads'); });
}
console.log('complaints', app.complaints);
await app.close();
