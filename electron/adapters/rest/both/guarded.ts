import { AppError } from '../../../../shared/errors.ts';
import type { ActionResult, GuardedResult, SettledRead } from '../../../core/services/ports.ts';
import type { StaleResult } from '../http/write.ts';

/**
 * Adds the current object to a result whose ETag was rejected, so that the user can compare and
 * decide.
 */
export async function withFreshState<Fresh>(
  result: ActionResult | StaleResult,
  readFresh: () => Promise<Fresh>,
): Promise<GuardedResult<Fresh>> {
  if (result.kind !== 'stale') return result;
  return { kind: 'changed', failure: result.failure, fresh: await settlePromise(readFresh()) };
}

/**
 * Returns the result of a reading, or its error: the outcome of the change stays the same even if
 * the reading fails.
 */
async function settlePromise<Value>(reading: Promise<Value>): Promise<SettledRead<Value>> {
  try {
    return { ok: true, value: await reading };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, failure: error.failure };
    throw error;
  }
}
