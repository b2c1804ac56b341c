import * as z from 'zod';

/** What went wrong, coarse enough to choose a next step and an exit code by. */
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

/** The cause behind a code where people are given something more exact; one sentence each. */
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
  // the way out of this computer
  'proxy-unreachable',
  'proxy-sign-in',
  'proxy-method',
  'proxy-refused',
  'proxy-kind',
  'link-unchecked',
  'not-a-certificate',
  // credentials
  'credential-blank',
  'credential-refused',
  'credential-missing',
  'not-confirmed',
  // the copy on this computer
  'disk-full',
  'folder-missing',
  'file-missing',
  'name-token',
  'folder-read-only',
  'state-folder',
  'folder-not-chosen',
  'folder-outside',
  'path-not-local',
  'file-ending',
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
  // everything in open formats
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
  'batch-changed',
  'batch-armed',
  'column-missing',
  'column-wrong',
  'mapping-form',
  // agreements
  'not-concluded',
  'outcome-unknown',
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
  // several desks of one office
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

/** How an agreement came to its end without being signed by all; null where it is not known. */
export const AgreementEnd = z.object({
  state: z.enum(['rejected', 'revoked', 'expired']),
  /** The party that rejected it. */
  by: z.string().nullable(),
  /** Epoch milliseconds. */
  at: z.number().nullable(),
});
export type AgreementEnd = z.infer<typeof AgreementEnd>;

/** What is wrong with the data beside a PDF of a watched folder. */
export const IntakeWrong = z.object({
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
  /** Where, in numbers and in names as they stand in the file; never what stands there. */
  at: z.string(),
});
export type IntakeWrong = z.infer<typeof IntakeWrong>;

/** A letter of a value that cannot be drawn. */
export const MissingLetter = z.object({
  /** The field of the PDF. */
  field: z.string(),
  /** As a person can tell it: the letter and its number, the number alone of what cannot be seen. */
  letter: z.string(),
  /** A font that has it; null where none is known. */
  font: z.string().nullable(),
});
export type MissingLetter = z.infer<typeof MissingLetter>;

/** A text that is cut off in its box of the PDF, or drawn in letters too small to read. */
export const TextFit = z.object({
  /** The field of the PDF. */
  field: z.string(),
  /** Characters that do not fit; 0 where only the letters are too small. */
  excess: z.number().int(),
  /** The text up to there. */
  fits: z.string(),
  /** Points, where the form leaves the size open and the text is that small. */
  size: z.number().nullable(),
  /** English, for the log and the command line. */
  message: z.string(),
});
export type TextFit = z.infer<typeof TextFit>;

/** An error as data: the only form in which one crosses the wire. */
export const Failure = z.object({
  code: ErrorCode,
  /** English, for the log and the command line; the window speaks from `code` and `reason`. */
  message: z.string(),
  reason: ErrorReason.optional(),
  /** Path of a field (`parties.2.email`) to what is wrong with it. */
  fields: z.record(z.string(), z.string()).optional(),
  /** The service's own sentence, redacted; absent when it said nothing. */
  said: z.string().optional(),
  /** With 'agreement-ended'. */
  end: AgreementEnd.optional(),
  /** With 'intake-data'. */
  intake: IntakeWrong.optional(),
  /** With 'pdf-letters'. */
  letter: MissingLetter.optional(),
  /** With 'pdf-text-cut'. */
  cutTexts: z.array(TextFit).optional(),
  /** With 'file-unsearched': its name. */
  file: z.string().optional(),
  /** Epoch milliseconds before which trying again is pointless. */
  retryAt: z.number().optional(),
  /** With 'tls': who issued the certificate that was refused, as it names itself. */
  issuer: z.string().optional(),
  /** Finds the logged stack of an `unexpected` error. */
  ref: z.string().optional(),
});
export type Failure = z.infer<typeof Failure>;

/** The one error class the program throws on purpose; it is a `Failure` that can be thrown. */
export class AppError extends Error {
  readonly failure: Failure;
  /** How what came instead begins, redacted; it stays in this process. */
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

/** Whether the service answered, and takes nothing of this connection: its credential is refused, or it asked too often. */
export const isTurnedAway = ({ code }: Pick<Failure, 'code'>): boolean =>
  code === 'signed-out' || code === 'limited';

/** Whether every other request of the connection would fail in the same way. */
export const isOfConnection = (failure: Pick<Failure, 'code'>): boolean =>
  isTurnedAway(failure) || ['offline', 'vault', 'storage'].includes(failure.code);
