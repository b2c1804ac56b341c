/** Extensions of documents and pictures that can be converted to PDF. */
const CONVERTIBLE_EXTENSIONS = [
  ...['docx', 'docm', 'dotx', 'doc', 'odt', 'ott', 'rtf'],
  ...['jpg', 'jpeg', 'png'],
] as const;
/** Extensions that are converted, or that have their own error message with the next step. */
const KNOWN_EXTENSIONS = [...CONVERTIBLE_EXTENSIONS, 'heic', 'heif'];

const EXTENSION_PATTERN = /\.([a-z0-9]{1,8})$/iu;

/** Extensions for the system's file dialog. */
export const CONVERTIBLE_ACCEPT = CONVERTIBLE_EXTENSIONS.map((ending) => `.${ending}`).join(',');

/** Whether a file with this name may be converted to PDF; this also depends on its content. */
export function isConvertible(name: string): boolean {
  const ending = EXTENSION_PATTERN.exec(name.slice(-10))?.[1]?.toLowerCase();
  return ending !== undefined && KNOWN_EXTENSIONS.includes(ending);
}

/** Name of the converted PDF. A document that is wrongly named `.pdf` keeps its name. */
export function pdfNameFor(name: string): string {
  const hasEnding = isConvertible(name) || /\.pdf$/iu.test(name);
  const stem = hasEnding ? name.slice(0, name.lastIndexOf('.')) : name;
  return `${stem.slice(0, 251)}.pdf`;
}
