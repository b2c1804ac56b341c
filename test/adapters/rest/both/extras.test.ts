import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { parseV1Time, formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { actionsV1, actionsV2, all, failureOf, id, neverStops, openV1, openV2 } from '../desk.ts';
import { sendV1 } from '../sent.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

/** Every permitted value of `include` (API v1, "Fetch Agreement"). */
const INCLUDES = [
  ...['attachments', 'attachments.fields', 'parties', 'parties.notifications', 'parties.links'],
  ...['parties.signingConfigurations', 'parties.signingConfigurations.tbs'],
  ...['parties.signingResult', 'parties.rejectionResult'],
  ...['parties.identificationConfigurations', 'notifications', 'accessRights', 'links', 'tags'],
  ...['owner', 'owner.links'],
];
const PERSON = '198507099805';
const MOBILE = '+46701740605';
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
});
afterAll(() => demo.close());

describe('owner and rights of v1', () => {
  it('are read in lists and single reads, to distinguish our agreements from those of other users (T1-22)', async () => {
    const service = openV1(demo.v1Url);
    const items = await all(service);
    const of = (title: string) => items.find((one) => one.title === title);
    expect(of('Leieavtale Bjørnstad')?.access).toMatchObject({ sharedWith: 'NONE', rights: [] });
    const ours = of('Leieavtale Bjørnstad')?.access?.owner;
    const shared = of('Bergs avtal, delat med säljarna');
    expect(shared?.access).toMatchObject({
      sharedWith: 'CUSTOM',
      owner: { name: 'Jonas Berg' },
      rights: [
        { action: 'read', actorType: 'user', actorId: ours?.id },
        { action: 'delete', actorType: 'group' },
      ],
    });
    const read = await service.read(id(shared?.id ?? ''), neverStops);
    expect(read.access).toEqual(shared?.access);
  });
});

const remindOn = formatV1Time(Date.now() + 3 * DAY);

/** Sends an agreement with every optional part of v1. */
const everything = () =>
  sendV1(demo, {
    expireOn: formatV1Time(Date.now() + 9 * DAY),
    accessRights: [
      { type: 'GRANT_BY_NAME', actorType: 'group', actorName: 'Försäljning', action: 'read' },
    ],
    links: [{ type: 'WEBFLOW_SIGNING_SUCCEEDED', href: 'https://example.com/tack?a=1' }],
    notifications: [
      { type: 'SIGNED', recipients: [{ medium: 'WEBHOOK', address: 'https://example.com/hook' }] },
    ],
    parties: [
      { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] },
      {
        type: 'PRIVATE',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        country: 'SE',
        personNumber: PERSON,
        configurations: [{ type: 'NOTIFICATION', sendExpiryReminderOn: remindOn }],
        identificationConfigurations: [{ type: 'SMS_OTP', identifier: MOBILE }],
        signingConfigurations: [
          {
            type: 'EID',
            country: 'SE',
            identifier: PERSON,
            tbs: { sender: 'Lindqvist & Berg', description: 'Hyresavtal' },
          },
        ],
      },
    ],
  });

