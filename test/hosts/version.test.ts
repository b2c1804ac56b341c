import { expect, it } from 'vitest';
import { VERSION, versionOf } from '../../electron/hosts/version.ts';
import manifest from '../../package.json' with { type: 'json' };

it('is the version of the package, and a manifest without one ends the start', () => {
  expect(VERSION).toBe(manifest.version);
  expect(() => versionOf({ name: 'signing-desk' })).toThrow('names no version');
  expect(() => versionOf(null)).toThrow('names no version');
});
