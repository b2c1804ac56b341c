import type {
  AgreementService,
  ChangePage,
  Download,
  OnServiceTime,
  OpenService,
  PreUpload,
  WriteResult,
} from '../../../electron/core/ports.ts';
import type { PagePlace } from '../../../electron/core/sync/ports.ts';
import type { Capabilities, TestStep } from '../../../shared/contract/connections.ts';
import type { ScanQuery, ScanReading, SeenAgreement } from '../../../electron/core/outbox/ports.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import { bytesOf, textOf } from './memory-ports.ts';

export const capabilities = (api: 'v1' | 'v2'): Capabilities => ({
  api,
  etags: api === 'v1',
  tags: api === 'v1',
  absoluteExpiry: api === 'v1',
  attachmentDownload: api === 'v1',
  changeAfterSending: api === 'v1',
  reminders: api === 'v1',
  rejectForParty: api === 'v2',
  share: api === 'v2',
});

export const PDF_TEXT = '%PDF-1.7\nsigned\nstartxref\n9\n%%EOF\n';

/** A service with scripted answers that records its requests. */
export class FakeService implements AgreementService {
  readonly capabilities: Capabilities;
  /** Pages of the list of changes. */
  pages: ChangePage[] = [];
  /** Called before each page; if it throws, the list ends there. */
  beforePage: (index: number) => void | Promise<void> = () => {};
  readonly agreements = new Map<string, RemoteAgreement | AppError>();
  /** Total that the service reports with a page; the size of all pages by default. */
  totalAt: (index: number) => number | null = () => idsOf(this.pages).size;
  /** Number of open agreements that are counted and never listed. */
  hiddenOpen = 0;
  /** Requested lists of open agreements, page by page. */
  openPagesRead = 0;
  /** All agreements ever listed, in their last state. */
  readonly #listed = new Map<string, RemoteAgreement>();
  readonly created: string[] = [];
  readonly signed: string[] = [];
  readonly reads: string[] = [];
  readonly since: (number | null)[] = [];
  readonly downloads: string[] = [];
  /** Answers to the next create requests, in order; after them, requests succeed. */
  answers: (WriteResult | Promise<WriteResult>)[] = [];
  steps: TestStep[] = [{ step: 'address', ok: true, note: 'reached', value: 'host' }];
  /** Content of a download of this agreement. */
  fileOf: (id: string) => Download = () => downloadOf(PDF_TEXT);
  /** Text of an attachment by ID, or the error of its download. */
  readonly documents = new Map<string, string | AppError>();
  #requests = 0;

  constructor(api: 'v1' | 'v2') {
    this.capabilities = capabilities(api);
  }

  requestCount(): number {
    return this.#requests;
  }

  async *changes(
    since: number | null,
    signal: AbortSignal,
    place?: PagePlace,
  ): AsyncIterable<ChangePage> {
    this.since.push(since);
    for (const [index, page] of [...this.pages.entries()].slice((place?.pages ?? 1) - 1)) {
      await this.beforePage(index);
      signal.throwIfAborted();
      this.#requests += 1;
      for (const one of page.items) this.#listed.set(one.id, one);
      yield { ...page, total: this.totalAt(index), place: { position: index, pages: index + 1 } };
    }
  }

  async countOpen(): Promise<number> {
    this.#requests += 1;
    this.tellClock(this.serverTime);
    return this.#open().length + this.hiddenOpen;
  }

  async *open(): AsyncIterable<ChangePage> {
    this.#requests += 1;
    this.openPagesRead += 1;
    const page = pageOf(this.#open());
    yield { ...page, total: page.items.length + this.hiddenOpen };
  }

  /** Adds an agreement that no list of changes shows. */
  appear(agreement: RemoteAgreement): void {
    this.#listed.set(agreement.id, agreement);
  }

  /** Returns the open agreements; unchanged ones keep the state in which they were listed. */
  #open(): RemoteAgreement[] {
    const now = [...this.#listed.values()].map(
      ({ id }) => this.agreements.get(id) ?? this.#listed.get(id),
    );
    return now.flatMap((one) =>
      one === undefined || one instanceof AppError || !isOpen(one) ? [] : one,
    );
  }

  async read(id: string): Promise<RemoteAgreement> {
    this.reads.push(id);
    this.#requests += 1;
    const found = this.agreements.get(id) ?? new AppError('not-found', 'No such agreement');
    if (found instanceof AppError) throw found;
    return found;
  }

  encodeCreate: AgreementService['encodeCreate'] = (content, files, ref) => {
    const attached = [...files.values()].map(({ name, data }) => ({ name, data: textOf(data) }));
    return bytesOf(JSON.stringify({ ref, body: content.body, attached }));
  };

  uploadFirst: PreUpload | null = null;
  credential = 'credential-1';
  /** Reason why a scan over `pages` is inconclusive; `serverTime` is the service's clock. */
  incompleteReason: ScanReading['incompleteReason'] = null;
  serverTime: number | null = null;
  /** Listeners of the clients that opened the service, which receive its time. */
  readonly hearers = new Set<OnServiceTime>();
  scans = 0;
  /** Start times of the scans. */
  readonly scansFrom: number[] = [];