describe('additional v1 data of an agreement', () => {
  it('includes sharing, owner, return links and notifications', async () => {
    const place = await everything();
    const extras = await actionsV1(demo.v1Url).extras(place.id, neverStops);
    expect(extras).toMatchObject({
      sharedWith: 'CUSTOM',
      owner: { name: 'Karin Lindqvist', email: 'karin.lindqvist@example.com' },
      accessRights: [{ actorType: 'group', actorName: 'Försäljning', action: 'read' }],
      returnLinks: [{ href: 'https://example.com/tack?a=1' }],
      notifications: [{ type: 'SIGNED', recipients: [{ medium: 'WEBHOOK' }] }],
      documents: [{ id: place.attachmentId, fields: [] }],
      etag: place.etag,
    });
  });

  it('includes notification, identification, signing and reminder of each party', async () => {
    const place = await everything();
    const extras = await actionsV1(demo.v1Url).extras(place.id, neverStops);
    const party = extras.parties.find((one) => one.id === place.partyId);
    expect(party).toMatchObject({
      personNumber: '19850709••••',
      identifications: [{ type: 'SMS_OTP', identifier: '+4670174••••' }],
      methods: [{ type: 'EID', sender: 'Lindqvist & Berg', description: 'Hyresavtal' }],
      signedWith: null,
    });
    const reminder = party?.notifications?.find(({ type }) => type === 'EXPIRY_REMINDER');
    expect(reminder).toMatchObject({ sendsAt: parseV1Time(remindOn) });
  });

  it('hides personal numbers, phone numbers and links for signing (T1-89)', async () => {
    const place = await everything();
    const shown = JSON.stringify(await actionsV1(demo.v1Url).extras(place.id, neverStops));
    expect(shown).toContain('asa@example.com');
    for (const secret of [PERSON, MOBILE, 'sign.example.com']) expect(shown).not.toContain(secret);
  });

  it('is requested with every part and its parent, in lists and single reads (T1-24)', async () => {
    const { id: agreement, partyId } = await everything();
    const before = demo.requests.length;
    const actions = actionsV1(demo.v1Url);
    await actions.extras(agreement, neverStops);
    await actions.signingLink(agreement, partyId, neverStops);
    await openV1(demo.v1Url).read(agreement, neverStops);
    await all(openV1(demo.v1Url));
    const asked = demo.requests
      .slice(before)
      .map(({ url }) => new URL(url, demo.v1Url).searchParams.get('include')?.split(',') ?? []);
    expect(asked.filter((parts) => parts.length === 0)).toEqual([]);
    const within = (parts: readonly string[]) => parts.filter((one) => one.includes('.'));
    expect(asked.map((parts) => within(parts).length > 0)).not.toContain(false);
    for (const parts of asked) {
      const parents = within(parts).map((one) => one.slice(0, one.lastIndexOf('.')));
      expect(parts).toEqual(expect.arrayContaining(parents));
    }
  });

  it('includes how a party signed', async () => {
    const place = await everything();
    demo.act('v1', place.id, 'sign-all');
    const { parties } = await actionsV1(demo.v1Url).extras(place.id, neverStops);
    expect(parties.map(({ signedWith }) => signedWith).sort()).toEqual(['API', 'EID']);
  });

  it('keeps unknown values, and omits missing ones (T1-26)', async () => {
    const data = {
      id: 'x',
      sharedWith: 'SOME',
      owner: {},
      accessRights: [{ type: 'GRANT_BY_MOON', action: 'howl' }],
      parties: [{ id: 'p', notifications: [{ type: 'FORWARDED', sendOn: 'soon' }] }],
    };
    const server = await startRawServer(() =>
      rawAnswer('200 OK', 'application/json', JSON.stringify({ data })),
    );
    const extras = await actionsV1(server.origin).extras(id('x'), neverStops);
    await server.close();
    expect(extras).toMatchObject({
      sharedWith: 'SOME',
      owner: { name: '', email: null },
      accessRights: [{ type: 'GRANT_BY_MOON', action: 'howl', actorName: null }],
      returnLinks: null,
      notifications: null,
      parties: [{ id: 'p', methods: null, notifications: [{ type: 'FORWARDED', sendsAt: null }] }],
    });
  });
});

describe('optional parts of a v1 agreement', () => {
  it('are all requested by at least one read; the record includes the owner’s links (Q1-01)', async () => {
    const place = await everything();
    const actions = actionsV1(demo.v1Url);
    await actions.extras(place.id, neverStops);
    await actions.signingLink(place.id, place.partyId, neverStops);
    const asked = demo.requests
      .slice(-2)
      .map(({ url }) => new URL(url, demo.v1Url).searchParams.get('include') ?? '');
    expect(new Set(asked.join(',').split(','))).toEqual(new Set(INCLUDES));
    const record = await actions.raw(place.id, 'json', neverStops);
    expect(record).toMatch(/"owner": ?\{[^}]*"links"/);
  });
});

