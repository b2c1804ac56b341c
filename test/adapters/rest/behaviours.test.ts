import { afterEach, describe, expect, it } from 'vitest';
import type { SignRequest } from '../../../electron/core/ports.ts';
import type { Behaviour } from '../../../electron/demo/server/behaviour.ts';
import type { FaultAction } from '../../../electron/demo/server/faults.ts';
import { startDemo, type Demo, type DemoOptions } from '../../../electron/demo/start.ts';
import {
  REF,
  SHORT,
  actionsV1,
  all,
  createTestPorts,
  failureOf,
  id,
  neverStops,
  openV1,
  openV2,
  pagesOf,
  seen,
} from './desk.ts';
import { draftV1, draftV2, onePage } from './drafts.ts';
import { sendV1, sendV2 } from './sent.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const SMS = [{ medium: 'SMS', address: '+46701740605' }] as const;
let demo: Demo;

afterEach(() => demo.close());

async function behave(behaviour: Partial<Behaviour>, more: Partial<DemoOptions> = {}) {
  demo = await startDemo({
    dataDir: null,
    seed: 'none',
    counterpartDelayMs: null,
    behaviour,
    ...more,
  });
}

describe('pages of v1', () => {
  it.each([
    [0, 3],
    [0, 1],
    [1, 3],
    [1, 1],
    [1, 100],
  ] as const)(
    'are all read when they count from %i and hold at most %i (T1-17)',
    async (firstPage, pageCap) => {
      await behave({ firstPage, pageCap });
      const sent: string[] = [];
      for (let made = 0; made < 4; made += 1) sent.push((await sendV1(demo)).id);
      const pages = await pagesOf(openV1(demo.v1Url));
      expect(pages).toHaveLength(Math.ceil(4 / pageCap));
      const ids = pages.flatMap(({ items }) => items.map((item) => item.id));
      expect(ids.toSorted()).toEqual(sent.toSorted());
    },
  );

  it.each([0, 1] as const)(
    'are empty for an empty account that counts from %i (T1-17)',
    async (n) => {
      await behave({ firstPage: n });
      expect(await pagesOf(openV1(demo.v1Url))).toMatchObject([{ items: [], total: 0 }]);
    },
  );
});

describe('rejections by v1', () => {
  const shapes = ['json-api', 'nested', 'rfc9457', 'spring', 'plain', 'html', 'empty'] as const;
  const speaking = ['json-api', 'nested', 'rfc9457', 'spring', 'plain'];

  it.each(shapes)(
    'in the form %s are recognised by their status when reading (T1-06)',
    async (errors) => {
      await behave({ errors });
      const failure = await failureOf(openV1(demo.v1Url).read(id('nobody'), neverStops));
      // A web page may come from a gateway, so it does not prove that the agreement is missing.
      expect(failure.code).toBe(errors === 'html' ? 'service' : 'not-found');
    },
  );

  it.each(shapes)(
    'of a create request in the form %s show that nothing was created, or leave that unknown',
    async (errors) => {
      await behave({ errors });
      const service = openV1(demo.v1Url);
      const body = service.encodeCreate(draftV1({ title: '' }), await onePage(), REF);
      const result = await service.create(body, neverStops);
      // A web page or an empty answer may come from a gateway although the service succeeded.
      expect(result.kind).toBe(speaking.includes(errors) ? 'refused' : 'unknown');
      expect(demo.agreements.v1()).toEqual([]);
    },
  );

  it('name the invalid field if their form has a part for it (T1-06)', async () => {
    await behave({ errors: 'json-api' });
    const service = openV1(demo.v1Url);
    const body = service.encodeCreate(draftV1({ title: '' }), await onePage(), REF);
    const result = await service.create(body, neverStops);
    expect(result.kind === 'done' ? {} : result.failure.fields).toHaveProperty('title');
  });
});

