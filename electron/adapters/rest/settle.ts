import { AppError } from '../../../shared/errors.ts';
import type { Settled } from '../../core/action-ports.ts';

/** Reads what is only good to know: when that fails, the failure itself is what is known. */
export async function settle<Value>(reading: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { ok: true, value: await reading };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, failure: error.failure };
    throw error;
  }
}
