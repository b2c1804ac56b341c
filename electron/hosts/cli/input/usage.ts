import type { CommanderError } from 'commander';

/** Error for invalid arguments; no work was started. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Returns a sentence about a mistake in the arguments. It does not quote the arguments, since one
 * may be a secret.
 */
export function usageSentence({ code, message }: CommanderError): string {
  if (code === 'commander.excessArguments') return 'There are too many arguments.';
  if (code === 'commander.help') return 'The command is missing. Add --help to list the commands.';
  const words = message.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
  return words.replace(/(unknown option '--[^=']*)=[^']*'/, "$1'");
}
