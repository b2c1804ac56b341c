import { ReportForm } from '../../../shared/contract/reports.ts';

const ENDING = /\.([a-z]+)$/i;

/** Format that belongs to the ending of a path; null for another ending or none. */
export function formOf(file: string): ReportForm | null {
  const parsed = ReportForm.safeParse(ENDING.exec(file.trim())?.[1]?.toLowerCase());
  return parsed.success ? parsed.data : null;
}

/** The same path with the ending of the format, if it has the ending of a format. */
export const withEnding = (file: string, form: ReportForm): string =>
  formOf(file) === null ? file : file.trim().replace(ENDING, `.${form}`);

/** The same file name in another folder. */
export const inFolder = (file: string, folder: string, separator: string): string =>
  `${folder}${separator}${file.split(/[\\/]/).at(-1) ?? ''}`;
