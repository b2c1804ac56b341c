import { AppError, type ErrorReason } from '../../../shared/errors.ts';

type Reason = Extract<
  ErrorReason,
  | 'document-kind'
  | 'document-damaged'
  | 'document-password'
  | 'document-limit'
  | 'document-outside'
  | 'office-missing'
  | 'picture-kind'
>;

/** Error for a document that is not accepted; the message says how to fix it. */
export function documentError(reason: Reason, message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { reason, ...(cause !== undefined && { cause }) });
}

export const DAMAGED_MESSAGE =
  'The document is damaged. Open it in its own program and save it again';
export const PASSWORD_MESSAGE = 'The document has a password. Save a copy without a password';
