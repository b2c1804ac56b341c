import type { VaultState, VaultStore } from '../../shared/contract/access.ts';
import type {
  Agreement,
  AgreementCounts,
  AgreementDetails,
  AgreementPage,
  AgreementQuery,
  SavedFile,
} from '../../shared/contract/agreements.ts';
import type { ArchiveItem } from '../../shared/contract/archive.ts';
import type { Capabilities, Connection, TestStep } from '../../shared/contract/connections.ts';
import type { Draft, DraftContent, DraftFile } from '../../shared/contract/drafts.ts';
import type {
  AgreementId,
  AgreementKey,
  ApiName,
  ConnectionId,
  DraftId,
  FileId,
  IdentityId,
  OutboxRef,
} from '../../shared/contract/ids.ts';
import type { OutboxItem, OutboxState } from '../../shared/contract/outbox.ts';
import type { Settings } from '../../shared/contract/settings.ts';
import type { Identity, NewIdentity } from '../../shared/contract/signing.ts';
import type { PdfForm, PdfValues } from '../../shared/contract/templates.ts';
import type { Failure } from '../../shared/errors.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import type { ActionStore } from './action-record.ts';

/** Wall-clock time, and waiting. Tests move it by hand. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs once, `milliseconds` from now; the returned function calls it off. */
  after(milliseconds: number, run: () => void): () => void;
}

export interface Chance {
  /** A random UUID, version 4. */
  uuid(): string;
  /** From 0 up to, not including, 1. */
  fraction(): number;
}

/** Fields are allow-listed by the adapter: counts, codes, ids of ours. Never a text a person typed. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  /** Writes the stack, redacted, and returns the reference by which it can be found. */
  error(error: unknown, during: string): string;
}

/** Credentials and the data key. Every method throws `AppError` 'vault' with the reason. */
export interface Vault {
  readonly store: VaultStore;
  status(): Promise<VaultState>;
  read(name: string): Promise<string | null>;
  write(name: string, secret: string): Promise<void>;
  /** True when there was one. */
  remove(name: string): Promise<boolean>;
}

// ---------------------------------------------------------------- the service

/** A page of what changed on the service. */
export interface ChangePage {
  readonly items: readonly RemoteAgreement[];
  /** How many there are in all, when the service says. */
  readonly total: number | null;
  /** The server's `Date`, epoch milliseconds. */
  readonly serverTime: number | null;
}

/** What is known after trying to change something on the service once. */
export type WriteResult =
  | { readonly kind: 'done'; readonly remoteId: string | null; readonly serverTime: number | null }
  /** The API itself said no to this exact request. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** Not one byte of the request left this computer. */
  | { readonly kind: 'not-sent'; readonly failure: Failure }
  /** Refused before it was looked at: credentials, or too many requests. */
  | { readonly kind: 'turned-away'; readonly failure: Failure }
  /** Anything else. Never repeated by itself. */
  | { readonly kind: 'unknown'; readonly failure: Failure };

/** The signature of a company party; all of it is fixed before the first try. */
export interface SignRequest {
  readonly agreementId: AgreementId;
  /** v1: party UUID. v2: organisation number. */
  readonly partyId: string;
  /** v1: signing configuration UUID. v2: `company`. */
  readonly configurationId: string;
  readonly body: Uint8Array;
}

export interface Signer {
  readonly firstName: string;
  readonly lastName: string;
  readonly personNumber: string | null;
  readonly country: string | null;
  readonly email: string | null;
  readonly mobile: string | null;
  /** v2 only, the company signed for. */
  readonly orgNo: string | null;
}

export interface Download {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** From Content-Length, when given. */
  readonly bytes: number | null;
}

/** One connection's service. Reads throw `AppError`; writes say what is known. */
export interface AgreementService {
  readonly capabilities: Capabilities;
  /** Calls that left since the service was opened; for the summary of a sync. */
  requestCount(): number;
  /** Every page of what changed at or after `since`; all agreements when null. */
  changes(since: number | null, signal: AbortSignal): AsyncIterable<ChangePage>;
  /** 404 and 403 are the codes 'not-found' and 'forbidden'. */
  read(id: AgreementId, signal: AbortSignal): Promise<RemoteAgreement>;
  /** The exact bytes a create will send. `ref` marks it where the API has tags. */
  encodeCreate(content: DraftContent, files: OutgoingFiles, ref: OutboxRef): Uint8Array;
  /** How a create gets files too large to go in it; null where the API has no such way. */
  readonly uploadFirst: UploadFirst | null;
  create(body: Uint8Array, signal: AbortSignal): Promise<WriteResult>;
  /** The exact bytes a signature will send; `signedAt` is the same on every try. */
  encodeSign(signer: Signer, signedAt: number): Uint8Array;
  sign(request: SignRequest, signal: AbortSignal): Promise<WriteResult>;
  /** The concluded PDF; 'conflict' with reason 'not-concluded' before that. */
  download(id: AgreementId, signal: AbortSignal): Promise<Download>;
  /** v1 attachment: asks for the presigned link and fetches it without credentials. */
  downloadDocument(id: AgreementId, documentId: string, signal: AbortSignal): Promise<Download>;
  /** Steps in order; ends early after the first that makes the rest pointless. */
  test(signal: AbortSignal): AsyncIterable<TestStep>;
}

