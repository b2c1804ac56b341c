import { startDemo } from '../../../electron/demo/start.ts';

/*
 * The built-in service in its own process. The first argument is the number of agreements. The
 * second, which is optional, is the delay of each answer in milliseconds.
 */

const demo = await startDemo({
  dataDir: null,
  seed: Number(process.argv[2]),
  counterpartDelayMs: null,
});
const late = Number(process.argv[3] ?? 0);
if (late > 0) demo.fault({ path: /./, times: Infinity, do: { kind: 'delay', ms: late } });
const { v1Url, v2Url, credentials } = demo;
process.stdout.write(`${JSON.stringify({ v1Url, v2Url, ...credentials })}\n`);
process.once('SIGTERM', () => void demo.close());
