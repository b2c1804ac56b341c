import { readFile } from 'node:fs/promises';
import { FuseV1Options } from '@electron/fuses';
import { describe, expect, it } from 'vitest';
import { fuses } from '../../build/package/fuses.ts';
import { place } from '../../build/places.ts';

const yml = await readFile(place('build/package/electron-builder.yml'), 'utf8');
/** Returns the lines `name: value` that are indented below `section:`, without comments. */
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
  it('has every fuse set as the threat model requires (SEC-L12)', () => {
    const named = Object.entries(fuses).map(([at, isOn]) => [FuseV1Options[Number(at)], isOn]);
    expect(Object.fromEntries(named)).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      WasmTrapHandlers: true,
    });
  });

  it('names every known fuse, also after the next upgrade (SEC-L12)', () => {
    const known = Object.values(FuseV1Options).filter((value) => typeof value === 'number');
    expect(Object.keys(fuses).map(Number)).toEqual(known);
  });

  it('relaxes macOS’s hardened runtime only as far as V8 needs (SEC-L12)', async () => {
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
