import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NotificationPlace } from '../../../../electron/core/services/ports.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { rawAnswer, startRawServer, type RawServer } from '../../../support/raw-server.ts';
import { actionsV1, failureOf, id, neverStops, openV1, seen } from '../desk.ts';
import { sendV1 } from '../sent.ts';

let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(() => demo.close());

const SMS = [{ medium: 'SMS', address: '+46701740605' }] as const;

describe('a notification of a party', () => {
  it('is read with its recipients and the ETag for changing it', async () => {
    const place = await sendV1(demo);
    const { notification, etag } = await actionsV1(demo.v1Url).readNotification(place, neverStops);
    expect(notification).toMatchObject({
      id: place.notificationId,
      type: 'READY_TO_SIGN',
      recipients: [{ medium: 'EMAIL', address: 'asa@example.com' }],
    });
    expect(etag).toBe(place.etag);
  });

  it('gets new recipients as a bare list, and the answer has the next ETag (T1-78)', async () => {
    const place = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    const result = await actions.replaceRecipients(place, SMS, place.etag, neverStops);
    const bytes = new TextEncoder().encode(JSON.stringify(SMS));
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    expect(demo.requests.at(-1)?.bodySha256).toBe(Buffer.from(digest).toString('hex'));
    const after = await actions.readNotification(place, neverStops);
    expect(after.notification.recipients).toEqual(SMS);
    expect(result.kind === 'done' ? result.etag : result.kind).toBe(after.etag);
  });

  it('has no recipients when the list is empty (T1-78)', async () => {
    const place = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    const result = await actions.replaceRecipients(place, [], place.etag, neverStops);
    expect(result.kind).toBe('done');
    const after = await actions.readNotification(place, neverStops);
    expect(after.notification.recipients ?? []).toEqual([]);
  });

  it('is deleted with status 204, whose answer has the next ETag (T1-74)', async () => {
    const place = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    const result = await actions.silence(place, place.etag, neverStops);
    expect(demo.requests.at(-1)?.status).toBe(204);
    const read = await openV1(demo.v1Url).read(place.id, neverStops);
    expect(result.kind === 'done' ? result.etag : result.kind).toBe(read.etag);
    expect(await failureOf(actions.readNotification(place, neverStops))).toMatchObject({
      code: 'not-found',
    });
  });

  it('is reported as missing if another user deleted it (T1-72)', async () => {
    const place = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    demo.fault({ method: 'PUT', path: /recipients$/, do: { kind: 'status', status: 412 } });
    await actions.silence(place, place.etag, neverStops);
    const result = await actions.replaceRecipients(place, SMS, place.etag, neverStops);
    expect(result).toMatchObject({
      kind: 'changed',
      fresh: { ok: true, value: { notification: null, agreement: { id: place.id } } },
    });
  });
});

describe('reminding a party', () => {
  it('sends an empty JSON object with its content type, and accepts status 202 (T1-79)', async () => {
    const place = await sendV1(demo);
    const result = await actionsV1(demo.v1Url).remind(place, neverStops);
    expect(result).toMatchObject({ kind: 'done', reply: null });
    expect(demo.requests.at(-1)).toMatchObject({ status: 202, bodyBytes: 2 });
    expect(demo.requests.at(-1)?.headers['content-type']).toBe('application/json');
  });

  it('is never repeated automatically, since its outcome cannot be checked (T1-79)', async () => {
    const place = await sendV1(demo);
    const fault = demo.fault({ path: /\/notify$/, times: 9, do: { kind: 'reset-after' } });
    const result = await actionsV1(demo.v1Url).remind(place, neverStops);
    fault.clear();
    expect(result.kind).toBe('unknown');
    expect(seen(demo, new RegExp(`${place.id}.*/notify$`))).toHaveLength(1);
  });

  it('lets the service decide whether the party may be reminded (T1-80)', async () => {
    const place = await sendV1(demo);
    demo.act('v1', place.id, 'sign-others');
    expect(await actionsV1(demo.v1Url).remind(place, neverStops)).toMatchObject({
      kind: 'refused',
      failure: { code: 'invalid' },
    });
  });
});

describe('the ETag for a change of a notification', () => {
  const place: NotificationPlace = { id: id('x'), partyId: 'p', notificationId: 'n' };
  const bodies = {
    agreement: '{"data":{"id":"x","state":"SIGNED"}}',
    notification: '{"data":{"id":"n","type":"SIGNED","recipients":[]}}',
  };

  /** Starts a service with these ETags, which accepts a change only with the ETag `accepted`. */
  function serve(accepted: string, tags: typeof bodies): Promise<RawServer> {
    return startRawServer((request) => {
      const [method = '', path = ''] = request.split(' ');
      const answer = (status: string, body: string, etag: string) =>
        rawAnswer(status, 'application/json', body).replace(
          '\r\n\r\n',
          `\r\nETag: ${etag}\r\n\r\n`,
        );
      const isNotification = path.includes('/notifications/');
      if (method === 'GET') {
        return isNotification
          ? answer('200 OK', bodies.notification, tags.notification)
          : answer('200 OK', bodies.agreement, tags.agreement);
      }
      const isMatch = request.toLowerCase().includes(`if-match: ${accepted.toLowerCase()}\r\n`);
      return isMatch ? answer('200 OK', '{}', '"next"') : answer('412 No', '{"message":"No"}', '');
    });
  }

  it.each([
    ["the notification's", '"n-2"'],
    ["the agreement's", '"a-7"'],
  ])(
    'is found if the service accepts %s ETag: at the latest, the second attempt sends it (T1-75)',
    async (_name, accepted) => {
      const server = await serve(accepted, { agreement: '"a-7"', notification: '"n-2"' });
      const actions = actionsV1(server.origin);
      const { etag } = await actions.readNotification(place, neverStops);
      const first = await actions.replaceRecipients(place, [], etag ?? '', neverStops);
      const next = first.kind === 'changed' && first.fresh.ok ? first.fresh.value.etag : null;
      const last =
        first.kind === 'done'
          ? first
          : await actions.replaceRecipients(place, [], next ?? '', neverStops);
      await server.close();
      expect(last).toMatchObject({ kind: 'done', etag: '"next"' });
      expect(first.kind).toBe(accepted === '"n-2"' ? 'done' : 'changed');
    },
  );

  it("is the notification's new ETag if the notification has changed (T1-75)", async () => {
    const server = await serve('"n-2"', { agreement: '"a-7"', notification: '"n-2"' });
    const result = await actionsV1(server.origin).silence(place, '"n-1"', neverStops);
    await server.close();
    expect(result).toMatchObject({
      kind: 'changed',
      fresh: { ok: true, value: { etag: '"n-2"', notification: { etag: '"n-2"' } } },
    });
  });
});
