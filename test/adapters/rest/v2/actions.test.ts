import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionsV2, Rejection } from '../../../../electron/core/services/ports.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import type { AgreementId } from '../../../../shared/model/ids.ts';
import { parseV2Time } from '../../../../shared/rules/time/wire-time.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { actionsV2, all, collect, failureOf, id, neverStops, openV2, seen } from '../desk.ts';
import { sendV2 } from '../sent.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

const PERSON = '198507099805';
const COMPANY = '5599990008';
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
});
afterAll(() => demo.close());

const actions = () => actionsV2(demo.v2Url);
const reject = (side: ActionsV2, reference: AgreementId, rejection: Rejection) =>
  side.reject(reference, side.encodeReject(rejection), neverStops);
const stateOf = async (reference: string) =>
  (await openV2(demo.v2Url).read(id(reference), neverStops)).state;

/** Returns the JSON body of the next request to a service that answers with `reply`. */
async function bodyOf(
  reply: object,
  send: (url: string) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const server = await startRawServer(() =>
    rawAnswer('200 OK', 'application/json', JSON.stringify(reply)),
  );
  await send(`${server.origin}/v2`);
  await server.close();
  return JSON.parse(server.received[0]?.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>;
}

describe('revoking on v2', () => {
  it('is a PUT whose answer has the time of the revocation (T2-63)', async () => {
    const reference = await sendV2(demo);
    const asked = Date.now();
    const result = await actions().revoke(reference, neverStops);
    expect(demo.requests.at(-1)?.method).toBe('PUT');
    expect(result).toMatchObject({ kind: 'done', reply: { nativeState: 'REVOKED' } });
    expect(result.kind === 'done' ? result.reply.revokedAt : 0).toBeGreaterThan(asked - 1000);
  });

  it('a second time is rejected with the text of the service (T2-03)', async () => {
    const reference = await sendV2(demo);
    await actions().revoke(reference, neverStops);
    const result = await actions().revoke(reference, neverStops);
    expect(result).toMatchObject({ kind: 'refused', failure: { code: 'forbidden' } });
    expect(result.kind === 'refused' ? result.failure.message : '').toContain('is not allowed');
  });

  it.each([
    ['another agreement', { referenceNumber: 'other', status: 'REVOKED' }],
    ['an agreement that is still open', { status: 'POSTED' }],
  ])('has an unknown outcome if the answer is about %s', async (_name, change) => {
    const reference = await sendV2(demo);
    const body = { referenceNumber: reference, ...change };
    demo.fault({ path: /\/revoke$/, do: { kind: 'mutate', change: () => body } });
    expect((await actions().revoke(reference, neverStops)).kind).toBe('unknown');
  });
});

describe('deleting on v2', () => {
  it('is done despite a plain text answer, which is returned unchanged (T2-02)', async () => {
    const reference = await sendV2(demo);
    demo.act('v2', reference, 'reject');
    const result = await actions().remove(reference, neverStops);
    const reply = `Agreement ${reference} has been deleted.`;
    expect(result).toMatchObject({ kind: 'done', reply });
    expect(demo.agreements.v2().map((one) => one.referenceNumber)).not.toContain(reference);
  });

  it('is possible only for rejected agreements; any other request is rejected before it is sent (T2-64)', async () => {
    expect(actions().can.removable).toEqual(['rejected']);
    const reference = await sendV2(demo);
    expect(await actions().remove(reference, neverStops)).toMatchObject({
      kind: 'refused',
      failure: { code: 'forbidden' },
    });
  });
});

describe('rejecting for a party', () => {
  it('sends the person, and the company only for a company (T2-62)', async () => {
    const reply = { referenceNumber: '7' };
    const person = { partyType: 'PRIVATE', personNo: PERSON } as const;
    const company = { partyType: 'COMPANY', personNo: PERSON, orgNo: COMPANY } as const;
    for (const rejection of [person, company]) {
      const sent = await bodyOf(reply, (url) => reject(actionsV2(url), id('7'), rejection));
      expect(sent).toEqual(rejection);
    }
  });

  it('rejects the agreement; a second rejection fails (T2-62)', async () => {
    const reference = await sendV2(demo);
    const rejection = { partyType: 'PRIVATE', personNo: PERSON } as const;
    expect(await reject(actions(), reference, rejection)).toMatchObject({
      kind: 'done',
      reply: null,
    });
    expect(await stateOf(reference)).toBe('rejected');
    const again = await reject(actions(), reference, rejection);
    expect(again).toMatchObject({ kind: 'refused', failure: { code: 'forbidden' } });
    expect(again.kind === 'refused' ? again.failure.message : '').toContain('is not allowed');
  });

  it('contains no personal number in its text', async () => {
    const reference = await sendV2(demo);
    const body = JSON.stringify({ message: `${PERSON} is nobody` });
    demo.fault({ path: /\/reject$/, do: { kind: 'status', status: 403, body } });
    const rejection = { partyType: 'PRIVATE', personNo: PERSON } as const;
    const output = JSON.stringify(await reject(actions(), reference, rejection));
    expect(output).toContain('is nobody');
    expect(output).not.toContain(PERSON);
  });
});

describe('sharing on v2', () => {
  const person = { type: 'PERSON', personNo: PERSON } as const;
  const company = { type: 'ORGANIZATION', orgNo: COMPANY } as const;
  const mail = { email: 'asa@example.com' };

  it.each([
    [
      { with: person, ...mail, message: null, until: null },
      { shareWithType: 'PERSON', personNo: PERSON, ...mail, shareType: 'PERMANENT' },
    ],
    [
      { with: company, ...mail, message: 'Hej', until: '2030-12-31' },
      {
        shareWithType: 'ORGANIZATION',
        orgNo: COMPANY,
        ...mail,
        message: 'Hej',
        shareType: 'TILL_DATE',
        date: '2030-12-31',
      },
    ],
  ] as const)(
    'sends %j without the keys of the other kind of recipient or duration (T2-65)',
    async (sharing, body) => {
      const sent = await bodyOf({ referenceNumber: '7', shareType: 'permanent' }, (url) =>
        actionsV2(url).share(id('7'), sharing, neverStops),
      );
      expect(sent).toEqual(body);
    },
  );

  it('reads the answer, whose words for the duration differ from the request (T2-65)', async () => {
    const reference = await sendV2(demo);
    const sharing = { with: person, ...mail, message: null };
    const permanent = await actions().share(reference, { ...sharing, until: null }, neverStops);
    expect(permanent).toMatchObject({ kind: 'done', reply: { kind: 'permanent' } });
    const day = '2099-12-31';
    const till = await actions().share(reference, { ...sharing, until: day }, neverStops);
    expect(till).toMatchObject({ kind: 'done', reply: { kind: 'until', day } });
  });

  it('keeps unknown values (T2-65)', async () => {
    const reference = await sendV2(demo);
    const body = { referenceNumber: reference, shareType: 'for ever' };
    demo.fault({ path: /\/share$/, do: { kind: 'mutate', change: () => body } });
    const sharing = { with: person, ...mail, message: null, until: null };
    expect(await actions().share(reference, sharing, neverStops)).toMatchObject({
      kind: 'done',
      reply: { kind: 'other', text: 'for ever' },
    });
  });
});

describe('the acting user of v2', () => {
  it('is sent with revoke, delete and share, and with nothing else (T2-08)', async () => {
    const reference = await sendV2(demo);
    const nobody = actionsV2(demo.v2Url, { accountId: null });
    const before = demo.requests.length;
    const sharing = {
      with: { type: 'PERSON', personNo: PERSON },
      email: 'asa@example.com',
      message: null,
      until: null,
    } as const;
    for (const result of [
      await nobody.revoke(reference, neverStops),
      await nobody.remove(reference, neverStops),
      await nobody.share(reference, sharing, neverStops),
    ]) {
      expect(result).toMatchObject({
        kind: 'not-sent',
        failure: {
          reason: 'credential-blank',
          fields: { accountId: expect.any(String) as string },
        },
      });
    }
    expect(demo.requests.length).toBe(before);
    await actions().share(reference, sharing, neverStops);
    expect(demo.requests.at(-1)?.headers['accountid']).toBe(demo.credentials.accountId);
    await reject(actions(), reference, { partyType: 'PRIVATE', personNo: PERSON });
    expect(demo.requests.at(-1)?.headers).not.toHaveProperty('accountid');
  });
});

describe('the address of a v2 agreement', () => {
  it('ends in .xml only for the request for XML (T2-11)', async () => {
    const reference = await sendV2(demo);
    const service = openV2(demo.v2Url);
    const before = demo.requests.length;
    await service.read(reference, neverStops);
    await all(service);
    await actions().raw(reference, 'json', neverStops);
    await actions().extras(reference, neverStops);
    await actions().fieldValues(reference, neverStops);
    await actions().uploads.list(neverStops);
    await actions().revoke(reference, neverStops);
    await actions().remove(reference, neverStops);
    const urls = demo.requests.slice(before).map(({ url }) => url);
    expect(urls.filter((url) => url.includes(reference)).length).toBeGreaterThan(5);
    for (const url of urls) expect(url).not.toContain('.xml');
    await actions().raw(reference, 'xml', neverStops);
    expect(demo.requests.at(-1)?.url).toMatch(new RegExp(`/agreements/${reference}\\.xml$`));
  });

  it('requests JSON also when a reference ends in .xml (T2-11)', async () => {
    const reply = JSON.stringify({ referenceNumber: '7.xml', status: 'POSTED' });
    const server = await startRawServer(() => rawAnswer('200 OK', 'application/json', reply));
    const one = await openV2(`${server.origin}/v2`).read(id('7.xml'), neverStops);
    await actionsV2(`${server.origin}/v2`).revoke(id('7.xml'), neverStops);
    await server.close();
    expect(one.id).toBe('7.xml');
    const asked = server.received.map((text) => text.split(' ', 2).join(' '));
    expect(asked).toEqual(['GET /v2/agreements/7%2Exml', 'PUT /v2/agreements/7%2Exml/revoke']);
  });
});

describe('the values of a v2 template agreement', () => {
  it('include the ID of the template, and booleans as booleans', async () => {
    const reference = await sendV2(demo, {
      type: 'DYNAMIC_PDF',
      dynamicPdf: {
        templateId: '70001',
        fields: [
          { name: 'tenant', value: 'Åsa Öberg' },
          { name: 'parking', value: true },
        ],
      },
    });
    expect(await actions().fieldValues(reference, neverStops)).toEqual({
      templateId: '70001',
      fields: [
        { name: 'tenant', value: 'Åsa Öberg' },
        { name: 'parking', value: true },
      ],
    });
  });

  it('are empty for an agreement of another kind, for which the API answers 400 (T2-68)', async () => {
    expect(await actions().fieldValues(await sendV2(demo), neverStops)).toBeNull();
    expect(demo.requests.at(-1)?.status).toBe(400);
  });

  it('are not empty when a gateway answers 400 (T2-68)', async () => {
    const say = { kind: 'status', status: 400, contentType: 'text/html', body: '<p>No' } as const;
    demo.fault({ path: /\/fields$/, do: say });
    const failure = await failureOf(actions().fieldValues(id('7'), neverStops));
    expect(failure).toMatchObject({ code: 'service', reason: 'not-json' });
  });
});

describe('the server-side selections of v2', () => {
  it('always send both ends, as Swedish wall times (T2-24)', async () => {
    const at = parseV2Time('2026-05-01 00:00:00') ?? 0;
    const before = demo.requests.length;
    await collect(actions().select({ status: 'CLOSED', from: at, to: at + DAY }, neverStops));
    await collect(actions().select({ status: 'NOT_SIGNED' }, neverStops));
    const queries = demo.requests
      .slice(before)
      .map(({ url }) => new URL(url, demo.v2Url).searchParams);
    expect(queries[0]?.get('from')).toBe('2026-05-01 00:00:00');
    expect(queries[0]?.get('to')).toBe('2026-05-02 00:00:00');
    expect(queries.at(-1)?.get('from')).toMatch(/^2000-01-01 /);
    expect(queries.every((query) => query.has('to'))).toBe(true);
  });

  it('find the agreements of a template, and none for an unused one (T2-29)', async () => {
    const find = async (templateId: string) =>
      (await collect(actions().select({ status: 'ALL', templateId }, neverStops))).flatMap(
        ({ items }) => items.map((item) => item.title),
      );
    expect((await find('70001')).length).toBeGreaterThan(0);
    expect(await find('99999')).toEqual([]);
  });

  it('exclude revoked agreements in every selection (T2-21)', async () => {
    const reference = await sendV2(demo);
    await actions().revoke(reference, neverStops);
    for (const status of ['NOT_SIGNED', 'CLOSED', 'REJECTED', 'MODIFIED', 'ALL'] as const) {
      const pages = await collect(actions().select({ status }, neverStops));
      expect(pages.flatMap(({ items }) => items.map((one) => one.id))).not.toContain(reference);
    }
    expect((await all(openV2(demo.v2Url))).map((one) => one.id)).not.toContain(reference);
  });
});

describe('a v2 change with a lost answer', () => {
  it('is sent once and has an unknown outcome, whatever its kind (T2-62)', async () => {
    const reference = await sendV2(demo);
    const fault = demo.fault({
      method: 'POST',
      path: /reject$/,
      times: 9,
      do: { kind: 'reset-after' },
    });
    const rejection = { partyType: 'PRIVATE', personNo: PERSON } as const;
    const result = await reject(actions(), reference, rejection);
    fault.clear();
    expect(result.kind).toBe('unknown');
    expect(seen(demo, new RegExp(`${reference}/reject$`))).toHaveLength(1);
    expect(await stateOf(reference)).toBe('rejected');
  });
});
