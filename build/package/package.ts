import path from 'node:path';
import { bundle, hosts, page } from '../bundle/bundle.ts';
import { bundleProblems } from './check-bundle.ts';
import { takeElectron } from './electron-binary.ts';
import { place, root, tools } from '../places.ts';
import { runNode } from '../run.ts';
import { stage } from './stage.ts';

const APP = place('out/app');

process.exitCode = await packageProgram();

/** Bundles, checks and packages for this machine; gives the exit code. */
async function packageProgram(): Promise<number> {
  await bundle([page, hosts]);
  await stage(APP);
  const problems = await bundleProblems(APP, process, root);
  if (problems.length > 0) {
    console.log(problems.join('\n'));
    return 1;
  }
  console.log(`the bundle is complete and checked: ${path.relative(root, APP)}`);
  if ((await takeElectron()) === undefined) {
    console.log(
      'packaging ends here: the Electron binary is not installed and cannot be downloaded',
    );
    return 0;
  }
  const args = ['--config', place('build/package/electron-builder.yml'), '--publish', 'never'];
  const { code } = await runNode(place(tools.electronBuilder), args, { isShown: true });
  return code;
}
