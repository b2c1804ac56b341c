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

/** A deleted draft. It is deleted permanently at `endsAt`; null if the trash is kept. */
export const TrashedDraft = DraftSummary.extend({ trashedAt: Instant, endsAt: Instant.nullable() });
export type TrashedDraft = z.infer<typeof TrashedDraft>;

/** Data that a copy of a draft or an agreement lost. */
export const LossCode = z.enum([
  // the other API does not support it
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
  // the service did not return it
  'personal-numbers',
  'addresses',
  'files',
  'messages',
  'signing-order',
]);
export type LossCode = z.infer<typeof LossCode>;

/** `about` names the party or file; empty for the whole draft. */
export const Loss = z.object({ code: LossCode, about: z.string() });
export type Loss = z.infer<typeof Loss>;

export const DraftCopy = z.object({ draft: Draft, losses: z.array(Loss) });
export type DraftCopy = z.infer<typeof DraftCopy>;

/** The same, as the result of the job that makes the copy. */
export const CopiedAgreement = z.object({ draft: DraftId, losses: z.array(Loss) });
export type CopiedAgreement = z.infer<typeof CopiedAgreement>;

const DraftRevision = z.object({ id: DraftId, revision: z.number().int() });

export const draftHistoryCalls = {
  'drafts.reach': call(z.object({ id: DraftId }), UndoDepth),
  /** Groups of the service that agreements sent from here were shared with. */
  'drafts.knownGroups': call(z.object({}), z.object({ names: z.array(z.string()) })),
  /** Returns the content before the last edit, or after the undone one, including its files. */
  'drafts.undo': call(DraftRevision, SavedDraft),
  'drafts.redo': call(DraftRevision, SavedDraft),
  'drafts.trash': call(z.object({}), z.array(TrashedDraft)),
  'drafts.restore': call(z.object({ id: DraftId }), Draft),
  /** Deletes a draft in the trash permanently. */
  'drafts.destroy': call(z.object({ id: DraftId }), EmptyObject),
  'drafts.duplicate': call(z.object({ id: DraftId }), Draft),
  /** Creates a draft for the other API and returns the losses. */
  'drafts.convert': call(z.object({ id: DraftId, to: ApiName }), DraftCopy),
  /**
   * A job; its result is a `CopiedAgreement`. Creates a draft from the sent request or, if there is
   * none here, from the service's data and documents.
   */
  'drafts.fromAgreement': call(z.object({ key: AgreementKey }), JobStarted),
  /** Writes the draft with its files to `file`, which must not exist. */
  'drafts.export': call(z.object({ id: DraftId, file: z.string().min(1) }), SavedFile),
  'drafts.import': call(z.object({ bytes: BytesId, connectionId: ConnectionId.nullable() }), Draft),
} as const;
