import type { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Client } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../../../electron/adapters/network/network.ts';
import { checkAddress } from '../../../../electron/adapters/rest/http/address.ts';
import { createLinkGuard } from '../../../../electron/adapters/rest/http/link-guard.ts';
import { createConnector } from '../../../../electron/adapters/rest/http/way-out.ts';
import type { NetworkSettings } from '../../../../electron/core/network/ports.ts';
import { AppError } from '../../../../shared/errors.ts';
import { startProxy } from '../../../support/proxy.ts';
import { createAuthority, type Issued, selfSigned } from '../../../support/self-signed.ts';
import { all, createTestPorts, failureOf, openV1, SHORT } from '../desk.ts';

const FILES = 'files.example';
const office = createAuthority('Office Inspection CA');

async function startServer(identity: Issued) {
  const server = createServer(identity, (_, response) => void response.end('file'));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Computer extends Partial<NetworkSettings> {
  readonly systemList?: () => readonly string[];
}

function networkOf({ systemList = () => [office.cert], ...settings }: Computer) {
  const stored: NetworkSettings = {
    proxy: { kind: 'none' },
    password: null,
    proxyFindsLinks: false,
    authorities: '',
    ...settings,
  };
  return createNetwork({
    settings: { read: async () => stored },
    vault: { read: async () => null },
    systemWays: async () => [],
    systemList,
  });
}

/** Returns a look-up that resolves only these names. */
function lookUpIn(names: Readonly<Record<string, string>>): typeof systemLookup {
  const lookUp = (
    host: string,
    _: unknown,
    done: (error: Error | null, found: readonly { address: string; family: number }[]) => void,
  ): void => {
    const address = names[host];
    if (address === undefined) done(new Error('ENOTFOUND'), []);
    else done(null, [{ address, family: 4 }]);
  };
  return lookUp as unknown as typeof systemLookup;
}

/** Opens a link through a proxy; returns the answer, or the reason that it is not opened. */
async function openLink(
  link: string,
  proxyOrigin: string,
  {
    names = {},
    proxyFindsLinks = false,
  }: { names?: Record<string, string>; proxyFindsLinks?: boolean },
): Promise<string> {
  const network = networkOf({
    proxy: { kind: 'fixed', address: proxyOrigin, user: null, exceptions: '' },
    proxyFindsLinks,
  });
  const base = checkAddress('v1', 'https://api.example.com');
  const guard = createLinkGuard(base, lookUpIn({ 'api.example.com': '8.8.8.8', ...names }));
  const { origin, pathname } = new URL(link);
  const options = { allowH2: false, timeout: 10_000, rejectUnauthorized: true };
  const client = new Client(origin, {
    connect: createConnector({ network, options, guard }),
    allowH2: false,
  });
  try {
    const { body } = await client.request({ path: pathname, method: 'GET' });
    return await body.text();
  } catch (error) {
    return error instanceof AppError ? (error.failure.reason ?? error.failure.code) : String(error);
  } finally {
    await client.destroy();
  }
}

describe('a link to a file behind a proxy', () => {
  it('is opened at the address checked on this computer, not at the address that the proxy resolves (IN-F5)', async () => {
    const port = await startServer(office.issue(FILES));
    const proxy = await startProxy({ names: { '8.8.4.4': port, [FILES]: 9 } });
    const names = { [FILES]: '8.8.4.4' };
    expect(await openLink(`https://${FILES}/a.pdf`, proxy.origin, { names })).toBe('file');
    expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(
      new Set(['8.8.4.4:443']),
    );
  });

  it.each([
    ['a private network', `https://${FILES}/a`, { [FILES]: '192.168.1.1' }],
    ['the metadata service of a cloud', `https://${FILES}/a`, { [FILES]: '169.254.169.254' }],
    ['an address in a private network', 'https://10.0.0.8/a', {}],
    ['the metadata service of a cloud by IPv6', 'https://[fd00:ec2::254]/a', {}],
    ['this computer', 'https://127.0.0.1:9/a', {}],
  ])(
    'is not opened when it leads to %s, and the proxy receives no request (IN-F5)',
    async (_, link, names) => {
      const proxy = await startProxy();
      for (const proxyFindsLinks of [false, true]) {
        expect(await openLink(link, proxy.origin, { names, proxyFindsLinks })).toBe(
          'answer-mismatch',
        );
      }
      expect(proxy.asked).toEqual([]);
    },
  );

  it('is not opened if only the proxy can resolve its name, until the user allows this (IN-F5)', async () => {
    const port = await startServer(office.issue(FILES));
    const proxy = await startProxy({ names: { [FILES]: port } });
    const link = `https://${FILES}/a.pdf`;
    expect(await openLink(link, proxy.origin, {})).toBe('link-unchecked');
    expect(proxy.asked).toEqual([]);
    expect(await openLink(link, proxy.origin, { proxyFindsLinks: true })).toBe('file');
  });
});

async function readFrom(identity: Issued, computer: Computer) {
  const port = await startServer(identity);
  const ports = { ...createTestPorts(), network: networkOf(computer) };
  const service = openV1(`https://127.0.0.1:${String(port)}`, { ports, deadlines: SHORT });
  return failureOf(all(service));
}

describe('a certificate', () => {
  // The server does not answer with JSON: `not-json` proves that its certificate was accepted.
  const TAKEN = { reason: 'not-json' };
  const REFUSED = { code: 'service', reason: 'tls' };

  it('of an authority that only the system trusts is accepted (IN-N2)', async () => {
    expect(await readFrom(office.issue('127.0.0.1'), {})).toMatchObject(TAKEN);
  });

  it('of an authority in the settings of this computer is accepted (IN-N2)', async () => {
    const computer = { authorities: office.cert, systemList: () => [] };
    expect(await readFrom(office.issue('127.0.0.1'), computer)).toMatchObject(TAKEN);
  });

  it('of an intermediate authority is accepted if only that authority is trusted (IN-Y25)', async () => {
    const below = createAuthority('Root that nobody has').below('Office CA 2');
    const computer = { authorities: below.cert, systemList: () => [] };
    expect(await readFrom(below.issue('127.0.0.1'), computer)).toMatchObject(TAKEN);
    const other = { authorities: office.cert, systemList: () => [] };
    expect(await readFrom(below.issue('127.0.0.1'), other)).toMatchObject(REFUSED);
  });

  it('of an untrusted authority is rejected with its name and advice (IN-N2)', async () => {
    const stranger = createAuthority('Stranger\u202E\u0007 CA');
    const failure = await readFrom(stranger.issue('127.0.0.1'), {});
    expect(failure).toMatchObject({ ...REFUSED, issuer: 'Stranger\uFFFD\uFFFD CA' });
    expect(failure.message).toMatch(/issued by “Stranger.* CA”.*network trust FILE/);
  });

  it.each([
    ['self-signed', selfSigned(), /network trust/],
    ['out of date', office.issue('127.0.0.1', '240601000000Z'), /Check the clock/],
    ['for another address', office.issue('127.0.0.2'), /another address/],
  ])('that is %s is rejected with advice (IN-N2)', async (_, identity, advice) => {
    const failure = await readFrom(identity, {});
    expect(failure).toMatchObject({ ...REFUSED, issuer: expect.any(String) });
    expect(failure.message).toMatch(advice);
  });

  it('is compared with the system’s list only if its authority is unknown (IN-N2)', async () => {
    let reads = 0;
    const systemList = () => {
      reads += 1;
      return [office.cert];
    };
    const network = networkOf({ systemList });
    expect(await network.authorities()).toBeNull();
    const port = await startServer(office.issue('127.0.0.1'));
    const ports = { ...createTestPorts(), network };
    const url = `https://127.0.0.1:${String(port)}`;
    await Promise.all(
      [1, 2, 3].map(() => failureOf(all(openV1(url, { ports, deadlines: SHORT })))),
    );
    expect(reads).toBe(1);
    expect(await network.authorities()).toContain(office.cert);
  });
});
