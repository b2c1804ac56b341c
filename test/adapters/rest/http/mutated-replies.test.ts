import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WriteResult } from '../../../../electron/core/ports.ts';
import { AgreementId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { rawAnswer, startRawServer, type RawServer } from '../../../support/raw-server.ts';
import { REF, all, id, neverStops, openV1, openV2 } from '../desk.ts';
import { draftV1, draftV2, onePage } from '../drafts.ts';
import { mutationsOf, type Mutation } from './mutations.ts';

let server: RawServer;
let reply = '';

beforeAll(async () => {
  server = await startRawServer(() => rawAnswer('200 OK', 'application/json', reply));
});
afterAll(() => server.close());

const PARTY_V1 = {
  id: 'f3b6e1a0-5c10-11f0-8d35-03d35ce00001',
  type: 'MY_COMPANY',
  state: 'SIGNED',
  signingOrder: 1,
  signingConfigurations: [{ id: 'f3b6e1a1-5c10-11f0-8d35-03d35ce00001', type: 'API' }],
};
const AGREEMENT_V1 = {
  id: 'f3b6e1a2-5c10-11f0-8d35-03d35ce00001',
  title: 'Hyresavtal Östergatan',
  state: 'SIGNED_BY_ALL',
  createdOn: '20260501T080000Z',
  closedOn: '20260502T080000Z',
  parties: [PARTY_V1],
  attachments: [{ id: 'a', name: 'avtal.pdf', category: 'AGREEMENT', fileSize: 1234 }],
  tags: { 'desk.ref': REF },
};
const ONE_V1 = { data: AGREEMENT_V1 };
const MANY_V1 = {
  data: [AGREEMENT_V1],
  meta: { pageNumber: 1, pageSize: 100, totalPages: 1, totalRecords: 1 },
  links: { self: '/v1/agreements' },
};
const ONE_V2 = {
  referenceNumber: '002604711001',
  name: 'Hyresavtal Östergatan',
  status: 'SIGNED_BY_ALL',
  postedOn: '2026-05-01 10:00:00',
  closedOn: '2026-05-02 10:00:00',
  lastModifiedOn: '2026-05-02 10:00:00',
  parties: {
    privates: [{ personNo: '198507099805', name: 'Åsa Öberg', status: 'SIGNED' }],
    companies: [{ orgNo: '5599990008', name: 'Lindqvist & Berg AB', status: 'SIGNED' }],
  },
};
const MANY_V2 = { agreements: [ONE_V2], start: 0, count: 1, totalCount: 1 };

const inOneV1 = ['id', 'title', 'state', 'closedOn', 'parties', 'tags'].map((key) => ['data', key]);
const inManyV1 = ['id', 'state', 'createdOn', 'attachments'].map((key) => ['data', 0, key]);
const inOneV2 = ['referenceNumber', 'status', 'closedOn', 'parties'].map((key) => [key]);
const inManyV2 = ['referenceNumber', 'name', 'status'].map((key) => ['agreements', 0, key]);

const v1 = () => openV1(server.origin);
const v2 = () => openV2(`${server.origin}/v2`);

const reads: readonly {
  readonly what: string;
  readonly mutations: readonly Mutation[];
  readonly read: () => Promise<readonly RemoteAgreement[]>;
}[] = [
  {
    what: 'a single agreement of v1',
    mutations: mutationsOf(ONE_V1, [
      ...inOneV1,
      ['data'],
      ['data', 'parties', 0, 'state'],
      ['data', 'parties', 0, 'type'],
      ['data', 'attachments', 0, 'fileSize'],
    ]),
    read: async () => [await v1().read(id(AGREEMENT_V1.id), neverStops)],
  },
  {
    what: 'a list of v1',
    mutations: mutationsOf(MANY_V1, [...inManyV1, ['data'], ['meta'], ['meta', 'totalPages']]),
    read: () => all(v1()),
  },
  {
    what: 'a single agreement of v2',
    mutations: mutationsOf(ONE_V2, [...inOneV2, ['parties', 'companies', 0, 'status']]),
    read: async () => [await v2().read(id(ONE_V2.referenceNumber), neverStops)],
  },
  {
    what: 'a list of v2',
    mutations: mutationsOf(MANY_V2, [...inManyV2, ['agreements'], ['totalCount']]),
    read: () => all(v2()),
  },
];

const creates = [
  {
    what: 'a create request on v1',
    mutations: mutationsOf(ONE_V1, [...inOneV1, ['data']]),
    create: async (): Promise<WriteResult> =>
      v1().create(v1().encodeCreate(draftV1(), await onePage(), REF), neverStops),
  },
  {
    what: 'a create request on v2',
    mutations: mutationsOf(ONE_V2, [...inOneV2, ['name']]),
    create: async (): Promise<WriteResult> =>
      v2().create(v2().encodeCreate(draftV2(), await onePage(), REF), neverStops),
  },
];

const LEAST_MUTATIONS = 200;

describe('the mutated replies', () => {
  const count = [...reads, ...creates].reduce((sum, { mutations }) => sum + mutations.length, 0);

  it(`are enough: ${String(count)}`, () => {
    expect(count).toBeGreaterThanOrEqual(LEAST_MUTATIONS);
  });
});

describe.each(reads)('$what', ({ mutations, read }) => {
  it.each(mutations)(
    'is read as an agreement or an error when it has $name (T1-26)',
    async ({ text }) => {
      reply = text;
      const result = await read().catch((error: unknown) => error);
      if (result instanceof AppError) {
        expect(result.failure.code).toBe('service');
      } else {
        for (const agreement of RemoteAgreement.array().parse(result)) {
          expect(['signed', 'unknown']).toContain(agreement.state);
          for (const { state } of agreement.parties ?? []) {
            expect(['signed', 'unknown']).toContain(state);
          }
          expect(AgreementId.safeParse(agreement.id).success).toBe(true);
        }
      }
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );
});

describe.each(creates)('$what', ({ mutations, create }) => {
  it.each(mutations)(
    'is done or of unknown outcome when its answer has $name (T1-60)',
    async ({ text }) => {
      reply = text;
      const result = await create();
      expect(['done', 'unknown']).toContain(result.kind);
      if (result.kind === 'done') {
        const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
        expect(parsed).toMatchObject(
          'referenceNumber' in (parsed as object)
            ? { referenceNumber: result.remoteId }
            : { data: { id: result.remoteId } },
        );
      } else {
        expect(result).toMatchObject({ failure: { code: 'service' } });
      }
    },
  );
});
