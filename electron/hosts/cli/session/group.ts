import type { Command } from 'commander';
import { BLANK_WORD } from '../../../../shared/rules/forms/field-values.ts';
import type { Answer } from '../output/answer.ts';
import type { Io } from '../output/io.ts';
import type { Report } from '../output/report.ts';
import type { Session } from './session.ts';

/** Options that may come before or after any command. */
export interface GlobalOptions {
  readonly json?: true;
  readonly data?: string;
  readonly vault?: string;
}

export type RequiredData =
  /** The user's own data, or the demo's if there are neither own data nor a credential store. */
  | 'data'
  /** Data as for 'data'; the demo's data folder is created if needed. */
  | 'demo'
  /** No data; none is opened or created. */
  | 'closed'
  /** No data: the command examines why the data does not open. */
  | 'nothing';

export interface Runner {
  /** Opens the desk, runs the command, prints its answer, closes the desk. */
  withDesk(need: RequiredData, work: (session: Session) => Promise<Answer>): Promise<void>;
  /** Runs a command that needs no desk, and prints its answer. */
  alone(work: (io: Io, report: Report) => Promise<Answer>): Promise<void>;
}

/** Adds the options of one feature's command, or the commands of its group. */
export type AddCommands = (command: Command, run: Runner) => void;

/** Adds to a command's help the effect of a value on a form field. */
export function addFieldHelp(command: Command): Command {
  return command.addHelpText(
    'after',
    `
Values of form fields:
  no value     the field keeps its value in the PDF
  ${BLANK_WORD}      the field is emptied
  a checkbox   accepts yes, no, ja, nej, true, false, 1, 0, x, or its own name
  a list       accepts one of its choices, as shown in the PDF or as its export value; if the
               list allows several choices, separate them with semicolons or commas`,
  );
}

/** Adds to a command's help the meaning of exit code 6. */
export function addExitSixHelp(command: Command, meaning: string): Command {
  return command.addHelpText('after', `\nExit code 6: ${meaning}.`);
}

/** Adds an example call to a command's help. */
export function example(command: Command, text: string): Command {
  return command.addHelpText('after', `\nExample:\n  signing-desk ${text}`);
}
