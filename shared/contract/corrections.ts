import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementKey, BytesId } from '../model/ids.ts';
import { ActionReason, Notice } from './actions.ts';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { SheetChoices, SheetNotice, SheetShape } from './sheets.ts';

/** Characters of a list: some ten thousand lines, or a day of a mail server's log. */
export const LIST_MAX = 4_000_000;
/** Parties corrected by one job. */
export const CORRECTIONS_MAX = 20_000;

/** A list as a file has it, for a person to look at: nobody was looked for yet. */
export const CorrectionFile = z.object({
  /** A line for each row of a workbook, at the row's own number. */
  text: z.string(),
  /** Of a workbook; a text file has none. */
  sheets: SheetShape.shape.sheets,
  sheet: z.string().nullable(),
  notices: z.array(SheetNotice),
});
export type CorrectionFile = z.infer<typeof CorrectionFile>;

/** Why a line of a list can't be followed. */
export const CorrectionProblem = z.enum([
  'no-address',
  'several-addresses',
  'address-wrong',
  'same-address',
  'said-before',
  /** Of the whole list: it was cut off, or is damaged. */
  'unreadable',
  /** Of the whole list: it is a mail, and holds no report that is understood. */
  'no-report',
  /** Of the whole list: no message that it tells of came back for good. */
  'none-came-back',
]);
export type CorrectionProblem = z.infer<typeof CorrectionProblem>;

/** A party of an open agreement that a line of the list means. */
export const CorrectionRow = z.object({
  /** Counted from 1, as the list was given. */
  line: z.number().int(),
  key: AgreementKey,
  title: z.string(),
  partyId: z.string(),
  partyName: z.string().nullable(),
  /** The party's address in the copy here. */
  from: z.string().nullable(),
  /** Null where the list only says that messages came back. */
  to: z.string().nullable(),
  /** Why it can't be corrected; null when the service decides. */
  reason: ActionReason.nullable(),
});
export type CorrectionRow = z.infer<typeof CorrectionRow>;

/**
 * A party of an open agreement of API v2, in which no address can be changed: the agreement can be
 * copied into a draft that has the new one.
 */
export const CopyRow = CorrectionRow.pick({
  line: true,
  key: true,
  title: true,
  partyName: true,
  to: true,
}).extend({
  /** The address it was sent to from here; null where the service, which does not tell it, knows. */
  from: z.string().nullable(),
});
export type CopyRow = z.infer<typeof CopyRow>;

export const CorrectionPreview = z.object({
  rows: z.array(CorrectionRow).readonly(),
  refused: z.array(z.object({ line: z.number().int(), problem: CorrectionProblem })).readonly(),
  copies: z.array(CopyRow).readonly(),
  /** Lines that no open agreement has a party for; not their text, in which a number may be. */
  unfound: z.array(z.object({ line: z.number().int() })).readonly(),
  /** Open agreements of API v2 that were not sent from here: there only names could be compared. */
  withoutAddresses: z.number().int(),
});
export type CorrectionPreview = z.infer<typeof CorrectionPreview>;

/** One party to correct; `from` has to be its address still when its turn comes. */
export const Correction = z.object({
  key: AgreementKey,
  partyId: z.string().min(1),
  from: z.string().nullable(),
  address: z.email(),
});
export type Correction = z.infer<typeof Correction>;

const Corrected = AgreementKey.extend({ title: z.string(), partyId: z.string() });

/** Result of the job that corrects: what became of each, in the order they were asked for. */
export const CorrectionsResult = z.object({
  done: z.array(Corrected.extend({ notice: Notice })),
  failed: z.array(Corrected.extend({ failure: Failure })),
  unknown: z.array(Corrected.extend({ failure: Failure })),
});
export type CorrectionsResult = z.infer<typeof CorrectionsResult>;

export const correctionCalls = {
  /** A text file or a workbook, by what is in it. Throws 'invalid' with a reason `sheet-…`. */
  'corrections.readFile': call(
    z.object({ bytes: BytesId, ...SheetChoices.pick({ sheet: true, hidden: true }).shape }),
    CorrectionFile,
  ),
  /**
   * Reads a list of addresses and looks for them in the copies of open agreements. Sends nothing.
   * The list has a line `old address; new address` or `name; new address` for each, or is what mail
   * servers and services for mail write of messages that came back.
   */
  'corrections.preview': call(z.object({ text: z.string().max(LIST_MAX) }), CorrectionPreview),
  /**
   * A job; its result is a `CorrectionsResult`. One after the other, each against what the service
   * has at that time. `confirm` is the number of corrections; with `notify` a party whose turn it
   * is gets its invitation again.
   */
  'corrections.run': call(
    z.object({
      corrections: z.array(Correction).min(1).max(CORRECTIONS_MAX),
      notify: z.boolean(),
      confirm: z.number().int(),
    }),
    JobStarted,
  ),
  /**
   * A job; its result is a `CopiedAgreement`. A new draft from an agreement of API v2, in which each
   * party that a change means by its old address or its name has the new one. The old agreement stays.
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
