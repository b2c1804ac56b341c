import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../../../electron/adapters/network/network.ts';
import { createSystemRoutes } from '../../../../electron/adapters/network/system-ways.ts';
import type { NetworkSettings } from '../../../../electron/core/network/ports.ts';
import type { ProxyChoice } from '../../../../shared/contract/network.ts';
import { type ProxyManner, startProxy } from '../../../support/proxy.ts';
import { createAuthority } from '../../../support/self-signed.ts';
import {
  all,
  collect,
  createTestPorts,
  failureOf,
  neverStops,
  openV1,
  openV2,
  REF,
  SHORT,
} from '../desk.ts';
import { draftV1, onePage } from '../drafts.ts';

const HOST = 'service.example';
const URL_V1 = `https://${HOST}`;
const PASSWORD = 'Pässword-of-the-proxy';
const CREDENTIALS = `anna:${PASSWORD}`;
const office = createAuthority('Office Inspection CA');

/** Starts a service with an empty list that accepts create requests, for use behind a proxy. */
async function startService() {
  const bodies: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'POST') {
      bodies.push(body.toString());
      response.end(JSON.stringify({ data: { id: REF, title: 'Hyresavtal Östergatan' } }));
      return;
    }
    response.end(
      request.url?.startsWith('/v2') === true
        ? JSON.stringify({ totalCount: 0, agreements: [] })
        : JSON.stringify({ data: [], meta: { pageNumber: 1, totalPages: 0, totalRecords: 0 } }),
    );
  };
  const server = createServer(office.issue(HOST), (request, response) => {
    void answer(request, response);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, bodies };
}

interface WayOptions {
  readonly proxy?: ProxyChoice;
  readonly variables?: Readonly<Record<string, string>>;
  readonly password?: string | null;
  readonly settings?: Partial<NetworkSettings>;
  readonly trusted?: readonly string[];
}

/** Returns the network of a computer whose system trusts the office's certificate authority. */
function networkWith({
  proxy = { kind: 'system' },
  variables = {},
  password = null,
  settings = {},
  trusted = [office.cert],
}: WayOptions) {
  const stored: NetworkSettings = {
    proxy,
    password: password === null ? null : 'proxy/1',
    proxyFindsLinks: false,
    authorities: '',
    ...settings,
  };
  return createNetwork({
    settings: { read: async () => stored },
    vault: { read: async () => password },
    systemWays: createSystemRoutes({ platform: 'linux', variables }),
    systemList: () => trusted,
  });
}

const fixed = (address: string, user: string | null = null): ProxyChoice => ({
  kind: 'fixed',
  address,
  user,
  exceptions: '',
});

function portsWith(options: WayOptions) {
  return { ...createTestPorts(), network: networkWith(options) };
}

async function send(ports: ReturnType<typeof portsWith>, deadlines = SHORT) {
  const service = openV1(URL_V1, { ports, deadlines });
  const request = service.encodeCreate(draftV1(), await largeFile(), REF);
  return service.create(request, neverStops);
}

/** Returns a file that is too large for one packet. */
async function largeFile() {
  const files = await onePage();
  const filling = new Uint8Array(300_000);
  return new Map([...files].map(([id, file]) => [id, { ...file, data: filling }]));
}

