/*
 * What a spreadsheet shows in place of a value that it has not: the name of an error, in the language of the
 * program, or signs that fill a column which is too narrow. Exports keep it as plain text.
 */

/** `#DIV/0!`, `#VÄRDEFEL!`, `#¿NOMBRE?`, `#VALEUR !`; capitals alone, so that `#1 in town` is none. */
const NAMED = /^#[¡¿]?\p{Lu}[\p{Lu}\p{M}_/]*(?:\/0)?[ \u00a0\u202f]?[!?]$/u;
/** Errors that end without a sign: a value that is not there, in the languages of Excel. */
const MISSING = /^#(?:N\/[ABDVI]|NV|I\/T|Н\/Д|GETTING_DATA)$/;
/** LibreOffice numbers the others from 501 on. */
const NUMBERED = /^(?:Err|Error|Erreur|Errore|Fehler|Fel|Fejl|Feil|Fout|Virhe|Błąd) ?: ?5\d\d$/i;
const NARROW = /^#{3,}$/;
/** No name of an error is longer; a column of signs may be. */
const MAX_LENGTH = 300;

/** Whether a text is all that a spreadsheet showed of a value that it could not show. */
export function isErrorText(text: string): boolean {
  const bare = text.length > MAX_LENGTH ? '' : text.trim();
  return [NAMED, MISSING, NUMBERED, NARROW].some((form) => form.test(bare));
}
