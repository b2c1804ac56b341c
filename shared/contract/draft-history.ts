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
  Nothing,
} from '../model/ids.ts';

/** A deleted draft. It is gone for good at `endsAt`; null where the trash is kept. */
export const TrashedDraft = DraftSummary.extend({ trashedAt: Instant, endsAt: Instant.nullable() });
export type TrashedDraft = z.infer<typeof TrashedDraft>;

/** What a copy of a draft or an agreement could not carry over. */
export const LossCode = z.enum([
  // the other API has no words for it
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
  // the service did not tell it
  'personal-numbers',
  'addresses',
  'files',
  'messages',
  'signing-order',
]);
export type LossCode = z.infer<typeof LossCode>;

/** `about` names the party or the file it concerns; empty where it is the whole draft. */
export const Loss = z.object({ code: LossCode, about: z.string() });
export type Loss = z.infer<typeof Loss>;

export const DraftCopy = z.object({ draft: Draft, losses: z.array(Loss) });
export type DraftCopy = z.infer<typeof DraftCopy>;

/** The same, as the job that makes it tells it. */
export const CopiedAgreement = z.object({ draft: DraftId, losses: z.array(Loss) });
export type CopiedAgreement = z.infer<typeof CopiedAgreement>;

const Revised = z.object({ id: DraftId, revision: z.number().int() });

export const draftHistoryCalls = {
  'drafts.reach': call(z.object({ id: DraftId }), UndoDepth),
  /** Groups of the service that agreements sent from here were shared with. */
  'drafts.knownGroups': call(z.object({}), z.object({ names: z.array(z.string()) })),
  /** The content before the last edit, or after the one taken back; a file in it comes back too. */
  'drafts.undo': call(Revised, SavedDraft),
  'drafts.redo': call(Revised, SavedDraft),
  'drafts.trash': call(z.object({}), z.array(TrashedDraft)),
  'drafts.restore': call(z.object({ id: DraftId }), Draft),
  /** Deletes a draft in the trash for good. */
  'drafts.destroy': call(z.object({ id: DraftId }), Nothing),
  'drafts.duplicate': call(z.object({ id: DraftId }), Draft),
  /** A new draft for the other API, and what it cannot say. */
  'drafts.convert': call(z.object({ id: DraftId, to: ApiName }), DraftCopy),
  /**
   * A job; its result is a `CopiedAgreement`. A new draft from what was sent here, else from what
   * the service tells, with the documents that it gives.
   */
  'drafts.fromAgreement': call(z.object({ key: AgreementKey }), JobStarted),
  /** Writes the draft with its files to `file`, which must not exist. */
  'drafts.export': call(z.object({ id: DraftId, file: z.string().min(1) }), SavedFile),
  'drafts.import': call(z.object({ bytes: BytesId, connectionId: ConnectionId.nullable() }), Draft),
} as const;
