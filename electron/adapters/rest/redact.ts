const MASK = '•••';
const LONGEST = 500;

const PERSONAL: readonly RegExp[] = [
  // E-mail addresses.
  /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g,
  // Personal and organisation numbers: Swedish, Finnish, Norwegian and Danish forms.
  /(?<![\w-])\d{6}(?:\d{2})?[-+]?\d{4}(?![\w-])/g,
  /(?<![\w-])\d{6}[-+A-FU-Y]\d{3}[0-9A-Y](?![\w-])/gi,
  /(?<![\w-])\d{11}(?![\w-])/g,
  // Phone numbers.
  /\+\d[\d -]{6,}\d/g,
];

/** A service's sentence without credentials, personal numbers, contact data and queries of links. */
export type Redact = (text: string) => string;

/** Texts of a service may quote what was sent; everything of theirs that is kept passes here. */
export function createRedact(secrets: readonly string[]): Redact {
  return (text) => {
    let clean = text;
    for (const secret of secrets) clean = clean.replaceAll(secret, MASK);
    clean = clean.replaceAll(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, `$1?${MASK}`);
    for (const pattern of PERSONAL) clean = clean.replaceAll(pattern, MASK);
    clean = clean.replaceAll(/\s+/g, ' ').trim();
    return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
  };
}
