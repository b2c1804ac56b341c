import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { compileMessages } from '../../../build/messages.ts';
import type { Assets } from '../../../electron/hosts/page/assets.ts';
import type { Messages } from '../../../renderer/ui/language.svelte.ts';
import { type Catalogue, pseudoCatalogue } from '../../support/pseudo-language.ts';

const MESSAGES = path.resolve(import.meta.dirname, '../../../renderer/messages');
const SETTINGS = 'project.inlang/settings.json';
const CODE = 'qps';
/** Language that the pseudo-language replaces; it has the two plural forms of English. */
export const STAND_IN = 'nl';
const CHUNK = new RegExp(String.raw`/assets/${STAND_IN}-[^/]+\.js$`);

/** The parts of a window in the pseudo-language. */
export interface Pseudo {
  /** All texts, as tests look them up. */
  readonly messages: Messages;
  /** Replaces this catalogue in the page's files. */
  readonly over: (assets: Assets) => Assets;
}

/** Compiles the pseudo-language's catalogue in the same way as all others. */
export async function compilePseudo(): Promise<Pseudo> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pseudo-'));
  try {
    await writeCatalogues(path.join(folder, 'messages'));
    await compileMessages(folder);
    const compiled = path.join(folder, `generated/messages/messages/${CODE}.js`);
    const messages: Messages = await import(pathToFileURL(compiled).href);
    const data = Buffer.from(await inOneFile(compiled));
    const over = (assets: Assets): Assets => ({
      async read(url) {
        const found = await assets.read(url);
        return found !== null && CHUNK.test(url) ? { type: found.type, data } : found;
      },
    });
    return { messages, over };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the English catalogue, to which others are compared, and that of the pseudo-language. */
async function writeCatalogues(folder: string): Promise<void> {
  await mkdir(path.join(folder, path.dirname(SETTINGS)), { recursive: true });
  const settings = JSON.parse(await readFile(path.join(MESSAGES, SETTINGS), 'utf8')) as {
    modules: readonly string[];
  };
  const modules = settings.modules.map((module) =>
    path.relative(folder, path.resolve(MESSAGES, module)),
  );
  const changed = Object.assign({}, settings, { locales: ['en', CODE], modules });
  await writeFile(path.join(folder, SETTINGS), JSON.stringify(changed));
  const english = await readFile(path.join(MESSAGES, 'en.json'), 'utf8');
  await writeFile(path.join(folder, 'en.json'), english);
  const pseudo = pseudoCatalogue(JSON.parse(english) as Catalogue);
  await writeFile(path.join(folder, `${CODE}.json`), JSON.stringify(pseudo));
}

/** Bundles a language into one file, as the page loads it. */
async function inOneFile(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: CODE } },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const chunk = outputs.find((one) => one.type === 'chunk');
  if (chunk === undefined) throw new Error('The catalogue was not built');
  return chunk.code;
}
