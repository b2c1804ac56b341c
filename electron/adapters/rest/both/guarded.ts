import { AppError } from '../../../../shared/errors.ts';
import type { ActionResult, GuardedResult, Settled } from '../../../core/services/ports.ts';
import type { Stale } from '../http/write.ts';

/** Turns a refused ETag into what lies on the service now, for a person to compare and decide. */
export async function withFresh<Fresh>(
  result: ActionResult | Stale,
  readFresh: () => Promise<Fresh>,
): Promise<GuardedResult<Fresh>> {
  if (result.kind !== 'stale') return result;
  return { kind: 'changed', failure: result.failure, fresh: await settle(readFresh()) };
}

/** The outcome of the change stands whether or not the reading after it succeeds. */
async function settle<Value>(reading: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { ok: true, value: await reading };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, failure: error.failure };
    throw error;
  }
}
