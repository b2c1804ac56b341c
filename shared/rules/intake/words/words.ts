import type { ErrorReason, IntakeWrong } from '../../../errors.ts';

/** Why a file of a watched folder may be refused, beside what is wrong with the data of it. */
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
 * The sentences that stand in a file beside one that was refused, where no window can be asked for
 * them. They are the window's own: a test compares them with its messages.
 */
export interface IntakeWords {
  readonly reasons: Readonly<Record<RefusalReason, string>>;
  /** With `{at}` where its place goes. */
  readonly wrong: Readonly<Record<IntakeWrong['code'], string>>;
}
