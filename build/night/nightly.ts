/*
 * The fault runs whole, with all their kills and rows, beside the soak; `npm test` runs them in
 * short. With them what installs the packages with other versions of npm, and builds the program
 * twice. `npm run nightly -- fault-runs` takes those alone whose path holds the word.
 */
import { WHOLE_RUNS } from '../../test/support/whole-runs.ts';
import { compileMessages } from '../messages.ts';
import { place, tools } from '../places.ts';
import { runNode } from '../run.ts';

/** Each that asks how long it is to be, or whether it is at night. */
const FILES = [
  'test/delivery/fault-runs',
  'test/delivery/signing',
  'test/core/sync/kill',
  'test/core/backup/kills',
  'test/core/reminders/office-month',
  'test/adapters/office/claims',
  'test/adapters/office/plans',
  'test/core/office/three-desks',
  'test/delivery/office/runs',
  'test/delivery/office/sharing',
  'test/build/npm-ci',
  'test/program/reproducible',
];

const words = process.argv.slice(2);
const files = FILES.filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);

await compileMessages();
const { code } = await runNode(
  place(tools.vitest),
  ['run', '--config', place('build/test/vitest.config.ts'), ...files],
  { env: { [WHOLE_RUNS]: '1' }, isShown: true },
);
process.exitCode = code;
