import type {
  ActionCapabilities,
  ActionResult,
  ActionsV1,
  ActionsV2,
  FieldValues,
  FreshNotification,
  GuardedResult,
  NotificationPlace,
  OpenActions,
} from '../../../electron/core/services/ports.ts';
import type { ChangePage } from '../../../electron/core/ports.ts';
import type { Selection } from '../../../shared/contract/agreement-selection.ts';
import type { UploadedFile } from '../../../shared/contract/uploads.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { PartyNotification, RemoteExtras } from '../../../shared/model/remote-extras.ts';
import type { FakeService } from './fake-service.ts';
import { bytesOf, textOf } from './memory-ports.ts';

/** Result of one request; `stale` means that the service answered 412. */
export type Ending = 'done' | 'stale' | Exclude<ActionResult, { readonly kind: 'done' }>;

export const lost: Failure = { code: 'offline', message: 'Reset', reason: 'connection-lost' };
const stale: Failure = { code: 'conflict', message: 'The precondition failed' };

export const notificationOf = (change: Partial<PartyNotification> = {}): PartyNotification => ({
  id: 'invitation',
  type: 'READY_TO_SIGN',
  templateId: null,
  locale: null,
  timeZone: null,
  placeholders: {},
  attachPdf: null,
  sendsAt: null,
  recipients: [{ medium: 'EMAIL', address: 'asa@example.com' }],
  ...change,
});

export const extrasOf = (
  etag: string | null,
  notifications: Readonly<Record<string, readonly PartyNotification[]>> = {},
): RemoteExtras => ({
  sharedWith: null,
  owner: null,
  accessRights: null,
  returnLinks: null,
  notifications: null,
  documents: null,
  etag,
  parties: Object.entries(notifications).map(([id, list]) => ({
    id,
    personNumber: null,
    methods: null,
    identifications: null,
    signedWith: null,
    evidence: null,
    notifications: list,
  })),
});

/** State shared by both APIs: results in the given order, afterwards success. */
class FakeActions {
  /** Every sent request as one text: verb, agreement, and further arguments. */
  readonly sent: string[] = [];
  readonly endings: (Ending | Promise<Ending>)[] = [];
  /** Called when a request arrives, before its answer: the effect on the service. */
  commit: (request: string) => void = () => {};
  extrasOfAll: RemoteExtras = extrasOf('"1"');
  rawText = '{"data":{}}';
  readonly rawForms: string[] = [];
  /** Time of the service in its answers; null for none. */
  serverTime: number | null = null;
  /** Version in the ETag of the answers; it increases with each answer. */
  version = 1;
  protected readonly service: FakeService;

  constructor(service: FakeService) {
    this.service = service;
  }

  requestCount(): number {
    return this.sent.length;
  }

  async extras(): Promise<RemoteExtras> {
    return this.extrasOfAll;
  }

  async raw(_id: string, form: string): Promise<string> {
    this.rawForms.push(form);
    return this.rawText;
  }

  revoke(id: string) {
    return this.plain(`revoke ${id}`, { nativeState: 'REVOKED', revokedAt: 1_000 });
  }

  remove(id: string) {
    return this.plain<string | null>(`remove ${id}`, `Agreement ${id} has been deleted.`);
  }

  /** Every requested selection; `selectedPages` is the result of each. */
  readonly selections: Selection[] = [];
  selectedPages: ChangePage[] = [];

  protected async *selected(selection: Selection): AsyncIterable<ChangePage> {
    this.selections.push(selection);
    yield* this.selectedPages;
  }

  protected async plain<Reply>(request: string, reply: Reply): Promise<ActionResult<Reply>> {
    const ending = await this.#end(request);
    if (ending === 'stale') throw new Error('This request names no ETag');
    if (ending !== 'done') return ending;
    return { kind: 'done', reply, etag: null, serverTime: this.serverTime };
  }

  protected async guarded<Fresh>(
    request: string,
    fresh: () => Fresh,
  ): Promise<GuardedResult<Fresh>> {
    const ending = await this.#end(request);
    if (ending === 'stale') {
      return { kind: 'changed', failure: stale, fresh: { ok: true, value: fresh() } };
    }
    if (ending !== 'done') return ending;
    this.version += 1;
    return { kind: 'done', reply: null, etag: `"${this.version}"`, serverTime: null };
  }

  #end(request: string): Ending | Promise<Ending> {
    this.sent.push(request);
    this.commit(request);
    return this.endings.shift() ?? 'done';
  }

  protected agreement(id: string): RemoteAgreement {
    const found = this.service.agreements.get(id);
    if (found === undefined || found instanceof AppError) throw new Error('No such agreement');
    return found;
  }
}

