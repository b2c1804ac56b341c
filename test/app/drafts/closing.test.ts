// tier: all
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { prepareDraft } from '../support/prepared-draft.ts';
import { tryDemo } from '../support/steps.ts';

let demo: Demo;
let folder: string;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  folder = await mkdtemp(path.join(tmpdir(), 'desk-closing-'));
});

afterAll(async () => {
  await demo.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (name: string): Promise<DeskApp> =>
  startDeskApp({ demo, dataDir: path.join(folder, name) });

describe('text typed in a draft', () => {
  it.each([
    ['window', async ({ page }: DeskApp) => page.close({ runBeforeUnload: true })],
    ['program', async () => undefined],
  ] as const)('is stored when the %s closes right after it', async (name, close) => {
    const app = await start(name);
    const { page } = app;
    await tryDemo(page);
    const id = await prepareDraft(app, 'v1', 'Arrende');
    await show(app, `#/drafts/${id}`);
    const title = page.getByTestId('draft.title');
    await title.waitFor();
    await title.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' av åker');
    await close(app);
    await app.close();
    const again = await start(name);
    await show(again, `#/drafts/${id}`);
    const kept = again.page.getByTestId('draft.title');
    await expect.poll(() => kept.inputValue()).toBe('Arrende av åker');
    await again.close();
  });
});
