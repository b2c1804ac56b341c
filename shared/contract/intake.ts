import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { ApiName, ConnectionId, Instant, EmptyObject, TemplateId } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';
import { NamedRuleFailure } from './rule-failures.ts';

export const IntakeRuleId = z.uuid().brand('IntakeRuleId');
export type IntakeRuleId = z.infer<typeof IntakeRuleId>;

/** Defaults for files without sidecar data. */
export const IntakeTerms = z.object({
  /** Watched folder, without its subfolders; `done` and `refused` are created in it. */
  folder: z.string().min(1).max(4096),
  api: ApiName,
  connectionId: ConnectionId.nullable(),
  /** Template with the parties and settings; the imported PDF replaces the template's own. */
  templateId: TemplateId.nullable(),
  /** Whether a PDF waits until a `.json` file or a spreadsheet row has data for it. */
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

export const IntakeRuleDraft = IntakeRule.omit({ id: true, createdAt: true });
export type IntakeRuleDraft = z.infer<typeof IntakeRuleDraft>;

/** A file that was rejected and moved to `refused`, with the reason. */
const RefusedFile = z.object({ file: z.string(), failure: Failure });

export const IntakeResult = z.object({
  folder: z.string(),
  drafts: z.number().int(),
  /** Number of spreadsheets that became rows of a batch. */
  sheets: z.number().int(),
  /** Number of files that were already imported before, with the same sidecar data. */
  again: z.number().int(),
  refused: z.number().int(),
  /** At most twenty of the refused files. */
  refusals: z.array(RefusedFile),
  /** Number of files that replaced a file that had just been read; the next run processes them. */
  replaced: z.number().int().default(0),
  /**
   * Number of files left in the folder until they are complete or the files that they need exist.
   */
  waiting: z.number().int(),
});
export type IntakeResult = z.infer<typeof IntakeResult>;

/**
 * Result of the rule's last run that had work, without file names, which may contain a person's
 * name.
 */
export const IntakeRun = IntakeResult.omit({ folder: true, refusals: true }).extend({
  at: Instant,
  failure: Failure.nullable(),
  /** Number of consecutive failed runs, except those with a disconnected drive. */
  inRow: z.number().int(),
});
export type IntakeRun = z.infer<typeof IntakeRun>;

export const IntakeRuleView = z.object({
  rule: IntakeRule,
  last: IntakeRun.nullable(),
  /**
   * The first files that the last run refused. Known until the program ends, because file names are
   * not stored; the folder `refused` has all files with their reasons.
   */
  failures: z.array(NamedRuleFailure),
  /** Whether the rule is paused after too many consecutive failures, and waits for the user. */
  isPaused: z.boolean(),
});
export type IntakeRuleView = z.infer<typeof IntakeRuleView>;

export const IntakeWaitReason = z.enum([
  /** The file changed recently, or is incomplete. */
  'being-written',
  'no-data',
  'no-pdf',
  /** Another program has the file open, or access is denied. */
  'not-readable',
]);
export type IntakeWaitReason = z.infer<typeof IntakeWaitReason>;

export const PlannedIntake = z.discriminatedUnion('what', [
  z.object({ file: z.string(), what: z.enum(['draft', 'sheet']), title: z.string() }),
  z.object({ file: z.string(), what: z.literal('again') }),
  /** The file is identical to another file of the plan, `first`, which is imported. */
  z.object({ file: z.string(), what: z.literal('same'), first: z.string() }),
  z.object({ file: z.string(), what: z.literal('refused'), failure: Failure }),
  z.object({ file: z.string(), what: z.literal('waits'), why: IntakeWaitReason }),
]);
export type PlannedIntake = z.infer<typeof PlannedIntake>;

export const IntakePreview = z.object({
  /** At most 200 files; `total` is the number of all files except sidecar files. */
  files: z.array(PlannedIntake),
  total: z.number().int(),
});
export type IntakePreview = z.infer<typeof IntakePreview>;

export const intakeCalls = {
  'intake.rules': call(z.object({}), z.array(IntakeRuleView)),
  /** Saves a rule. Throws 'conflict' if another rule has the same name or folder. */
  'intake.saveRule': call(IntakeRuleDraft.extend({ id: IntakeRuleId.optional() }), IntakeRule),
  /**
   * Removes a rule. Imported items stay, and their files are recognised if they are added again.
   */
  'intake.removeRule': call(z.object({ id: IntakeRuleId }), EmptyObject),
  /** Turns a rule on or off. Turning on a paused rule is the user's permission to continue. */
  'intake.switchRule': call(z.object({ id: IntakeRuleId, isOn: z.boolean() }), IntakeRule),
  /**
   * Shows what a saved rule, or a rule with these terms, would do now; stores nothing and moves no
   * file.
   */
  'intake.preview': call(z.union([z.object({ id: IntakeRuleId }), IntakeTerms]), IntakePreview),
  /** Imports the files of the rule's folder. Runs as a job whose result is an `IntakeResult`. */
  'intake.runRule': call(z.object({ id: IntakeRuleId }), JobStarted),
  /**
   * Imports the files of a folder without a rule; the settings of a rule for this folder are
   * ignored. Runs as a job whose result is an `IntakeResult`. With `stays`, the job keeps watching
   * the folder until it is cancelled, and its result is the total.
   */
  'intake.watch': call(IntakeTerms.extend({ stays: z.boolean() }), JobStarted),
} as const;

export const intakeEvents = { 'intake.changed': z.object({}) } as const;
