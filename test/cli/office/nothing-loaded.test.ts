import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHome, type Home } from '../../support/desks/desk-process.ts';

/** Module that writes at exit which of the program's files were loaded. */
const WITNESS = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
process.on('exit', () => process.stderr.write('loaded ' + loaded.join(' ') + '\\n'));
`;

describe('a computer that belongs to no office', () => {
  let home: Home;
  let externalState: string;

  beforeAll(async () => {
    home = await createHome();
    externalState = path.join(home.folder, 'witness.mjs');
    await writeFile(externalState, WITNESS);
    await home.desk(['connections', 'list']);
  });
  afterAll(() => home.remove());

  const loadedBy = async (...args: readonly string[]) => {
    const NODE_OPTIONS = `--import=${pathToFileURL(externalState).href}`;
    const { stderr, exit } = await home.with({ NODE_OPTIONS }, args);
    const files = (/loaded (?<files>.*)/u.exec(stderr)?.groups?.['files'] ?? '').split(' ');
    return { exit, office: files.some((file) => /\/offices-[^/]*\.mjs$/u.test(file)) };
  };

  it.each([
    ['connections', 'list'],
    ['outbox', 'list'],
    ['outbox', 'run'],
    ['drafts', 'list'],
  ])('loads no database client for %s %s', async (...args) => {
    expect(await loadedBy(...args)).toEqual({ exit: 0, office: false });
  });

  it('loads the database client for a command of the office', async () => {
    expect(await loadedBy('office', 'script')).toEqual({ exit: 0, office: true });
  });
});
