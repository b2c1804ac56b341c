import { spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHome, type Home } from '../../support/desks/desk-process.ts';
import { cron, launchd, systemd } from '../../support/read-recipes.ts';

let home: Home;
/** A folder as people name them, with every sign that a recipe has to write in its own way. */
let data = '';

beforeAll(async () => {
  home = await createHome();
  data = path.join(home.folder, `O'Neil & Sons "50 %" $HOME <new>`);
});
afterAll(() => home.remove());

const readers = [
  ['cron', 'signing-desk-archive.cron', cron],
  ['systemd', 'signing-desk-archive.service', systemd],
  ['launchd', 'signing-desk-archive.plist', launchd],
] as const;

describe('what is written for a scheduler', () => {
  it.each(readers)(
    'runs what is due in the same data, from anywhere, by %s (PK-03)',
    async (scheduler, name, read) => {
      const to = path.join(home.folder, scheduler);
      await mkdir(to);
      const keyfile = (home.env['SIGNING_DESK_VAULT'] ?? '').replace('keyfile:', '');
      const install = ['archive', 'schedule', 'install', '--for', scheduler];
      await home.value([...install, '--data', data, '--keyfile', keyfile, '--out', to]);
      const { words, env } = read(await readFile(path.join(to, name), 'utf8'));
      const [program = '', ...args] = words;
      // A scheduler has hardly any variables, and a folder of its own.
      const ended = spawnSync(program, args, {
        cwd: '/',
        encoding: 'utf8',
        env: { HOME: home.folder, PATH: '/usr/bin:/bin', ...env },
      });
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      expect(ended.stdout.trim()).toBe(scheduler === 'cron' ? '' : 'Nothing is due.');
      // It opened the very folder that was named.
      expect((await readFile(path.join(data, 'desk.db'))).length).toBeGreaterThan(0);
    },
  );
});
