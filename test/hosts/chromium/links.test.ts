import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

const LINK = 'signingdesk:agreement/004711000001';

/**
 * Starts the host with a browser window that closes immediately, and a core that records what it is
 * given; returns that record.
 */
async function startWith(args: (folder: string) => readonly string[]): Promise<unknown[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-chromium-links-'));
  const { argv } = process;
  onTestFinished(() => {
    process.argv = argv;
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(path.join(folder, 'lease.signdraft'), '{}');
  vi.stubEnv('SIGNING_DESK_HEADLESS', '1');
  process.argv = ['node', 'main.ts', '--data', path.join(folder, 'data'), ...args(folder)];
  const arrived: unknown[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  vi.resetModules();
  vi.doMock('../../../electron/compose/compose.ts', () => ({
    createDesk: () => ({
      arrive: (given: unknown) => void arrived.push(given),
      open: nothing,
      close: nothing,
    }),
  }));
  vi.doMock('../../../electron/hosts/chromium/host.ts', () => ({
    openChromium: async (load: () => Promise<unknown>) => {
      await load();
      return { show: nothing, close: nothing, closed: nothing() };
    },
  }));
  const { startChromium } = await import('../../../electron/hosts/chromium/start.ts');
  expect(await startChromium()).toBe(0);
  return arrived;
}

it('a window in Chromium opens with the link given at its start', async () => {
  expect(await startWith(() => [LINK])).toEqual([{ kind: 'link', text: LINK }]);
});

it('a window in Chromium opens with the draft given at its start', async () => {
  const arrived = await startWith((folder) => [path.join(folder, 'lease.signdraft')]);
  expect(arrived).toEqual([{ kind: 'file', name: 'lease.signdraft', data: Buffer.from('{}') }]);
});

it('a window in Chromium opens without a link or a draft', async () => {
  expect(await startWith(() => [])).toEqual([]);
});
