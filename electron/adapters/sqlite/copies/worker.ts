import { parentPort, workerData } from 'node:worker_threads';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { Retired } from '../../../core/sync/ports.ts';
import { createAgreementStore } from '../agreements/store.ts';
import { connect } from '../database/cipher.ts';
import { createDatabase } from '../database/database.ts';
import { createYieldingTurn } from '../database/turn.ts';
import { LOG_PAGES } from '../open/checkpoints.ts';
import { applySettings } from '../open/open.ts';
import { createSyncStore } from '../sync/store.ts';
import { Ask, type Reply, Setup } from './messages.ts';
import { createPace } from './pace.ts';
import { PageWriter } from './page-writer.ts';

/*
 * Writes copies of agreements and their search index through a connection of its own, beside the
 * main loop. Whatever the main loop writes comes first.
 */

/** How long a step of building the index goes on beginning work. */
const STEP_MS = 10;

const { file, key, turn: shared } = Setup.parse(workerData);
const raw = connect(file, key, 'write');
applySettings(raw);
const database = createDatabase(raw, file);
database.setLogPages(LOG_PAGES);
const turn = createYieldingTurn(shared);
const agreements = createAgreementStore(database);
const writer = new PageWriter(
  { agreements, sync: createSyncStore(database) },
  createPace(turn.isWanted),
);
/** What else was asked, each for one commit. */
const steps: Exclude<Ask, { do: 'store' | 'beginBulk' | 'endBulk' | 'end' }>[] = [];
/** How often a page of a connection was not stored. */
const failures = new Map<ConnectionId, number>();
let isWorking = false;
let isEnding = false;

parentPort?.on('message', (message: unknown) => {
  const ask = Ask.parse(message);
  switch (ask.do) {
    case 'store':
      void store(ask);
      break;
    case 'build':
    case 'retire':
      steps.push(ask);
      break;
    case 'beginBulk':
      agreements.beginBulk();
      break;
    case 'endBulk':
      agreements.endBulk();
      break;
    case 'end':
      isEnding = true;
  }
  if (isWorking) return;
  isWorking = true;
  setImmediate(work);
});

/** One step, then whatever was asked meanwhile. */
function work(): void {
  const step = steps[0];
  if (!writer.isIdle) {
    turn.inside(() => writer.step());
  } else if (step !== undefined) {
    steps.shift();
    answer(step.number, () =>
      turn.inside(() => (step.do === 'build' ? buildSome() : agreements.retire(step.order))),
    );
  } else {
    isWorking = false;
    if (isEnding) end();
    return;
  }
  setImmediate(work);
}

function buildSome(): boolean {
  const end = performance.now() + STEP_MS;
  return agreements.buildIndex(() => performance.now() >= end || turn.isWanted());
}

async function store({ page, number, ...ask }: Extract<Ask, { do: 'store' }>): Promise<void> {
  const before = failures.get(page.connectionId) ?? 0;
  try {
    // It was given before anybody knew that one before it was not stored.
    if (ask.failures < before) throw new AppError('storage', 'A page before this one failed');
    post({ ok: true, number, value: await writer.add(page) });
  } catch (error) {
    const now = (failures.get(page.connectionId) ?? 0) + 1;
    failures.set(page.connectionId, now);
    fail(number, error, now);
  }
}

function answer(number: number, work: () => boolean | Retired): void {
  try {
    post({ ok: true, number, value: work() });
  } catch (error) {
    fail(number, error);
  }
}

function fail(number: number, error: unknown, times = 0): void {
  const failure = error instanceof AppError ? error.failure : null;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  post({ ok: false, number, failures: times, failure, stack });
}

function post(reply: Reply): void {
  parentPort?.postMessage(reply);
}

function end(): void {
  database.close();
  parentPort?.close();
}
