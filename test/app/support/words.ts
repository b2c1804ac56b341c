import type { Language } from '../../../shared/model/languages.ts';
import * as english from '../../../renderer/generated/messages/messages/en.js';
import type { Messages } from '../../../renderer/ui/language.svelte.ts';

const first: Messages = english as unknown as Messages;
let spoken = first;

/** Every sentence of the window, in the language that the window under test speaks. */
export const words: Messages = new Proxy(first, {
  get: (_, key: keyof Messages) => spoken[key],
});

/** Every sentence of the window in another language. */
export async function wordsIn(language: Language): Promise<Messages> {
  const messages: Messages = await import(
    `../../../renderer/generated/messages/messages/${language}.js`
  );
  return messages;
}

/** From now on a window that says these sentences is read. */
export function readWith(messages: Messages): void {
  spoken = messages;
}

/** From now on a window in this language is read; files that come later read English again. */
export async function readIn(language: Language): Promise<void> {
  spoken = language === 'en' ? first : await wordsIn(language);
}
