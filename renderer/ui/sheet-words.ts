import { SheetDelimiter, type SheetNotice } from '../../shared/contract/sheets.ts';
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
