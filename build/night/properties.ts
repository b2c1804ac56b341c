/*
 * The long run of the properties in `test/properties`, in addition to the soak: 100,000 cases of
 * each, with another seed each time. `npm run properties -- 20000 times` sets another number and
 * selects properties.
 */
import { PROPERTY_RUNS } from '../../test/support/run-length.ts';
import { compileMessages } from '../messages.ts';
import { place, tools } from '../places.ts';
import { runNode } from '../run.ts';

const USUAL = '100000';

const [first = USUAL, ...rest] = process.argv.slice(2);
const isNumber = /^\d+$/.test(first);
const runs = isNumber ? first : USUAL;
const words = isNumber ? rest : process.argv.slice(2);
const files = words.length === 0 ? ['test/properties'] : words.map((word) => `properties/${word}`);

await compileMessages();
const { code } = await runNode(
  place(tools.vitest),
  ['run', '--config', place('build/test/vitest.config.ts'), '--project', 'node', ...files],
  { env: { [PROPERTY_RUNS]: runs }, isShown: true },
);
process.exitCode = code;
