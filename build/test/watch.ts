import { spawn } from 'node:child_process';
import { compileMessages } from '../messages.ts';
import { place, root, tools } from '../places.ts';
import { inPrivateSession } from './private-session.ts';

/**
 * Keeps the types of tests and of everything they import up to date, and runs the tests of the node
 * project again.
 */
await compileMessages();
const typeCheckCommand = [
  process.execPath,
  place(tools.tsc),
  '-p',
  place('build/tsconfig.test.json'),
] as const;
start([...typeCheckCommand, '--watch', '--preserveWatchOutput', '--singleThreaded']);
start(
  inPrivateSession([
    process.execPath,
    place(tools.vitest),
    ...[
      'watch',
      '--config',
      place('build/test/vitest.config.ts'),
      '--project',
      'node',
      '--changed',
    ],
    ...process.argv.slice(2),
  ]),
);

function start([program, ...args]: readonly [string, ...string[]]): void {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', (error) => {
    throw error;
  });
}
