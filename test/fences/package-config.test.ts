import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { place } from '../../build/places.ts';

const yml = await readFile(place('build/package/electron-builder.yml'), 'utf8');
const schema = JSON.parse(
  await readFile(place('node_modules/app-builder-lib/scheme.json'), 'utf8'),
) as { definitions: { FuseOptionsV1: { properties: Record<string, unknown> } } };

/** The lines `name: value` that are indented below `section:`, without comments. */
function below(section: string): Record<string, string> {
  const [, rest = ''] = yml.split(`\n${section}:\n`, 2);
  const lines = rest.split('\n');
  const end = lines.findIndex((line) => /^\S/.test(line) && !line.startsWith('#'));
  return Object.fromEntries(
    lines
      .slice(0, end === -1 ? lines.length : end)
      .map((line) => /^ {2}(\w+): (\S.*)$/.exec(line))
      .filter((found) => found !== null)
      .map(([, name = '', value = '']) => [name, value]),
  );
}

describe('the packaged program', () => {
  const fuses = below('electronFuses');

  it('has every fuse set as the threat model wants it (SEC-L12)', () => {
    expect(fuses).toEqual({
      runAsNode: 'false',
      enableCookieEncryption: 'true',
      enableNodeOptionsEnvironmentVariable: 'false',
      enableNodeCliInspectArguments: 'false',
      enableEmbeddedAsarIntegrityValidation: 'true',
      onlyLoadAppFromAsar: 'true',
      loadBrowserProcessSpecificV8Snapshot: 'false',
      grantFileProtocolExtraPrivileges: 'false',
    });
  });

  it('names every fuse that electron-builder knows, also after its next upgrade (SEC-L12)', () => {
    const known = Object.keys(schema.definitions.FuseOptionsV1.properties);
    // It is about the signature of a build on a Mac, and no fuse.
    expect(known.filter((name) => !(name in fuses))).toEqual(['resetAdHocDarwinSignature']);
  });

  it('gives up of a Mac’s hardened runtime what V8 needs, and nothing else (SEC-L12)', async () => {
    const mac = below('mac');
    expect(mac).toMatchObject({
      hardenedRuntime: 'true',
      entitlements: 'build/package/entitlements.mac.plist',
      entitlementsInherit: 'build/package/entitlements.mac.plist',
    });
    const plist = await readFile(place(mac['entitlements'] ?? ''), 'utf8');
    const given = [...plist.matchAll(/<key>([^<]+)<\/key>\s*<(true|false)\/>/g)];
    expect(given.map(([, key, value]) => [key, value])).toEqual([
      ['com.apple.security.cs.allow-jit', 'true'],
    ]);
    expect(plist.match(/<key>/g)).toHaveLength(1);
  });
});
