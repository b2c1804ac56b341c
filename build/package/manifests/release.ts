import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import { place } from '../../places.ts';
import { type Manifest, readManifest } from '../about.ts';

const Template = z.object({ artifactName: z.string() });

const Settings = z.object({
  appId: z.string(),
  productName: z.string(),
  artifactName: z.string(),
  protocols: z.object({ schemes: z.array(z.string()) }),
  fileAssociations: z.object({ ext: z.string() }),
  nsis: Template,
  deb: Template,
});

/** One file of a release, as a package manager downloads it. */
export interface ReleaseFile {
  readonly name: string;
  readonly url: string;
  /** SHA-256 of the file: 64 hexadecimal digits in lower case. */
  readonly sha256: string;
}

/** Data of a release, from which all manifests are made. */
export interface Release {
  readonly about: Manifest;
  readonly settings: z.infer<typeof Settings>;
  readonly exe: ReleaseFile;
  readonly dmg: ReleaseFile;
  readonly deb: ReleaseFile;
}

/**
 * Reads a release from the folder of its files, whose names follow electron-builder.yml.
 * @param address Address of the folder from which the files can be downloaded.
 * @throws an error that names the missing file.
 */
export async function readRelease(folder: string, address: string): Promise<Release> {
  const about = await readManifest();
  const text = await readFile(place('build/package/electron-builder.yml'), 'utf8');
  const settings = Settings.parse(parse(text));
  const { version } = about;
  const file = (template: string, values: Readonly<Record<string, string>>) =>
    readFileOf(folder, address, fileName(template, { version, ...values }));
  return {
    about,
    settings,
    exe: await file(settings.nsis.artifactName, { arch: 'x64', ext: 'exe' }),
    // The machine in release.yml that builds the .dmg has an Apple processor.
    dmg: await file(settings.artifactName, { os: 'mac', arch: 'arm64', ext: 'dmg' }),
    deb: await file(settings.deb.artifactName, { arch: 'amd64', ext: 'deb' }),
  };
}

/** Fills in electron-builder's template: `signing-desk_${version}_${arch}.${ext}`. */
const fileName = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

async function readFileOf(folder: string, address: string, name: string): Promise<ReleaseFile> {
  const file = path.join(folder, name);
  await access(file).catch(() => {
    throw new Error(`the release has no ${name}`);
  });
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const base = address.endsWith('/') ? address : `${address}/`;
  return { name, url: new URL(name, base).href, sha256: hash.digest('hex') };
}
