/** Documents and pictures of which a PDF can be made, by the endings of their names. */
const CONVERTIBLE = [
  ...['docx', 'docm', 'dotx', 'doc', 'odt', 'ott', 'rtf'],
  ...['jpg', 'jpeg', 'png'],
] as const;
/** Kinds that have a way out, and are asked for so that it can be said. */
const KNOWN = [...CONVERTIBLE, 'heic', 'heif'];

const ENDING = /\.([a-z0-9]{1,8})$/iu;

/** What the system's dialog for files shows. */
export const CONVERTIBLE_ACCEPT = CONVERTIBLE.map((ending) => `.${ending}`).join(',');

/** Whether a file of this name may become a PDF; its content has the last word. */
export function isConvertible(name: string): boolean {
  const ending = ENDING.exec(name.slice(-10))?.[1]?.toLowerCase();
  return ending !== undefined && KNOWN.includes(ending);
}

/** The name of the PDF that is made of a file; a document may be named as a PDF by mistake. */
export function pdfNameFor(name: string): string {
  const hasEnding = isConvertible(name) || /\.pdf$/iu.test(name);
  const stem = hasEnding ? name.slice(0, name.lastIndexOf('.')) : name;
  return `${stem.slice(0, 251)}.pdf`;
}
