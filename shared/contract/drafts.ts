import * as z from 'zod';
import { MissingLetter, TextFit } from '../errors.ts';
import { AttachmentV1, CreateBodyV1 } from '../model/agreement-v1.ts';
import { AttachmentV2, CreateBodyV2 } from '../model/agreement-v2.ts';
import { call } from './call.ts';
import {
  AgreementId,
  ApiName,
  BytesId,
  ConnectionId,
  DraftId,
  FileId,
  Instant,
  Nothing,
  OutboxRef,
} from '../model/ids.ts';
import { PdfForm } from './templates.ts';

/**
 * v1: the create body, with a file of the draft where the wire has Base64. Of a file with
 * `merge: 'here'` the values are written into the PDF before it is sent, and `fields` is left out.
 */
export const DraftBodyV1 = CreateBodyV1.extend({
  attachments: z.array(
    AttachmentV1.omit({ data: true }).extend({
      file: FileId.optional(),
      merge: z.literal('here').optional(),
    }),
  ),
});
export type DraftBodyV1 = z.infer<typeof DraftBodyV1>;

/** v2: likewise. `fields` are merged into the PDF here, since v2 merges none into attached files. */
export const DraftBodyV2 = CreateBodyV2.extend({
  attachments: z
    .array(
      AttachmentV2.omit({ data: true }).extend({
        file: FileId.optional(),
        fields: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
      }),
    )
    .optional(),
});
export type DraftBodyV2 = z.infer<typeof DraftBodyV2>;

/** A draft keeps the whole body of the one API it is written for. */
export const DraftContent = z.discriminatedUnion('api', [
  z.object({ api: z.literal('v1'), body: DraftBodyV1 }),
  z.object({ api: z.literal('v2'), body: DraftBodyV2 }),
]);
export type DraftContent = z.infer<typeof DraftContent>;

export const DraftFile = z.object({
  id: FileId,
  name: z.string(),
  mimeType: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  /** Pages of a PDF; null for other files. */
  pages: z.number().int().nullable(),
  fieldCount: z.number().int(),
  /** What was noticed when it was added, in the words of `ErrorReason` or plain notices. */
  notices: z.array(z.enum(['already-signed', 'owner-locked', 'xfa'])),
});
export type DraftFile = z.infer<typeof DraftFile>;

/** A draft has one file of each id: attachments name files by them. */
export const areSingle = (files: readonly { readonly id: FileId }[]): boolean =>
  new Set(files.map(({ id }) => id)).size === files.length;

