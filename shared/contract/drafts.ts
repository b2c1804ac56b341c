import * as z from 'zod';
import { MissingCharacter, TextFit } from '../errors.ts';
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
  EmptyObject,
  OutboxRef,
} from '../model/ids.ts';
import { PdfForm } from './templates.ts';

/**
 * Draft body of v1: the create body, in which a file of the draft replaces the Base64 text. For a
 * file with `merge: 'here'` this computer writes the values into the PDF before sending, and
 * `fields` is omitted.
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

/**
 * Draft body of v2: the create body, in which a file of the draft replaces the Base64 text. This
 * computer writes `fields` into the PDF, because v2 does not merge them into attached files.
 */
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

/** Content of a draft: the whole body of its API. */
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
  /** Number of pages of a PDF; null for other files. */
  pages: z.number().int().nullable(),
  fieldCount: z.number().int(),
  /** Notices found when the file was added: `ErrorReason` values or plain notices. */
  notices: z.array(z.enum(['already-signed', 'owner-locked', 'xfa'])),
});
export type DraftFile = z.infer<typeof DraftFile>;

/** Whether all file IDs of a draft differ: attachments refer to files by ID. */
export const hasUniqueFileIds = (files: readonly { readonly id: FileId }[]): boolean =>
  new Set(files.map(({ id }) => id)).size === files.length;

export const Draft = z.object({
  id: DraftId,
  connectionId: ConnectionId.nullable(),
  content: DraftContent,
  files: z.array(DraftFile),
  /**
   * Revision of the draft, which increases by one with each save; saving an older revision is a
   * conflict.
   */
  revision: z.number().int(),
  /** Send of this draft in the outbox, during which the draft cannot be edited; otherwise null. */
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
  /** One answer would set checkboxes that contradict each other. */
  'contradicts',
  'letters',
  /** Part of the text would be cut off in the PDF, or would be too small to read. */
  'text-cut',
  'text-small',
  /** The form calculates this value from other fields, and the program does not. */
  'not-calculated',
  /** The form formats this field with a script that was not applied to the text. */
  'not-formatted',
  /**
   * A script of the form validates or changes the text, and would reject the text or was not run.
   */
  'not-checked',
  /** A password in the PDF could be read by everyone. */
  'password-field',
  'placeholder',
  'file-missing',
  'nobody-told',
  'party-not-told',
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
  /** The connection is a test connection, which sends only to its allowed recipients. */
  'stranger',
  /** The service rejected the draft; the message is the service's own. */
  'refused',
]);
export type ProblemCode = z.infer<typeof ProblemCode>;

/**
 * Problem of a draft. `field` is a path into the body (`parties.0.email`); `message` is English,
 * for the command line.
 */
export const Problem = z.object({
  field: z.string(),
  code: ProblemCode,
  message: z.string(),
  /** For 'letters': the character that the font lacks, if known. */
  letter: MissingCharacter.optional(),
  /** For 'text-cut' and 'text-small': how much of the text fits. */
  fit: TextFit.optional(),
});
export type Problem = z.infer<typeof Problem>;

export const ContactCounts = z.object({
  people: z.number().int(),
  emails: z.number().int(),
  sms: z.number().int(),
});
export type ContactCounts = z.infer<typeof ContactCounts>;

/** An earlier send with the same title, parties and documents, or of the same draft. */
export const EarlierSend = z.object({
  /**
   * Key for the user's confirmation: the reference of the send, or its agreement if there is no
   * reference.
   */
  key: z.union([OutboxRef, AgreementId]),
  /** Reference of the send; null if another computer sent it, or this computer before a restore. */
  ref: OutboxRef.nullable(),
  remoteId: AgreementId.nullable(),
  connectionId: ConnectionId,
  title: z.string(),
  /** Names or addresses of the notified people; '' is the owner of the account. */
  people: z.array(z.string()),
  /**
   * Time at which the send was put into the outbox; if not sent from this computer, time at which
   * the service sent the agreement.
   */
  at: Instant,
  /**
   * Whether the service is known to have the agreement; if not, the send still waits or its outcome
   * is unknown.
   */
  isSent: z.boolean(),
});
export type EarlierSend = z.infer<typeof EarlierSend>;

