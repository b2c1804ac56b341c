import { spawn } from 'node:child_process';
import { compileMessages } from '../messages.ts';
import { place, root, tools } from '../places.ts';
import { inPrivateSession } from './private-session.ts';

/**
 * Checks the types of the tests and of everything that they import again after each change, and
 * runs the changed tests of the project `node` again.
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