  /** Agreements created on this fake, as the list returns them. */
  #made(): readonly SeenAgreement[] {
    return this.created.map((body, index) => {
      const parsed: unknown = JSON.parse(body);
      const ref = isMarked(parsed) ? parsed.ref : null;
      const id = AgreementId.parse(`remote-${String(index + 1)}`);
      const details = { sentAt: null, state: 'READY_TO_SIGN', parties: null, fields: null };
      return { id, title: '', ref: this.unmade.has(body) ? null : ref, ...details };
    });
  }

  /** Bodies of create requests that failed. */
  readonly unmade = new Set<string>();

  async scan({ from }: ScanQuery, onPage: () => void): Promise<ScanReading> {
    this.scans += 1;
    this.scansFrom.push(from);
    for (const [index] of this.pages.entries()) {
      await this.beforePage(index);
      onPage();
    }
    const seen = [...this.pages.flatMap(({ items }) => items).map(seenOf), ...this.#made()];
    const { incompleteReason, serverTime } = this;
    this.tellClock(serverTime);
    return { seen, pages: this.pages.length, incompleteReason, serverTime };
  }

  async create(body: Uint8Array): Promise<WriteResult> {
    this.created.push(textOf(body));
    this.#requests += 1;
    const answer = this.answers.shift();
    if (answer !== undefined) this.unmade.add(textOf(body));
    return this.#told((await answer) ?? done(`remote-${this.created.length}`));
  }

  encodeSign: AgreementService['encodeSign'] = (signer, signedAt) =>
    bytesOf(JSON.stringify({ signer, signedAt }));

  async sign(request: Parameters<AgreementService['sign']>[0]): Promise<WriteResult> {
    this.signed.push(textOf(request.body));
    return this.#told((await this.answers.shift()) ?? done(request.agreementId));
  }

  #told(result: WriteResult): WriteResult {
    if ('serverTime' in result) this.tellClock(result.serverTime ?? null);
    return result;
  }

  tellClock(serverTime: number | null): void {
    for (const hear of this.hearers) hear(serverTime);
  }

  async download(id: string): Promise<Download> {
    this.downloads.push(id);
    return this.fileOf(id);
  }

  async downloadDocument(_id: string, documentId: string): Promise<Download> {
    const found = this.documents.get(documentId) ?? new AppError('not-found', 'No such document');
    if (found instanceof AppError) throw found;
    return downloadOf(found);
  }

  async *test(): AsyncIterable<TestStep> {
    yield* this.steps;
  }
}

const idsOf = (pages: readonly ChangePage[]) =>
  new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));

const isOpen = ({ state }: RemoteAgreement) => state === 'waiting' || state === 'part-signed';

function isMarked(value: unknown): value is { readonly ref: string } {
  return typeof value === 'object' && value !== null && 'ref' in value;
}

function seenOf({ id, title, sentAt, nativeState, tags }: RemoteAgreement): SeenAgreement {
  const ref = tags?.['desk.ref'] ?? null;
  const parties = null;
  return {
    id: AgreementId.parse(id),
    title,
    sentAt,
    state: nativeState,
    ref,
    parties,
    fields: null,
  };
}

export const done = (remoteId: string | null): WriteResult => ({
  kind: 'done',
  remoteId,
  serverTime: null,
});

export function downloadOf(text: string): Download {
  const data = bytesOf(text);
  const chunks = async function* () {
    yield data;
  };
  return { chunks: chunks(), bytes: data.length };
}

/** Opens the given services by API, and records the secrets used. */
export function openFakes(services: Record<'v1' | 'v2', FakeService>) {
  const secrets: string[] = [];
  const open: OpenService = ({ api, url }, secret, hearClock) => {
    if (url.startsWith('ftp:')) {
      throw new AppError('invalid', 'Not an address', { reason: 'address-invalid' });
    }
    if (secret === '') throw new AppError('invalid', 'Blank', { reason: 'credential-blank' });
    secrets.push(secret);
    if (hearClock !== undefined) services[api].hearers.add(hearClock);
    return services[api];
  };
  return { open, secrets };
}

export function remoteOf(
  change: Partial<RemoteAgreement> & { readonly id: string },
): RemoteAgreement {
  return {
    title: 'Lease',
    state: 'waiting',
    nativeState: 'READY_TO_SIGN',
    createdAt: null,
    sentAt: null,
    updatedAt: null,
    closedAt: null,
    expiresAt: null,
    deletesAt: null,
    parties: null,
    documents: null,
    tags: null,
    timeline: [],
    etag: null,
    native: '{}',
    ...change,
  };
}

export function partyOf(change: Partial<Party>): Party {
  return {
    id: 'party-1',
    kind: 'my-company',
    name: 'Our company',
    state: 'turn',
    nativeState: 'READY_TO_SIGN',
    methods: ['API'],
    order: 1,
    email: null,
    mobile: null,
    country: null,
    orgNo: '5560360793',
    signedAt: null,
    rejectedReason: null,
    apiSigning: 'configuration-1',
    allowedPersons: null,
    ...change,
  };
}

export const pageOf = (
  items: readonly RemoteAgreement[],
  serverTime: number | null = null,
): ChangePage => ({
  items,
  total: items.length,
  serverTime,
  place: { position: null, pages: 1 },
});
