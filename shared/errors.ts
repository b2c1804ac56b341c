import * as z from 'zod';

/** Kind of an error, coarse enough to choose the next step and the exit code. */
export const ErrorCode = z.enum([
  'invalid',
  'signed-out',
  'forbidden',
  'not-found',
  'conflict',
  'limited',
  'offline',
  'service',
  'storage',
  'newer-data',
  'vault',
  'cancelled',
  'unexpected',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** Cause of an error, more exact than its `ErrorCode`; chooses the message for the user. */
export const ErrorReason = z.enum([
  // address and transport
  'address-invalid',
  'address-not-https',
  'address-has-version',
  'address-lacks-version',
  'host-unknown',
  'connection-refused',
  'connection-lost',
  'tls',
  'timed-out',
  'redirected',
  'not-json',
  'cut-answer',
  'answer-mismatch',
  'answer-broken',
  'answer-encoded',
  'too-large',
  // network access of this computer
  'proxy-unreachable',
  'proxy-sign-in',
  'proxy-method',
  'proxy-refused',
  'proxy-kind',
  'link-unchecked',
  'not-a-certificate',
  // credentials
  'credential-blank',
  'credential-characters',
  'credential-refused',
  'credential-missing',
  'not-confirmed',
  // the copy on this computer
  'disk-full',
  'folder-missing',
  'archive-gone',
  'no-archive',
  'folder-not-empty',
  'bag-inside',
  'file-missing',
  'copy-missing',
  'copy-changed',
  'file-exists',
  'name-token',
  'folder-read-only',
  'state-folder',
  'folder-not-chosen',
  'folder-outside',
  'path-not-local',
  'file-ending',
  'schedule-refused',
  'data-damaged',
  'data-foreign',
  'data-wrong-key',
  'data-in-use',
  'data-restored',
  'clock-differs',
  // backups
  'phrase-wrong',
  'phrase-other',
  'key-wrong',
  'not-a-backup',
  'backup-damaged',
  'folder-has-data',
  'data-intact',
  'not-set-up',
  'no-office',
  'office-refused',
  // offices and data exports
  'not-an-invitation',
  'invitation-used',
  'not-an-export',
  'export-changed',
  'desk-at-rest',
  // credential store
  'vault-locked',
  'vault-dismissed',
  'vault-denied',
  'vault-no-session',
  'vault-entry-missing',
  'vault-wrong-key',
  'vault-changed',
  'vault-demo-only',
  'keyfile-mode',
  // documents
  'not-a-pdf',
  'pdf-damaged',
  'pdf-encrypted',
  'pdf-restricted',
  'pdf-limit',
  'pdf-xfa',
  'pdf-not-appendable',
  'placed-name',
  'placed-options',
  'placed-outside',
  'pdf-signed',
  'pdf-letters',
  'pdf-value-too-long',
  'pdf-text-cut',
  'pdf-no-such-field',
  'pdf-no-such-option',
  'pdf-password-field',
  'file-empty',
  'office-missing',
  'document-kind',
  'document-damaged',
  'document-password',
  'document-limit',
  'document-outside',
  'picture-kind',
  'not-a-draft',
  'name-taken',
  'identity-exists',
  // files of a watched folder
  'intake-kind',
  'intake-link',
  'intake-name',
  'intake-data',
  'intake-large',
  'intake-json',
  // the address book
  'change-gone',
  'import-gone',
  'not-a-card',
  'cards-limit',
  // spreadsheets and batches
  'sheet-empty',
  'sheet-text',
  'sheet-quote',
  'sheet-limit',
  'sheet-kind',
  'sheet-password',
  'sheet-bomb',
  'sheet-damaged',
  'sheet-headers',
  'sheet-other-rows',
  'batch-changed',
  'batch-armed',
  'column-missing',
  'column-wrong',
  'mapping-form',
  // agreements
  'not-concluded',
  'outcome-unknown',
  'sent-id-form',
  'sent-id-missing',
  'sent-id-elsewhere',
  'sent-id-taken',
  'sent-id-title',
  'sent-id-signature',
  'nothing-created',
  'not-listed',
  'count-differs',
  'sent-before',
  'stranger',
  'recipients-unknown',
  'replaced-sent',
  'replaced-unproved',
  'left-over',
  'time-missed',
  'batch-old',
  'rows-refused',
  'not-your-turn',
  'signed-already',
  'not-offered',
  'agreement-ended',
  'not-reviewed',
  'documents-changed',
  'not-approved',
  'same-person',
  'evidence-broken',
  'not-readable',
  'draft-locked',
  'problems-left',
  'already-under-way',
  'desk-busy',
  'connection-paused',
  'service-clock-differs',
  // several computers of one office
  'claimed-elsewhere',
  'unsettled-elsewhere',
  'claim-moves',
  'office-away',
  'office-server-refused',
  'office-pooler',
  'office-put-back',
  'office-seat-lost',
  'most-missing',
  'task-elsewhere',
  'draft-elsewhere',
  'draft-freed',
  'handed-over',
  'numbers-withheld',
  'file-unsearched',
  'lease-lost',
  // actions
  'api-lacks-action',
  'state-forbids',
  'reminded-lately',
  'nobody-to-remind',
  'title-differs',
  'not-archived',
  'not-owner',
  'no-delete-right',
  // updates
  'update-key',
  'update-feed',
  'update-signature',
  'update-sum',
  'update-publisher',
  'update-changed',
]);
export type ErrorReason = z.infer<typeof ErrorReason>;

/** How an agreement ended without all signatures. `by` and `at` are null if not known. */
export const AgreementEnd = z.object({
  state: z.enum(['rejected', 'revoked', 'expired']),
  by: z.string().nullable(),
  /** Time of the end (epoch ms). */
  at: z.number().nullable(),
});
export type AgreementEnd = z.infer<typeof AgreementEnd>;

/** Error in the sidecar data of a PDF in a watched folder. */
export const IntakeProblem = z.object({
  code: z.enum([
    'several-files',
    'twin-names',
    'no-connection',
    'no-template',
    'not-together',
    'row-file',
    'rows-many',
    'api',
    'cell',
    'rows-differ',
    'form',
    'party',
    'row',
    'role',
    'template-remote',
    'fields',
    'answer',
    'role-place',
    'parties-many',
  ]),
  /** Location of the error, as row numbers and names in the file; never a value from the file. */
  at: z.string(),
});
export type IntakeProblem = z.infer<typeof IntakeProblem>;

/** A character of a value that the font lacks. */
export const MissingCharacter = z.object({
  field: z.string(),
  /** The character and its code; for an invisible character, only the code. */
  letter: z.string(),
  /** A font that has the character; null if none is known. */
  font: z.string().nullable(),
});
export type MissingCharacter = z.infer<typeof MissingCharacter>;

/** A text that is cut off in its box of the PDF, or too small to read. */
export const TextFit = z.object({
  field: z.string(),
  /** Number of characters that do not fit; 0 if the text is only too small. */
  excess: z.number().int(),
  /** The part of the text that fits. */
  fits: z.string(),
  /**
   * Font size in points, if the form does not fix the size and the text becomes too small;
   * otherwise null.
   */
  size: z.number().nullable(),
  /** Message in English, for the log and the command line. */
  message: z.string(),
});
export type TextFit = z.infer<typeof TextFit>;

/** An error as data: the only form in which errors cross the wire. */
export const Failure = z.object({
  code: ErrorCode,
  /**
   * Message in English, for the log and the command line; the window uses `code` and `reason`
   * instead.
   */
  message: z.string(),
  reason: ErrorReason.optional(),
  /** Error messages by field path (`parties.2.email`). */
  fields: z.record(z.string(), z.string()).optional(),
  /** The service's own message, redacted; absent if the service sent none. */
  said: z.string().optional(),
  /** For 'agreement-ended': how the agreement ended. */
  end: AgreementEnd.optional(),
  /** For 'intake-data': the error in the sidecar data. */
  intake: IntakeProblem.optional(),
  /** For 'pdf-letters': the character that the font lacks. */
  letter: MissingCharacter.optional(),
  /** For 'pdf-text-cut': the texts that do not fit. */
  cutTexts: z.array(TextFit).optional(),
  /** For 'file-unsearched': name of the file. For 'copy-missing' and 'copy-changed': its path. */
  file: z.string().optional(),
  /** Earliest time at which a retry can succeed (epoch ms). */
  retryAt: z.number().optional(),
  /** For 'tls': name of the issuer of the rejected certificate. */
  issuer: z.string().optional(),
  /** Identifies the logged stack of an `unexpected` error. */
  ref: z.string().optional(),
});
export type Failure = z.infer<typeof Failure>;

/** The only error class that the program throws on purpose: a `Failure` that can be thrown. */
export class AppError extends Error {
  readonly failure: Failure;
  /** Start of the unexpected response, redacted; never sent to another process. */
  readonly sample: string | null;

  constructor(
    code: ErrorCode,
    message: string,
    details: Omit<Failure, 'code' | 'message'> & {
      readonly cause?: unknown;
      readonly sample?: string;
    } = {},
  ) {
    const { cause, sample, ...rest } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.failure = { code, message, ...rest };
    this.sample = sample ?? null;
  }

  static from(failure: Failure): AppError {
    const { code, message, ...rest } = failure;
    return new AppError(code, message, rest);
  }
}

/** Whether `error` was thrown on purpose, with this code. */
export const isCode = (error: unknown, code: ErrorCode): error is AppError =>
  error instanceof AppError && error.failure.code === code;

/** Whether `error` was thrown on purpose, for this reason. */
export const isReason = (error: unknown, reason: ErrorReason): error is AppError =>
  error instanceof AppError && error.failure.reason === reason;

/**
 * Whether the service responded but rejects all requests of this connection: the credential is
 * invalid, or the connection sent too many requests.
 */
export const isConnectionRejected = ({ code }: Pick<Failure, 'code'>): boolean =>
  code === 'signed-out' || code === 'limited';

/** Whether all other requests of the connection would fail in the same way. */
export const isConnectionFailure = (failure: Pick<Failure, 'code'>): boolean =>
  isConnectionRejected(failure) || ['offline', 'vault', 'storage'].includes(failure.code);
