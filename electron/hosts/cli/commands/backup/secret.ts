import { readText } from '../../input/local-files.ts';
import { AppError } from '../../../../../shared/errors.ts';
import type { Session } from '../../session/session.ts';

/** Reads a secret from the terminal, standard input or a variable; never from an argument. */
export async function readSecretText(
  { io }: Session,
  variable: string | undefined,
  question: string,
): Promise<string> {
  if (variable === undefined) return (await io.readSecret(question)).trim();
  const secret = io.env[variable];
  if (secret === undefined) throw new AppError('invalid', `The variable ${variable} is not set`);
  return secret;
}

export interface OpeningOptions {
  readonly phraseEnv?: string;
  readonly identity?: string;
}

/** Returns the secret that opens a backup: the phrase, or an administrator's key file. */
export function readOpeningSecret(session: Session, options: OpeningOptions): Promise<string> {
  const { phraseEnv, identity } = options;
  if (identity !== undefined) return readAgeKeyFile(identity);
  return readSecretText(session, phraseEnv, 'The twelve words: ');
}

async function readAgeKeyFile(file: string): Promise<string> {
  const text = await readText(file);
  if (/^AGE-SECRET-KEY-1/mu.test(text)) return text;
  throw new AppError('invalid', `${file} is not an age key file`, { reason: 'key-wrong' });
}
