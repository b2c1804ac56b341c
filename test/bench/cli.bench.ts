import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BenchRow } from '../../build/bench.ts';
import { bundleStale, hosts } from '../../build/bundle/bundle.ts';
import { median } from './median.ts';

export const name = 'cli: a command from start to exit, as it is shipped, beside Node alone';

const PAIRS = 15;
const MAIN = path.resolve(import.meta.dirname, '../../dist/electron/cli-main.mjs');
const NOTHING = ['-e', '0'];

/** Commands on an existing, empty data folder. */
const COMMANDS = [
  { args: ['--help'], goal: 3 },
  { args: ['connections', 'list'], goal: 5 },
] as const;

/**
 * Runs the commands in turn. The first run of each is not measured: it fills the cache of compiled
 * code.
 */
export async function run(): Promise<readonly BenchRow[]> {
  await bundleStale([hosts]);
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
  try {
    const keyfile = path.join(folder, 'key');
    await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
    const env = {
      ...process.env,
      HOME: folder,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      XDG_STATE_HOME: path.join(folder, 'state'),
      SIGNING_DESK_DATA: path.join(folder, 'data'),
      SIGNING_DESK_VAULT: `keyfile:${keyfile}`,
    };
    const base: number[] = [];
    const ours = COMMANDS.map((): number[] => []);
    for (let pair = 0; pair <= PAIRS; pair += 1) {
      const nothing = await untilExit(NOTHING, env);
      if (pair > 0) base.push(nothing);
      for (const [at, { args }] of COMMANDS.entries()) {
        const took = await untilExit([MAIN, ...args], env);
        if (pair > 0) ours[at]?.push(took);
      }
    }
    return COMMANDS.map(({ args, goal }, at) => ({
      what: `desk ${args.join(' ')} / node -e 0`,
      ours: median(ours[at] ?? []),
      base: median(base),
      goal,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Time until a process of Node has ended successfully (ms). */
async function untilExit(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve, reject) => {
    child.once('exit', resolve).once('error', reject);
  });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
  return performance.now() - start;
}
