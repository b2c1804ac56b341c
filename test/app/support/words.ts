import type { Language } from '../../../shared/model/languages.ts';
import * as english from '../../../renderer/generated/messages/messages/en.js';
import type { Messages } from '../../../renderer/ui/language.svelte.ts';

const first: Messages = english as unknown as Messages;
let spoken = first;

/** All texts of the window, in the language of the window under test. */
export const words: Messages = new Proxy(first, {
  get: (_, key: keyof Messages) => spoken[key],
});

/** All texts of the window in another language. */
export async function wordsIn(language: Language): Promise<Messages> {
  const messages: Messages = await import(
    `../../../renderer/generated/messages/messages/${language}.js`
  );
  return messages;
}

/** Switches the tests to a window with these texts. */
export function readWith(messages: Messages): void {
  spoken = messages;
}

/** Switches the tests to a window in this language; later test files start with English again. */
export async function readIn(language: Language): Promise<void> {
  spoken = language === 'en' ? first : await wordsIn(language);
}
