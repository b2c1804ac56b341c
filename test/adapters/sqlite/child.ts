import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Runs a script of `children/` in its own process, with messages in both directions. */
export function startChild(name: string, ...args: readonly string[]): ChildProcess {
  return fork(path.join(import.meta.dirname, 'children', name), args, { execArgv: [] });
}

export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

/** Returns the exit code of the process, or the signal that ended it. */
export async function ended(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode !== null || child.signalCode !== null)
    return child.exitCode ?? child.signalCode;
  const [code, signal] = await once(child, 'exit');
  return code ?? signal;
}
