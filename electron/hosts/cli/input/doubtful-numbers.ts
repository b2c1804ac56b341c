import { Option } from 'commander';
import { AppError } from '../../../../shared/errors.ts';
import {
  organisationNumberDoubt,
  personNumberDoubt,
} from '../../../../shared/rules/identifiers/number-doubts.ts';
import {
  type ValidationReason,
  validationSentences,
} from '../../../../shared/rules/text/verdict.ts';
import { dayOf } from '../../../../shared/rules/time/days.ts';

const ACCEPT = '--accept-doubtful-numbers';

export interface DoubtOptions {
  readonly acceptDoubtfulNumbers?: true | undefined;
}

/** Option with which a user confirms a number that may be mistyped, as in the window. */
export const acceptDoubtsOption = (): Option =>
  new Option(ACCEPT, 'use the numbers as written, even if a check digit does not match');

interface TypedNumbers {
  readonly personNo?: string | undefined;
  /** Country of the personal number; Sweden if absent. */
  readonly country?: string | undefined;
  readonly orgNo?: string | undefined;
}

/**
 * Rejects numbers that may be mistyped, unless the user accepted them.
 * @throws AppError 'invalid', which names the option of each number.
 */
export function rejectDoubtfulNumbers(
  { personNo = '', country = '', orgNo = '' }: TypedNumbers,
  { acceptDoubtfulNumbers }: DoubtOptions,
): void {
  if (acceptDoubtfulNumbers === true) return;
  const today = dayOf(Date.now());
  const doubts = [
    doubtOf('personNo', '--person-no', personNumberDoubt(personNo, country, today)),
    doubtOf('orgNo', '--org-no', organisationNumberDoubt(orgNo, today)),
  ].flat();
  if (doubts.length === 0) return;
  const lines = doubts.map(({ option, sentence }) => `${option}: ${sentence}.`);
  const message = `${lines.join(' ')} If the number is right as written, add ${ACCEPT}. Nothing was changed`;
  const fields = Object.fromEntries(doubts.map(({ field, sentence }) => [field, sentence]));
  throw new AppError('invalid', message, { fields });
}

interface Doubt {
  readonly field: string;
  readonly option: string;
  readonly sentence: string;
}

const doubtOf = (field: string, option: string, why: ValidationReason | null): Doubt[] =>
  why === null ? [] : [{ field, option, sentence: validationSentences[why] }];
