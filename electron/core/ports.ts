import type { VaultState, VaultStore } from '../../shared/contract/access.ts';
import type { Capabilities, Connection, TestStep } from '../../shared/contract/connections.ts';
import type { Draft, DraftContent, DraftFile } from '../../shared/contract/drafts.ts';
import type {
  AgreementId,
  ApiName,
  ConnectionId,
  DraftId,
  FileId,
  IdentityId,
  OutboxRef,
  TemplateId,
} from '../../shared/model/ids.ts';
import type { Settings } from '../../shared/contract/settings.ts';
import type { Identity, NewIdentity } from '../../shared/contract/signing.ts';
import type { PdfForm, PdfValues } from '../../shared/contract/templates.ts';
import type { PageGuides } from '../../shared/model/page-guides.ts';
import type { FoundPlace, PlacedField } from '../../shared/model/placed-field.ts';
import type { CarriedPlaces } from '../../shared/rules/forms/carry-places.ts';
import type { Failure, MissingLetter, TextFit } from '../../shared/errors.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import type { TemplateContent } from '../../shared/model/template.ts';
import type { ActionStore } from './actions/ports.ts';
import type { ArchiveStore } from './archive/ports.ts';
import type { BackupStore } from './backup/ports.ts';
import type { BatchStore } from './batches/ports.ts';
import type { EvidenceStore } from './evidence/ports.ts';
import type { AgreementReader, AgreementStore } from './agreements/ports.ts';
import type { BoardStore } from './board/ports.ts';
import type { Download } from './file-ports.ts';
import type { OutboxStore, ScanQuery, ScanReading } from './outbox/ports.ts';
import type { CorrectionStore } from './corrections/ports.ts';
import type { DigestStore } from './digest/ports.ts';
import type { DraftHistory } from './drafts/ports.ts';
import type { IntakeStore } from './intake/ports.ts';
import type { OfficeStore } from './office/ports.ts';
import type { PrivacyStore } from './privacy/ports.ts';
import type { PeopleStore } from './people/ports.ts';
import type { ReminderStore } from './reminders/ports.ts';
import type { CopyWriter, PagePlace, SyncStore } from './sync/ports.ts';
import type { UpdateStore } from './updates/ports.ts';
import type { MergedPdf, PdfCompiler, TemplateStore } from './templates/ports.ts';

/** Wall-clock time, and waiting. Tests move it by hand. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs once, `milliseconds` from now; the returned function calls it off. */
  after(milliseconds: number, run: () => void): () => void;
}

