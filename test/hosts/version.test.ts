import { expect, it } from 'vitest';
import { VERSION, versionOf } from '../../electron/hosts/version.ts';
import manifest from '../../package.json' with { type: 'json' };

it('the version is that of the package, and the start fails without one in the manifest', () => {
  expect(VERSION).toBe(manifest.version);
  expect(() => versionOf({ name: 'signing-desk' })).toThrow('names no version');
  expect(() => versionOf(null)).toThrow('names no version');
});
