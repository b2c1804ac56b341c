import type { HostSetup } from '../../compose/compose.ts';
import type { HostSchedule } from '../../../shared/contract/host.ts';
import { AppError } from '../../../shared/errors.ts';
import { type HostMachine, thisMachine } from '../find-browser.ts';
import type { VaultChoice } from '../vault-choice.ts';
import { programRunner, type RunProgram } from './programs.ts';
import {
  dataFolderMark,
  quoteShellWord,
  quoteWindowsWord,
  recipeFor,
  type Scheduler,
} from './recipes.ts';
import { findTask, type ScheduledTask } from './tasks.ts';

interface ScheduleSetup {
  /** Absolute words that call the command line of this program. */
  readonly program: readonly string[];
  readonly dataDir: string;
  readonly vault: VaultChoice;
  /** Whether the package separates the program from the system's scheduler. */
  readonly isIsolated: boolean;
}

/** The features of a host for the scheduled task. */
export type HostScheduler = Pick<HostSetup['features'], 'readSchedule' | 'setSchedule'>;

/** Creates, finds and removes the scheduled task of the system for one data folder. */
export class SystemSchedule implements HostScheduler {
  readonly #setup: ScheduleSetup;
  readonly #machine: HostMachine;
  readonly #run: RunProgram;

  constructor(
    setup: ScheduleSetup,
    machine: HostMachine = thisMachine,
    run: RunProgram = programRunner(machine.env),
  ) {
    this.#setup = setup;
    this.#machine = machine;
    this.#run = run;
  }

  async readSchedule(): Promise<HostSchedule> {
    const { isIsolated, vault } = this.#setup;
    const task = isIsolated ? null : await this.#find();
    const command = this.#command(task?.scheduler ?? 'cron');
    if (isIsolated) return { isOn: false, obstacle: 'isolated', command };
    const text = await readTask(task);
    if (task === null || text === undefined) {
      return { isOn: false, obstacle: 'no-scheduler', command };
    }
    if (text !== null) {
      const isOn = this.#isOurs(task, text);
      return { isOn, obstacle: isOn ? null : 'other-data', command };
    }
    const lacksKey = task.scheduler === 'cron' && vault === 'keychain';
    return { isOn: false, obstacle: lacksKey ? 'no-keychain' : null, command };
  }

  async setSchedule(isOn: boolean): Promise<void> {
    const task = await this.#find();
    if (task === null) {
      throw new AppError('invalid', 'This computer has no scheduler that the program knows');
    }
    const text = await task.read();
    if (text !== null && !this.#isOurs(task, text)) {
      throw new AppError('invalid', 'The scheduled task belongs to another data folder');
    }
    if (isOn) await task.create(recipeFor(task.scheduler, this.#words()).files);
    else if (text !== null) await task.remove();
  }

  #find(): Promise<ScheduledTask | null> {
    const system = { machine: this.#machine, run: this.#run };
    return findTask(system, (scheduler) => this.#mark(scheduler));
  }

  #isOurs({ scheduler }: ScheduledTask, text: string): boolean {
    return hasMark(scheduler, text, this.#mark(scheduler));
  }

  #words(): readonly string[] {
    const { program, dataDir, vault } = this.#setup;
    const store = vault === 'keychain' ? vault : `keyfile:${vault.keyfile}`;
    return [...program, 'run-due', '--data', dataDir, '--vault', store];
  }

  #mark(scheduler: Scheduler): string {
    return dataFolderMark(scheduler, this.#setup.dataDir);
  }

  #command(scheduler: Scheduler): string {
    const quote = this.#machine.platform === 'win32' ? quoteWindowsWord : quoteShellWord;
    const words = ['archive', 'schedule', 'install', '--for', scheduler];
    return ['signing-desk', ...words, '--data', quote(this.#setup.dataDir)].join(' ');
  }
}

/** Returns the text of the task, or undefined if this user may not use the scheduler. */
async function readTask(task: ScheduledTask | null): Promise<string | null | undefined> {
  try {
    return task === null ? undefined : await task.read();
  } catch {
    return undefined;
  }
}

function hasMark(scheduler: Scheduler, text: string, mark: string): boolean {
  if (scheduler !== 'task-scheduler') return text.includes(mark);
  // Windows prints a task in the code page of its terminal, so only ASCII characters are compared.
  // It stores the XML in its own way, in which a quote need not be escaped.
  const plain = (from: string): string =>
    from.replaceAll('&quot;', '"').replaceAll(/[^ -~]|\?/g, '');
  return plain(text).includes(plain(mark));
}
