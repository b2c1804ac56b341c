import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAgreementV1 } from '../../../../electron/adapters/rest/v1/read.ts';
import { readAgreementV2 } from '../../../../electron/adapters/rest/v2/read.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { AgreementId } from '../../../../shared/model/ids.ts';
import { actionsV1, actionsV2, collect, id, neverStops, openV1, openV2, REF } from '../desk.ts';
import { draftV1, draftV2, onePage } from '../drafts.ts';
import { sendV1, sendV2 } from '../sent.ts';

let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(() => demo.close());

describe('a difference between the APIs:', () => {
  it('SIGNED means partly for a v1 agreement, and fully for a party of either API (TX-01)', () => {
    const party = { id: 'p', type: 'PRIVATE', state: 'SIGNED' };
    const v1 = { id: AgreementId.parse('a'), state: 'SIGNED', parties: [party] };
    expect(readAgreementV1(v1, null)).toMatchObject({
      state: 'part-signed',
      parties: [{ state: 'signed' }],
    });
    const privates = [{ name: 'Åsa Öberg', status: 'SIGNED' }];
    const v2 = { referenceNumber: AgreementId.parse('7'), status: 'POSTED', parties: { privates } };
    expect(readAgreementV2(v2, null)).toMatchObject({
      state: 'part-signed',
      parties: [{ state: 'signed' }],
    });
  });

  it('revoking is a GET in v1 and a PUT in v2 (TX-01)', async () => {
    const v1 = await sendV1(demo);
    const v2 = await sendV2(demo);
    expect((await actionsV1(demo.v1Url).revoke(v1.id, neverStops)).kind).toBe('done');
    const first = demo.requests.at(-1)?.method;
    expect((await actionsV2(demo.v2Url).revoke(v2, neverStops)).kind).toBe('done');
    expect([first, demo.requests.at(-1)?.method]).toEqual(['GET', 'PUT']);
  });
});

it('a draft for one API is rejected by the adapter of the other API (TX-02)', async () => {
  const files = await onePage();
  const refusal = expect.objectContaining({
    failure: expect.objectContaining({ code: 'invalid' }),
  });
  expect(() => openV1(demo.v1Url).encodeCreate(draftV2(), files, REF)).toThrow(refusal);
  expect(() => openV2(demo.v2Url).encodeCreate(draftV1(), files, REF)).toThrow(refusal);
});

describe('a list of v2', () => {
  it('is never requested without a status, which determines the date that is compared (T2-22)', async () => {
    const before = demo.requests.length;
    await collect(openV2(demo.v2Url).changes(null, neverStops));
    await collect(actionsV2(demo.v2Url).select({ status: 'CLOSED' }, neverStops));
    const asked = demo.requests
      .slice(before)
      .map(({ url }) => new URL(url, demo.v2Url).searchParams.get('status'));
    expect(asked).toEqual(['MODIFIED', 'CLOSED']);
  });

  it('has no data that only the read of a single agreement returns (T2-28)', async () => {
    const sent = await sendV2(demo);
    const fault = demo.fault({
      path: /agreements\?/,
      do: {
        kind: 'mutate',
        change: (json) => {
          const body = json as { agreements: Record<string, unknown>[] };
          for (const item of body.agreements) delete item['parties'];
          return body;
        },
      },
    });
    const service = openV2(demo.v2Url);
    const [page] = await collect(service.changes(null, neverStops));
    fault.clear();
    expect(page?.items.find((one) => one.id === sent)).toMatchObject({ parties: null });
    expect((await service.read(id(sent), neverStops)).parties).toHaveLength(2);
  });
});
