import { AppError, type ErrorReason } from '../../../../shared/errors.ts';

/** Error for a file that cannot be used; the message names the place or the limit. */
export function sheetError(reason: ErrorReason, message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { reason, ...(cause !== undefined && { cause }) });
}