/** Files that are uploaded before the create, which then names them by token. */
export interface UploadFirst {
  /** In the order of the request; none when they fit into it. Throws 'invalid' with 'too-large'. */
  filesOf(content: DraftContent, files: OutgoingFiles): readonly OutgoingFile[];
  /** The whole create: what `encodeCreate` left open filled with the tokens, in the same order. */
  complete(body: Uint8Array, tokens: readonly string[]): Uint8Array;
}

export type OutgoingFiles = ReadonlyMap<FileId, OutgoingFile>;

export interface OutgoingFile {
  readonly name: string;
  readonly data: Uint8Array;
  readonly modifiedAt: number | null;
}

/** Opens a connection's service with its secret. Checks the address: throws 'invalid'. */
export type OpenService = (
  connection: Pick<Connection, 'api' | 'url' | 'accountId' | 'orgNo' | 'environment'>,
  secret: string,
) => AgreementService;

/** The built-in service, started on first use; its credentials are made up and kept nowhere. */
export interface DemoService {
  urls(): Promise<{
    readonly v1Url: string;
    readonly v2Url: string;
    readonly token: string;
    readonly accessKey: string;
    readonly accountId: string;
    readonly orgNo: string;
  }>;
}

// ---------------------------------------------------------------- stores

export interface ConnectionStore {
  list(): readonly Connection[];
  /** Throws 'not-found'. */
  get(id: ConnectionId): Connection;
  save(connection: Connection): void;
  /** With `keep`, cached agreements stay readable under the removed connection's name. */
  remove(id: ConnectionId, agreements: 'keep' | 'delete', drafts: 'keep' | 'delete'): void;
  /** Server time up to which everything was read; null before the first complete sync. */
  checkedUntil(id: ConnectionId): number | null;
  setCheckedUntil(id: ConnectionId, serverTime: number, checkedAt: number): void;
  checkedAt(id: ConnectionId): number | null;
}

export interface AgreementStore {
  /** Inserts or updates; parts that are null in `remote` keep what is stored. Returns how many rows changed. */
  put(
    connectionId: ConnectionId,
    api: ApiName,
    remote: readonly RemoteAgreement[],
    readAt: number,
  ): number;
  list(query: AgreementQuery, now: number): AgreementPage;
  counts(connectionId: ConnectionId | undefined, now: number): AgreementCounts;
  /** Throws 'not-found'. */
  details(key: AgreementKey): AgreementDetails;
  find(id: AgreementId): readonly AgreementKey[];
  /**
   * Open agreements not told about since `before`, and those whose expiry lies before `expiredBy`
   * and was not told since; the expired first. No list shows their expiry or revocation.
   */
  unseenOpen(connectionId: ConnectionId, before: number, expiredBy: number): readonly AgreementId[];
  /** Agreements carrying this tag value under `desk.ref`. */
  withRef(connectionId: ConnectionId, ref: OutboxRef): readonly AgreementId[];
  markGone(key: AgreementKey, gone: 'deleted' | 'no-access'): void;
  /** Signed on the service, oldest closed first. */
  concluded(
    connectionId: ConnectionId | undefined,
    since: number | undefined,
    until: number | undefined,
  ): readonly Agreement[];
  /** Those with a company party of ours that can sign through the API. */
  signable(connectionId: ConnectionId | undefined): readonly AgreementDetails[];
}

export interface DraftStore {
  list(): readonly Draft[];
  /** Throws 'not-found'. */
  get(id: DraftId): Draft;
  insert(draft: Draft): void;
  /** Throws 'conflict' when the stored revision is not `revision`; 'draft-locked' while it is being sent. */
  save(
    id: DraftId,
    revision: number,
    content: DraftContent,
    connectionId: ConnectionId | null,
    at: number,
  ): Draft;
  remove(id: DraftId): void;
  addFile(id: DraftId, file: DraftFile, data: Uint8Array, modifiedAt: number | null): void;
  removeFile(id: DraftId, file: FileId): void;
  fileData(id: DraftId, file: FileId): OutgoingFile;
  setSending(id: DraftId, ref: OutboxRef | null): void;
}

/** The request of an outbox row, frozen: the exact bytes, and where a signature goes. */
export interface FrozenRequest {
  readonly body: Uint8Array;
  readonly target: Omit<SignRequest, 'body'> | null;
  readonly signedAt: number | null;
}

export interface NewOutboxItem {
  readonly item: OutboxItem;
  readonly request: FrozenRequest;
  /** Files that go up before the request, which lacks their tokens; none when it is whole. */
  readonly uploads: readonly Pick<OutgoingFile, 'name' | 'data'>[];
}

