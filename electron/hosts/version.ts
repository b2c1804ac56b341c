import { readFileSync } from 'node:fs';

/** Two folders up, from the sources as from `dist/electron`. */
const manifest: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The program's version, as `package.json` says. */
export const VERSION = manifest.version;
