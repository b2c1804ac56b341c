/*
 * Writes the manifests of a release for package managers, with the address and the SHA-256 of each
 * release file. OUT gets a folder for each of winget, Homebrew, Flatpak and Snap. Submits nothing.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { flatpak } from './flatpak.ts';
import { homebrew } from './homebrew.ts';
import { readRelease } from './release.ts';
import { snap } from './snap.ts';
import { winget } from './winget.ts';

const [folder, address, out] = process.argv.slice(2);
if (folder === undefined || out === undefined || !URL.canParse(address ?? '')) {
  console.error(
    'usage: node build/package/manifests/manifests.ts RELEASE ADDRESS OUT\n' +
      'RELEASE is the folder of the release’s files, ADDRESS where they can be downloaded',
  );
  process.exitCode = 2;
} else {
  await writeManifests(folder, address ?? '', out);
}

async function writeManifests(from: string, base: string, to: string): Promise<void> {
  const release = await readRelease(from, base);
  const { about, settings } = release;
  const files: Record<string, string> = {
    [`homebrew/${about.name}.rb`]: homebrew(release),
    [`flatpak/${settings.appId}.yml`]: toYaml(flatpak(release)),
    'snap/snapcraft.yaml': toYaml(snap(release)),
  };
  for (const [name, content] of Object.entries(winget(release))) {
    files[`winget/${name}`] = toYaml(content);
  }
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(to, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    console.log(`wrote ${name}`);
  }
}

/** Formats YAML without breaking lines, so that a search finds an address or a command. */
function toYaml(content: object): string {
  return stringify(content, { lineWidth: 0 });
}
