import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRawServer, type RawServer } from '../../../support/raw-server.ts';
import { actionsV1, actionsV2, id, openV1, openV2 } from '../desk.ts';
import { calls, type About, type Desk } from '../endpoint-cases.ts';

const TOKEN = 'tok-5d1f0c7a93be4e62';
const KEY = 'key-0b96f3d2a87c41e5';
const ACCOUNT = 'account-7702153';
const SECRETS = [TOKEN, KEY, ACCOUNT];

/** Another server, which must receive no credentials. */
let other: RawServer;
let service: RawServer;
let answer = '';

beforeAll(async () => {
  other = await startRawServer(() => 'reset');
  service = await startRawServer(() => answer);
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const port = () => String(other.port);
const cases: readonly (readonly [string, number, () => string])[] = [
  ['301 to another port', 301, () => `http://127.0.0.1:${port()}/`],
  ['302 to another port', 302, () => `http://127.0.0.1:${port()}/`],
  ['303 to another port', 303, () => `http://127.0.0.1:${port()}/`],
  ['307 to another port', 307, () => `http://127.0.0.1:${port()}/`],
  ['308 to another port', 308, () => `http://127.0.0.1:${port()}/`],
  ['302 to another host', 302, () => `http://localhost:${port()}/`],
  ['307 to a subdomain', 307, () => `http://sub.localhost:${port()}/`],
  ['302 to https', 302, () => `https://127.0.0.1:${port()}/`],
  ['302 to an address with a user', 302, () => `http://u:p@127.0.0.1:${port()}/`],
  ['302 to the same scheme', 302, () => `//127.0.0.1:${port()}/`],
  ['307 to a place beside it', 307, () => '/elsewhere'],
  ['308 to itself, for ever', 308, () => '/'],
];

const about: About = {
  v1: {
    id: id('x'),
    partyId: 'x',
    notificationId: 'x',
    attachmentId: 'x',
    etag: '"x"',
    ours: { partyId: 'x', configurationId: 'x' },
  },
  v2: id('x'),
  token: 'x',
};

const names = Object.keys(calls);
/** Call with the only intended redirect, which is followed without credentials. */
const LEADS_ELSEWHERE = 'v1.attachments.download';

const desk = (): Desk => {
  const v2 = { key: KEY, accountId: ACCOUNT };
  return {
    v1: openV1(service.origin, { token: TOKEN }),
    v2: openV2(`${service.origin}/v2`, v2),
    actionsV1: actionsV1(service.origin, { token: TOKEN }),
    actionsV2: actionsV2(`${service.origin}/v2`, v2),
  };
};

describe.each(cases)('a redirect, %s,', (_name, status, location) => {
  it.each(names)('is not followed by %s, and no API key is sent (T2-07)', async (name) => {
    answer = `HTTP/1.1 ${String(status)} There\r\nLocation: ${location()}\r\nContent-Length: 0\r\n\r\n`;
    const [here, there] = [service.received.length, other.received.length];
    const outcome = await Promise.resolve(calls[name]?.(desk(), about)).catch(
      (error: unknown) => error,
    );
    const asked = service.received.slice(here).join('');
    const leaked = other.received.slice(there);
    expect(asked.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(1);
    expect(asked).toMatch(name.startsWith('v1.') ? TOKEN : KEY);
    if (name === LEADS_ELSEWHERE && status === 303) {
      expect(leaked.join('')).toMatch(/^GET \/ HTTP/);
      for (const secret of SECRETS) expect(leaked.join('')).not.toContain(secret);
    } else {
      expect(outcome).toMatchObject({ failure: { code: 'service', reason: 'redirected' } });
      expect(leaked).toEqual([]);
    }
  });
});
