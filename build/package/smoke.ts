/*
 * `npm run smoke:electron`: tests the window and the commands in real Electron, from the sources
 * and packaged. If Electron is not installed, or there is no display, prints this and exits with 0.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { place, root, tools } from '../places.ts';
import { run, runNode } from '../run.ts';
import { hasScreen } from '../../electron/hosts/screen.ts';
import { obtainElectron } from './electron-binary.ts';

const SMOKE_OUTPUT_FOLDER = place('out/smoke');
const SMOKE_TEST_FILE = 'test/hosts/electron/smoke.test.ts';

process.exitCode = await runSmokeTest();

async function runSmokeTest(): Promise<number> {
  const missing = await missingForSmokeTest();
  if (missing !== undefined) {
    console.log(`SKIPPED: the smoke test of Electron, since ${missing}`);
    return 0;
  }
  const program = await packageUnpacked();
  if (program === undefined) return 1;
  console.log(`packaged: ${path.relative(root, program)}`);
  const args = [place('build/test/one.ts'), SMOKE_TEST_FILE];
  const env = { SIGNING_DESK_SMOKE: program };
  return (await run(process.execPath, args, { isShown: true, env })).code;
}

async function missingForSmokeTest(): Promise<string | undefined> {
  const electron = await obtainElectron();
  if ('why' in electron) return electron.why;
  const isShown = hasScreen(process.env, process.platform);
  return isShown ? undefined : 'there is no display (xvfb-run npm run smoke:electron makes one)';
}

/** Packages the program unpacked, as installers contain it; returns the path of the executable. */
async function packageUnpacked(): Promise<string | undefined> {
  const staged = await runNode(place('build/package/package.ts'), ['--bundle'], { isShown: true });
  if (staged.code !== 0) return undefined;
  const settings = place('build/package/electron-builder.yml');
  const args = ['--dir', '--config', settings, '--publish', 'never'];
  const output = `-c.directories.output=${SMOKE_OUTPUT_FOLDER}`;
  const { code } = await runNode(place(tools.electronBuilder), [...args, output], {
    isShown: true,
  });
  if (code !== 0) return undefined;
  const folder =
    readdirSync(SMOKE_OUTPUT_FOLDER).find((name) => /^mac|-unpacked$/.test(name)) ?? '';
  const programs: Readonly<Record<string, string>> = {
    darwin: 'Signing Desk.app/Contents/MacOS/Signing Desk',
    win32: 'Signing Desk.exe',
  };
  return path.join(SMOKE_OUTPUT_FOLDER, folder, programs[process.platform] ?? 'signing-desk');
}