/** Recipient that is notified later. `isHost`: the address is a URL that the service calls. */
export const LaterRecipient = z.object({ address: z.string(), isHost: z.boolean() });
export type LaterRecipient = z.infer<typeof LaterRecipient>;

/** Problems and recipients of a draft. Errors block sending; warnings are shown before sending. */
export const DraftCheck = z.object({
  errors: z.array(Problem),
  warnings: z.array(Problem),
  /** Number of people who are notified as soon as the service accepts the draft. */
  contacts: ContactCounts,
  recipients: z.array(
    z.object({ name: z.string(), medium: z.enum(['email', 'sms']), address: z.string() }),
  ),
  /** Recipients that are notified later and are not parties. */
  later: z.array(LaterRecipient),
});
export type DraftCheck = z.infer<typeof DraftCheck>;

/** Result of the draft's rules, and earlier sends from this computer. */
export const SendCheck = DraftCheck.extend({
  /**
   * Similar sends within the last 90 days; searched only if the draft has no errors. Items of the
   * outbox are first, newest first, then agreements in the copies of the same connection.
   */
  sentBefore: z.array(EarlierSend),
});
export type SendCheck = z.infer<typeof SendCheck>;

/** Number of edits that can be undone, and of undone edits that can be redone. */
export const UndoDepth = z.object({ undo: z.number().int(), redo: z.number().int() });
export type UndoDepth = z.infer<typeof UndoDepth>;

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
      /**
       * Name of the edit; consecutive saves with the same name are one edit and are undone
       * together.
       */
      edit: z.string().max(200).optional(),
    }),
    SavedDraft,
  ),
  /** Moves the draft to the trash, from which it can be restored. */
  'drafts.delete': call(z.object({ id: DraftId }), EmptyObject),
  /**
   * Adds uploaded bytes as a file of the draft; rejects PDFs that cannot be sent. Converts a
   * document or picture to PDF if the API accepts nothing else (v2) or with `asPdf`.
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
  /** Adds a PDF converted from one of the draft's files. */
  'drafts.makePdf': call(z.object({ id: DraftId, file: FileId }), DraftFile),
  'drafts.detach': call(z.object({ id: DraftId, file: FileId }), EmptyObject),
  'drafts.form': call(z.object({ id: DraftId, file: FileId }), PdfForm),
  'drafts.check': call(
    z.object({
      id: DraftId,
      /**
       * Connection through which to send, if not the draft's own; earlier sends are searched in the
       * copies of that connection.
       */
      connectionId: ConnectionId.optional(),
    }),
    SendCheck,
  ),
  /**
   * Puts the request into the outbox, after which the draft cannot be changed. `confirm` is the
   * number of agreements: 1. Throws 'invalid' with the field `sendAt` if the draft cannot be sent
   * at that time.
   */
  'drafts.send': call(
    z.object({
      id: DraftId,
      connectionId: ConnectionId,
      holdSeconds: z.number().int().min(0).max(30),
      confirm: z.number().int(),
      /** Keys of earlier sends that the user was shown and wants to repeat. */
      again: z.array(EarlierSend.shape.key).optional(),
      /**
       * Earliest time of the send, instead of the hold; the item waits for it in the outbox, also
       * when the program restarts.
       */
      sendAt: Instant.optional(),
    }),
    z.object({ ref: OutboxRef }),
  ),
} as const;

/** Result of an edit, so that a screen need not read the draft again. */
const DraftEdited = z.object({ revision: z.number().int(), summary: DraftSummary });

export const draftEvents = {
  /** Emitted when a draft changed; without `edited`, more than an edit may have happened. */
  'drafts.changed': z.object({ id: DraftId, edited: DraftEdited.optional() }),
} as const;
