import type { ErrorReason, IntakeProblem } from '../../../errors.ts';

/** Reasons for refusing a file of a watched folder, besides errors in its data. */
type RefusalReason = Extract<
  ErrorReason,
  | 'file-empty'
  | 'intake-data'
  | 'intake-json'
  | 'intake-kind'
  | 'intake-large'
  | 'intake-link'
  | 'intake-name'
  | 'not-a-pdf'
  | 'pdf-damaged'
  | 'pdf-encrypted'
  | 'pdf-limit'
  | 'pdf-restricted'
  | 'pdf-xfa'
  | 'sheet-bomb'
  | 'sheet-damaged'
  | 'sheet-empty'
  | 'sheet-headers'
  | 'sheet-kind'
  | 'sheet-limit'
  | 'sheet-password'
  | 'sheet-quote'
  | 'sheet-text'
>;

/**
 * Sentences of the note that is written next to a refused file, also without a window. A test
 * compares them with the window's messages.
 */
export interface IntakeWords {
  readonly reasons: Readonly<Record<RefusalReason, string>>;
  /** Sentences for invalid data; `{at}` is replaced with the path of the error. */
  readonly wrong: Readonly<Record<IntakeProblem['code'], string>>;
}
