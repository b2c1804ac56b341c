import * as z from 'zod';
import { AgreementState, PartyState } from '../model/agreement.ts';
import { AgreementView } from './agreement-query.ts';
import { ListColumn } from './agreement-views.ts';
import { call } from './call.ts';
import { AgreementKey } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

export const ReportForm = z.enum(['csv', 'xlsx']);
export type ReportForm = z.infer<typeof ReportForm>;

/** Texts of a report, in the caller's language. */
export const ReportWords = z.object({
  /** Title of the sheet. */
  title: z.string().min(1).max(200),
  states: z.record(AgreementState, z.string()),
  partyStates: z.record(PartyState, z.string()),
  /** Word for a party that did not sign before the agreement ended. */
  unsigned: z.string(),
  /**
   * Words for "rejected or expired": v2 reports both as rejected; used if no party rejected the
   * agreement.
   */
  rejectedOrExpired: z.string(),
});
export type ReportWords = z.infer<typeof ReportWords>;

/** Value of a cell: a text, a time (epoch ms), a number, or nothing. Never a formula. */
export type ReportCell = string | { readonly at: number } | { readonly number: number } | null;

export const ReportOrder = z.object({
  /** Path of the report; the file must not exist. */
  file: z.string().min(1),
  form: ReportForm,
  /**
   * Agreements of the report: all matches of a filter except some, or only these keys, in this
   * order.
   */
  rows: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('view'), view: AgreementView, except: z.array(AgreementKey) }),
    z.object({ kind: z.literal('keys'), keys: z.array(AgreementKey).min(1) }),
  ]),
  columns: z.array(z.object({ column: ListColumn, heading: z.string() })).min(1),
  words: ReportWords,
  /** Delimiter of a CSV file; default: the system's regional setting. */
  delimiter: z.enum([',', ';', '\t']).optional(),
});
export type ReportOrder = z.infer<typeof ReportOrder>;

export const ReportResult = z.object({
  file: z.string(),
  rows: z.number().int(),
  bytes: z.number().int(),
  sha256: z.string(),
});
export type ReportResult = z.infer<typeof ReportResult>;

export const reportCalls = {
  /**
   * Writes a report. Runs as a job whose result is a `ReportResult`. The report never contains
   * personal numbers: no column has them.
   */
  'reports.write': call(ReportOrder, JobStarted),
} as const;
