import {
  SheetDelimiter,
  type SheetEncoding,
  type SheetNotice,
} from '../../shared/contract/sheets.ts';
import { m } from './language.svelte.ts';

const sheetNoticeTexts = {
  'hidden-rows': m.batch_notice_hidden_rows,
  'hidden-columns': m.batch_notice_hidden_columns,
  'hidden-sheets': m.batch_notice_hidden_sheets,
  'other-sheets': m.batch_notice_other_sheets,
  'filtered-rows': m.batch_notice_filtered_rows,
  'empty-rows': m.batch_notice_empty_rows,
  'empty-columns': m.batch_notice_empty_columns,
  'unnamed-columns': m.batch_notice_unnamed_columns,
  'rows-above-header': m.batch_notice_rows_above_header,
  'guessed-encoding': m.batch_notice_guessed_encoding,
  'guessed-delimiter': m.batch_notice_guessed_delimiter,
  'double-encoded': m.batch_notice_double_encoded,
  'dates-1904': m.batch_notice_dates_1904,
  'external-content': m.batch_notice_external_content,
  formulas: m.batch_notice_formulas,
} as const satisfies Record<
  SheetNotice['code'],
  (input: { count: number; other: string }) => string
>;

/** A notice about a spreadsheet file, in the user's language. */
export function noticeText({ code, count, detail }: SheetNotice): string {
  const other = SheetDelimiter.safeParse(detail);
  return sheetNoticeTexts[code]({ count, other: other.success ? delimiterText[other.data]() : '' });
}

export const delimiterText = {
  ';': m.batch_delimiter_semicolon,
  ',': m.batch_delimiter_comma,
  '\t': m.batch_delimiter_tab,
  '|': m.batch_delimiter_bar,
} as const satisfies Record<SheetDelimiter, () => string>;

export const encodingText = {
  'utf-8': m.batch_encoding_utf_8,
  'utf-16le': m.batch_encoding_utf_16_le,
  'utf-16be': m.batch_encoding_utf_16_be,
  'windows-1252': m.batch_encoding_windows_1252,
  'windows-1250': m.batch_encoding_windows_1250,
  macintosh: m.batch_encoding_mac,
  ibm850: m.batch_encoding_dos,
} as const satisfies Record<SheetEncoding, () => string>;