describe('a change of a notification', () => {
  it.each(['agreement', 'notification'] as const)(
    "succeeds with the ETag read right before it, if the service uses the %s's ETag (T1-75)",
    async (etagOwner) => {
      await behave({ etagOwner });
      const place = await sendV1(demo);
      const actions = actionsV1(demo.v1Url);
      const { etag } = await actions.readNotification(place, neverStops);
      const first = await actions.replaceRecipients(place, SMS, etag ?? '', neverStops);
      expect(first.kind).toBe('done');
      const next = first.kind === 'done' ? first.etag : null;
      expect((await actions.silence(place, next ?? '', neverStops)).kind).toBe('done');
    },
  );

  it.each(['agreement', 'notification'] as const)(
    "with an old ETag shows the current data, and then succeeds with the %s's new ETag (T1-75)",
    async (etagOwner) => {
      await behave({ etagOwner });
      const place = await sendV1(demo);
      const actions = actionsV1(demo.v1Url);
      const stale = await actions.replaceRecipients(place, SMS, '"old"', neverStops);
      if (stale.kind !== 'changed' || !stale.fresh.ok) throw new Error(stale.kind);
      const { etag, notification } = stale.fresh.value;
      expect(notification?.notification.recipients).toMatchObject([{ medium: 'EMAIL' }]);
      const again = await actions.replaceRecipients(place, SMS, etag ?? '', neverStops);
      expect(again.kind).toBe('done');
    },
  );
});

describe('a signature of our company on v2', () => {
  async function sign(accountIdOnSign: Behaviour['accountIdOnSign'], accountId: string | null) {
    await behave({ accountIdOnSign });
    const agreementId = await sendV2(demo);
    const service = openV2(demo.v2Url, { accountId });
    const signer = {
      firstName: 'Karin',
      lastName: 'Lindqvist',
      personNumber: '198507099805',
      country: 'SE',
      email: null,
      mobile: null,
      orgNo: '5599990008',
    };
    const body = service.encodeSign(signer, Date.now() - HOUR);
    const request: SignRequest = {
      agreementId,
      partyId: '5599990008',
      configurationId: 'company',
      body,
    };
    const result = await service.sign(request, neverStops);
    const { parties } = await service.read(agreementId, neverStops);
    const isSigned = parties?.some(({ state }) => state === 'signed') ?? false;
    return { kind: result.kind, isSigned, requests: seen(demo, /\/sign$/).length };
  }

  it.each([
    ['required', '1001', 'done'],
    ['required', null, 'turned-away'],
    ['ignored', '1001', 'done'],
    ['ignored', null, 'done'],
    ['forbidden', '1001', 'refused'],
    ['forbidden', null, 'done'],
  ] as const)(
    'with accountId %s, sent with %s, is %s and never sent twice (T2-08)',
    async (mode, accountId, kind) => {
      expect(await sign(mode, accountId)).toEqual({ kind, isSigned: kind === 'done', requests: 1 });
    },
  );
});

describe('times of v2', () => {
  it.each([
    ['Europe/Stockholm', 0],
    ['+01:00', -1],
    ['UTC', -2],
  ] as const)(
    'given in the zone %s keep their text and their order (T2-12)',
    async (v2Zone, hours) => {
      const clock = { at: Date.UTC(2026, 6, 1, 10) };
      await behave({ v2Zone }, { now: () => clock.at });
      const first = await sendV2(demo);
      clock.at += 1000;
      const second = await sendV2(demo);
      const items = await all(openV2(demo.v2Url, { ports: createTestPorts(() => clock.at) }));
      expect(items.map((item) => item.id)).toEqual([second, first]);
      const [late, early] = items.map(({ sentAt }) => sentAt ?? 0);
      expect((late ?? 0) - (early ?? 0)).toBe(1000);
      expect(early).toBe(Date.UTC(2026, 6, 1, 10 + hours));
      const wall = `2026-07-01 ${String(12 + hours)}:00:00`;
      expect(items[1]?.native).toContain(wall);
    },
  );

  const nights = [
    ['a summer day', Date.UTC(2026, 6, 1, 10)],
    ['midnight in Sweden', Date.UTC(2026, 0, 31, 23)],
    ['the start of summer time', Date.UTC(2026, 2, 29, 1)],
    ['the first of the two equal hours in October', Date.UTC(2026, 9, 25, 0, 30)],
    ['the second of the two equal hours in October', Date.UTC(2026, 9, 25, 1, 30)],
  ] as const;
  const zones = ['Europe/Stockholm', '+01:00', 'UTC'] as const;
  const cases = nights.flatMap(([name, at]) => zones.map((zone) => [name, zone, at] as const));

  it.each(cases)(
    'find all changes after %s, even if the service reads CET as %s (T2-23)',
    async (_name, v2FilterZone, at) => {
      const clock = { at };
      await behave({ v2FilterZone }, { now: () => clock.at });
      const service = openV2(demo.v2Url, { ports: createTestPorts(() => clock.at) });
      const since = (await pagesOf(service))[0]?.serverTime ?? null;
      clock.at += 1000;
      const sent = await sendV2(demo);
      clock.at += 1000;
      expect((await all(service, since)).map((item) => item.id)).toEqual([sent]);
    },
  );
});

