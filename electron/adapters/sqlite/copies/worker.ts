import { workerData } from 'node:worker_threads';
import * as z from 'zod';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import { serveThread } from '../../threads/serve.ts';
import { createAgreementStore } from '../agreements/store.ts';
import { connect } from '../database/cipher.ts';
import { blobColumn } from '../database/columns.ts';
import { createDatabase } from '../database/database.ts';
import { createYieldingTurn } from '../database/turn.ts';
import { LOG_PAGES } from '../open/checkpoints.ts';
import { applySettings } from '../open/open.ts';
import { createSyncStore } from '../sync/store.ts';
import type { CopyCalls } from './calls.ts';
import { createPace } from './pace.ts';
import { PageWriter } from './page-writer.ts';

/*
 * Writes copies of agreements and their search index through a connection of its own, beside the
 * main loop. Whatever the main loop writes comes first.
 */

/** How long a step of building the index goes on beginning work. */
const STEP_MS = 10;

const Setup = z.object({
  file: z.string(),
  key: blobColumn,
  turn: z.instanceof(SharedArrayBuffer),
});

const { file, key, turn: shared } = Setup.parse(workerData);
const raw = connect(file, key, 'write');
applySettings(raw);
const database = createDatabase(raw, file);
database.setLogPages(LOG_PAGES);
const turn = createYieldingTurn(shared);
const agreements = createAgreementStore(database);
const writer = new PageWriter(
  {
    agreements,
    sync: createSyncStore(database),
    quickTransaction: (work) => database.quickTransaction(work),
  },
  createPace(turn.isWanted),
);
/** What else was asked, each for one commit. */
const steps: (() => void)[] = [];
/** How often a page of a connection was not stored. */
const failures = new Map<ConnectionId, number>();
let isWorking = false;

const calls: CopyCalls = {
  async store(page, known) {
    const { connectionId } = page;
    const before = failures.get(connectionId) ?? 0;
    try {
      // It was given before anybody knew that one before it was not stored.
      if (known < before) throw new AppError('storage', 'A page before this one failed');
      const written = writer.add(page);
      begin();
      return await written;
    } catch (error) {
      failures.set(connectionId, (failures.get(connectionId) ?? 0) + 1);
      throw error;
    }
  },
  buildIndex: () => inStep(buildSome),
  retire: (order) => inStep(() => agreements.retire(order)),
  beginBulk: () => agreements.beginBulk(),
  endBulk: () => agreements.endBulk(),
};

serveThread({ ...calls }, () => database.close());

function inStep<Answer>(step: () => Answer): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  steps.push(() => {
    try {
      resolve(turn.inside(step));
    } catch (error) {
      reject(error);
    }
  });
  begin();
  return promise;
}

function begin(): void {
  if (isWorking) return;
  isWorking = true;
  setImmediate(work);
}

/** One step, then whatever was asked meanwhile. */
function work(): void {
  if (!writer.isIdle) turn.inside(() => writer.step());
  else if (steps.length > 0) steps.shift()?.();
  else {
    isWorking = false;
    return;
  }
  setImmediate(work);
}

function buildSome(): boolean {
  const end = performance.now() + STEP_MS;
  return agreements.buildIndex(() => performance.now() >= end || turn.isWanted());
}
