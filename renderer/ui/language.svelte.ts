import { m } from '../generated/messages/messages.js';
import { overwriteGetLocale } from '../generated/messages/runtime.js';

const languages = ['en', 'sv'] as const;
export type Language = (typeof languages)[number];

let language = $state<Language>('en');

// Messages read the language through a rune: a switch redraws every text and keeps what was typed.
overwriteGetLocale(() => language);

/** Every sentence a person reads. */
export { m };

export const currentLanguage = (): Language => language;

/** Null follows the system's locale, as far as we speak its language. */
export function speak(wanted: Language | null, systemLocale: string): void {
  const system = languages.find((known) => systemLocale.toLowerCase().startsWith(known));
  language = wanted ?? system ?? 'en';
  document.documentElement.lang = language;
}
