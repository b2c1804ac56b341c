import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { place } from '../places.ts';
import { shippedFiles, shippedPackages } from './shipped.ts';

/**
 * Copies exactly the shipped files to `app`: the bundle, the packages it imports, and a
 * package.json.
 */
export async function stage(app: string): Promise<void> {
  await rm(app, { recursive: true, force: true });
  for (const folder of ['dist/renderer', 'dist/electron']) await copyIntoApp(folder, app);
  for (const file of shippedFiles(process)) await copyIntoApp(path.join('node_modules', file), app);
  await copyIntoApp('LICENSE', app);
  const manifest: Record<string, unknown> = JSON.parse(
    await readFile(place('package.json'), 'utf8'),
  );
  const { name, version, description, license, author, homepage, type, main } = manifest;
  const shipped = {
    name,
    version,
    description,
    license,
    // Debian requires a package's maintainer and home page.
    author,
    homepage,
    type,
    main,
    // Linux desktops use this name to assign the window to its launcher.
    desktopName: `${String(name)}.desktop`,
    dependencies: Object.fromEntries(shippedPackages.map((name) => [name, '*'])),
  };
  await writeFile(path.join(app, 'package.json'), JSON.stringify(shipped, undefined, 2));
}

async function copyIntoApp(file: string, app: string): Promise<void> {
  const target = path.join(app, file);
  await mkdir(path.dirname(target), { recursive: true });
  await cp(place(file), target, { recursive: true });
}
