import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FuseState, getCurrentFuseWire } from '@electron/fuses';
import { _electron } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleStale, hosts, page } from '../../../build/bundle/bundle.ts';
import { findElectron } from '../../../build/package/electron-binary.ts';
import { hasScreen } from '../../../electron/hosts/screen.ts';
import { fuses } from '../../../build/package/fuses.ts';
import { root } from '../../../build/places.ts';
import { commandSwitches } from '../../../electron/hosts/window-start.ts';
import {
  type Machine,
  makeMachine,
  openWindow,
  runProgram,
  tryAndSeeAgreements,
} from '../../program/run-packaged.ts';

/** Timeout for bundling and for Electron's first start, on a small computer (ms). */
const TIMEOUT = 120_000;

const electron = findElectron();
const isShown = hasScreen(process.env, process.platform);
if (electron === undefined || !isShown) {
  const missing =
    electron === undefined ? 'no Electron binary is installed' : 'there is no display';
  process.stderr.write(`\n*** SKIPPED: the Electron smoke test, since ${missing} ***\n\n`);
}

describe.skipIf(electron === undefined || !isShown)('the Electron window', () => {
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

/** Path of a program packaged with Electron, set by `npm run smoke:electron`. */
const packaged = process.env['SIGNING_DESK_SMOKE'];

describe.skipIf(packaged === undefined)('the packaged program in Electron', () => {
  let folder: string;
  let machine: Machine;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'signing-desk-smoke-'));
    machine = await makeMachine(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  // Returns the variables with the address of the screen and the right to draw on it.
  const shown = () =>
    Object.fromEntries(
      ['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
        .map((name) => [name, process.env[name]] as const)
        .filter(([, value]) => value !== undefined),
    );

  it('has every fuse set in its own binary', async () => {
    const wire = await getCurrentFuseWire(packaged ?? '');
    const set = Object.entries(fuses).map(([at, isOn]) => [
      at,
      isOn ? FuseState.ENABLE : FuseState.DISABLE,
    ]);
    expect(wire).toEqual(Object.assign({ version: '1' }, Object.fromEntries(set)));
  });

  it(
    'does the main task on the command line, without a display',
    async () => {
      const switches = commandSwitches(process.platform, process.getuid?.());
      const ended = await runProgram(packaged ?? '', [...switches, 'demo'], machine.env);
      expect(ended).toMatchObject({ exit: 0 });
      expect(ended.stdout).toMatch(/^v2 +\d+ +2 +1 +2 +7 /m);
    },
    TIMEOUT,
  );

  it(
    'opens its window, tries the demo and shows agreements',
    async () => {
      const env = Object.assign(shown(), machine.env);
      const window = await openWindow(packaged ?? '', { data: machine.data, env });
      await tryAndSeeAgreements(window.page);
      expect(window.complaints).toEqual([]);
      expect((await window.end()).exit).toBe(0);
    },
    TIMEOUT,
  );
});
