import type { Command } from 'commander';
import { BLANK_WORD } from '../../../../shared/rules/forms/field-values.ts';
import type { Answer } from '../output/answer.ts';
import type { Io } from '../output/io.ts';
import type { Report } from '../output/report.ts';
import type { Session } from './session.ts';

/** Options that stand before or after any command. */
export interface GlobalOptions {
  readonly json?: true;
  readonly data?: string;
  readonly vault?: string;
}

/** Which data a command needs before it can start. */
export type Need =
  /** The own data, or the demo's where there is no own data and no credential store. */
  | 'data'
  /** The same; the demo's data folder is made when it is needed. */
  | 'demo'
  /** None, and none is opened or made. */
  | 'closed'
  /** None: the command looks at what keeps data from opening. */
  | 'nothing';

/** How a command's row in the tree of commands runs it. */
export interface Runner {
  /** Opens the desk, runs the command, prints its answer, closes the desk. */
  withDesk(need: Need, work: (session: Session) => Promise<Answer>): Promise<void>;
  /** The same for a command that needs no desk. */
  alone(work: (io: Io, report: Report) => Promise<Answer>): Promise<void>;
}

/** Says what one feature's command is, or those of its group: what follows its name. */
export type AddCommands = (command: Command, run: Runner) => void;

/** Says under a command's help what a value does to a field of a form. */
export function fieldHelp(command: Command): Command {
  return command.addHelpText(
    'after',
    `
Values of form fields:
  no value     the field keeps its value in the PDF
  ${BLANK_WORD}      the field is emptied
  a checkbox   accepts yes, no, ja, nej, true, false, 1, 0, x, or its own name
  a list       accepts one of its choices, as shown or by its export value; if it allows
               several, separate them with semicolons or commas`,
  );
}

/** Says under a command's help what exit code 6 means for it. */
export function partHelp(command: Command, meaning: string): Command {
  return command.addHelpText('after', `\nExit code 6: ${meaning}.`);
}

/** Shows one way of calling a command under its help. */
export function example(command: Command, text: string): Command {
  return command.addHelpText('after', `\nExample:\n  signing-desk ${text}`);
}
