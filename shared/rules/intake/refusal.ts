import type { Failure } from '../../errors.ts';
import type { Language } from '../../model/languages.ts';
import { da } from './words/da.ts';
import { de } from './words/de.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { fi } from './words/fi.ts';
import { fr } from './words/fr.ts';
import { it } from './words/it.ts';
import { nb } from './words/nb.ts';
import { nl } from './words/nl.ts';
import { pl } from './words/pl.ts';
import { sv } from './words/sv.ts';
import type { IntakeWords } from './words/words.ts';

/** @internal */
export const refusalWords: Readonly<Record<Language, IntakeWords>> = {
  da,
  de,
  en,
  es,
  fi,
  fr,
  it,
  nb,
  nl,
  pl,
  sv,
};

/**
 * Text of the note for a refused file: the reason in the user's language, and the exact facts in
 * English for support.
 */
export function refusalNote(name: string, failure: Failure, language: Language): string {
  const { code, reason, message } = failure;
  const facts = [code, reason, message].filter((part) => part !== undefined).join(' · ');
  return `${name}: ${sentenceOf(failure, language)}\n\n${facts}\n`;
}

function sentenceOf({ reason, message, intake }: Failure, language: Language): string {
  const { reasons, wrong } = refusalWords[language];
  if (intake !== undefined) return wrong[intake.code].replace('{at}', () => intake.at);
  return hasRefusalText(reason) ? reasons[reason] : message;
}

const hasRefusalText = (reason: Failure['reason']): reason is keyof IntakeWords['reasons'] =>
  reason !== undefined && Object.hasOwn(en.reasons, reason);
