import type { Language } from '../../shared/model/languages.ts';
import { languageOf } from '../../shared/rules/text/languages.ts';
import * as english from '../generated/messages/messages/en.js';

type English = typeof english;
type Sentence<Values, Text> = object extends Values ? () => Text : (values: Values) => Text;
/** Sentences by their keys; one without values is called without any. */
export type Messages = {
  readonly [Key in keyof English]: English[Key] extends (values: infer Values) => infer Text
    ? Sentence<Values, Text>
    : never;
};

/** A language is read from its own file when somebody wants it; English is always there. */
const files = import.meta.glob<English>([
  '../generated/messages/messages/*.js',
  '!**/{_index,en}.js',
]);

let language = $state<Language>('en');
let spoken = $state.raw<English>(english);
/** What was asked for last: an earlier wish whose file comes later is not followed. */
let wish: Language = 'en';

/**
 * Every sentence a person reads. Each reads the language as it is shown: a switch redraws every
 * text and keeps what was typed.
 */
export const m = new Proxy<Messages>(Object.create(null), {
  get: (_, key: keyof English) => sentenceOf(key),
});
const sentences = new Map<keyof English, (values: never) => string>();

function sentenceOf(key: keyof English) {
  const known = sentences.get(key);
  if (known !== undefined) return known;
  const sentence = (values: never): string => spoken[key](values);
  sentences.set(key, sentence);
  return sentence;
}

/** The sentence of this key, for texts that name it: what the guide calls a button. */
export function sentenceNamed(key: string, values: Readonly<Record<string, string>>): string {
  const sentence: unknown = Reflect.get(spoken, key);
  return typeof sentence === 'function' ? String(sentence(values)) : key;
}

export const currentLanguage = (): Language => language;

/** Null follows the system's locale, as far as we speak its language. */
export async function speak(wanted: Language | null, systemLocale: string): Promise<void> {
  const next = wanted ?? languageOf(systemLocale) ?? 'en';
  wish = next;
  const messages = await readMessages(next);
  if (wish !== next) return;
  language = next;
  spoken = messages;
  document.documentElement.lang = next;
}

async function readMessages(wanted: Language): Promise<English> {
  const read = files[`../generated/messages/messages/${wanted}.js`];
  return read === undefined ? english : read();
}
