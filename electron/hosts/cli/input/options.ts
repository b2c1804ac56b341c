import { InvalidArgumentError, Option } from 'commander';

export const AGREEMENT_ID_HELP =
  'ID of the agreement, as `agreements list` shows it, or `<connection>:<ID>`';
export const DRAFT_ID_HELP = 'ID of the draft, as `drafts list` shows it';
export const PARTY_HELP = 'ID, name or email address of the party, as `agreements show` shows it';

export function wholeNumberOption(
  flags: string,
  about: string,
  least: number,
  most: number,
): Option {
  return new Option(flags, about).argParser((text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
  });
}

/**
 * Returns the option for the number of agreements that a command concerns; the user or script must
 * have counted them.
 */
export function confirmOption(): Option {
  const flags = '--confirm <count>';
  const about = 'enter the number of affected agreements; with a wrong number, nothing is changed';
  return wholeNumberOption(flags, about, 0, 100_000).makeOptionMandatory();
}

export function connectionOption(): Option {
  return new Option('--connection <name>', 'use only this connection (see `connections list`)');
}

export function choiceOption(flags: string, about: string, choices: readonly string[]): Option {
  return new Option(flags, about).choices(choices);
}

/**
 * Returns an option that is accepted for older scripts; a command waits for the end of sending in
 * any case.
 */
export function waitOption(): Option {
  return new Option('--wait', 'wait for the end of sending (always on)')
    .hideHelp()
    .conflicts('queue');
}
