import { headOf } from '../../../../shared/rules/text/head-of-text.ts';
import { secretPattern, createPieceMask } from './secret-forms.ts';

const REDACTION_MASK = '•••';
const MAX_LENGTH = 500;
/** Maximum characters that the expressions examine, since an answer may have megabytes. */
const INSPECTED_LENGTH = 4096;
/** Maximum length of a number, address or query that a cut could make unrecognizable. */
const MAX_SHOWN_VALUE_LENGTH = 300;

const PERSONAL_PATTERNS: readonly RegExp[] = [
  // Email addresses.
  /[^\s<>"'(),;:@]{1,128}@[^\s<>"'(),;:]+/g,
  // Personal and organisation numbers: Swedish, Finnish, Norwegian and Danish forms.
  /(?<![\w-])\d{6}(?:\d{2})?[-+]?\d{4}(?![\w-])/g,
  /(?<![\w-])\d{6}[-+A-FU-Y]\d{3}[0-9A-Y](?![\w-])/gi,
  /(?<![\w-])\d{11}(?![\w-])/g,
  // Phone numbers.
  /\+\d[\d -]{6,30}\d/g,
];

/**
 * Removes credentials, personal numbers, contact data and the queries of links from a service's
 * text.
 */
export type Redact = (text: string) => string;

/**
 * Creates a function that redacts texts of a service, which may quote sent data; every stored text
 * is redacted. Examines only the beginning of a text, and keeps at most 500 characters.
 * @param secrets credentials, masked in every form in which they may be quoted
 */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.map(secretPattern);
  const pieces = secrets.map((secret) => createPieceMask(secret, REDACTION_MASK));
  const longest = Math.max(MAX_SHOWN_VALUE_LENGTH, ...secrets.map(({ length }) => 2 * length));
  return (text) => {
    let clean = headOf(text, INSPECTED_LENGTH + longest);
    const isCut = clean.length < text.length;
    for (const form of forms) clean = clean.replaceAll(form, REDACTION_MASK);
    for (const withoutPieces of pieces) clean = withoutPieces(clean);
    clean = clean.replaceAll(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, `$1?${REDACTION_MASK}`);
    for (const pattern of PERSONAL_PATTERNS) clean = clean.replaceAll(pattern, REDACTION_MASK);
    // A value cut at the end may be unrecognizable, and is within this distance of the end.
    if (isCut) clean = headOf(clean, Math.max(0, clean.length - longest));
    clean = clean.replaceAll(/\s+/g, ' ').trim();
    return isCut || clean.length > MAX_LENGTH ? `${headOf(clean, MAX_LENGTH)}…` : clean;
  };
}