/** Long work in small steps, on the one loop that also sends and answers the window. */
export interface Scheduler {
  /** Lets whatever else is ready go first: what was begun gets onto the wire, answers are taken. */
  yield(): Promise<void>;
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

/** Texts and bytes; throws `TypeError` for what is not of the form. */
export interface Encoding {
  utf8(text: string): Uint8Array;
  text(utf8: Uint8Array): string;
  base64(data: Uint8Array): string;
  bytes(base64: string): Uint8Array;
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
  readonly place: PagePlace;
}

/** What is known after trying to change something on the service once. */
export type WriteResult =
  | { readonly kind: 'done'; readonly remoteId: string | null; readonly serverTime: number | null }
  /** The API itself said no to this exact request. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly serverTime?: number | null }
  /** Not one byte of the request left this computer. */
  | { readonly kind: 'not-sent'; readonly failure: Failure }
  /** Refused before it was looked at: credentials, or too many requests. */
  | { readonly kind: 'turned-away'; readonly failure: Failure; readonly serverTime?: number | null }
  /** Anything else. Never repeated by itself. */
  | { readonly kind: 'unknown'; readonly failure: Failure; readonly serverTime?: number | null };

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

export type { Download };

/** One connection's service. Reads throw `AppError`; writes say what is known. */
export interface AgreementService {
  readonly capabilities: Capabilities;
  /** Calls that left since the service was opened; for the summary of a sync. */
  requestCount(): number;
  /** Every page of what changed at or after `since`, of all agreements when null; from `place` on. */
  changes(since: number | null, signal: AbortSignal, place?: PagePlace): AsyncIterable<ChangePage>;
  /** How many agreements wait for signatures, by the service's own count. */
  countOpen(signal: AbortSignal): Promise<number>;
  /** Every page of those. */
  open(signal: AbortSignal, place?: PagePlace): AsyncIterable<ChangePage>;
  /** 404 and 403 are the codes 'not-found' and 'forbidden'. */
  read(id: AgreementId, signal: AbortSignal): Promise<RemoteAgreement>;
  /** The exact bytes a create will send. `ref` marks it where the API has tags. */
  encodeCreate(content: DraftContent, files: OutgoingFiles, ref: OutboxRef): Uint8Array;
  /** How a create gets files too large to go in it; null where the API has no such way. */
  readonly uploadFirst: UploadFirst | null;
  create(body: Uint8Array, signal: AbortSignal): Promise<WriteResult>;
  /** Fingerprint of the credential; the same for the same one. */
  readonly credential: string;
  /** Reads all of the list since then; `onPage` is called after each page. */
  scan(query: ScanQuery, onPage: () => void, signal: AbortSignal): Promise<ScanReading>;
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

/** Receives the `Date` of each answer of the service (epoch ms); null where an answer has none. */
export type HearClock = (serverTime: number | null) => void;

/** Opens a connection's service with its secret. Checks the address: throws 'invalid'. */
export type OpenService = (
  connection: Pick<Connection, 'api' | 'url' | 'accountId' | 'orgNo' | 'environment'>,
  secret: string,
  hearClock?: HearClock,
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
  /** A form with its mapping, and a sheet of rows for it. */
  samples(): Promise<{
    readonly template: SampleTemplate;
    readonly batch: SampleBatch;
  }>;
}

interface SampleTemplate {
  readonly name: string;
  readonly api: ApiName;
  readonly fileName: string;
  readonly pdf: Uint8Array;
  readonly content: TemplateContent;
}

interface SampleBatch {
  readonly name: string;
  readonly fileName: string;
  readonly sheet: Uint8Array;
}

// ---------------------------------------------------------------- stores

export interface ConnectionStore {
  list(): readonly Connection[];
  /** All that there ever were: what was done through one stands once it was removed. */
  ever(): readonly Pick<Connection, 'id' | 'url' | 'environment'>[];
  /** Throws 'not-found'. */
  get(id: ConnectionId): Connection;
  save(connection: Connection): void;
  /** With `keep`, cached agreements stay readable under the removed connection's name. */
  remove(id: ConnectionId, agreements: 'keep' | 'delete', drafts: 'keep' | 'delete'): void;
  /** Server time up to which everything was read; null before the first complete sync. */
  checkedUntil(id: ConnectionId): number | null;
  setCheckedUntil(id: ConnectionId, serverTime: number, checkedAt: number): void;
  /** By the clock here; null before the first complete sync, and after `forgetCheckedAt`. */
  checkedAt(id: ConnectionId): number | null;
  /** This data was restored, copied or moved: nothing was read since. */
  forgetCheckedAt(): void;
}

export type { AgreementReader, AgreementStore, ArchiveStore };

/** A draft that nobody may change, and what is being sent of it. */
interface LockedDraft {
  readonly id: DraftId;
  readonly sending: OutboxRef;
}

export interface DraftStore extends DraftHistory {
  list(): readonly Draft[];
  ids(): readonly DraftId[];
  /** Those that are being sent, without their content. */
  locked(): readonly LockedDraft[];
  /** Throws 'not-found'. */
  get(id: DraftId): Draft;
  /** With all that `give` adds to it, or, when that throws, not at all. */
  insert(draft: Draft, give?: () => void): void;
  /** Throws 'conflict' when the stored revision is not `revision`; 'draft-locked' while it is being sent. */
  save(
    id: DraftId,
    revision: number,
    content: DraftContent,
    connectionId: ConnectionId | null,
    at: number,
    /** Names the edit; a save under the name of the last one belongs to it. */
    edit?: string,
  ): Draft;
  /**
   * A draft as another desk has it, with the files of which it says the data: new here, or in the place
   * of what is here or in the trash. False while it is being sent, once it was sent, and where data lacks.
   */
  receive(
    draft: Pick<Draft, 'id' | 'content' | 'connectionId' | 'files'>,
    dataOf: (file: DraftFile) => Uint8Array | null,
    at: number,
  ): boolean;
  /** Whether it is being sent, or was. */
  isClosed(id: DraftId): boolean;
  addFile(id: DraftId, file: DraftFile, data: Uint8Array, modifiedAt: number | null): void;
  removeFile(id: DraftId, file: FileId): void;
  fileData(id: DraftId, file: FileId): OutgoingFile;
  setSending(id: DraftId, ref: OutboxRef | null): void;
  /** The draft that it is at every desk; null where that is itself. Also of what is in the trash, or was sent. */
  origin(id: DraftId): DraftId | null;
  setOrigin(id: DraftId, origin: DraftId | null): void;
  /** Of which template it was made; what is sent of it keeps that. */
  noteTemplate(id: DraftId, templateId: TemplateId): void;
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

export interface OwnUserStore {
  /**
   * The user that a connection's credential belongs to: the owner of what we sent, or of any
   * agreement that is shared with nobody. Null where no copy tells it.
   */
  find(connectionId: ConnectionId): string | null;
}

export interface Stores {
  /** Stores everything that `work` writes, with one wait for the disk, or nothing of it if `work` throws. */
  transaction<Result>(work: () => Result): Result;
  /** The same without waiting for the disk: after a power cut the last of these may be missing. */
  quickTransaction<Result>(work: () => Result): Result;
  readonly board: BoardStore;
  readonly actions: ActionStore;
  readonly connections: ConnectionStore;
  readonly agreements: AgreementStore;
  readonly ownUsers: OwnUserStore;
  readonly sync: SyncStore;
  readonly drafts: DraftStore;
  readonly people: PeopleStore;
  readonly templates: TemplateStore;
  readonly batches: BatchStore;
  readonly outbox: OutboxStore;
  readonly evidence: EvidenceStore;
  readonly identities: IdentityStore;
  readonly settings: SettingStore;
  readonly archive: ArchiveStore;
  readonly updates: UpdateStore;
  readonly reminders: ReminderStore;
  readonly corrections: CorrectionStore;
  readonly digest: DigestStore;
  readonly intake: IntakeStore;
  readonly backup: BackupStore;
  readonly privacy: PrivacyStore;
  readonly office: OfficeStore;
}

export type { CopyWriter };

// ---------------------------------------------------------------- files and PDFs

export type {
  AcceptBytes,
  Files,
  NamedFile,
  PathKind,
  ReceivingSteps,
  WrittenFile,
} from './file-ports.ts';

/** SHA-256 in hex. */
export type Sha256 = (data: Uint8Array) => string;

/** A letter that cannot be drawn, and a font that has it; see `MissingLetter`. */
export type LackedLetter = Omit<MissingLetter, 'field'>;

/** A value for one field of a form. */
export interface FieldText {
  readonly field: string;
  readonly text: string;
}

export interface PdfForms extends PdfCompiler {
  /** Throws 'invalid' with 'not-a-pdf', 'pdf-damaged', 'pdf-encrypted', 'pdf-restricted' or 'file-empty'. */
  read(data: Uint8Array): Promise<PdfForm>;
  /**
   * Places that look as if something were to be filled in there, for a person to take or leave. Page
   * by page, of each of which `report` hears; throws 'cancelled' once the signal says so.
   */
  find(
    data: Uint8Array,
    signal?: AbortSignal,
    report?: (pages: { readonly done: number; readonly total: number }) => void,
  ): Promise<readonly FoundPlace[]>;
  /** What fields can be put in line with, page by page. */
  guides(data: Uint8Array): Promise<readonly PageGuides[]>;
  /**
   * The PDF with these fields as its form, in place of those that were placed before; its own bytes
   * stay beneath. Throws 'invalid' with the field named.
   */
  place(data: Uint8Array, fields: readonly PlacedField[]): Promise<Uint8Array>;
  /** Which fields that were drawn on one PDF fit on another one; see `carryPlaces`. */
  carry(
    before: Uint8Array,
    after: Uint8Array,
    fields: readonly PlacedField[],
  ): Promise<CarriedPlaces>;
  /** Fills fields by name, and flattens when asked. Throws 'invalid' with the field named. */
  merge(data: Uint8Array, values: PdfValues, flatten: boolean): Promise<MergedPdf>;
  /** Of each value how it fits its box, as merging would draw it; null where it is fine or unknown. */
  textFits(data: Uint8Array, values: readonly FieldText[]): Promise<readonly (TextFit | null)[]>;
  /** Of each text the letter that no font of this computer has, as merging would say; else null. */
  missingLetters(texts: readonly string[]): Promise<readonly (LackedLetter | null)[]>;
}
