/** Names of the text encodings in which a CSV file can be read. */
export const SHEET_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'macintosh',
  'ibm850',
] as const;
