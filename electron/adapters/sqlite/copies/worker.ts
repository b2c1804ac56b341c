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
import { MAX_LOG_PAGES } from '../open/checkpoints.ts';
import { applySettings } from '../open/open.ts';
import { createSyncStore } from '../sync/store.ts';
import type { CopyCalls } from './calls.ts';
import { createPace } from './pace.ts';
import { PageWriter } from './page-writer.ts';

/*
 * Writes agreements and their search index through a separate connection, off the main loop. Writes
 * of the main loop come first.
 */

/** Time limit of an index-building step (ms). */
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
database.setLogPages(MAX_LOG_PAGES);
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
/** Waiting calls other than `store`, each for one commit. */
const pendingSteps: (() => void)[] = [];
const failures = new Map<ConnectionId, number>();
let isWorking = false;

const calls: CopyCalls = {
  async store(page, known) {
    const { connectionId } = page;
    const before = failures.get(connectionId) ?? 0;
    try {
      // The page was sent before the caller knew that an earlier page failed.
      if (known < before)
        throw new AppError(
          'storage',
          'An earlier part of the list could not be saved, so this part was not saved either',
        );
      const written = writer.add(page);
      startWorking();
      return await written;
    } catch (error) {
      failures.set(connectionId, (failures.get(connectionId) ?? 0) + 1);
      throw error;
    }
  },
  buildIndex: () => runInStep(buildIndexStep),
  retire: (order) => runInStep(() => agreements.retire(order)),
  beginBulk: () => agreements.beginBulk(),
  endBulk: () => agreements.endBulk(),
};

serveThread({ ...calls }, () => database.close());

function runInStep<Answer>(step: () => Answer): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  pendingSteps.push(() => {
    try {
      resolve(turn.inside(step));
    } catch (error) {
      reject(error);
    }
  });
  startWorking();
  return promise;
}

function startWorking(): void {
  if (isWorking) return;
  isWorking = true;
  setImmediate(work);
}

/** Runs one step, then lets new messages arrive. */
function work(): void {
  if (!writer.isIdle) turn.inside(() => writer.step());
  else if (pendingSteps.length > 0) pendingSteps.shift()?.();
  else {
    isWorking = false;
    return;
  }
  setImmediate(work);
}

function buildIndexStep(): boolean {
  const end = performance.now() + STEP_MS;
  return agreements.buildIndex(() => performance.now() >= end || turn.isWanted());
}
