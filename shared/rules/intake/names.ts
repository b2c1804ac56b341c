import { foldName } from '../files/file-name.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Kind of a file in a watched folder, by its name. */
type IntakeKind =
  | 'pdf'
  | 'json'
  | 'sheet'
  /** Ignored file: hidden, a lock file of an office program, or being copied or downloaded. */
  | 'passing'
  | 'other';

const TEMPORARY_FILE_PATTERN =
  /^[.~]|^(?:desktop\.ini|thumbs\.db)$|\.(?:tmp|part|partial|crdownload|download|filepart|swp)$/i;
const SHEET_NAME_PATTERN = /\.(?:csv|tsv|xlsx|ods)$/i;
/** Characters that make a path on some system, or are invisible. */
const UNSAFE_NAME_PATTERN = /[\\/:\p{Cc}\p{Cf}]/u;
const MAX_FILE_NAME_LENGTH = 255;

export function intakeKind(name: string): IntakeKind {
  if (TEMPORARY_FILE_PATTERN.test(name)) return 'passing';
  const lower = name.toLowerCase();
  if (lower.endsWith('.pdf')) return 'pdf';
  if (lower.endsWith('.json')) return 'json';
  return SHEET_NAME_PATTERN.test(name) ? 'sheet' : 'other';
}

export const isTextSheet = (name: string): boolean => /\.(?:csv|tsv)$/i.test(name);

/** Whether the name is a file name, not a path, on every system, without invisible characters. */
export const isPlainName = (name: string): boolean =>
  name.length <= MAX_FILE_NAME_LENGTH && !UNSAFE_NAME_PATTERN.test(name) && !/^\.{0,2}$/.test(name);

/** Folded name of the PDF for a sidecar file `Lease.json` or `Lease.pdf.json`. */
export function pdfNameOf(json: string): string {
  const stem = json.replace(/\.json$/i, '');
  return foldName(/\.pdf$/i.test(stem) ? stem : `${stem}.pdf`);
}

export const titleOfFile = (name: string): string =>
  name
    .replace(/\.[^.]+$/, '')
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFC');