const no = { corrections: false, rejection: false, sharing: false, fieldValues: false } as const;

export class FakeActionsV1 extends FakeActions implements ActionsV1 {
  readonly api = 'v1';
  readonly can: ActionCapabilities = {
    ...no,
    corrections: true,
    uploads: false,
    rawForms: ['json'],
    removable: null,
  };
  /** Agreements by ID; others are missing on the service. */
  readonly notifications = new Map<string, PartyNotification>();

  select = (selection: Selection) => this.selected(selection);

  async signingLink(id: string, partyId: string): Promise<string> {
    return `https://sign.example/${id}/${partyId}`;
  }

  change: ActionsV1['change'] = (id, deadlines, etag) =>
    this.guarded(`change ${id} ${JSON.stringify(deadlines)} ${etag}`, () => this.agreement(id));

  correctEmail: ActionsV1['correctEmail'] = ({ id, partyId }, address, etag) =>
    this.guarded(`correctEmail ${id} ${partyId} ${address} ${etag}`, () => this.agreement(id));

  async readNotification({ notificationId }: NotificationPlace) {
    const all = this.extrasOfAll.parties.flatMap((one) => one.notifications ?? []);
    const notification =
      this.notifications.get(notificationId) ?? all.find(({ id }) => id === notificationId);
    if (notification === undefined) throw new AppError('not-found', 'No such notification');
    return { notification, etag: `"n${this.version}"` };
  }

  replaceRecipients: ActionsV1['replaceRecipients'] = (place, recipients, etag) =>
    this.guarded(
      `replaceRecipients ${place.notificationId} ${JSON.stringify(recipients)} ${etag}`,
      () => this.#fresh(place),
    );

  silence: ActionsV1['silence'] = (place, etag) =>
    this.guarded(`silence ${place.notificationId} ${etag}`, () => this.#fresh(place));

  remind: ActionsV1['remind'] = ({ id, partyId, notificationId }) =>
    this.plain(`remind ${id} ${partyId} ${notificationId}`, null);

  #fresh({ id, notificationId }: NotificationPlace): FreshNotification {
    const found = this.notifications.get(notificationId);
    const etag = '"fresh"';
    const notification = found === undefined ? null : { notification: found, etag };
    return { agreement: this.agreement(id), notification, etag };
  }
}

export class FakeActionsV2 extends FakeActions implements ActionsV2 {
  readonly api = 'v2';
  readonly can: ActionCapabilities = {
    ...no,
    rejection: true,
    sharing: true,
    fieldValues: true,
    uploads: true,
    rawForms: ['json', 'xml'],
    removable: ['rejected'],
  };
  values: FieldValues | null = null;
  /** Uploads by token. */
  readonly files = new Map<string, UploadedFile>();

  select = (selection: Selection) => this.selected(selection);

  encodeReject: ActionsV2['encodeReject'] = (rejection) => bytesOf(JSON.stringify(rejection));

  reject: ActionsV2['reject'] = (id, body) =>
    this.plain(`reject ${id} ${/PRIVATE|COMPANY/.exec(textOf(body))?.[0] ?? ''}`, null);

  share: ActionsV2['share'] = (id, { with: other, until }) => {
    const reply =
      until === null ? { kind: 'permanent' as const } : { kind: 'until' as const, day: until };
    return this.plain(`share ${id} ${JSON.stringify(other)}`, reply);
  };

  async fieldValues(): Promise<FieldValues | null> {
    return this.values;
  }

  readonly uploads: ActionsV2['uploads'] = {
    list: async () => ({ files: [...this.files.values()], total: this.files.size }),
    add: (name) => this.plain(`upload ${name}`, uploadOf(name)),
    show: async (token) => this.files.get(token) ?? null,
    remove: (token) =>
      this.plain<UploadedFile | null>(`unload ${token}`, this.files.get(token) ?? null),
  };
}

export const uploadOf = (fileName: string): UploadedFile => ({
  token: `token-of-${fileName}`,
  fileName,
  createdOn: '2026-11-21 12:00:00',
  createdAt: null,
  deletedOn: null,
});

export function fakeActions(services: Record<'v1' | 'v2', FakeService>) {
  const sides = { v1: new FakeActionsV1(services.v1), v2: new FakeActionsV2(services.v2) };
  const open: OpenActions = ({ api }) => sides[api];
  return { ...sides, open };
}