describe("a party's link for signing", () => {
  it('is requested by a separate call, and is not logged (T1-89)', async () => {
    const place = await everything();
    const link = await actionsV1(demo.v1Url).signingLink(place.id, place.partyId, neverStops);
    expect(link).toMatch(/^https:\/\/sign\.example\.com\/./);
    expect(decodeURIComponent(demo.requests.at(-1)?.url ?? '')).toMatch(
      /include=parties,parties\.links$/,
    );
  });

  it('is not found for an unknown party', async () => {
    const { id: agreement } = await everything();
    const call = actionsV1(demo.v1Url).signingLink(agreement, 'nobody', neverStops);
    expect(await failureOf(call)).toMatchObject({ code: 'not-found' });
  });
});

describe('additional v2 data of an agreement', () => {
  it('is the signature evidence, without addresses, numbers and proofs (T2-70)', async () => {
    const signed = (await all(openV2(demo.v2Url))).filter(({ native }) =>
      native.includes('signatureMetadata'),
    );
    const first = id(signed[0]?.id ?? '');
    const { parties } = await actionsV2(demo.v2Url).extras(first, neverStops);
    const evidence = parties.find((party) => party.evidence !== null)?.evidence;
    expect(evidence).toMatchObject({
      clientIpAddress: '••••',
      hasSignature: true,
      hasOcsp: true,
      certNotValidAfter: expect.stringMatching(/^\d{4}-\d\d-\d\d/) as string,
    });
    const ids = signed[0]?.parties?.map((party) => party.id);
    expect(parties.map((party) => party.id)).toEqual(ids);
    expect(JSON.stringify(parties)).not.toMatch(/192\.0\.2|\d{8}-?\d{4}/);
  });
});

describe('the raw text of an agreement', () => {
  it('is the original v1 JSON, without links for signing (T1-89)', async () => {
    const place = await everything();
    const text = await actionsV1(demo.v1Url).raw(place.id, 'json', neverStops);
    expect(JSON.parse(text)).toMatchObject({ data: { id: place.id, sharedWith: 'CUSTOM' } });
    expect(text).toContain(PERSON);
    expect(text).not.toContain('sign.example.com');
  });

  it('is available in XML only for v2, from a separate address', async () => {
    const [agreement] = await all(openV2(demo.v2Url));
    const reference = id(agreement?.id ?? '');
    const actions = actionsV2(demo.v2Url);
    const xml = await actions.raw(reference, 'xml', neverStops);
    expect(xml).toContain(`<referenceNumber>${reference}</referenceNumber>`);
    expect(demo.requests.at(-1)?.headers['accept']).toBe('application/xml');
    const text = await actions.raw(reference, 'json', neverStops);
    expect(JSON.parse(text)).toMatchObject({ referenceNumber: reference });
    const call = actionsV1(demo.v1Url).raw(reference, 'xml', neverStops);
    expect(await failureOf(call)).toMatchObject({ code: 'invalid' });
  });

  it('is replaced by the reason of the service if the service rejects the XML request', async () => {
    const call = actionsV2(demo.v2Url).raw(id('000000000001'), 'xml', neverStops);
    const failure = await failureOf(call);
    expect(failure).toMatchObject({ code: 'not-found' });
    expect(failure.message).toContain('Nothing was found.');
  });

  it('is never parsed as XML: entities and document types stay text', async () => {
    const xml = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>';
    const server = await startRawServer(() => rawAnswer('200 OK', 'application/xml', xml));
    const text = await actionsV2(`${server.origin}/v2`).raw(id('1'), 'xml', neverStops);
    await server.close();
    expect(text).toBe(xml);
  });

  it.each([
    ['a web page', 'text/html', '<title>Log in</title>', 'answer-mismatch'],
    ['more than 4 MiB', 'application/xml', 'x'.repeat(4 * 1024 * 1024 + 1), 'too-large'],
  ])('is rejected if the answer is %s', async (_name, type, body, reason) => {
    const server = await startRawServer(() => rawAnswer('200 OK', type, body));
    const call = actionsV2(`${server.origin}/v2`).raw(id('1'), 'xml', neverStops);
    const failure = await failureOf(call);
    await server.close();
    expect(failure).toMatchObject({ code: 'service', reason });
  });
});