describe('delayed data of a service', () => {
  it.each([
    ['stores an agreement after its answer', { commitDelayMs: 60_000 }],
    ['lists new agreements late', { listLagMs: 60_000 }],
  ] as const)('is found by a later reading if the service %s', async (_name, behaviour) => {
    const clock = { at: Date.UTC(2026, 6, 1, 10) };
    await behave(behaviour, { now: () => clock.at });
    const ports = createTestPorts(() => clock.at);
    const services = [openV1(demo.v1Url, { ports }), openV2(demo.v2Url, { ports })] as const;
    const [v1, v2] = services;
    await v1.create(v1.encodeCreate(draftV1(), await onePage(), REF), neverStops);
    await v2.create(v2.encodeCreate(draftV2(), await onePage(), REF), neverStops);
    for (const service of services) {
      const [page] = await pagesOf(service);
      expect(page?.items).toEqual([]);
      clock.at += MINUTE;
      expect(await all(service, page?.serverTime ?? null)).toHaveLength(1);
      clock.at -= MINUTE;
    }
  });
});

describe('faulty answers of the service', () => {
  const list = /agreements\?/;
  const CREATE = /\/agreements$/;
  const ill: readonly (readonly [string, FaultAction])[] = [
    ['a declared length that is too small', { kind: 'wrong-length', by: -10 }],
    ['a declared length that is too large', { kind: 'wrong-length', by: 10 }],
    ['a wrong content type', { kind: 'wrong-type', contentType: 'text/html' }],
    ['single bytes that never end', { kind: 'drip', bytes: 1, everyMs: 50 }],
  ];

  it.each(ill)('with %s make the reading of a list fail', async (_name, action) => {
    await behave({});
    demo.fault({ path: list, times: 9, do: action });
    const failure = await failureOf(pagesOf(openV1(demo.v1Url, { deadlines: SHORT })));
    expect(['service', 'offline']).toContain(failure.code);
  });

  it.each([...ill, ['a reset in the middle', { kind: 'reset-during' }] as const])(
    'with %s leave a create request of unknown outcome, which is not repeated (T1-60)',
    async (_name, action) => {
      await behave({});
      const fault = demo.fault({ method: 'POST', path: CREATE, times: 9, do: action });
      const service = openV2(demo.v2Url, { deadlines: SHORT });
      const body = service.encodeCreate(draftV2(), await onePage(), REF);
      expect((await service.create(body, neverStops)).kind).toBe('unknown');
      await expect.poll(() => demo.agreements.v2()).toHaveLength(1);
      expect(fault.hits()).toBe(1);
    },
  );

  it('that arrive slowly are read if they end before the timeout', async () => {
    await behave({});
    const sent = await sendV2(demo);
    demo.fault({ path: list, do: { kind: 'drip', bytes: 100, everyMs: 1 } });
    expect((await all(openV2(demo.v2Url))).map((item) => item.id)).toEqual([sent]);
  });
});
