/*
 * The fault runs whole, with all their kills and rows, beside the soak; `npm test` runs them in
 * short. With them what installs the packages with other versions of npm, and builds the program
 * twice. `npm run nightly -- fault-runs` takes those alone whose path holds the word.
 */
import { RUN_LENGTH } from '../../test/support/run-length.ts';
import { compileMessages } from '../messages.ts';
import { place, tools } from '../places.ts';
import { runNode } from '../run.ts';
import { filesWithLengths } from '../test/tiers.ts';

const words = process.argv.slice(2);
const files = filesWithLengths().filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);

await compileMessages();
const { code } = await runNode(
  place(tools.vitest),
  ['run', '--config', place('build/test/vitest.config.ts'), ...files],
  { env: { [RUN_LENGTH]: 'whole' }, isShown: true },
);
process.exitCode = code;
