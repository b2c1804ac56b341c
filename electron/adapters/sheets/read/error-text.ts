/*
 * Text that a spreadsheet displays instead of a value: the name of an error, in the program's
 * language, or `#` characters that fill a column that is too narrow. Exports keep it as plain text.
 */

/**
 * `#DIV/0!`, `#VÄRDEFEL!`, `#¿NOMBRE?`, `#VALEUR !`; only capitals, so that `#1 in town` does not
 * match.
 */
const NAMED_ERROR = /^#[¡¿]?\p{Lu}[\p{Lu}\p{M}_/]*(?:\/0)?[ \u00a0\u202f]?[!?]$/u;
/** Errors without a final punctuation mark: a missing value, in the languages of Excel. */
const MISSING_VALUE_ERROR = /^#(?:N\/[ABDVI]|NV|I\/T|Н\/Д|GETTING_DATA)$/;
/** LibreOffice numbers other errors from 501. */
const NUMBERED_ERROR =
  /^(?:Err|Error|Erreur|Errore|Fehler|Fel|Fejl|Feil|Fout|Virhe|Błąd) ?: ?5\d\d$/i;
const NARROW_COLUMN = /^#{3,}$/;
/**
 * Maximum length of an error text: longer than any error name, because a column may be filled with
 * `#`.
 */
const MAX_LENGTH = 300;

/** Whether a text is only an error text of a spreadsheet. */
export function isErrorText(text: string): boolean {
  const bare = text.length > MAX_LENGTH ? '' : text.trim();
  return [NAMED_ERROR, MISSING_VALUE_ERROR, NUMBERED_ERROR, NARROW_COLUMN].some((form) =>
    form.test(bare),
  );
}
