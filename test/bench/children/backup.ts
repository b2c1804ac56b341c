/*
 * Does one piece of work with backups on a data folder, and prints its time in milliseconds as
 * JSON. `setup DATA TO` prints the words. `make DATA EVERY` makes a backup while it writes a draft
 * every `EVERY` milliseconds. `close DATA` ends the program in the middle of the copy. The others
 * are `restore FILE WORDS INTO` and `open DATA`.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createDesk } from '../../../electron/compose/compose.ts';
import { databaseFile } from '../../../electron/compose/data.ts';
import { createHostFeatures } from '../../../electron/hosts/chromium/features.ts';
import { CreatedBackup, ReadingId } from '../../../shared/contract/backup.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';

const NANOSECONDS_PER_MS = 1e6;
const LOOK_MS = 5;
const COMMITS_BEFORE = 50;
/** Time after which the threads of a window have started (ms). */
const SETTLED_MS = 2000;

const [work = '', ...rest] = process.argv.slice(2);
const works = { setup, make, close, restore, open } as const;
if (!(work in works)) throw new Error(`There is no work ${work}`);
process.stdout.write(JSON.stringify(await works[work as keyof typeof works](...rest)));

function deskOf(dataDir: string) {
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
  return { desk, api };
}
type Api = ReturnType<typeof deskOf>['api'];

async function setup(data = '', to = '') {
  const { desk, api } = deskOf(data);
  await desk.open();
  const { phrase } = await api['backup.newPhrase']({});
  const plan = { folder: to, when: { kind: 'by-hand' }, keep: 1, isOn: false } as const;
  await api['backup.setUp']({ ...plan, withCredentials: true, administrator: null, phrase });
  await desk.close();
  return { phrase };
}

/** Time that storing a draft takes (ms). */
async function commit(api: Api): Promise<number> {
  const from = performance.now();
  const content = { api: 'v1', body: bodyV1('While a backup is made') } as const;
  await api['drafts.create']({ content, connectionId: null });
  return performance.now() - from;
}

/**
 * Makes a backup. Each draft is one commit that waits for the disk, like a send before its first
 * byte.
 */
async function make(data = '', every = '') {
  const { desk, api } = deskOf(data);
  await desk.open();
  await api['agreements.list']({ limit: 1 });
  await wait(SETTLED_MS);
  const before: number[] = [];
  for (let count = 0; count < COMMITS_BEFORE; count += 1) before.push(await commit(api));
  const during: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const from = performance.now();
  const { jobId } = await api['backup.run']({});
  let writtenAt = from;
  for (;;) {
    const { state, failure, result } = await api['jobs.show']({ jobId });
    const now = performance.now();
    if (state !== 'running') {
      delay.disable();
      if (failure !== null) throw new Error(failure.message);
      const { file, bytes } = CreatedBackup.parse(result);
      await desk.close();
      const [most, longest] = [delay.percentile(99.9), delay.max].map(
        (ns) => ns / NANOSECONDS_PER_MS,
      );
      return { took: now - from, file, bytes, most, longest, before, during };
    }
    if (now - writtenAt >= Number(every)) {
      writtenAt = now;
      during.push(await commit(api));
    }
    await wait(LOOK_MS);
  }
}

async function close(data = '') {
  const { desk, api } = deskOf(data);
  await desk.open();
  await api['backup.run']({});
  while (!existsSync(`${databaseFile(data)}.backup-copy`)) await wait(LOOK_MS);
  await wait(LOOK_MS);
  const from = performance.now();
  await desk.close();
  return { took: performance.now() - from };
}

async function restore(file = '', secret = '', into = '') {
  await writeFile(`${into}.key`, randomBytes(32), { mode: 0o600 });
  const { desk, api } = deskOf(into);
  const from = performance.now();
  const reading = ReadingId.parse(randomUUID());
  await api['backup.restore']({ reading, file, secret, folder: null });
  const took = performance.now() - from;
  await desk.close();
  return { took };
}

async function open(data = '') {
  const from = performance.now();
  const { desk, api } = deskOf(data);
  const { open: isOpen } = await desk.open();
  const { total } = await api['agreements.list']({ limit: 50 });
  const took = performance.now() - from;
  if (!isOpen) throw new Error('The data is closed');
  await desk.close();
  return { took, total };
}
