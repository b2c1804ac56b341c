import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  renamedCommands,
  renamedOptions,
  replaceOldNames,
} from '../../electron/hosts/cli/old-names.ts';
import { createHomeHere, type HomeHere } from '../support/desks/desk-here.ts';

let home: HomeHere;

beforeAll(async () => {
  home = await createHomeHere();
});
afterAll(() => home.remove());

const noteOf = (old: string, now: string) =>
  `\`${old}\` is now called \`${now}\`; the old name works until version 0.2.`;
const noteOfCommand = (old: string, now: string) =>
  noteOf(`signing-desk ${old}`, `signing-desk ${now}`);

/** Splits the words of a command into those before the last one, and the last one. */
function split(command: string): readonly [parents: readonly string[], last: string] {
  const words = command.split(' ');
  return [words.slice(0, -1), words.at(-1) ?? ''];
}

/** Pattern of a command's row in the list of commands of a help text. */
const rowOf = (name: string) => new RegExp(`^ {2}${name}(?: |$)`, 'm');

describe.each(renamedCommands)('the old command %s', (old, now) => {
  const [oldWords, newWords] = [old.split(' '), now.split(' ')];

  it(`shows the help of ${now}, with a note on standard error`, async () => {
    const wanted = await home.desk([...newWords, '--help']);
    expect(wanted).toMatchObject({ exit: 0, stderr: '' });
    const note = `${noteOfCommand(old, now)}\n`;
    expect(await home.desk([...oldWords, '--help'])).toEqual({ ...wanted, stderr: note });
  });

  it('is missing from the help and the shell completion, which both contain the new command', async () => {
    const [oldParents, oldName] = split(old);
    const [newParents, newName] = split(now);
    const listOf = async (words: readonly string[]) =>
      (await home.desk([...words, '--help'])).stdout.split(/^Commands:\n/m)[1] ?? '';
    expect(await listOf(oldParents)).not.toMatch(rowOf(oldName));
    expect(await listOf(newParents)).toMatch(rowOf(newName));
    const offers = (await home.desk(['completion', 'fish'])).stdout.split('\n');
    expect(offers).not.toContain(offerOf(oldParents, oldName));
    expect(offers).toContain(offerOf(newParents, newName));
  });
});

/** Returns the line that completes this name in the fish shell. */
function offerOf(parents: readonly string[], name: string): string {
  const seen = parents.map((parent) => `__fish_seen_subcommand_from ${parent}`);
  const when = seen.length === 0 ? '__fish_use_subcommand' : seen.join('; and ');
  return `complete -c signing-desk -n '${when}' -a ${name}`;
}

describe('the old name of a command', () => {
  it('is accepted as the argument of "help"', async () => {
    const { stdout } = await home.desk(['help', 'summary']);
    expect(await home.desk(['help', 'digest'])).toEqual({
      exit: 0,
      stdout,
      stderr: `${noteOfCommand('digest', 'summary')}\n`,
    });
  });

  it('runs the renamed command, also behind global options', async () => {
    const wanted = await home.desk(['--data', home.data, 'folders', 'list']);
    expect(wanted).toMatchObject({ exit: 0, stderr: '' });
    const ended = await home.desk(['--data', home.data, 'intake', 'list']);
    expect(ended).toEqual({ ...wanted, stderr: `${noteOfCommand('intake', 'folders')}\n` });
  });

  it('does not change the JSON output, and adds a note as JSON on standard error', async () => {
    const wanted = await home.desk(['folders', 'list', '--json']);
    const ended = await home.desk(['--json', 'intake', 'list']);
    expect(ended.stdout).toBe(wanted.stdout);
    expect(JSON.parse(ended.stderr)).toEqual({ note: noteOfCommand('intake', 'folders') });
  });

  it('is recognised even if the other arguments are wrong', async () => {
    const { exit, stderr } = await home.desk(['office', 'holders']);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^`signing-desk office holders` is now called .*\nsigning-desk: /);
  });

  it.each([
    ['a value of an option', ['--data', 'digest', 'sync']],
    ['an argument', ['people', 'show', 'digest']],
    ['a word behind --', ['people', 'show', '--', 'office', 'holders']],
    ['the name of another group’s command', ['evidence', 'list', 'release']],
  ])('is not replaced if it is %s', (_what, argv) => {
    expect(replaceOldNames(argv)).toEqual({ argv, notes: [] });
  });
});

describe.each(renamedOptions)('of %s, the old option %s', (command, old, now) => {
  const words = command.split(' ');

  it(`is read as ${now}, with or without its value`, () => {
    expect(replaceOldNames([...words, 'add', old, `${old}=1`, '--', old])).toEqual({
      argv: [...words, 'add', now, `${now}=1`, '--', old],
      notes: [noteOf(old, now)],
    });
  });

  it('is missing from the help, which contains the new option', async () => {
    const below = command === 'reminders rules' ? ['add'] : [];
    const { stdout } = await home.desk([...words, ...below, '--help']);
    expect(stdout).not.toContain(`${old} `);
    expect(stdout).toContain(`${now} `);
  });
});

it('an old option of an old command is accepted, with a note for the command and for the option', async () => {
  const file = path.join(home.folder, 'today.eml');
  const { exit, stderr } = await home.desk(['digest', '--mail', file]);
  expect(exit).toBe(0);
  expect(stderr).toBe(`${noteOfCommand('digest', 'summary')}\n${noteOf('--mail', '--out')}\n`);
  expect(await readFile(file, 'utf8')).toContain('X-Unsent: 1');
});
