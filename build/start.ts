import { bundleStale, hosts, page } from './bundle/bundle.ts';
import { takeElectron } from './package/electron-binary.ts';
import { place, root } from './places.ts';
import { run, runNode } from './run.ts';

const args = process.argv.slice(2);
const electron = await takeElectron();
const { code } = electron === undefined ? await startInChromium() : await startInElectron(electron);
process.exitCode = code;

async function startInElectron(program: string) {
  console.log('opening in Electron: its binary is installed');
  await bundleStale([page, hosts]);
  return run(program, [root, ...args], { isShown: true });
}

async function startInChromium() {
  console.log(
    'opening in Chromium: no Electron binary is here and it cannot be downloaded ' +
      '(try again with npx install-electron)',
  );
  await bundleStale([page]);
  return runNode(place('electron/hosts/chromium/main.ts'), args, { isShown: true });
}
