import type * as z from 'zod';
import { accessCalls, accessEvents } from './access.ts';
import { actionCalls, actionEvents } from './actions.ts';
import { agreementCalls, agreementEvents } from './agreements.ts';
import { archiveCalls, archiveEvents } from './archive.ts';
import { backupCalls, backupEvents } from './backup.ts';
import { boardCalls } from './board.ts';
import { batchCalls, batchEvents } from './batches.ts';
import { connectionCalls, connectionEvents } from './connections.ts';
import { correctionCalls } from './corrections.ts';
import { digestCalls } from './digest.ts';
import { draftHistoryCalls } from './draft-history.ts';
import { draftCalls, draftEvents } from './drafts.ts';
import { evidenceCalls, evidenceEvents } from './evidence.ts';
import { fileCalls } from './files.ts';
import { formCalls } from './forms.ts';
import { hostCalls, hostEvents } from './host.ts';
import { intakeCalls, intakeEvents } from './intake.ts';
import { jobCalls, jobEvents } from './jobs.ts';
import { linkCalls, linkEvents } from './links.ts';
import { networkCalls, networkEvents } from './network.ts';
import { officeApprovalCalls } from './office/approvals.ts';
import { officeBatchCalls } from './office/batches.ts';
import { officeDraftCalls } from './office/drafts.ts';
import { officeHandoverCalls } from './office/handovers.ts';
import { officeItemCalls, officeItemEvents } from './office/items.ts';
import { officeCalls, officeEvents } from './office/office.ts';
import { outboxCalls, outboxEvents } from './outbox.ts';
import { peopleCalls, peopleEvents } from './people.ts';
import { privacyCalls } from './privacy.ts';
import { reminderCalls, reminderEvents } from './reminders.ts';
import { reportCalls } from './reports.ts';
import { sampleCalls } from './samples.ts';
import { settingCalls, settingEvents } from './settings.ts';
import { identityCalls, signingCalls, signingEvents } from './signing.ts';
import { takeoutCalls } from './takeout.ts';
import { templateCalls, templateEvents } from './templates.ts';
import { updateCalls, updateEvents } from './updates.ts';
import { uploadCalls } from './uploads.ts';

export const calls = {
  ...hostCalls,
  ...accessCalls,
  ...linkCalls,
  ...settingCalls,
  ...formCalls,
  ...jobCalls,
  ...connectionCalls,
  ...agreementCalls,
  ...actionCalls,
  ...uploadCalls,
  ...draftCalls,
  ...draftHistoryCalls,
  ...peopleCalls,
  ...templateCalls,
  ...batchCalls,
  ...sampleCalls,
  ...officeCalls,
  ...officeItemCalls,
  ...officeHandoverCalls,
  ...officeApprovalCalls,
  ...officeDraftCalls,
  ...officeBatchCalls,
  ...outboxCalls,
  ...identityCalls,
  ...signingCalls,
  ...evidenceCalls,
  ...archiveCalls,
  ...reminderCalls,
  ...backupCalls,
  ...privacyCalls,
  ...takeoutCalls,
  ...correctionCalls,
  ...digestCalls,
  ...intakeCalls,
  ...reportCalls,
  ...boardCalls,
  ...fileCalls,
  ...updateCalls,
  ...networkCalls,
} as const;

/**
 * All events that the program emits. An event reports that data changed; it never carries the new
 * list of items.
 */
export const events = {
  ...hostEvents,
  ...accessEvents,
  ...linkEvents,
  ...settingEvents,
  ...jobEvents,
  ...networkEvents,
  ...connectionEvents,
  ...agreementEvents,
  ...archiveEvents,
  ...reminderEvents,
  ...intakeEvents,
  ...backupEvents,
  ...actionEvents,
  ...draftEvents,
  ...peopleEvents,
  ...templateEvents,
  ...batchEvents,
  ...officeEvents,
  ...officeItemEvents,
  ...outboxEvents,
  ...signingEvents,
  ...evidenceEvents,
  ...updateEvents,
} as const;

export type Calls = typeof calls;
export type CallName = keyof Calls;
type Events = typeof events;
export type EventName = keyof Events;

/** The caller's view: one function per call; a failure is thrown as `AppError`. */
export type Api = {
  readonly [Name in CallName]: (
    input: z.input<Calls[Name]['input']>,
  ) => Promise<z.output<Calls[Name]['output']>>;
};

/** Implementation on the serving side. */
export type Handlers = {
  readonly [Name in CallName]: (
    input: z.output<Calls[Name]['input']>,
  ) => Promise<z.input<Calls[Name]['output']>>;
};

/** The handlers of the calls whose names begin with `Prefix.`, for one feature to satisfy. */
export type HandlersOf<Prefix extends string> = {
  readonly [Name in Extract<CallName, `${Prefix}.${string}`>]: Handlers[Name];
};

export type EventData<Name extends EventName> = z.output<Events[Name]>;

export type Emit = <Name extends EventName>(name: Name, data: EventData<Name>) => void;
