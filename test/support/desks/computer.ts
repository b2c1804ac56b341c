import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Home, valueOf } from './desk-process.ts';

/** Runs the commands of a home with additional environment variables. */
export function withVariables(
  home: Pick<Home, 'with'>,
  env: Readonly<Record<string, string>>,
): Pick<Home, 'desk' | 'value'> {
  const desk: Home['desk'] = (args, input) => home.with(env, args, input);
  const value: Home['value'] = async (args, input, exit) =>
    valueOf(args, await desk([...args, '--json'], input), exit);
  return { desk, value };
}

/** A simulated computer: it shares no stored state with another. */
export interface Computer extends Pick<Home, 'desk' | 'value'> {
  /** Folder with the computer's data folder and key file. */
  readonly folder: string;
  readonly data: string;
  readonly keyfile: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Creates a computer with its own data folder and key file in the folder of a home. */
export async function createComputer(
  home: Pick<Home, 'folder' | 'with'>,
  name: string,
): Promise<Computer> {
  const folder = path.join(home.folder, name);
  await mkdir(folder);
  const [data, keyfile] = [path.join(folder, 'data'), path.join(folder, 'desk.key')];
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const vault = `keyfile:${keyfile}`;
  const env = { HOME: folder, SIGNING_DESK_DATA: data, SIGNING_DESK_VAULT: vault };
  return { folder, data, keyfile, env, ...withVariables(home, env) };
}
