import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { ApiName, ConnectionId, Instant, Nothing, TemplateId } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

export const IntakeRuleId = z.uuid().brand('IntakeRuleId');
export type IntakeRuleId = z.infer<typeof IntakeRuleId>;

/** What holds for a file that says nothing else itself. */
export const IntakeTerms = z.object({
  /** Watched without the folders in it; `done` and `refused` are made there. */
  folder: z.string().min(1).max(4096),
  api: ApiName,
  connectionId: ConnectionId.nullable(),
  /** Who takes part and on which terms; the PDF that came stands in for the template's own. */
  templateId: TemplateId.nullable(),
  /** A PDF waits until a `.json` or a row of a sheet says something about it. */
  needsData: z.boolean(),
});
export type IntakeTerms = z.infer<typeof IntakeTerms>;

export const IntakeRule = IntakeTerms.extend({
  id: IntakeRuleId,
  name: z.string().trim().min(1).max(80),
  isOn: z.boolean(),
  createdAt: Instant,
});
export type IntakeRule = z.infer<typeof IntakeRule>;

/** A rule as a person writes it. */
export const IntakeRuleDraft = IntakeRule.omit({ id: true, createdAt: true });
export type IntakeRuleDraft = z.infer<typeof IntakeRuleDraft>;

/** A file that was moved to `refused`, and why. */
const RefusedFile = z.object({ file: z.string(), failure: Failure });

/** What a run made of a folder. */
export const IntakeResult = z.object({
  folder: z.string(),
  drafts: z.number().int(),
  /** Sheets that became rows of a batch. */
  sheets: z.number().int(),
  /** Files that were taken before, with the same data beside them. */
  again: z.number().int(),
  refused: z.number().int(),
  /** At most twenty of those. */
  refusals: z.array(RefusedFile),
  /** Files that took the name of one that had just been read; they are left for the next run. */
  replaced: z.number().int().default(0),
  /** Files that were left where they are, until they are whole or what belongs to them is there. */
  waiting: z.number().int(),
});
export type IntakeResult = z.infer<typeof IntakeResult>;

/** How a rule's last run went that had anything to do. No name of a file: one may name a person. */
export const IntakeRun = IntakeResult.omit({ folder: true, refusals: true }).extend({
  at: Instant,
  failure: Failure.nullable(),
  /** Runs in a row that failed for another reason than a drive that is away. */
  inRow: z.number().int(),
});
export type IntakeRun = z.infer<typeof IntakeRun>;

export const IntakeRuleShown = z.object({
  rule: IntakeRule,
  last: IntakeRun.nullable(),
  /** Failed so often in a row: waits for a person. */
  isPaused: z.boolean(),
});
export type IntakeRuleShown = z.infer<typeof IntakeRuleShown>;

/** Why a file is left where it is. */
export const IntakeWait = z.enum([
  /** It changed lately, or is no whole file yet. */
  'being-written',
  /** The rule wants data beside the PDF. */
  'no-data',
  /** Data for a PDF that is not there. */
  'no-pdf',
  /** Another program holds it, or it may not be read. */
  'not-readable',
]);
export type IntakeWait = z.infer<typeof IntakeWait>;

/** What a run would do with a file now. */
export const IntakePlanned = z.discriminatedUnion('what', [
  z.object({ file: z.string(), what: z.enum(['draft', 'sheet']), title: z.string() }),
  z.object({ file: z.string(), what: z.literal('again') }),
  /** The same as another file of the plan, which is the one that is taken. */
  z.object({ file: z.string(), what: z.literal('same'), first: z.string() }),
  z.object({ file: z.string(), what: z.literal('refused'), failure: Failure }),
  z.object({ file: z.string(), what: z.literal('waits'), why: IntakeWait }),
]);
export type IntakePlanned = z.infer<typeof IntakePlanned>;

export const IntakePreview = z.object({
  /** At most 200; `total` counts all but those that go with a PDF. */
  files: z.array(IntakePlanned),
  total: z.number().int(),
});
export type IntakePreview = z.infer<typeof IntakePreview>;

export const intakeCalls = {
  'intake.rules': call(z.object({}), z.array(IntakeRuleShown)),
  /** Throws 'conflict' where another rule has the name or the folder. */
  'intake.saveRule': call(IntakeRuleDraft.extend({ id: IntakeRuleId.optional() }), IntakeRule),
  /** What was taken stays, and is known if it comes again. */
  'intake.removeRule': call(z.object({ id: IntakeRuleId }), Nothing),
  /** Switching a paused one on is the person's word that it may go on. */
  'intake.switchRule': call(z.object({ id: IntakeRuleId, isOn: z.boolean() }), IntakeRule),
  /** What the rule would do now; nothing is stored and no file is moved. */
  'intake.preview': call(z.object({ id: IntakeRuleId }), IntakePreview),
  /** A job; its result is an `IntakeResult`. */
  'intake.runRule': call(z.object({ id: IntakeRuleId }), JobStarted),
  /**
   * The same for a folder that no rule names, where the terms of a rule that does are not asked for.
   * With `stays` the job goes on looking until it is cancelled, and its result is of all of it.
   */
  'intake.watch': call(IntakeTerms.extend({ stays: z.boolean() }), JobStarted),
} as const;

export const intakeEvents = { 'intake.changed': z.object({}) } as const;
