import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementKey, BytesId } from '../model/ids.ts';
import { ActionReason, Notice } from './actions.ts';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { SheetChoices, SheetNotice, SheetShape } from './sheets.ts';

/**
 * Maximum length of a list in characters: about ten thousand lines, or one day of a mail server's
 * log.
 */
export const MAX_CORRECTION_LIST_LENGTH = 4_000_000;
export const MAX_CORRECTIONS = 20_000;

/** A list read from a file, for review; no parties have been searched for yet. */
export const CorrectionFile = z.object({
  /** Text of the list; for a spreadsheet, one line for each row, with the same line number. */
  text: z.string(),
  /** Sheets of the spreadsheet file; empty for a text file. */
  sheets: SheetShape.shape.sheets,
  sheet: z.string().nullable(),
  notices: z.array(SheetNotice),
});
export type CorrectionFile = z.infer<typeof CorrectionFile>;

export const CorrectionProblem = z.enum([
  'no-address',
  'several-addresses',
  'address-wrong',
  'same-address',
  'said-before',
  /** The whole list is cut off or damaged. */
  'unreadable',
  /** The whole list is an email without a readable bounce report. */
  'no-report',
  /** The whole list reports no permanent bounce. */
  'none-came-back',
]);
export type CorrectionProblem = z.infer<typeof CorrectionProblem>;

/** A party of an open agreement that matches a line of the list. */
export const CorrectionRow = z.object({
  /** Line number, from 1, in the order of the list. */
  line: z.number().int(),
  key: AgreementKey,
  title: z.string(),
  partyId: z.string(),
  partyName: z.string().nullable(),
  /** The party's address in the local copy; null if the copy has none. */
  from: z.string().nullable(),
  /** The party's new address; null if the list only reports that messages bounced. */
  to: z.string().nullable(),
  /** Why the address cannot be corrected; null if the service decides. */
  reason: ActionReason.nullable(),
});
export type CorrectionRow = z.infer<typeof CorrectionRow>;

/**
 * A party of an open agreement of API v2, whose addresses cannot be changed: the agreement can be
 * copied into a draft with the new address.
 */
export const CopyRow = CorrectionRow.pick({
  line: true,
  key: true,
  title: true,
  partyName: true,
  to: true,
}).extend({
  /**
   * Address to which this computer sent the agreement; null if only the service knows it, which
   * does not return it.
   */
  from: z.string().nullable(),
});
export type CopyRow = z.infer<typeof CopyRow>;

export const CorrectionPreview = z.object({
  rows: z.array(CorrectionRow).readonly(),
  refused: z.array(z.object({ line: z.number().int(), problem: CorrectionProblem })).readonly(),
  copies: z.array(CopyRow).readonly(),
  /**
   * Lines that match no party of an open agreement, without their text, which may contain a
   * personal number.
   */
  unfound: z.array(z.object({ line: z.number().int() })).readonly(),
  /**
   * Number of open agreements of API v2 that were not sent from this computer: only names could be
   * compared.
   */
  withoutAddresses: z.number().int(),
});
export type CorrectionPreview = z.infer<typeof CorrectionPreview>;

/**
 * One party to correct; skipped if `from` is no longer the party's address when the job reaches it.
 */
export const Correction = z.object({
  key: AgreementKey,
  partyId: z.string().min(1),
  from: z.string().nullable(),
  address: z.email(),
});
export type Correction = z.infer<typeof Correction>;

const CorrectedAgreement = AgreementKey.extend({ title: z.string(), partyId: z.string() });

/** Result of the correction job, in the order of the request. */
export const CorrectionsResult = z.object({
  done: z.array(CorrectedAgreement.extend({ notice: Notice })),
  failed: z.array(CorrectedAgreement.extend({ failure: Failure })),
  unknown: z.array(CorrectedAgreement.extend({ failure: Failure })),
});
export type CorrectionsResult = z.infer<typeof CorrectionsResult>;

export const correctionCalls = {
  /**
   * Reads a text file or a spreadsheet; the content determines which. Throws 'invalid' with a
   * reason `sheet-…`.
   */
  'corrections.readFile': call(
    z.object({ bytes: BytesId, ...SheetChoices.pick({ sheet: true, hidden: true }).shape }),
    CorrectionFile,
  ),
  /**
   * Reads a list of addresses and searches the copies of open agreements for them. Sends nothing.
   * The list has lines `old address; new address` or `name; new address`, or is a bounce report of
   * a mail server or mail service.
   */
  'corrections.preview': call(
    z.object({ text: z.string().max(MAX_CORRECTION_LIST_LENGTH) }),
    CorrectionPreview,
  ),
  /**
   * Corrects one party after the other, each from the current state of its agreement on the
   * service. Runs as a job whose result is a `CorrectionsResult`. `confirm` is the number of
   * corrections. With `notify`, a party whose turn it is gets its invitation again.
   */
  'corrections.run': call(
    z.object({
      corrections: z.array(Correction).min(1).max(MAX_CORRECTIONS),
      notify: z.boolean(),
      confirm: z.number().int(),
    }),
    JobStarted,
  ),
  /**
   * Copies an agreement of API v2 into a new draft; each party that matches a change by its old
   * address or its name gets the new address. The old agreement stays. Runs as a job whose result
   * is a `CopiedAgreement`.
   */
  'corrections.copy': call(
    z.object({
      key: AgreementKey,
      changes: z
        .array(z.object({ from: z.string().min(1), address: z.email() }))
        .min(1)
        .max(100),
    }),
    JobStarted,
  ),
};