export const Draft = z.object({
  id: DraftId,
  connectionId: ConnectionId.nullable(),
  content: DraftContent,
  files: z.array(DraftFile),
  /** Grows by one with each save; a save against an older one is a conflict. */
  revision: z.number().int(),
  /** Set while a send of this draft is in the outbox: it cannot be edited then. */
  sending: OutboxRef.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Draft = z.infer<typeof Draft>;

export const DraftSummary = z.object({
  id: DraftId,
  api: ApiName,
  connectionId: ConnectionId.nullable(),
  title: z.string(),
  parties: z.array(z.string()),
  files: z.number().int(),
  problems: z.number().int(),
  sending: OutboxRef.nullable(),
  updatedAt: Instant,
});
export type DraftSummary = z.infer<typeof DraftSummary>;

export const ProblemCode = z.enum([
  'required',
  'too-long',
  'format',
  'not-future',
  'expiry-after-deletion',
  'no-agreement-document',
  'no-party',
  'no-method',
  'one-method',
  'not-applicable',
  'country-needed',
  'mobile-needed',
  'email-needed',
  'order',
  'range',
  'too-large',
  'no-such-field',
  'value-too-long',
  'not-offered',
  /** Boxes that contradict each other would be set alike by one answer. */
  'contradicts',
  'letters',
  /** Part of the text would be cut off in the PDF, or its letters be too small to read. */
  'text-cut',
  'text-small',
  /** The form works a value out of others, and nobody does so here. */
  'not-calculated',
  /** The form writes a field in its own way, which was not applied to the text. */
  'not-formatted',
  /** A script of the form checks or changes a text, and would object to it, or was not run. */
  'not-checked',
  /** A password in the PDF could be read by everyone. */
  'password-field',
  'placeholder',
  'file-missing',
  'nobody-told',
  'no-expiry',
  'email-shared',
  'already-signed',
  'content-mismatch',
  'reserved',
  'blank',
  'duplicate',
  'insecure',
  'too-many',
  'past-day',
  'no-reminder',
  'new-group',
  'other-mobile',
  'ends-today',
  'looks-boolean',
  /** The connection is for trying, and reaches only those who are named in it. */
  'stranger',
  /** The service refused it so; the message is the service's own. */
  'refused',
]);
export type ProblemCode = z.infer<typeof ProblemCode>;

/** `field` is a path into the body (`parties.0.email`); `message` is English, for the command line. */
export const Problem = z.object({
  field: z.string(),
  code: ProblemCode,
  message: z.string(),
  /** With 'letters', where it is known. */
  letter: MissingLetter.optional(),
  /** With 'text-cut' and 'text-small'. */
  fit: TextFit.optional(),
});
export type Problem = z.infer<typeof Problem>;

export const Contacts = z.object({
  people: z.number().int(),
  emails: z.number().int(),
  sms: z.number().int(),
});
export type Contacts = z.infer<typeof Contacts>;

/** An earlier send of the same title, parties and documents, or of the same draft. */
export const SentBefore = z.object({
  /** By what a person confirms it: its reference, or its agreement where it has none. */
  key: z.union([OutboxRef, AgreementId]),
  /** Null: another computer sent it, or this one before its data was restored from a backup. */
  ref: OutboxRef.nullable(),
  /** The agreement that it became, where that is known. */
  remoteId: AgreementId.nullable(),
  connectionId: ConnectionId,
  title: z.string(),
  /** Names or addresses of those who were notified. */
  people: z.array(z.string()),
  /** When it was put into the outbox; of what was not sent from here, when the service sent it. */
  at: Instant,
  /** Whether the service is known to have it; else it waits, or nobody knows. */
  isSent: z.boolean(),
});
export type SentBefore = z.infer<typeof SentBefore>;

/** `isHost`: a program that is called, by its URL. */
export const ToldLater = z.object({ address: z.string(), isHost: z.boolean() });
export type ToldLater = z.infer<typeof ToldLater>;

/** Errors stop a send; warnings are shown before it. */
export const DraftCheck = z.object({
  errors: z.array(Problem),
  warnings: z.array(Problem),
  /** Who is notified the moment the service accepts it. */
  contacts: Contacts,
  recipients: z.array(
    z.object({ name: z.string(), medium: z.enum(['email', 'sms']), address: z.string() }),
  ),
  /** Whom it tells later and names beside its parties. */
  later: z.array(ToldLater),
});
export type DraftCheck = z.infer<typeof DraftCheck>;

/** What the rules say of a draft, and what was sent from here. */
export const SendCheck = DraftCheck.extend({
  /**
   * Within the last 90 days; looked for once a draft has no errors. Those in the outbox, newest
   * first, then agreements that the copies here show through the same connection.
   */
  sentBefore: z.array(SentBefore),
});
export type SendCheck = z.infer<typeof SendCheck>;

/** How many edits can be taken back, and how many of those taken back can be done again. */
export const UndoDepth = z.object({ undo: z.number().int(), redo: z.number().int() });
export type UndoDepth = z.infer<typeof UndoDepth>;

/** A draft as an edit stored it. */
export const SavedDraft = Draft.extend({ reach: UndoDepth });
export type SavedDraft = z.infer<typeof SavedDraft>;

export const draftCalls = {
  'drafts.list': call(z.object({}), z.array(DraftSummary)),
  'drafts.show': call(z.object({ id: DraftId }), Draft),
  'drafts.create': call(
    z.object({ content: DraftContent, connectionId: ConnectionId.nullable() }),
    Draft,
  ),
  'drafts.save': call(
    z.object({
      id: DraftId,
      revision: z.number().int(),
      content: DraftContent,
      connectionId: ConnectionId.nullable(),
      /** Saves that follow each other under one name are one edit, taken back together. */
      edit: z.string().max(200).optional(),
    }),
    SavedDraft,
  ),
  /** Puts it into the trash, from which it can be taken back. */
  'drafts.delete': call(z.object({ id: DraftId }), Nothing),
  /**
   * Takes bytes handed over before as a file of the draft; refuses PDFs that cannot be sent. A
   * document or a picture becomes a PDF first where the API takes nothing else (v2), or `asPdf` asks.
   */
  'drafts.attach': call(
    z.object({
      id: DraftId,
      name: z.string().min(1).max(255),
      bytes: BytesId,
      asPdf: z.boolean().optional(),
    }),
    DraftFile,
  ),
  /** Adds a PDF made of one of the draft's files, beside it. */
  'drafts.makePdf': call(z.object({ id: DraftId, file: FileId }), DraftFile),
  'drafts.detach': call(z.object({ id: DraftId, file: FileId }), Nothing),
  /** The form fields of an attached PDF. */
  'drafts.form': call(z.object({ id: DraftId, file: FileId }), PdfForm),
  'drafts.check': call(
    z.object({
      id: DraftId,
      /** What it is to go through, where that is not the draft's own; its copies are looked at. */
      connectionId: ConnectionId.optional(),
    }),
    SendCheck,
  ),
  /**
   * Freezes the request in the outbox. `confirm` is the number of agreements: 1. Throws 'invalid'
   * with the field `sendAt` where the draft cannot be sent then.
   */
  'drafts.send': call(
    z.object({
      id: DraftId,
      connectionId: ConnectionId,
      holdSeconds: z.number().int().min(0).max(30),
      confirm: z.number().int(),
      /** Keys of earlier sends of the same that the person was shown, and wants to send again beside. */
      again: z.array(SentBefore.shape.key).optional(),
      /** Not before this time, in place of the hold; it waits in the outbox through restarts. */
      sendAt: Instant.optional(),
    }),
    z.object({ ref: OutboxRef }),
  ),
} as const;

/** What an edit made of a draft, so that nobody who shows it has to ask. */
const DraftEdited = z.object({ revision: z.number().int(), summary: DraftSummary });

export const draftEvents = {
  /** Where `edited` is absent, more than an edit may have happened. */
  'drafts.changed': z.object({ id: DraftId, edited: DraftEdited.optional() }),
} as const;
