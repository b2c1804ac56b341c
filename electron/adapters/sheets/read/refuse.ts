import { AppError, type ErrorReason } from '../../../../shared/errors.ts';

/** A file that is not used, with the place or the limit in words. */
export function refuse(reason: ErrorReason, message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { reason, ...(cause !== undefined && { cause }) });
}
