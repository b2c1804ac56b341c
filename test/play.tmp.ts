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

await pick('v2', /Hyresavtal/, 'waiting'); await shot('pane-v2');
const key = await pick('v1', /Fullmakt/, 'waiting');
await step('changed', async () => { await page.getByTestId('agreements.deadlines').click(); await page.getByTestId('agreements.deadlines.expires').fill('2027-03-05'); await page.waitForTimeout(600);
  await api['actions.change']({ key: { connectionId: key.connectionId, id: key.id }, expiresAt: Date.UTC(2027, 1, 1, 11) });
  await page.getByRole('alertdialog').getByRole('button').last().click(); await page.getByTestId('agreements.changed').waitFor(); await shot('changed'); await esc(); });
await step('unknown', async () => { app.demo.fault({ path: /\/notify$/, do: { kind: 'reset-after' } }); await page.keyboard.press('Control+Shift+M'); await page.getByRole('alertdialog').getByRole('button').last().click(); await page.getByTestId('agreements.unknown').waitFor(); await shot('unknown'); });
await step('marked', async () => { for (const i of [1, 3, 5, 8]) await page.getByRole('grid').getByRole('checkbox').nth(i).click(); await shot('marked'); await page.getByTestId('agreements.marked.remove').click(); await page.getByRole('alertdialog').waitFor(); await shot('several-delete'); await esc(); });
await step('narrow', async () => { await page.setViewportSize({ width: 640, height: 800 }); await page.waitForTimeout(300); await shot('narrow-marked'); console.log('scroll', await page.evaluate(() => document.documentElement.scrollWidth)); await page.getByRole('button', { name: 'Clear marks' }).click().catch(() => {}); await page.setViewportSize({ width: 1280, height: 800 }); });
console.log('complaints', app.complaints);
await app.close();
