import { foldName } from '../files/file-name.ts';
import { LONG_MARKS } from '../text/long-marks.ts';

/** What a file of a watched folder is by its name. */
type IntakeKind =
  | 'pdf'
  | 'json'
  | 'sheet'
  /** Not meant for us: hidden, a lock of an office program, or still being copied or downloaded. */
  | 'passing'
  | 'other';

const PASSING =
  /^[.~]|^(?:desktop\.ini|thumbs\.db)$|\.(?:tmp|part|partial|crdownload|download|filepart|swp)$/i;
const SHEET = /\.(?:csv|tsv|xlsx|ods)$/i;
/** What leads out of a folder somewhere, or cannot be seen. */
const UNSAFE = /[\\/:\p{Cc}\p{Cf}]/u;
const MAX_LENGTH = 255;

export function intakeKind(name: string): IntakeKind {
  if (PASSING.test(name)) return 'passing';
  const lower = name.toLowerCase();
  if (lower.endsWith('.pdf')) return 'pdf';
  if (lower.endsWith('.json')) return 'json';
  return SHEET.test(name) ? 'sheet' : 'other';
}

export const isTextSheet = (name: string): boolean => /\.(?:csv|tsv)$/i.test(name);

/** Whether it names a file of one folder, on every system, and shows all that it is made of. */
export const isPlainName = (name: string): boolean =>
  name.length <= MAX_LENGTH && !UNSAFE.test(name) && !/^\.{0,2}$/.test(name);

/** The PDFs that a `.json` of this name may be beside: `Lease.json` and `Lease.pdf.json`; folded. */
export function pdfNameOf(json: string): string {
  const stem = json.replace(/\.json$/i, '');
  return foldName(/\.pdf$/i.test(stem) ? stem : `${stem}.pdf`);
}

/** What an agreement is called when nothing else is said. */
export const titleOfFile = (name: string): string =>
  name
    .replace(/\.[^.]+$/, '')
    .replaceAll(LONG_MARKS, '')
    .normalize('NFC');
