import { startDemo } from '../../../electron/demo/start.ts';

/* The built-in service in a process of its own, with as many agreements as the argument says. */

const demo = await startDemo({
  ...{ dataDir: null, seed: Number(process.argv[2]), counterpartDelayMs: null },
});
const { v1Url, v2Url, credentials } = demo;
process.stdout.write(`${JSON.stringify({ v1Url, v2Url, ...credentials })}\n`);
process.once('SIGTERM', () => void demo.close());
