import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
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
    const { stderr, exit } = await home.with({ NODE_OPTIONS, OWNER_PASSWORD: 'unused' }, args);
    const files = (/loaded (?<files>.*)/u.exec(stderr)?.groups?.['files'] ?? '').split(' ');
    return { exit, office: files.some((file) => /\/offices-[^/]*\.mjs$/u.test(file)) };
  };

  it.each([
    ['connections', 'list'],
    ['outbox', 'list'],
    ['outbox', 'run'],
    ['drafts', 'list'],
    ['office', 'script'],
  ])('loads no database client for %s %s', async (...args) => {
    expect(await loadedBy(...args)).toEqual({ exit: 0, office: false });
  });

  it('loads the database client for a command of the office', async () => {
    const server = ['--host', '127.0.0.1', '--port', '1', '--password-env', 'OWNER_PASSWORD'];
    const { office } = await loadedBy('office', 'create', ...server, '--name', 'Anna Ek');
    expect(office).toBe(true);
  });
});

describe('the script for the database of an office', () => {
  let home: Home;

  beforeAll(async () => {
    home = await createHome('none');
  });
  afterAll(() => home.remove());

  it('is printed without a credential store, and creates no data', async () => {
    const { exit, stdout } = await home.desk(['office', 'script', '--database', 'avtal']);
    expect(exit).toBe(0);
    expect(stdout).toContain('CREATE DATABASE avtal OWNER signing_desk_owner');
    expect(existsSync(home.data)).toBe(false);
  });

  it('accepts no name that would change the script', async () => {
    const { exit, stdout } = await home.desk(['office', 'script', '--owner', 'a; DROP TABLE b']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  });
});
