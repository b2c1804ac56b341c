import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundle, hosts, page } from '../bundle/bundle.ts';
import { bundleProblems } from './check-bundle.ts';
import { takeElectron } from './electron-binary.ts';
import { place, root, tools } from '../places.ts';
import { runNode } from '../run.ts';
import { stage } from './stage.ts';
import { makeElectron } from './stand-in/folder.ts';
import { missingPackages, packageStandIn } from './stand-in/stand-in.ts';

const APP = place('out/app');
const STAND_IN = 'out/stand-in';

const { values } = parseArgs({ options: { 'stand-in': { type: 'boolean' } } });
const isStandIn = values['stand-in'] === true;
process.exitCode = await packageProgram();

/** Bundles, checks and packages for this machine; gives the exit code. */
async function packageProgram(): Promise<number> {
  const missing = isStandIn ? missingPackages() : [];
  if (missing.length > 0) {
    console.log(`a stand-in is made with Debian's ${missing.join(', ')}: install it first`);
    return 1;
  }
  await bundle([page, hosts]);
  await stage(APP);
  const problems = await bundleProblems(APP, process, root);
  if (problems.length > 0) {
    console.log(problems.join('\n'));
    return 1;
  }
  console.log(`the bundle is complete and checked: ${path.relative(root, APP)}`);
  if (isStandIn) return makeStandIn();
  if ((await takeElectron()) === undefined) {
    console.log(
      'packaging ends here: the Electron binary is not installed and cannot be downloaded; ' +
        'npm run package -- --stand-in makes packages without it, for tests',
    );
    return 0;
  }
  const args = ['--config', place('build/package/electron-builder.yml'), '--publish', 'never'];
  const { code } = await runNode(place(tools.electronBuilder), args, { isShown: true });
  return code;
}

/** Packages of the bundle's real bytes around a stand-in for Electron's program. */
async function makeStandIn(): Promise<number> {
  const electron = place(STAND_IN, 'electron');
  await makeElectron(electron);
  const targets = ['--linux', 'deb', 'AppImage'];
  const { code, output } = await packageStandIn({ electron, output: place(STAND_IN), targets });
  console.log(
    code === 0
      ? `made without Electron, for tests, and not the product: ${STAND_IN}`
      : `electron-builder ended with ${code}:\n${output}`,
  );
  return code;
}
