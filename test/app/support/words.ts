import type { Language } from '../../../shared/model/languages.ts';
import * as english from '../../../renderer/generated/messages/messages/en.js';
import type { Messages } from '../../../renderer/ui/language.svelte.ts';

/** Every sentence of the window, in the language the tests start it in. */
export const words: Messages = english as unknown as Messages;

/** Every sentence of the window in another language. */
export async function wordsIn(language: Language): Promise<Messages> {
  const messages: Messages = await import(
    `../../../renderer/generated/messages/messages/${language}.js`
  );
  return messages;
}
