import { InvalidArgumentError, Option } from 'commander';

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
  const about = 'the number of agreements concerned; a wrong count changes nothing';
  return wholeOption(flags, about, 0, 100_000).makeOptionMandatory();
}

export function connectionOption(): Option {
  return new Option('--connection <name>', 'only this connection');
}

export function choiceOption(flags: string, about: string, choices: readonly string[]): Option {
  return new Option(flags, about).choices(choices);
}

/** Sending waits for its end by itself; scripts that said so before go on working. */
export function waitOption(): Option {
  return new Option('--wait', 'what it does anyway').hideHelp().conflicts('queue');
}
