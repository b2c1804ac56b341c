import { AppError } from '../../../../shared/errors.ts';
import type { ActionResult, GuardedResult, Settled } from '../../../core/services/ports.ts';
import type { StaleResult } from '../http/write.ts';

/**
 * For a rejected ETag, reads the current object from the service, so that the user can compare and
 * decide.
 */
export async function withFresh<Fresh>(
  result: ActionResult | StaleResult,
  readFresh: () => Promise<Fresh>,
): Promise<GuardedResult<Fresh>> {
  if (result.kind !== 'stale') return result;
  return { kind: 'changed', failure: result.failure, fresh: await settlePromise(readFresh()) };
}

/** The outcome of the change stays the same even if this read fails. */
async function settlePromise<Value>(reading: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { ok: true, value: await reading };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, failure: error.failure };
    throw error;
  }
}
