/*
 * Counts and removes data that the retention limits no longer keep, in a data folder of many
 * agreements, as a window does. The argument is the data folder. Prints the times in milliseconds
 * as JSON.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createDesk } from '../../../electron/compose/compose.ts';
import { createHostFeatures } from '../../../electron/hosts/chromium/features.ts';
import { RetentionResult } from '../../../shared/contract/privacy.ts';
import { connectDirectly } from '../../../shared/wire.ts';

const NANOSECONDS_PER_MS = 1e6;
const LOOK_MS = 5;
const PREVIEWS = 9;
/** Time after which the threads of a window have started (ms). */
const SETTLED_MS = 2000;
/** Retention limit (months); the agreements in the data ended before or after it. */
const COPIES_MONTHS = 12;

const [dataDir = ''] = process.argv.slice(2);
const desk = createDesk({
  dataDir,
  stateDir: `${dataDir}.state`,
  vault: { keyfile: `${dataDir}.key` },
  version: '0.0.0-bench',
  locale: 'en-GB',
  platform: 'linux',
  documentsFolder: dataDir,
  features: createHostFeatures(),
  interactive: true,
});
const { api } = connectDirectly(desk.handlers, desk.toFailure);
await desk.open();
await api['agreements.list']({ limit: 1 });
await wait(SETTLED_MS);

const previews: number[] = [];
for (let round = 0; round < PREVIEWS; round += 1) {
  const from = performance.now();
  await api['privacy.preview']({ limits: { copies: COPIES_MONTHS } });
  previews.push(performance.now() - from);
}
const [found] = await api['privacy.preview']({ limits: { copies: COPIES_MONTHS } });

await api['privacy.setLimits']({ limits: { copies: COPIES_MONTHS } });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const from = performance.now();
const { jobId } = await api['privacy.apply']({ kinds: ['copies'] });
for (;;) {
  const { state, failure, result } = await api['jobs.show']({ jobId });
  if (state === 'running') {
    await wait(LOOK_MS);
    continue;
  }
  const took = performance.now() - from;
  delay.disable();
  if (failure !== null) throw new Error(failure.message);
  const { removed } = RetentionResult.parse(result);
  const [most, longest] = [delay.percentile(99.9), delay.max].map((ns) => ns / NANOSECONDS_PER_MS);
  const told = { previews, found: found?.number, removed: removed.copies, took, most, longest };
  process.stdout.write(JSON.stringify(told));
  break;
}
await desk.close();
