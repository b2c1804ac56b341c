// tier: all
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

const HALF_A_DAY = 43_200_000;

let folder = '';
let demo: Demo;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-unseen-'));
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(async () => {
  await demo.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Starts the window on the data of the earlier starts; returns its desktop notifications as `said`.
 */
async function start(): Promise<{ readonly app: DeskApp; readonly said: readonly string[] }> {
  const said: string[] = [];
  const app = await startDeskApp({
    dataDir: path.join(folder, 'data'),
    demo,
    onDesktop: (shown) => {
      if ('said' in shown) said.push(shown.said);
    },
  });
  return { app, said };
}

/** Saves an archive rule that is not due for hours. */
async function keepRule(app: DeskApp, to: string): Promise<void> {
  const at = new Date(Date.now() + HALF_A_DAY).toTimeString().slice(0, 'hh:mm'.length);
  await apiOf(app)['archive.saveRule']({
    name: 'Nightly',
    folder: to,
    filter: {},
    beside: [],
    when: { kind: 'daily', at },
    parallel: 1,
  });
}

/** Runs the archive rule once, as a scheduler would; returns the result. */
async function runRule(app: DeskApp) {
  const api = apiOf(app);
  const only = async () => {
    const [shown] = await api['archive.rules']({});
    if (shown === undefined) throw new Error('There is no rule');
    return shown;
  };
  const { rule, last } = await only();
  await api['archive.runRule']({ id: rule.id });
  await expect.poll(async () => (await only()).last?.at).not.toBe(last?.at);
  return (await only()).last;
}

it('a failed scheduled run is reported at each start of the program until a run succeeds (PK-03)', async () => {
  const told = `${words.app_name()}: ${words.notify_archive()}`;
  const first = await start();
  await tryDemo(first.app.page);
  const place = path.join(folder, 'archive');
  await keepRule(first.app, place);
  await writeFile(place, 'a file in the place of the folder');
  expect((await runRule(first.app))?.failure).not.toBeNull();
  await first.app.close();

  const second = await start();
  const { page } = second.app;
  await page.getByTestId('activity.message').getByText(words.notify_archive()).waitFor();
  await expect.poll(() => second.said).toEqual([told]);
  await audit(page);
  await page.getByTestId('activity.show').click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/archive');
  await rm(place);
  expect(await runRule(second.app)).toMatchObject({ failure: null, failed: 0 });
  await second.app.close();

  const third = await start();
  onTestFinished(() => third.app.close());
  await third.app.page.getByTestId('shell.nav.archive').waitFor();
  // The test waits until the rules are read: only then are the notifications of a start shown.
  await third.app.page.getByTestId('shell.nav.automation').click();
  await third.app.page.getByText('Nightly').waitFor();
  expect(third.said).toEqual([]);
  expect(await third.app.page.getByTestId('activity.message').innerText()).toBe('');
});
