import { headOf } from '../../../../shared/rules/text/head-of-text.ts';
import { findSecret, pieceMask } from './secret-forms.ts';

const MASK = '•••';
const MAX_LENGTH = 500;
/** A service may answer with megabytes; expressions see no more of them than this. */
const LOOKED_AT = 4096;
/** Longer than any number, address or link's query that a cut could leave without its form. */
const CUT_VALUE = 300;

const PERSONAL: readonly RegExp[] = [
  // E-mail addresses.
  /[^\s<>"'(),;:@]{1,128}@[^\s<>"'(),;:]+/g,
  // Personal and organisation numbers: Swedish, Finnish, Norwegian and Danish forms.
  /(?<![\w-])\d{6}(?:\d{2})?[-+]?\d{4}(?![\w-])/g,
  /(?<![\w-])\d{6}[-+A-FU-Y]\d{3}[0-9A-Y](?![\w-])/gi,
  /(?<![\w-])\d{11}(?![\w-])/g,
  // Phone numbers.
  /\+\d[\d -]{6,30}\d/g,
];

/** A service's sentence without credentials, personal numbers, contact data and queries of links. */
export type Redact = (text: string) => string;

/**
 * Texts of a service may quote what was sent; everything of theirs that is kept passes here. Of a
 * long text only the beginning is looked at, and at most 500 characters are kept.
 * @param secrets credentials, which are masked in every form in which they may be quoted
 */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.map(findSecret);
  const pieces = secrets.map((secret) => pieceMask(secret, MASK));
  const longest = Math.max(CUT_VALUE, ...secrets.map(({ length }) => 2 * length));
  return (text) => {
    let clean = headOf(text, LOOKED_AT + longest);
    const isCut = clean.length < text.length;
    for (const form of forms) clean = clean.replaceAll(form, MASK);
    for (const withoutPieces of pieces) clean = withoutPieces(clean);
    clean = clean.replaceAll(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, `$1?${MASK}`);
    for (const pattern of PERSONAL) clean = clean.replaceAll(pattern, MASK);
    // What the cut went through has no form any more, and lies within this much of the end.
    if (isCut) clean = headOf(clean, Math.max(0, clean.length - longest));
    clean = clean.replaceAll(/\s+/g, ' ').trim();
    return isCut || clean.length > MAX_LENGTH ? `${headOf(clean, MAX_LENGTH)}…` : clean;
  };
}
