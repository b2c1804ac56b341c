import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { userConfigFolder } from '../data-dir.ts';
import { findProgram, type HostMachine } from '../find-browser.ts';
import type { RunProgram } from './programs.ts';
import {
  SCHEDULE_LABEL,
  type Scheduler,
  type SchedulerRecipe,
  WINDOWS_TASK_NAME,
} from './recipes.ts';

/** The task of this program in one scheduler of the system. */
export interface ScheduledTask {
  readonly scheduler: Scheduler;
  /** Returns the text of the installed task; null if there is none. */
  read(): Promise<string | null>;
  /** Creates or replaces the task. Throws 'storage' with 'schedule-refused'. */
  create(files: readonly SchedulerRecipe[]): Promise<void>;
  /** Removes the task. Throws as `create` does. */
  remove(): Promise<void>;
}

export interface TaskSystem {
  readonly machine: HostMachine;
  readonly run: RunProgram;
}

/** Text by which a line of a crontab is recognised as one of this program. */
const CRON_COMMAND = ' run-due ';
/** Character that a decoder writes for bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = '\u{FFFD}';

/**
 * Returns the task in the scheduler of this computer; null if there is none. On Linux, systemd is
 * preferred, because its services reach the credential store of the user who is signed in.
 * @param mark Text that the task of this data folder contains, for a scheduler.
 */
export async function findTask(
  { machine, run: start }: TaskSystem,
  mark: (scheduler: Scheduler) => string,
): Promise<ScheduledTask | null> {
  const run = refusingRunner(start);
  const system: TaskSystem = { machine, run };
  if (machine.platform === 'darwin') return launchdTask(system);
  if (machine.platform === 'win32') return windowsTask(system);
  const systemctl = findProgram('systemctl', machine);
  if (systemctl !== undefined) {
    // In a container or over ssh there may be no service manager of the user.
    const isRunning = await run(systemctl, ['--user', 'show-environment']).then(
      ({ exit }) => exit === 0,
      () => false,
    );
    if (isRunning) return systemdTask(system, systemctl);
  }
  const crontab = findProgram('crontab', machine);
  return crontab === undefined ? null : cronTask(system, crontab, mark('cron'));
}

function systemdTask({ machine, run }: TaskSystem, systemctl: string): ScheduledTask {
  const folder = path.join(userConfigFolder(machine.env), 'systemd', 'user');
  const timer = `${SCHEDULE_LABEL}.timer`;
  const files = [timer, `${SCHEDULE_LABEL}.service`].map((name) => path.join(folder, name));
  const control = (...args: readonly string[]) => run(systemctl, ['--user', ...args]);
  return {
    scheduler: 'systemd',
    async read() {
      const text = textIn(path.join(folder, `${SCHEDULE_LABEL}.service`));
      return text !== null && (await control('is-enabled', timer)).exit === 0 ? text : null;
    },
    async create(recipes) {
      writeRecipes(folder, recipes);
      await assertDone(control('daemon-reload'));
      await assertDone(control('enable', '--now', timer));
    },
    async remove() {
      await assertDone(control('disable', '--now', timer));
      removeFiles(files);
      await assertDone(control('daemon-reload'));
    },
  };
}

function cronTask({ run }: TaskSystem, crontab: string, mark: string): ScheduledTask {
  const isOurs = (line: string): boolean =>
    line.includes(CRON_COMMAND) && line.includes(mark) && !/^\s*#/.test(line);
  async function lines(): Promise<readonly string[]> {
    const { exit, out, err } = await run(crontab, ['-l']);
    // Without this check, an unreadable crontab would be replaced by one line.
    if (exit !== 0 && !/no crontab/i.test(err)) throw refusal(err);
    const text = out.endsWith('\n') ? out.slice(0, -1) : out;
    return exit === 0 && text !== '' ? text.split('\n') : [];
  }
  async function otherLines(): Promise<readonly string[]> {
    const others = (await lines()).filter((line) => !isOurs(line));
    // Characters of another encoding were lost when the crontab was read.
    if (others.some((line) => line.includes(REPLACEMENT_CHARACTER))) {
      throw refusal('The crontab has characters that are not UTF-8.');
    }
    return others;
  }
  const write = (wanted: readonly string[]) =>
    assertDone(run(crontab, ['-'], wanted.map((line) => `${line}\n`).join('')));
  return {
    scheduler: 'cron',
    read: async () => (await lines()).find(isOurs) ?? null,
    async create([recipe]) {
      await write([...(await otherLines()), (recipe?.text ?? '').trimEnd()]);
    },
    remove: async () => write(await otherLines()),
  };
}

function launchdTask({ machine, run }: TaskSystem): ScheduledTask {
  const folder = path.join(machine.env['HOME'] ?? '', 'Library', 'LaunchAgents');
  const file = path.join(folder, `${SCHEDULE_LABEL}.plist`);
  const session = `gui/${String(process.getuid?.() ?? 0)}`;
  const control = (...args: readonly string[]) => run('/bin/launchctl', args);
  // The result is ignored: unloading fails if the task was not loaded.
  const unload = () => control('bootout', `${session}/${SCHEDULE_LABEL}`);
  return {
    scheduler: 'launchd',
    read: async () => textIn(file),
    async create(recipes) {
      writeRecipes(folder, recipes);
      await unload();
      try {
        await assertDone(control('bootstrap', session, file));
      } catch (error) {
        // At the next sign-in, launchd would load the file.
        removeFiles([file]);
        throw error;
      }
    },
    async remove() {
      await unload();
      removeFiles([file]);
    },
  };
}

function windowsTask({ machine, run }: TaskSystem): ScheduledTask {
  const root = machine.env['SystemRoot'] ?? String.raw`C:\Windows`;
  const program = path.win32.join(root, 'System32', 'schtasks.exe');
  const control = (...args: readonly string[]) => run(program, [...args, '/TN', WINDOWS_TASK_NAME]);
  return {
    scheduler: 'task-scheduler',
    async read() {
      const { exit, out } = await control('/Query', '/XML');
      return exit === 0 ? out : null;
    },
    async create(recipes) {
      const folder = mkdtempSync(path.join(tmpdir(), 'signing-desk-task-'));
      try {
        const [file = ''] = writeRecipes(folder, recipes);
        await assertDone(control('/Create', '/F', '/XML', file));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    async remove() {
      await assertDone(control('/Delete', '/F'));
    },
  };
}

function writeRecipes(folder: string, recipes: readonly SchedulerRecipe[]): readonly string[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return recipes.map(({ name, text }) => {
      const file = path.join(folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      return file;
    });
  } catch (error) {
    throw refusal(String(error));
  }
}

function removeFiles(files: readonly string[]): void {
  try {
    for (const file of files) rmSync(file, { force: true });
  } catch (error) {
    throw refusal(String(error));
  }
}

function textIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Returns a `RunProgram` that throws 'schedule-refused' if the program cannot be started. */
function refusingRunner(run: RunProgram): RunProgram {
  return async (program, args, input) => {
    try {
      return await run(program, args, input);
    } catch (error) {
      throw refusal(String(error));
    }
  };
}

async function assertDone(answer: ReturnType<RunProgram>): Promise<void> {
  const { exit, err } = await answer;
  if (exit !== 0) throw refusal(err);
}

function refusal(why: string): AppError {
  const message = `The system did not change the scheduled task. ${why.trim()}`.trim();
  return new AppError('storage', message, { reason: 'schedule-refused' });
}
