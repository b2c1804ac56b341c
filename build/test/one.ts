import { readFile } from 'node:fs/promises';
import { RUN_LENGTH } from '../../test/support/run-length.ts';
import { compileMessages } from '../messages.ts';
import { place, relative, tools } from '../places.ts';
import { inPrivateSession } from './private-session.ts';
import { run } from '../run.ts';
import { tierOf } from './tiers.ts';

const [file, ...options] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: npm run test:one -- FILE [options of Vitest, such as -t TITLE]');
  process.exitCode = 2;
} else {
  process.exitCode = await runTestFile(relative(file), options);
}

/** Runs the tests of one file, without gates, and returns the exit code. */
async function runTestFile(file: string, options: readonly string[]): Promise<number> {
  await compileMessages();
  const [program, ...args] = inPrivateSession([
    process.execPath,
    place(tools.vitest),
    ...['run', '--config', place('build/test/vitest.config.ts'), '--project', projectOf(file)],
    ...[file, ...options],
  ]);
  const text = file.endsWith('.test.ts') ? await readFile(place(file), 'utf8') : '';
  const length = tierOf(file, text).tier === 'all' ? 'all' : 'short';
  // A run length that the user set in the environment is kept.
  const env = { [RUN_LENGTH]: process.env[RUN_LENGTH] ?? length };
  const { code } = await run(program, args, { isShown: true, env });
  return code;
}

/** Returns the project of a test file; the files are divided as in `vitest.config.ts`. */
function projectOf(file: string): 'app' | 'renderer' | 'node' {
  if (/^test\/(?:app|program)\//.test(file)) return 'app';
  return file.startsWith('test/renderer/') ? 'renderer' : 'node';
}
