import { randomUUID } from 'node:crypto';
import { Batch } from '../../../shared/contract/batches.ts';
import { Connection } from '../../../shared/contract/connections.ts';
import { AgreementQuery } from '../../../shared/contract/agreement-query.ts';
import { Draft, type DraftContent } from '../../../shared/contract/drafts.ts';
import { AgreementId, BatchId, DraftId, FileId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { NewBatch } from '../../../electron/core/batches/ports.ts';
import type { NewOutboxItem } from '../../../electron/core/outbox/ports.ts';
import { NOW } from './temp-database.ts';

export const idOf = (text: string) => AgreementId.parse(text);

export const newConnection = (change: Partial<Connection> = {}): Connection =>
  Connection.parse({
    id: randomUUID(),
    name: 'Berg & Partners',
    api: 'v1',
    url: 'https://api.example.com',
    environment: 'test',
    accountId: null,
    orgNo: null,
    createdAt: NOW,
    ...change,
  });

export const party = (change: Partial<Party> = {}): Party => ({
  id: randomUUID(),
  kind: 'person',
  name: 'Astrid Öberg',
  state: 'turn',
  nativeState: 'READY_TO_SIGN',
  methods: ['EID'],
  order: 1,
  email: 'astrid@example.com',
  mobile: null,
  country: 'SE',
  orgNo: null,
  signedAt: null,
  rejectedReason: null,
  apiSigning: null,
  allowedPersons: null,
  ...change,
});

/** Returns an agreement as read singly: with parties, documents and tags. */
export const remote = (change: Partial<RemoteAgreement> = {}): RemoteAgreement => ({
  id: randomUUID(),
  title: 'Lease',
  state: 'waiting',
  nativeState: 'WAITING_TO_BE_SIGNED',
  createdAt: NOW - 2000,
  sentAt: NOW - 1000,
  updatedAt: NOW,
  closedAt: null,
  expiresAt: null,
  deletesAt: null,
  parties: [party()],
  documents: [],
  tags: {},
  timeline: [{ at: NOW - 1000, what: 'sent', party: null }],
  etag: '"1"',
  native: '{"whole":true}',
  ...change,
});

/** Returns the agreement as a list row, with only its title and status. */
export const listRow = (of: RemoteAgreement, change: Partial<RemoteAgreement> = {}) => ({
  ...of,
  createdAt: null,
  sentAt: null,
  updatedAt: null,
  parties: null,
  documents: null,
  tags: null,
  timeline: [],
  etag: null,
  native: '{"whole":false}',
  ...change,
});

export const query = (change: Partial<AgreementQuery> = {}): AgreementQuery =>
  AgreementQuery.parse(change);

export const content = (title = 'Lease', personNumber?: string): DraftContent => ({
  api: 'v1',
  body: {
    title,
    attachments: [],
    parties: [
      {
        type: 'PRIVATE',
        firstName: 'Astrid',
        lastName: 'Öberg',
        signingConfigurations: [{ type: 'EID' }],
        ...(personNumber === undefined ? {} : { personNumber }),
      },
    ],
  },
});

export const newDraft = (change: Partial<Draft> = {}): Draft =>
  Draft.parse({
    id: DraftId.parse(randomUUID()),
    connectionId: null,
    content: content(),
    files: [],
    revision: 1,
    sending: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  });

/** Returns a batch of one column, with a row for each name. */
export const newBatch = (names: readonly string[], change: Partial<Batch> = {}): NewBatch => ({
  batch: Batch.parse({
    id: BatchId.parse(randomUUID()),
    name: 'Leases of May',
    stage: 'open',
    connectionId: null,
    templateId: null,
    templateRevision: null,
    fileName: 'leases.csv',
    sheet: {
      format: 'csv',
      sheets: [],
      sheet: null,
      encoding: 'utf-8',
      delimiter: ';',
      headerRow: 1,
      columns: [{ name: 'Name', letter: 'A' }],
      rows: names.length,
      notices: [],
    },
    choices: {},
    mapping: null,
    matches: [],
    schedule: { startAt: null, hours: null, perHour: null },
    policy: 'ask',
    revision: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  }),
  data: Buffer.from(['Name', ...names].join('\n')),
  sha256: 'cd'.repeat(32),
  rows: names.map((name, index) => ({ row: index + 2, cells: [name], marks: [] })),
});

export const draftFile = (data: Uint8Array) => ({
  id: FileId.parse(randomUUID()),
  name: 'lease.pdf',
  mimeType: 'application/pdf',
  bytes: data.length,
  sha256: 'ab'.repeat(32),
  pages: 3,
  fieldCount: 0,
  notices: ['owner-locked' as const],
});

export const outboxEntry = (
  connection: Connection,
  change: Partial<NewOutboxItem['item']> = {},
  body: Uint8Array = Buffer.from('{"title":"Lease"}'),
): NewOutboxItem => ({
  item: {
    ref: OutboxRef.parse(randomUUID()),
    kind: 'create',
    title: 'Lease',
    connectionId: connection.id,
    people: ['Astrid Öberg'],
    mark: { by: 'tag' },
    nextAt: NOW,
    ...change,
  },
  request: { body, target: null, signedAt: null },
  uploads: [],
});

/** Returns an attempt as recorded before its request is sent. */
export const claimAt = (at: number) => ({ at, floor: at, credential: 'credential-1' });
