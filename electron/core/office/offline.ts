import { AppError, isCode } from '../../../shared/errors.ts';

/**
 * Calls the office. Maps the error 'offline' to the reason 'office-away', to distinguish an
 * unreachable office from an unreachable service.
 */
export async function withOfficeErrors<Result>(
  ask: () => Promise<Result> | null,
): Promise<Result | null> {
  try {
    return await ask();
  } catch (error) {
    if (!isCode(error, 'offline')) throw error;
    const { message, reason } = error.failure;
    if (reason === 'office-put-back') throw error;
    throw new AppError('offline', message, { reason: 'office-away', cause: error });
  }
}