describe('a service behind a proxy', () => {
  it.each([
    ['HTTPS_PROXY', 'HTTPS_PROXY'],
    ['https_proxy', 'https_proxy'],
    ['HTTP_PROXY', 'HTTP_PROXY'],
    ['all_proxy', 'all_proxy'],
  ])(
    'is reached for reading and sending through the proxy of the variable %s (IN-N1)',
    async (_, variable) => {
      const { port, bodies } = await startService();
      const proxy = await startProxy({ names: { [HOST]: port } });
      const ports = portsWith({ variables: { [variable]: proxy.origin } });
      expect(await all(openV1(URL_V1, { ports }))).toEqual([]);
      expect(await send(ports)).toMatchObject({ kind: 'done', remoteId: REF });
      expect(bodies).toHaveLength(1);
      expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(
        new Set([`${HOST}:443`]),
      );
    },
  );

  it('is reached for API v2 as well (IN-N1)', async () => {
    const { port } = await startService();
    const proxy = await startProxy({ names: { [HOST]: port } });
    const ports = portsWith({ proxy: fixed(proxy.origin) });
    const [address] = await collect(openV2(`${URL_V1}/v2`, { ports }).test(neverStops));
    expect(address).toMatchObject({ note: 'reached', ok: true });
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  it('is reached with the user and password of the settings, which are not logged (IN-F5)', async () => {
    const { port } = await startService();
    const proxy = await startProxy({ names: { [HOST]: port }, credentials: CREDENTIALS });
    const ports = portsWith({ proxy: fixed(proxy.origin, 'anna'), password: PASSWORD });
    expect(await send(ports)).toMatchObject({ kind: 'done' });
    // Two connections: at the first, the system's certificate authorities were not loaded yet.
    const asked = { authority: `${HOST}:443`, credentials: CREDENTIALS };
    expect(proxy.asked).toEqual([asked, asked]);
    const encoded = Buffer.from(CREDENTIALS).toString('base64');
    expect(JSON.stringify(ports.logged)).not.toMatch(new RegExp(`${PASSWORD}|${encoded}`));
  });

  it('is reached with the user and password in the proxy address of a variable (IN-F5)', async () => {
    const { port } = await startService();
    const proxy = await startProxy({ names: { [HOST]: port }, credentials: CREDENTIALS });
    const address = `http://anna:${encodeURIComponent(PASSWORD)}@127.0.0.1:${String(proxy.port)}`;
    expect(await send(portsWith({ variables: { https_proxy: address } }))).toMatchObject({
      kind: 'done',
    });
  });

  it('is reached through a proxy that speaks TLS itself (IN-F5)', async () => {
    const { port } = await startService();
    const proxy = await startProxy({ names: { [HOST]: port }, tls: office.issue('127.0.0.1') });
    expect(await send(portsWith({ proxy: fixed(proxy.origin) }))).toMatchObject({ kind: 'done' });
  });

  it('is reached by the next proxy when the first is unavailable (IN-F5)', async () => {
    const { port } = await startService();
    const [away, proxy] = [await startProxy(), await startProxy({ names: { [HOST]: port } })];
    away.manner = { kind: 'die' };
    const network = createNetwork({
      settings: {
        read: async () => ({
          proxy: { kind: 'system' },
          password: null,
          proxyFindsLinks: false,
          authorities: '',
        }),
      },
      vault: { read: async () => null },
      systemWays: async () => [
        { kind: 'proxy', origin: away.origin, user: null, password: null },
        { kind: 'proxy', origin: proxy.origin, user: null, password: null },
      ],
      systemList: () => [office.cert],
    });
    expect(await send({ ...createTestPorts(), network })).toMatchObject({ kind: 'done' });
    expect([away.asked.length > 0, proxy.asked.length > 0]).toEqual([true, true]);
  });
});

describe('a proxy that interrupts a send', () => {
  const cases: readonly (readonly [string, ProxyManner, string, RegExp])[] = [
    ['dies during CONNECT', { kind: 'die' }, 'proxy-unreachable', /does not answer/],
    ['answers 403', { kind: 'refuse', status: 403 }, 'proxy-refused', /HTTP 403/],
    ['answers 502', { kind: 'refuse', status: 502 }, 'proxy-refused', /HTTP 502/],
    ['answers 302', { kind: 'refuse', status: 302 }, 'proxy-refused', /HTTP 302/],
    [
      'requires NTLM or Negotiate',
      { kind: 'refuse', status: 407, challenge: 'Negotiate, NTLM' },
      'proxy-method',
      /NTLM or Negotiate/,
    ],
    [
      'requires NTLM for a realm named basic',
      { kind: 'refuse', status: 407, challenge: 'NTLM realm="the, basic one"' },
      'proxy-method',
      /NTLM or Negotiate/,
    ],
    [
      'requires Basic or another method',
      { kind: 'refuse', status: 407, challenge: 'Negotiate, NTLM, Basic realm="x"' },
      'proxy-sign-in',
      /requires a user name/,
    ],
    [
      'requires Basic',
      { kind: 'refuse', status: 407, challenge: 'Basic realm="x"' },
      'proxy-sign-in',
      /requires a user name/,
    ],
  ];
  it.each(cases)(
    'and %s shows that the request was not sent (IN-F5)',
    async (_, manner, reason, sentence) => {
      const { port, bodies } = await startService();
      const proxy = await startProxy({ names: { [HOST]: port } });
      proxy.manner = manner;
      const ports = portsWith({ proxy: fixed(proxy.origin) });
      const sent = await send(ports);
      expect(sent).toMatchObject({ kind: 'not-sent', failure: { code: 'offline', reason } });
      expect(JSON.stringify(sent)).toMatch(sentence);
      expect(bodies).toEqual([]);
      const service = openV1(URL_V1, { ports, deadlines: SHORT });
      expect(await failureOf(all(service))).toMatchObject({ code: 'offline', reason });
      const [address] = await collect(service.test(neverStops));
      expect(address).toMatchObject({ ok: false, note: 'not-reached', failure: { reason } });
    },
  );

  it('and rejects the password shows that the request was not sent, in an error without the password (IN-F5)', async () => {
    const { port, bodies } = await startService();
    const proxy = await startProxy({ names: { [HOST]: port }, credentials: CREDENTIALS });
    const ports = portsWith({ proxy: fixed(proxy.origin, 'anna'), password: 'Wrong-of-the-proxy' });
    const sent = await send(ports);
    expect(sent).toMatchObject({ kind: 'not-sent', failure: { reason: 'proxy-sign-in' } });
    expect(JSON.stringify([sent, ports.logged])).not.toContain('Wrong-of-the-proxy');
    expect(bodies).toEqual([]);
  });

  it('and is unavailable shows that the request was not sent (IN-F5)', async () => {
    const ports = portsWith({ proxy: fixed('http://127.0.0.1:9') });
    expect(await send(ports)).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'offline', reason: 'proxy-unreachable' },
    });
  });

  it.each([
    ['dies after CONNECT', { kind: 'die-after' }],
    ['dies during the TLS handshake', { kind: 'die-within', bytes: 100 }],
    ['never answers CONNECT', { kind: 'silence' }],
  ] as const)('and %s shows that the request was not sent (IN-F5)', async (_, manner) => {
    const { port, bodies } = await startService();
    const proxy = await startProxy({ names: { [HOST]: port } });
    proxy.manner = manner;
    const sent = await send(portsWith({ proxy: fixed(proxy.origin) }));
    expect(sent).toMatchObject({ kind: 'not-sent', failure: { code: 'offline' } });
    expect(bodies).toEqual([]);
  });

  it('and fails in the middle of the body leaves the outcome unknown (IN-F5)', async () => {
    const { port, bodies } = await startService();
    const proxy = await startProxy({ names: { [HOST]: port } });
    // The proxy ends after the TLS handshake, and before the end of the body.
    proxy.manner = { kind: 'die-within', bytes: 100_000 };
    const sent = await send(portsWith({ proxy: fixed(proxy.origin) }));
    expect(sent).toMatchObject({ kind: 'unknown' });
    expect(bodies).toEqual([]);
  });

  it.each([302, 307, 511])(
    'and redirects to its own page with %i leads to an error with the address to sign in (IN-Y24)',
    async (status) => {
      const proxy = await startProxy();
      proxy.manner = { kind: 'refuse', status };
      const sent = await send(portsWith({ proxy: fixed(proxy.origin) }));
      expect(sent).toMatchObject({ kind: 'not-sent', failure: { reason: 'proxy-refused' } });
      expect(JSON.stringify(sent)).toMatch(/sign in to the network/);
    },
  );

  it('and shows its own page leads to an error with the address to sign in, not to a certificate error (IN-Y24)', async () => {
    const proxy = await startProxy();
    proxy.manner = { kind: 'page' };
    const sent = await send(portsWith({ proxy: fixed(proxy.origin) }));
    expect(sent).toMatchObject({ kind: 'not-sent', failure: { code: 'service', reason: 'tls' } });
    expect(JSON.stringify(sent)).toMatch(
      /does not offer a secure connection.*sign in to the network/,
    );
    expect(JSON.stringify(sent)).not.toMatch(/certificate/i);
  });

  it.each([
    ['socks5://127.0.0.1:1080', /SOCKS/],
    ['http://[broken', /no valid address/],
  ])('because it is %s is reported as unsupported (IN-F5)', async (address, sentence) => {
    const sent = await send(portsWith({ variables: { HTTPS_PROXY: address } }));
    expect(sent).toMatchObject({ kind: 'not-sent', failure: { reason: 'proxy-kind' } });
    expect(JSON.stringify(sent)).toMatch(sentence);
  });
});

describe('connections without a proxy', () => {
  it('are used for the local computer (IN-F5)', async () => {
    const proxy = await startProxy();
    const network = networkWith({
      variables: { HTTPS_PROXY: proxy.origin, ALL_PROXY: proxy.origin },
    });
    for (const address of [
      ...[
        'http://localhost:81',
        'https://localhost',
        'https://desk.localhost',
        'https://127.8.8.8',
      ],
      ...['https://[::1]:8443', 'https://[::ffff:127.0.0.1]', 'https://localhost.'],
    ]) {
      expect((await network.routesTo(new URL(address))).routes).toEqual([{ kind: 'direct' }]);
    }
    expect((await network.routesTo(new URL('https://elsewhere.example'))).routes).toEqual([
      { kind: 'proxy', origin: proxy.origin, authorization: null },
    ]);
  });

  it('are used for every address if the setting is "none", whatever the variables (IN-F5)', async () => {
    const network = networkWith({ proxy: { kind: 'none' }, variables: { HTTPS_PROXY: 'proxy:1' } });
    expect((await network.routesTo(new URL(URL_V1))).routes).toEqual([{ kind: 'direct' }]);
  });
});
