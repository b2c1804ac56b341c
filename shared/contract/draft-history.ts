import * as z from 'zod';
import { SavedFile } from './agreements.ts';
import { call } from './call.ts';
import { Draft, UndoDepth, DraftSummary, SavedDraft } from './drafts.ts';
import { JobStarted } from './jobs.ts';
import {
  AgreementKey,
  ApiName,
  BytesId,
  ConnectionId,
  DraftId,
  Instant,
  EmptyObject,
} from '../model/ids.ts';

/** A draft in the trash. It is deleted permanently at `endsAt`, or never if `endsAt` is null. */
export const TrashedDraft = DraftSummary.extend({ trashedAt: Instant, endsAt: Instant.nullable() });
export type TrashedDraft = z.infer<typeof TrashedDraft>;

/** Data that a copy of a draft or an agreement lost. */
export const LossCode = z.enum([
  // Losses because the other API does not support the data.
  'deletion-date',
  'reference-documents',
  'uploaded-files',
  'free-text',
  'template',
  'method',
  'identification',
  'identity-text',
  'drawn-signature',
  'notifications',
  'configurations',
  'access-rights',
  'return-links',
  'tags',
  'reminders',
  'webhook',
  'allowed-persons',
  'viewing',
  'own-company',
  'company-contact',
  'country',
  'expiry-rounded',
  // Losses because the service did not return the data.
  'personal-numbers',
  'addresses',
  'files',
  'messages',
  'signing-order',
]);
export type LossCode = z.infer<typeof LossCode>;

/** One loss; `about` is the name of the party or file, empty for the whole draft. */
export const Loss = z.object({ code: LossCode, about: z.string() });
export type Loss = z.infer<typeof Loss>;

export const DraftCopy = z.object({ draft: Draft, losses: z.array(Loss) });
export type DraftCopy = z.infer<typeof DraftCopy>;

/** A copied draft and its losses, as the result of the job that makes the copy. */
export const CopiedAgreement = z.object({ draft: DraftId, losses: z.array(Loss) });
export type CopiedAgreement = z.infer<typeof CopiedAgreement>;

const DraftRevision = z.object({ id: DraftId, revision: z.number().int() });

export const draftHistoryCalls = {
  'drafts.reach': call(z.object({ id: DraftId }), UndoDepth),
  /**
   * Returns the names of the service's groups with which agreements sent from this computer were
   * shared.
   */
  'drafts.knownGroups': call(z.object({}), z.object({ names: z.array(z.string()) })),
  /** Undoes the last edit and returns the draft with its files. */
  'drafts.undo': call(DraftRevision, SavedDraft),
  'drafts.redo': call(DraftRevision, SavedDraft),
  'drafts.trash': call(z.object({}), z.array(TrashedDraft)),
  'drafts.restore': call(z.object({ id: DraftId }), Draft),
  /** Deletes a draft in the trash permanently. */
  'drafts.destroy': call(z.object({ id: DraftId }), EmptyObject),
  'drafts.duplicate': call(z.object({ id: DraftId }), Draft),
  /** Creates a copy of the draft for the other API and returns the losses. */
  'drafts.convert': call(z.object({ id: DraftId, to: ApiName }), DraftCopy),
  /**
   * Creates a draft from the sent request or, if this computer does not have it, from the service's
   * data and documents. Runs as a job whose result is a `CopiedAgreement`.
   */
  'drafts.fromAgreement': call(z.object({ key: AgreementKey }), JobStarted),
  /** Writes the draft with its files to `file`, which must not exist. */
  'drafts.export': call(z.object({ id: DraftId, file: z.string().min(1) }), SavedFile),
  'drafts.import': call(z.object({ bytes: BytesId, connectionId: ConnectionId.nullable() }), Draft),
} as const;
