/*
 * Runs 100,000 cases of each property in `test/properties`, in addition to the soak, with another
 * seed each time. `npm run properties -- 20000 times` sets another number of cases, and runs only
 * the test files whose name begins with `times`.
 */
import { PROPERTY_RUNS } from '../../test/support/run-length.ts';
import { compileMessages } from '../messages.ts';
import { place, tools } from '../places.ts';
import { runNode } from '../run.ts';

const DEFAULT_PROPERTY_RUNS = '100000';

const [first = DEFAULT_PROPERTY_RUNS, ...rest] = process.argv.slice(2);
const isNumber = /^\d+$/.test(first);
const runs = isNumber ? first : DEFAULT_PROPERTY_RUNS;
const propertyArguments = isNumber ? rest : process.argv.slice(2);
const files =
  propertyArguments.length === 0
    ? ['test/properties']
    : propertyArguments.map((word) => `properties/${word}`);

await compileMessages();
const { code } = await runNode(
  place(tools.vitest),
  ['run', '--config', place('build/test/vitest.config.ts'), '--project', 'node', ...files],
  { env: { [PROPERTY_RUNS]: runs }, isShown: true },
);
process.exitCode = code;
