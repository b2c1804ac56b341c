import { AppError, isCode } from '../../../shared/errors.ts';

/** Asks the office. One that cannot be reached is no service that cannot be: 'offline' says 'office-away'. */
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
