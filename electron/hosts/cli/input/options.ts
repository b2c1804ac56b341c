import { InvalidArgumentError, Option } from 'commander';

/** What an argument is that names an agreement. */
export const AGREEMENT_ID = 'ID as `agreements list` shows it, or CONNECTION:ID';
/** What an argument is that names a draft. */
export const DRAFT_ID = 'ID as `drafts list` shows it';
/** What an option is that names a party of an agreement. */
export const PARTY = 'ID, name or email address of the party, as `agreements show` shows it';

/** An option that takes a whole number in a range. */
export function wholeOption(flags: string, about: string, least: number, most: number): Option {
  return new Option(flags, about).argParser((text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
  });
}

/** The number of agreements a command concerns, which a person or script must have counted. */
export function confirmOption(): Option {
  const flags = '--confirm <count>';
  const about = 'number of affected agreements; if it is wrong, nothing is changed';
  return wholeOption(flags, about, 0, 100_000).makeOptionMandatory();
}

export function connectionOption(): Option {
  return new Option('--connection <name>', 'use only this connection (see `connections list`)');
}

export function choiceOption(flags: string, about: string, choices: readonly string[]): Option {
  return new Option(flags, about).choices(choices);
}

/** Sending waits for its end by itself; scripts that said so before go on working. */
export function waitOption(): Option {
  return new Option('--wait', 'wait until it is sent (always on)').hideHelp().conflicts('queue');
}
