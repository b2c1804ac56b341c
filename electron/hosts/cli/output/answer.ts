import type { Failure } from '../../../../shared/errors.ts';
import { type Exit, exits } from './exit-codes.ts';
import { sentenceOf } from './service-words.ts';

/** Result of a command: `value` for programs, `text` for people. */
export interface Answer {
  readonly value: object;
  readonly text: string;
  readonly exit: Exit;
}

/** Returns the answer of a command; the exit code is `done` unless another one is given. */
export function answer(value: object, text: string, exit: Exit = exits.done): Answer {
  return { value, text, exit };
}

/** Returns the JSON document of a failure, only with the fields that a script can act on. */
export function errorDocument(failure: Failure): object {
  const { code, fields, ref } = failure;
  const message = sentenceOf(failure);
  const error = { code, message, ...(fields && { fields }), ...(ref && { ref }) };
  return { ok: false, error };
}

export function failedItem(failure: Failure): { readonly code: string; readonly message: string } {
  return { code: failure.code, message: sentenceOf(failure) };
}
