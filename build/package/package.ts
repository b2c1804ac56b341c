import path from 'node:path';
import { parseArgs } from 'node:util';
import { findProgram } from '../../electron/hosts/find-browser.ts';
import { bundle, hosts, page } from '../bundle/bundle.ts';
import { bundleProblems } from './check-bundle.ts';
import { obtainElectron } from './electron-binary.ts';
import { writeExtras } from './extras.ts';
import { place, root, tools } from '../places.ts';
import { runNode } from '../run.ts';
import { releaseDate, sourceDate } from './source-date.ts';
import { stage } from './stage.ts';
import { makeElectron } from './stand-in/folder.ts';
import { missingPackages, packageStandIn } from './stand-in/stand-in.ts';

const APP_FOLDER = place('out/app');
/** Folder of additional files for packages; electron-builder.yml contains its path. */
const EXTRAS_FOLDER = place('out/extras');
const STAND_IN_FOLDER = 'out/stand-in';

const { values } = parseArgs({
  options: { 'stand-in': { type: 'boolean' }, bundle: { type: 'boolean' } },
});
const isStandIn = values['stand-in'] === true;
process.exitCode = await packageProgram();

/** Bundles, checks and packages the program for this machine; returns the exit code. */
async function packageProgram(): Promise<number> {
  const missing = isStandIn ? missingPackages() : [];
  if (missing.length > 0) {
    console.log(`no stand-in is made without Debian's packages ${missing.join(', ')}`);
    return 1;
  }
  await bundle([page, hosts]);
  await stage(APP_FOLDER);
  await writeExtras(EXTRAS_FOLDER);
  const problems = await bundleProblems(APP_FOLDER, process, root);
  if (problems.length > 0) {
    console.log(problems.join('\n'));
    return 1;
  }
  console.log(`the bundle is complete and checked: ${path.relative(root, APP_FOLDER)}`);
  if (values.bundle === true) return 0;
  if (isStandIn) return makeStandIn();
  const electron = await obtainElectron();
  if ('why' in electron) {
    console.log(
      `packaging ends here: ${electron.why}; ` +
        'npm run package -- --stand-in makes packages without it, for tests',
    );
    return 0;
  }
  const date = await sourceDate();
  const settings = place('build/package/electron-builder.yml');
  const args = ['--config', settings, '--publish', 'never', releaseDate(date)];
  const targets = process.platform === 'linux' ? ['--linux', ...linuxTargets()] : [];
  const { code } = await runNode(place(tools.electronBuilder), [...targets, ...args], {
    env: date,
    isShown: true,
  });
  return code;
}

/**
 * Returns the kinds of Linux packages that can be made on this computer: an .rpm requires rpmbuild,
 * which electron-builder does not include.
 */
function linuxTargets(): readonly string[] {
  const usual = ['deb', 'AppImage'];
  if (findProgram('rpmbuild') !== undefined) return [...usual, 'rpm'];
  console.log("no .rpm is made: it needs rpmbuild, which is in Debian's package rpm");
  return usual;
}

/** Makes packages with the real bundle and a stand-in for Electron's program. */
async function makeStandIn(): Promise<number> {
  const electron = place(STAND_IN_FOLDER, 'electron');
  await makeElectron(electron);
  const { code, output } = await packageStandIn({
    app: APP_FOLDER,
    electron,
    output: place(STAND_IN_FOLDER),
    targets: ['--linux', 'deb', 'AppImage'],
  });
  console.log(
    code === 0
      ? `made without Electron, for tests, and not the product: ${STAND_IN_FOLDER}`
      : `electron-builder ended with ${code}:\n${output}`,
  );
  return code;
}
