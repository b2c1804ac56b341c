import type { Failure } from '../../../../shared/errors.ts';
import { type Exit, exits } from './exit-codes.ts';
import { sentenceOf } from './service-words.ts';

/** What a command found: `value` for programs, `text` for people. */
export interface Answer {
  readonly value: object;
  readonly text: string;
  readonly exit: Exit;
}

/** The answer of a command, `done` unless its exit says otherwise. */
export function answer(value: object, text: string, exit: Exit = exits.done): Answer {
  return { value, text, exit };
}

/** A failure as the JSON document shows it: what a script can act on, and nothing else. */
export function errorDocument(failure: Failure): object {
  const { code, fields, ref } = failure;
  const message = sentenceOf(failure);
  const error = { code, message, ...(fields && { fields }), ...(ref && { ref }) };
  return { ok: false, error };
}

/** A failed item inside an answer. */
export function failedItem(failure: Failure): { readonly code: string; readonly message: string } {
  return { code: failure.code, message: sentenceOf(failure) };
}
