import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { place } from '../../build/places.ts';
import { runNode } from '../../build/run.ts';

const about = JSON.parse(await readFile(place('package.json'), 'utf8'));
const { version } = about;
const ADDRESS = `https://example.org/releases/download/v${version}`;
const EXE = `signing-desk-${version}-setup-x64.exe`;
const DMG = `signing-desk-${version}-mac-arm64.dmg`;
const DEB = `signing-desk_${version}_amd64.deb`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-manifests-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of [EXE, DMG, DEB]) await writeFile(path.join(folder, name), name);
});

const out = (): string => path.join(folder, 'out');
const write = () =>
  runNode(place('build/package/manifests/manifests.ts'), [folder, ADDRESS, out()], {});
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const read = (name: string): Promise<string> => readFile(path.join(out(), name), 'utf8');

describe('the manifests for package managers', () => {
  it('name the files of the release, by address and checksum', async () => {
    expect(await write()).toMatchObject({ code: 0 });
    const installer = parse(await read('winget/SigningDesk.SigningDesk.installer.yaml'));
    for (const one of installer.Installers) {
      expect(one).toMatchObject({
        InstallerUrl: `${ADDRESS}/${EXE}`,
        InstallerSha256: sha256(EXE).toUpperCase(),
      });
    }
    const cask = await read('homebrew/signing-desk.rb');
    expect(cask.replaceAll('#{version}', version)).toContain(`url "${ADDRESS}/${DMG}"`);
    expect(cask).toContain(`sha256 "${sha256(DMG)}"`);
    const [flatpak] = parse(await read('flatpak/org.signingdesk.app.yml')).modules;
    expect(flatpak.sources[0]).toMatchObject({ url: `${ADDRESS}/${DEB}`, sha256: sha256(DEB) });
    const snap = parse(await read('snap/snapcraft.yaml')).parts['signing-desk'];
    expect(snap).toMatchObject({
      source: `${ADDRESS}/${DEB}`,
      'source-checksum': `sha256/${sha256(DEB)}`,
    });
  });

  it('repeat the name, version, licence and links of package.json', async () => {
    await write();
    const places = await readdir(path.join(out(), 'winget'));
    const winget = await Promise.all(
      places.map(async (name) => parse(await read(`winget/${name}`))),
    );
    for (const one of winget) expect(one.PackageVersion).toBe(version);
    expect(Object.assign({}, ...winget)).toMatchObject({
      License: about.license,
      ShortDescription: about.description,
      PackageUrl: about.homepage,
      PublisherSupportUrl: about.bugs.url,
      Protocols: ['signingdesk'],
      FileExtensions: ['signdraft'],
    });
    const snap = parse(await read('snap/snapcraft.yaml'));
    expect(snap).toMatchObject({ name: about.name, version, license: about.license });
    // These are the limits in the schemas of the stores (snapcraft and winget).
    expect(snap.summary.length).toBeLessThanOrEqual(78);
    expect(about.description.length).toBeLessThanOrEqual(256);
    expect(await read('homebrew/signing-desk.rb')).toContain(`homepage "${about.homepage}"`);
  });

  it('request only the rights that the program needs, and keep the user’s data in place', async () => {
    await write();
    const flatpak = parse(await read('flatpak/org.signingdesk.app.yml'));
    expect(flatpak['finish-args'].join(' ')).not.toMatch(/=home|=host|session-bus|device=all/);
    const snap = parse(await read('snap/snapcraft.yaml'));
    expect(snap.confinement).toBe('strict');
    const every = await Promise.all([
      read('homebrew/signing-desk.rb'),
      read('flatpak/org.signingdesk.app.yml'),
      read('snap/snapcraft.yaml'),
    ]);
    expect(every.join('\n')).not.toMatch(/zap|no-sandbox/);
  });

  it('are not written if a file of the release is missing, which is named', async () => {
    await rm(path.join(folder, DMG));
    const { code, output } = await write();
    expect(code).not.toBe(0);
    expect(output).toContain(`the release has no ${DMG}`);
    expect(await readdir(folder)).not.toContain('out');
  });
});
