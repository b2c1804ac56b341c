import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleStale, hosts, page } from '../../../build/bundle/bundle.ts';
import { findElectron } from '../../../build/package/electron-binary.ts';
import { root } from '../../../build/places.ts';

/** Bundling and Electron's first start on a small machine. */
const TIMEOUT = 120_000;

const electron = await findElectron();
const hasScreen = process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
if (electron === undefined || !hasScreen) {
  const missing =
    electron === undefined ? 'no Electron binary is installed' : 'there is no display';
  process.stderr.write(`\n*** SKIPPED: the Electron smoke test, since ${missing} ***\n\n`);
}

describe.skipIf(electron === undefined || !hasScreen)('the Electron window', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'signing-desk-smoke-'));
    await bundleStale([page, hosts]);
  }, TIMEOUT);
  afterAll(() => rmSync(folder, { recursive: true }));

  it(
    'opens our page, answers one call, and closes',
    async () => {
      const app = await _electron.launch({
        executablePath: electron ?? '',
        args: [root, '--data', folder],
      });
      const window = await app.firstWindow();
      await window.getByRole('navigation').first().waitFor();
      expect(new URL(window.url()).href).toContain('desk://app/index.html');
      expect(
        await window.evaluate(() => [
          typeof Reflect.get(globalThis, 'require'),
          Object.keys(Reflect.get(globalThis, 'desk')),
        ]),
      ).toEqual(['undefined', ['post', 'onMessage']]);
      await app.close();
      expect(existsSync(path.join(folder, 'window'))).toBe(true);
    },
    TIMEOUT,
  );
});
