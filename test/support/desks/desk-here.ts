import { runCli } from '../../../electron/hosts/cli/run.ts';
import { LITTLE_PHRASE_WORK } from '../phrase-work.ts';
import { createHome, type Ended, type Home, valueOf } from './desk-process.ts';

/** A home whose commands run in this process, and which can also start real processes. */
export interface HomeHere extends Home {
  /** Home with the same data in which each command runs as a process. */
  readonly apart: Home;
}

/**
 * A `createHome` for tests of what a command does, not of its process: each command opens the data
 * again, but the program is loaded only once. `start` still starts a process, which can be
 * interrupted and killed.
 */
export async function createHomeHere(vault?: 'keyfile' | 'none'): Promise<HomeHere> {
  const apart = await createHome(vault);
  return homeOf(apart, (env, args, input) => runHere(args, env, input));
}

/** Commands that the journey, which runs each command as a process, does not cover. */
const APART = [
  ...[
    ...['attachments', 'fields', 'raw', 'link', 'notifications', 'access', 'revoke', 'delete'],
    ...['remind', 'change', 'email', 'recipients', 'delete-notification', 'reject', 'share'],
    ...['forget', 'storage', 'keep'],
  ].map((name) => `agreements ${name}`),
  ...['list', 'add', 'show', 'remove'].map((name) => `uploads ${name}`),
  ...['export', 'import', 'duplicate', 'restore', 'trash', 'convert'].map(
    (name) => `drafts ${name}`,
  ),
  ...['list', 'remove'].map((name) => `templates ${name}`),
  ...['sample', 'pause', 'stop'].map((name) => `batch ${name}`),
  'open',
  'outbox cancel',
  ...['list', 'anchor'].map((name) => `evidence ${name}`),
  ...['verify', 'bagit'].map((name) => `archive ${name}`),
  ...['add', 'list', 'status', 'remove', 'on', 'off', 'install'].map(
    (name) => `archive schedule ${name}`,
  ),
  ...['add', 'list', 'edit', 'remove', 'on', 'off'].map((name) => `reminders rules ${name}`),
  ...['preview', 'exclude', 'exclusions', 'include'].map((name) => `reminders ${name}`),
  ...['add', 'list', 'edit', 'remove', 'on', 'off', 'preview', 'run'].map(
    (name) => `folders ${name}`,
  ),
  'drafts watch',
  'run-due',
  ...['phrase', 'setup', 'plan', 'run', 'list', 'status', 'on', 'off', 'recovery-page'].map(
    (name) => `backup ${name}`,
  ),
  ...['check', 'inspect', 'restore', 'recover', 'copies', 'set-aside'].map(
    (name) => `backup ${name}`,
  ),
  'connections replace-secret',
];

/**
 * Creates a home like `createHomeHere`. The first run of each command that no other test runs as a
 * process is a process, so that each command starts at least once as the shipped bundle.
 */
export const createMixedHome = (): Promise<HomeHere> =>
  createFirstApart((args) => APART.find((name) => `${args.join(' ')} `.startsWith(`${name} `)));

/**
 * Creates a home like `createHomeHere`, but runs every command for the first time in a process of
 * its own.
 */
export const createJourneyHome = (): Promise<HomeHere> =>
  createFirstApart((args) => args.slice(0, args[1]?.startsWith('-') === false ? 2 : 1).join(' '));

async function createFirstApart(
  nameOf: (args: readonly string[]) => string | undefined,
): Promise<HomeHere> {
  const apart = await createHome();
  const begun = new Set<string>();
  return homeOf(apart, (env, args, input) => {
    const name = nameOf(args);
    if (name === undefined || begun.has(name)) return runHere(args, env, input);
    begun.add(name);
    return apart.with(env, args, input);
  });
}

type RunCommand = (
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input?: string,
) => Promise<Ended>;

function homeOf(apart: Home, run: RunCommand): HomeHere {
  const desk: Home['desk'] = (args, input) => run(apart.env, args, input);
  const json: Home['json'] = async (args, input) => {
    const ended = await desk([...args, '--json'], input);
    return { ...ended, document: JSON.parse(ended.stdout) as unknown };
  };
  const value: Home['value'] = async (args, input, exit) =>
    valueOf(args, await desk([...args, '--json'], input), exit);
  const within: Home['with'] = (more, args, input) => run({ ...apart.env, ...more }, args, input);
  return { ...apart, desk, json, value, with: within, apart };
}

let running = 0;
let zone: string | undefined;

/** Runs one command line with these variables; it sees only the time zone of this process. */
async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  if (running === 0) zone = process.env['TZ'];
  running += 1;
  process.env['TZ'] = env['TZ'];
  try {
    const exit = await runCli(args, {
      env,
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      drawsBars: false,
      program: ['signing-desk'],
      phraseWork: LITTLE_PHRASE_WORK,
      readSecret: () => Promise.resolve(input),
      onInterrupt: () => () => undefined,
    });
    return { exit, stdout, stderr };
  } finally {
    running -= 1;
    if (running === 0) restoreZone();
  }
}

function restoreZone(): void {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
}
