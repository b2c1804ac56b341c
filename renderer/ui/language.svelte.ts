import type { Language } from '../../shared/model/languages.ts';
import { languageOf } from '../../shared/rules/text/languages.ts';
import * as english from '../generated/messages/messages/en.js';

type EnglishMessages = typeof english;
type Sentence<Values, Text> = object extends Values ? () => Text : (values: Values) => Text;
/** Sentences by key; a sentence without values takes no argument. */
export type Messages = {
  readonly [Key in keyof EnglishMessages]: EnglishMessages[Key] extends (
    values: infer Values,
  ) => infer Text
    ? Sentence<Values, Text>
    : never;
};

/** Files of the languages; each is loaded on first use. English is built in. */
const languageFiles = import.meta.glob<EnglishMessages>([
  '../generated/messages/messages/*.js',
  '!**/{_index,en}.js',
]);

let language = $state<Language>('en');
let currentMessages = $state.raw<EnglishMessages>(english);
/** The language requested last; an earlier request that loads later is ignored. */
let wantedLanguage: Language = 'en';

/**
 * All sentences of the window. Each depends on the current language: a switch redraws every text
 * and keeps what was typed.
 */
export const m = new Proxy<Messages>(Object.create(null), {
  get: (_, key: keyof EnglishMessages) => sentenceOf(key),
});
const sentences = new Map<keyof EnglishMessages, (values: never) => string>();

function sentenceOf(key: keyof EnglishMessages) {
  const known = sentences.get(key);
  if (known !== undefined) return known;
  const sentence = (values: never): string => currentMessages[key](values);
  sentences.set(key, sentence);
  return sentence;
}

/** Sentence for a key, for texts that name another text, such as a button in the guide. */
export function sentenceNamed(key: string, values: Readonly<Record<string, string>>): string {
  const sentence: unknown = Reflect.get(currentMessages, key);
  return typeof sentence === 'function' ? String(sentence(values)) : key;
}

export const currentLanguage = (): Language => language;

/** Loads a language and switches to it. Null follows the system's locale if it is supported. */
export async function speak(wanted: Language | null, systemLocale: string): Promise<void> {
  const next = wanted ?? languageOf(systemLocale) ?? 'en';
  wantedLanguage = next;
  const messages = await readMessages(next);
  if (wantedLanguage !== next) return;
  language = next;
  currentMessages = messages;
  document.documentElement.lang = next;
}

async function readMessages(wanted: Language): Promise<EnglishMessages> {
  const read = languageFiles[`../generated/messages/messages/${wanted}.js`];
  return read === undefined ? english : read();
}
