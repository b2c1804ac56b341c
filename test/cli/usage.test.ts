import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../electron/hosts/cli/program.ts';
import { runCli } from '../../electron/hosts/cli/run.ts';
import { createHome, type Ended, type Home } from '../support/desks/desk-process.ts';

let home: Home;

beforeAll(async () => {
  home = await createHome();
});
afterAll(() => home.remove());

/** Runs the command line in this process: commands without data need no separate process. */
async function call(args: readonly string[]): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const exit = await runCli(args, {
    env: home.env,
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
    drawsBars: false,
    program: [],
    readSecret: () => Promise.reject(new Error('No secret is needed')),
    onInterrupt: () => () => undefined,
  });
  return { exit, stdout, stderr };
}

describe('a wrong call of desk', () => {
  it.each([
    ['no command', []],
    ['a group without its command', ['agreements']],
    ['an unknown command', ['agreement', 'list']],
    ['an unknown option', ['agreements', 'list', '--colour', 'red']],
    ['an option without its value', ['agreements', 'list', '--search']],
    ['a missing option', ['archive', 'run']],
    ['a missing argument', ['agreements', 'show']],
    ['too many arguments', ['connections', 'test', 'a', 'b']],
    ['an unknown choice', ['agreements', 'list', '--state', 'lost']],
    ['a number out of range', ['agreements', 'list', '--limit', '0']],
    ['a number that is none', ['signing', 'sign', 'a', '--as', 'b', '--confirm', 'two']],
    ['a day that does not exist', ['agreements', 'list', '--closed-from', '2026-02-30']],
    ['a time without a zone', ['agreements', 'list', '--closed-from', '2026-02-03T10:00']],
    ['a decision that is none', ['outbox', 'settle', 'a', '--as', 'perhaps']],
    ['sending without a count', ['drafts', 'send', 'a', '--connection', 'b']],
  ])('ends with exit code 2: %s', async (_what, args) => {
    const { exit, stdout, stderr } = await call(args);
    expect(exit).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^signing-desk: \S.*\n$/);
  });

  it('is reported as one JSON document if --json is given', async () => {
    const { exit, document, stderr } = await home.json(['agreements', 'list', '--colour']);
    expect(exit).toBe(2);
    expect(document).toEqual({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining('--colour') as string },
    });
    expect(stderr).toBe('');
  });

  it('starts nothing, and creates no data folder', async () => {
    await home.desk(['agreements', 'show']);
    await expect(stat(home.data)).rejects.toThrow('ENOENT');
  });

  it('reports the permitted forms if the credential store is invalid', async () => {
    const { exit, stderr } = await home.with({ SIGNING_DESK_VAULT: 'keyfile:' }, ['sync']);
    expect(exit).toBe(2);
    expect(stderr).toContain('keyfile:PATH');
  });
});

describe('secrets on the command line', () => {
  const secret = 'tkn-4711-never-to-be-seen';
  const add = ['connections', 'add', 'Office', '--api', 'v1', '--url', 'https://desk.invalid'];

  it.each([
    ['an argument', [...add, secret]],
    ['an option', [...add, '--token', secret]],
    ['the value of an option', [...add, `--token=${secret}`]],
    ['an option called secret', [...add, `--secret=${secret}`]],
  ])('are refused as %s, and not repeated', async (_what, args) => {
    const { exit, stdout, stderr } = await call(args);
    expect(exit).toBe(2);
    expect(stdout + stderr).not.toContain(secret);
  });
});

describe('desk help', () => {
  it('has for every command one example, which names the command', async () => {
    const leaves = await leavesOf([]);
    expect(leaves.length).toBeGreaterThan(30);
    for (const leaf of leaves) {
      const { exit, stdout } = await call([...leaf, '--help']);
      expect(exit).toBe(0);
      expect(stdout.match(/^Example:\n {2}signing-desk (.*)$/m)?.[1]).toContain(leaf.join(' '));
    }
  });

  it('lists the commands identically, whether their features are loaded or not', async () => {
    const io = {
      env: {},
      program: [],
      out: () => undefined,
      err: () => undefined,
      drawsBars: false,
    };
    const unasked = () => Promise.reject(new Error('No command runs'));
    const listOf = async (argv: readonly string[]): Promise<string> => {
      const program = await createProgram(
        { ...io, readSecret: unasked, onInterrupt: () => () => undefined },
        '1.0.0',
        { withDesk: unasked, alone: unasked },
        argv,
      );
      return program.helpInformation();
    };
    expect(await listOf(['--help'])).toBe(await listOf(['completion', 'bash']));
  });

  /** Returns the commands without subcommands among these words and everything below them. */
  async function leavesOf(words: readonly string[]): Promise<(readonly string[])[]> {
    const below = await commandsOf(words);
    if (below.length === 0) return [words];
    return (await Promise.all(below.map((one) => leavesOf([...words, one])))).flat();
  }

  async function commandsOf(words: readonly string[]): Promise<string[]> {
    const { stdout } = await call([...words, '--help']);
    const list = stdout.split(/^Commands:\n/m)[1]?.split('\n\n')[0] ?? '';
    const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((match) => match[1] ?? '');
    return names.filter((name) => name !== 'help');
  }
});

describe('shell completion', () => {
  it.each(['bash', 'zsh', 'fish'])('offers the commands of a group in %s', async (shell) => {
    const { exit, stdout } = await call(['completion', shell]);
    expect(exit).toBe(0);
    expect(stdout).toContain('signing-desk');
    expect(stdout).toMatch(/download/);
    expect(stdout).toMatch(/closed-from/);
  });
});

describe('desk vault create-keyfile', () => {
  it('creates 32 bytes that only the owner may read, and never overwrites a file', async () => {
    const file = path.join(home.folder, 'new.key');
    const first = await home.json(['vault', 'create-keyfile', file]);
    expect(first).toMatchObject({ exit: 0, document: { ok: true, value: { file } } });
    const { mode, size } = await stat(file);
    expect([mode & 0o777, size]).toEqual([0o600, 32]);
    const second = await home.json(['vault', 'create-keyfile', file]);
    expect(second).toMatchObject({ exit: 1, document: { ok: false, error: { code: 'storage' } } });
    expect(await readdir(home.folder)).not.toContain('data');
  });
});
