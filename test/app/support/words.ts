import type { Language } from '../../../shared/model/languages.ts';
import * as english from '../../../renderer/generated/messages/messages/en.js';
import type { Messages } from '../../../renderer/ui/language.svelte.ts';

/** Every sentence of the window, in the language the tests start it in. */
export const words: Messages = english as unknown as Messages;

const files = import.meta.glob<Messages>('../../../renderer/generated/messages/messages/*.js');

/** Every sentence of the window in another language. */
export async function wordsIn(language: Language): Promise<Messages> {
  const read = files[`../../../renderer/generated/messages/messages/${language}.js`];
  if (read === undefined) throw new Error(`There are no messages in ${language}`);
  return read();
}
