import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../electron/adapters/rest/http/endpoint.ts';
import * as v1 from '../../../electron/adapters/rest/v1/table.ts';
import * as v2 from '../../../electron/adapters/rest/v2/table.ts';
import { startDemo, type Demo } from '../../../electron/demo/start.ts';
import type { DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import { actionsV1, actionsV2, neverStops, openV1, openV2 } from './desk.ts';
import { calls, type About } from './endpoint-cases.ts';
import { sendV1, sendV2 } from './sent.ts';

const rowsOf = (table: object): Endpoint[] => Object.values(table).filter(isRow);
const tables = { v1: rowsOf(v1), v2: rowsOf(v2) };
const rows = [...tables.v1, ...tables.v2];

/** Number of endpoints that the documentation of each API describes. */
const DOCUMENTED = 14;
const PDF_TEMPLATE: Partial<DraftBodyV2> = {
  type: 'DYNAMIC_PDF',
  dynamicPdf: { templateId: '70001', fields: [{ name: 'tenant', value: 'Åsa Öberg' }] },
};

let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(() => demo.close());

/** Preparation that each endpoint needs for a successful request. */
const before: Readonly<Record<string, (about: About) => void>> = {
  'v1.agreements.download': (about) => {
    demo.act('v1', about.v1.id, 'sign-all');
  },
  'v2.agreements.delete': (about) => {
    demo.act('v2', about.v2, 'reject');
  },
};

async function prepare({ name }: Endpoint): Promise<About> {
  const about = {
    v1: await sendV1(demo),
    v2: await sendV2(demo, name === 'v2.agreements.fields' ? PDF_TEMPLATE : {}),
    token: await upload(),
  };
  before[name]?.(about);
  return about;
}

async function upload(): Promise<string> {
  const { uploads } = actionsV2(demo.v2Url);
  const result = await uploads.add('bilaga.pdf', new Uint8Array([1]), neverStops);
  return result.kind === 'done' ? result.reply.token : result.kind;
}

const desk = () => ({
  v1: openV1(demo.v1Url),
  v2: openV2(demo.v2Url),
  actionsV1: actionsV1(demo.v1Url),
  actionsV2: actionsV2(demo.v2Url),
});

/** Whether the demo received the request of this row since `from`, and answered with success. */
function answered({ name, method, path, success }: Endpoint, from: number): boolean {
  const prefix = name.startsWith('v1.') ? '/api' : '/legacy/v2';
  const wanted = new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`);
  return demo.requests
    .slice(from)
    .some((one) => one.method === method && wanted.test(one.url) && one.status === success);
}

describe('the tables of endpoints', () => {
  it('have a client call for every row, and no call without a row', () => {
    expect(Object.keys(calls).sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('list every documented endpoint exactly once', () => {
    const distinct = (table: readonly Endpoint[]) =>
      new Set(table.map(({ method, path }) => `${method} ${path.replace(/\.xml$/, '')}`)).size;
    expect([distinct(tables.v1), distinct(tables.v2)]).toEqual([DOCUMENTED, DOCUMENTED]);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });
});

describe.each(rows.map((row) => ({ name: row.name, row })))('$name', ({ name, row }) => {
  it('is answered by the service, and the client reads the answer', async () => {
    const about = await prepare(row);
    const from = demo.requests.length;
    const result = await calls[name]?.(desk(), about);
    expect(result).toBeTruthy();
    if (isOutcome(result)) expect(result).toMatchObject({ kind: 'done' });
    expect(answered(row, from)).toBe(true);
  });
});

describe('an agreement unknown to the service', () => {
  const nobody = '00000000-0000-1000-8000-000000000000' as AgreementId;
  const about: About = {
    v1: {
      id: nobody,
      partyId: nobody,
      notificationId: nobody,
      attachmentId: nobody,
      etag: '"x"',
      ours: { partyId: nobody, configurationId: nobody },
    },
    v2: nobody,
    token: nobody,
  };
  const names = rows.filter(({ path }) => path.includes('{')).map(({ name }) => name);

  it.each(names)('is reported as not found by %s (T1-07)', async (name) => {
    const outcome = await Promise.resolve(calls[name]?.(desk(), about)).catch(
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ failure: { code: 'not-found' } });
  });
});

function isRow(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'repeat' in value && 'path' in value;
}

function isOutcome(value: unknown): value is { readonly kind: string } {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