/** A file of an outbox row that goes up before its request. */
export interface OutboxUpload {
  /** Its index among the row's files, in the order of the request. */
  readonly place: number;
  readonly name: string;
  /** Null until the service has it. */
  readonly token: string | null;
}

/** What a move of an outbox row writes beside its state. */
export interface OutboxMove {
  readonly to: OutboxState;
  /** Who or what moved it, for the journal: `person`, `answer`, `restart`, `sync` … */
  readonly cause: string;
  readonly remoteId?: AgreementId;
  readonly reason?: Failure | null;
  readonly nextAt?: number | null;
}

/** Every method commits to disk (`synchronous = FULL`) before it returns. */
export interface OutboxStore {
  list(since: number): readonly OutboxItem[];
  /** Throws 'not-found'. */
  get(ref: OutboxRef): OutboxItem;
  request(ref: OutboxRef): FrozenRequest;
  insert(entry: NewOutboxItem, at: number): void;
  /** In the order of the request; those of a row that was sent are still told. */
  uploads(ref: OutboxRef): readonly OutboxUpload[];
  /** Throws 'not-found' once the row has left this computer or was given up. */
  uploadData(ref: OutboxRef, place: number): Uint8Array;
  /** Null when what the service had is gone. */
  setToken(ref: OutboxRef, place: number, token: string | null): void;
  /** Freezes the request of a queued row, once; false when there was nothing to complete. */
  complete(ref: OutboxRef, body: Uint8Array): boolean;
  /** queued → sending, the attempt counted; false when it was moved, or lacks its files' tokens. */
  claim(ref: OutboxRef, at: number): boolean;
  /** The attempt that was claimed never left: it is not counted. */
  unclaim(ref: OutboxRef, at: number, move: OutboxMove): void;
  /** Moves a row that is in `from`; false when it is not there any more. */
  move(ref: OutboxRef, from: readonly OutboxState[], move: OutboxMove, at: number): boolean;
  inState(state: OutboxState): readonly OutboxItem[];
}

export interface StoredIdentity extends Identity {
  readonly personNumber: string | null;
}

export interface IdentityStore {
  list(): readonly StoredIdentity[];
  /** Throws 'not-found'. */
  get(id: IdentityId): StoredIdentity;
  insert(id: IdentityId, identity: NewIdentity): StoredIdentity;
  remove(id: IdentityId): void;
}

export interface SettingStore {
  read(): Settings;
  write(change: Partial<Settings>): Settings;
}

export interface ArchiveStore {
  list(connectionId: ConnectionId | undefined): readonly ArchiveItem[];
  saved(key: AgreementKey): SavedFile | null;
  record(key: AgreementKey, file: SavedFile, at: number): void;
}

export interface Stores {
  readonly actions: ActionStore;
  readonly connections: ConnectionStore;
  readonly agreements: AgreementStore;
  readonly drafts: DraftStore;
  readonly outbox: OutboxStore;
  readonly identities: IdentityStore;
  readonly settings: SettingStore;
  readonly archive: ArchiveStore;
}

/** Only one process at a time works the outbox of a data folder; the system frees it after a kill. */
export interface WriterLock {
  /** False when another process holds it. Holding it already is true. */
  take(): boolean;
  free(): void;
}

// ---------------------------------------------------------------- files and PDFs

export interface Files {
  /**
   * Writes `<name>.part` beside the target while hashing, checks it with `accept`, flushes file and
   * folder, and renames; never over an existing file. Throws 'storage' with the reason.
   */
  saveNew(
    path: string,
    download: Download,
    accept: AcceptBytes,
    signal: AbortSignal,
  ): Promise<SavedFile>;
  /** Writes a whole text file atomically, over an older one. */
  replaceText(path: string, text: string): Promise<void>;
  /** Names in a folder, which is made when missing. Throws 'storage' when it cannot be written to. */
  prepareFolder(folder: string): Promise<readonly string[]>;
  /** SHA-256 in hex, or null when there is no such file. */
  hash(path: string): Promise<string | null>;
  join(folder: string, name: string): string;
  folderOf(path: string): string;
}

/** SHA-256 in hex. */
export type Sha256 = (data: Uint8Array) => string;

/** Looks at the first and last kilobyte of what was written; throws when it must not be kept. */
export type AcceptBytes = (head: Uint8Array, tail: Uint8Array, bytes: number) => void;

export interface PdfForms {
  /** Throws 'invalid' with 'not-a-pdf', 'pdf-damaged', 'pdf-encrypted' or 'file-empty'. */
  read(data: Uint8Array): Promise<PdfForm>;
  /** Fills fields by name, and flattens when asked. Throws 'invalid' with the field named. */
  merge(
    data: Uint8Array,
    values: PdfValues,
    flatten: boolean,
  ): Promise<{
    readonly data: Uint8Array;
    readonly filled: number;
    readonly unfilled: readonly string[];
  }>;
}
