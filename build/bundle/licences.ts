import { glob, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import * as z from 'zod';
import type { Licence } from '../../renderer/features/settings/licence.ts';
import { nativePackages } from '../package/shipped.ts';
import { place, root } from '../places.ts';

/** File that the page reads when the user opens the licences. */
const LICENCES_FILE = 'licences.json';
/**
 * Names of the files in packages whose text must be listed: licences, and the notices that belong
 * to them.
 */
const LICENCE_NAME_PATTERN = /^(?:licen[cs]e|copying|notice)/i;
const PACKAGE_OF_MODULE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
/** Third-party fonts, character maps and decoders in pdf.js; `pdf-assets.ts` ships them. */
const PDFJS_LICENCE_FILES = '{standard_fonts,cmaps}/LICENSE*';
const DECODER_LICENCE_FILES = 'wasm/LICENSE_{JBIG2,OPENJPEG}';

const DependencyNames = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default(''),
  dependencies: DependencyNames,
  optionalDependencies: DependencyNames,
});

/**
 * Lists the licences of everything in the program: the page's packages, the packages outside the
 * page with all their dependencies, and Electron.
 */
export function licences(): Plugin {
  return {
    name: 'desk:licences',
    async generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? part.moduleIds : [],
      );
      const inPage = modules.flatMap(
        (id) => PACKAGE_OF_MODULE.exec(id.split(path.sep).join('/'))?.[1] ?? [],
      );
      const folders = new Set([...inPage, place('node_modules/electron')]);
      await addDependencyFolders(root, folders);
      folders.delete(root);
      const packages = await Promise.all([...folders].map(readPackage));
      const all = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
      const sorted = [...all.values(), ...(await pdfjsLicences())].toSorted((a, b) =>
        a.name.localeCompare(b.name, 'en'),
      );
      this.emitFile({ type: 'asset', fileName: LICENCES_FILE, source: JSON.stringify(sorted) });
    },
  };
}

/** Adds the folders of all packages that the package in `folder` needs, directly or indirectly. */
async function addDependencyFolders(folder: string, folders: Set<string>): Promise<void> {
  folders.add(folder);
  const { dependencies, optionalDependencies } = await readManifest(folder);
  // Only our native packages use optional dependencies: their compiled files are in one package per
  // system.
  const isNative = nativePackages.includes(path.basename(folder));
  const optional = isNative ? Object.keys(optionalDependencies) : [];
  for (const name of [...Object.keys(dependencies), ...optional]) {
    const found = await findPackageFolder(folder, name);
    if (found !== undefined && !folders.has(found)) await addDependencyFolders(found, folders);
  }
}

/**
 * Returns the folder of a package's dependency, which is inside the package or in a folder above
 * it; `undefined` if it is not installed.
 */
async function findPackageFolder(from: string, name: string): Promise<string | undefined> {
  for (let at = from; at.startsWith(root); at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    const files = await readdir(folder).catch((): string[] => []);
    if (files.includes('package.json')) return folder;
  }
  return undefined;
}

const readManifest = async (folder: string): Promise<z.infer<typeof Manifest>> =>
  Manifest.parse(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')));

async function readPackage(folder: string): Promise<Licence> {
  const { name, version, license } = await readManifest(folder);
  const files = (await readdir(folder))
    .filter((file) => LICENCE_NAME_PATTERN.test(file))
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return { name, version, licence: license, text: texts.join('\n\n').trim() };
}

async function pdfjsLicences(): Promise<Licence[]> {
  const folder = place('node_modules/pdfjs-dist');
  const parts: Licence[] = [];
  for await (const file of glob([PDFJS_LICENCE_FILES, DECODER_LICENCE_FILES], { cwd: folder })) {
    const text = (await readFile(path.join(folder, file), 'utf8')).trim();
    const name = path.posix.join('pdfjs-dist', ...file.split(path.sep));
    parts.push({ name, version: '', licence: '', text });
  }
  return parts;
}
