import { CommanderError } from 'commander';
import type { Failure } from '../../../shared/errors.ts';
import type { Answer } from './output/answer.ts';
import { type Exit, exitOf, exits } from './output/exit-codes.ts';
import type { GlobalOptions, Runner } from './session/group.ts';
import type { Io } from './output/io.ts';
import { replaceOldNames } from './old-names.ts';
import { createProgram } from './program.ts';
import { createReport } from './output/report.ts';
import { UsageError, usageSentence } from './input/usage.ts';
import { VERSION } from '../version.ts';

/**
 * Runs one command, prints its result, and returns the exit code.
 * @param given The arguments after the program's own name.
 */
export async function runCli(given: readonly string[], io: Io): Promise<Exit> {
  const report = createReport(io, requestsJson(given));
  const { argv, notes } = replaceOldNames(given);
  for (const note of notes) report.note(note);
  let exit: Exit = exits.done;
  const finish = (found: Answer): void => {
    report.answer(found);
    exit = found.exit;
  };
  const run: Runner = {
    withDesk: async (need, work) => {
      // Help and mistakes are answered without loading the desk.
      const { dataLocationsOf, withDesk } = await import('./session/with-desk.ts');
      finish(
        await withDesk(
          dataLocationsOf(io, program.opts<GlobalOptions>()),
          { io, report, need },
          work,
        ),
      );
    },
    alone: async (work) => finish(await work(io, report)),
  };
  const program = await createProgram(io, VERSION, run, argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exits.done;
    const failure = await failureOf(error);
    report.failure(failure);
    return error instanceof CommanderError || error instanceof UsageError
      ? exits.usage
      : exitOf(failure);
  }
}

/**
 * Whether the arguments request JSON. They are read before they are parsed, because a mistake in
 * them is reported in the requested form.
 */
function requestsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}

async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CommanderError) return { code: 'invalid', message: usageSentence(error) };
  if (error instanceof UsageError) return { code: 'invalid', message: error.message };
  // Code that throws an AppError has loaded it; help and mistakes do not load its schemas.
  const { AppError } = await import('../../../shared/errors.ts');
  if (error instanceof AppError) return error.failure;
  // Not even the desk could be loaded, so there is no log to refer to.
  const message = `Signing Desk could not start, so nothing was done: ${String(error)}`;
  return { code: 'unexpected', message };
}
