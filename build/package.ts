import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundle, hosts, page } from './bundle.ts';
import { bundleProblems } from './check-bundle.ts';
import { takeElectron } from './electron-binary.ts';

import { place, root, tools } from './places.ts';
import { runNode } from './run.ts';
import { shippedFiles, shippedPackages } from './shipped.ts';

const APP = place('out/app');

process.exitCode = await packageProgram();

/** Bundles, checks and packages for this machine; gives the exit code. */
async function packageProgram(): Promise<number> {
  await bundle([page, hosts]);
  await stage();
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
  const args = ['--config', place('build/electron-builder.yml'), '--publish', 'never'];
  const { code } = await runNode(place(tools.electronBuilder), args, { isShown: true });
  return code;
}

/** Lays out exactly what is shipped: the bundle, its natives, and a package.json that names both. */
async function stage(): Promise<void> {
  await rm(APP, { recursive: true, force: true });
  for (const folder of ['dist/renderer', 'dist/electron']) await copy(folder);
  for (const file of shippedFiles(process)) await copy(path.join('node_modules', file));
  await copy('LICENSE');
  const manifest: Record<string, unknown> = JSON.parse(
    await readFile(place('package.json'), 'utf8'),
  );
  const { name, version, description, license, type, main } = manifest;
  const shipped = {
    ...{ name, version, description, license, type, main },
    author: 'Signing Desk contributors',
    // Linux desktops match the window to its launcher by this name.
    desktopName: `${String(name)}.desktop`,
    dependencies: Object.fromEntries(shippedPackages.map((name) => [name, '*'])),
  };
  await writeFile(path.join(APP, 'package.json'), JSON.stringify(shipped, undefined, 2));
}

async function copy(file: string): Promise<void> {
  const target = path.join(APP, file);
  await mkdir(path.dirname(target), { recursive: true });
  await cp(place(file), target, { recursive: true });
}
