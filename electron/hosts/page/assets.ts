import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assetPath } from './policy.ts';

/** File types that Vite writes to the page's folder; other types are not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  // Pictures of the guide.
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  // pdf.js: character maps and the fourteen standard fonts.
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
};

interface Asset {
  readonly type: string;
  readonly data: Buffer;
}

export interface Assets {
  /** Returns the file for an address of the page's origin; null if there is none. */
  read(url: string): Promise<Asset | null>;
}

/** Serves the built page from its folder, `dist/renderer` of a checkout. */
export function createAssets(folder: string): Assets {
  return {
    async read(url) {
      const name = assetPath(url);
      const type = name === undefined ? undefined : CONTENT_TYPES[path.extname(name)];
      if (name === undefined || type === undefined) return null;
      const data = await readIfThere(path.join(folder, name));
      return data === null ? null : { type, data };
    },
  };
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null;
    throw cause;
  }
}
