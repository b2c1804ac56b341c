import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createOpenActions,
  createOpenService,
} from '../../../../electron/adapters/rest/open-service.ts';
import { type Demo, startDemo } from '../../../../electron/demo/start.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { all, collect, createTestPorts, id, neverStops } from '../desk.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const ATTACHMENT = /attachments\/[^/]+\/download$/;
/** Answer that lacks the required fields of an agreement. */
const EMPTY = new TextEncoder().encode('{}');

let demo: Demo;
/** Recorded times of the service's clock. */
let heard: (number | null)[];

beforeAll(async () => {
  const now = () => NOON;
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null, now });
});
beforeEach(() => {
  heard = [];
});
afterAll(() => demo.close());

function open(api: 'v1' | 'v2') {
  const { token, accessKey, accountId } = demo.credentials;
  const where = { orgNo: null, environment: 'test' } as const;
  const [connection, secret] =
    api === 'v1'
      ? ([{ ...where, api, url: demo.v1Url, accountId: null }, token] as const)
      : ([{ ...where, api, url: demo.v2Url, accountId }, accessKey] as const);
  const ports = createTestPorts();
  const hear = (serverTime: number | null) => void heard.push(serverTime);
  return {
    service: createOpenService(ports)(connection, secret, hear),
    actions: createOpenActions(ports)(connection, secret, hear),
    deaf: createOpenService(ports)(connection, secret, () => {
      throw new Error('The disk is full');
    }),
    logged: ports.logged,
  };
}

describe.each(['v1', 'v2'] as const)('the clock of a service of API %s', (api) => {
  const unknown = id(api === 'v1' ? '0b7ad0a2-1f6f-4a3e-9c8e-1f2f3a4b5c6d' : '999999');

  it('is read from each page of a list (DL-P5)', async () => {
    await all(open(api).service);
    expect(new Set(heard)).toEqual(new Set([NOON]));
  });

  it('is read from a rejected write (DL-P5)', async () => {
    await open(api).service.create(EMPTY, neverStops);
    expect(heard).toEqual([NOON]);
  });

  it('is read from every answer to an action (DL-P5)', async () => {
    await open(api).actions.revoke(unknown, neverStops);
    expect(heard).toEqual([NOON]);
  });

  it('is read from each answer of a temporarily failing service (DL-P5)', async () => {
    demo.fault({ path: /./, do: { kind: 'status', status: 500, body: '' } });
    await open(api).service.countOpen(neverStops);
    expect(heard).toEqual([NOON, NOON]);
  });

  it('does not affect the use of an answer if the time cannot be stored (DL-P5)', async () => {
    const { deaf, logged } = open(api);
    expect(await deaf.create(EMPTY, neverStops)).toMatchObject({ kind: 'refused' });
    expect(await deaf.countOpen(neverStops)).toBeGreaterThan(0);
    expect(logged.join()).toContain('The disk is full');
  });
});

it('the clock of a linked server is not used as the service’s clock (DL-P5)', async () => {
  const { service } = open('v1');
  const one = (await all(service)).find(({ documents }) => documents?.length !== 0);
  const file = await startRawServer(() =>
    rawAnswer('200 OK', 'text/plain', 'file').replace(
      'Connection',
      `Date: ${new Date(NOON - 3_600_000).toUTCString()}\r\nConnection`,
    ),
  );
  const headers = { Location: `${file.origin}/a.txt` };
  demo.fault({ path: ATTACHMENT, do: { kind: 'status', status: 303, headers } });
  const document = one?.documents?.[0]?.id ?? '';
  const download = await service.downloadDocument(id(one?.id ?? ''), document, neverStops);
  await collect(download.chunks);
  await file.close();
  expect(file.received).toHaveLength(1);
  expect(new Set(heard)).toEqual(new Set([NOON]));
});
