import { spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHome, type Home } from '../../support/desks/desk-process.ts';

/** What a scheduler runs, as it reads a recipe. */
interface Call {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

let home: Home;
/** A folder as people name them, with every sign that a recipe has to write in its own way. */
let data = '';

beforeAll(async () => {
  home = await createHome();
  data = path.join(home.folder, `O'Neil & Sons "50 %" $HOME <new>`);
});
afterAll(() => home.remove());

/** crontab(5): five fields, then a line for the shell, in which `\%` is a percent sign. */
function cron(text: string): Call {
  const line = text
    .split(' ')
    .slice(5)
    .join(' ')
    .replaceAll(String.raw`\%`, '%');
  return { words: ['/bin/sh', '-c', line], env: {} };
}

/** systemd.service(5), "Command lines", and systemd.exec(5), "Environment". */
function systemd(text: string): Call {
  const plain = (word: string): string =>
    word
      .slice(1, -1)
      .replaceAll(/\\(["\\])/g, '$1')
      .replaceAll('%%', '%')
      .replaceAll('$$', '$');
  const wordsOf = (line: string): string[] =>
    [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => plain(word));
  const lines = text.split('\n');
  const settings = lines.filter((line) => line.startsWith('Environment=')).flatMap(wordsOf);
  return {
    words: wordsOf(lines.find((line) => line.startsWith('ExecStart=')) ?? ''),
    env: envOf(settings),
  };
}

/** launchd.plist(5). */
function launchd(text: string): Call {
  const strings = (part: string): string[] =>
    [...part.matchAll(/<(?:string|key)>([^<]*)</g)].map(([, inner = '']) => unescaped(inner));
  const [, list = '', dict = ''] = /<array>(.*)<\/array>.*<dict>(.*?)<\/dict>/s.exec(text) ?? [];
  const pairs = strings(dict);
  const settings = pairs.flatMap((name, at) => (at % 2 ? [] : [`${name}=${pairs[at + 1] ?? ''}`]));
  return { words: strings(list), env: envOf(settings) };
}

const unescaped = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

function envOf(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );
}

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
