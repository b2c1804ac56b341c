/*
 * Runs at night, in addition to the soak, the full fault runs with all their kills and rows, of
 * which `npm test` runs shorter ones. Also runs the tests that install the packages with other
 * versions of npm, and that build the program twice. `npm run nightly -- fault-runs` runs only test
 * files whose path contains the word `fault-runs`.
 */
import { RUN_LENGTH } from '../../test/support/run-length.ts';
import { compileMessages } from '../messages.ts';
import { place, tools } from '../places.ts';
import { runNode } from '../run.ts';
import { filesWithLengths } from '../test/tiers.ts';

const nightlyArguments = process.argv.slice(2);
const files = filesWithLengths().filter(
  (file) => nightlyArguments.length === 0 || nightlyArguments.some((word) => file.includes(word)),
);

await compileMessages();
const { code } = await runNode(
  place(tools.vitest),
  ['run', '--config', place('build/test/vitest.config.ts'), ...files],
  { env: { [RUN_LENGTH]: 'whole' }, isShown: true },
);
process.exitCode = code;
