import { readFileSync } from 'node:fs';

/** Manifest two folders up, which is correct both from the sources and from `dist/electron`. */
const manifest: unknown = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

export const VERSION = versionOf(manifest);

/**
 * Returns the version in a manifest.
 * @internal
 */
export function versionOf(found: unknown): string {
  if (typeof found === 'object' && found !== null && 'version' in found) {
    return String(found.version);
  }
  throw new Error('package.json names no version');
}
