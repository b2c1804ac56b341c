import type { lookup as systemLookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { checkAddress } from '../../../../electron/adapters/rest/http/address.ts';
import {
  createLinkGuard,
  networkKindOf,
} from '../../../../electron/adapters/rest/http/link-guard.ts';
import { createConnector } from '../../../../electron/adapters/rest/http/way-out.ts';
import { AppError } from '../../../../shared/errors.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';

/** Addresses of each resolvable name; other names do not exist. */
type Names = Readonly<Record<string, readonly string[]>>;

function lookUpIn(names: Names): typeof systemLookup {
  const lookUp = (
    host: string,
    _: unknown,
    done: (error: Error | null, found: readonly { address: string; family: number }[]) => void,
  ): void => {
    const found = names[host];
    const addresses = (found ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    done(found === undefined ? new Error('ENOTFOUND') : null, addresses);
  };
  return lookUp as unknown as typeof systemLookup;
}

/** Connects to a link as the transport does; returns `open`, or the reason of the error. */
async function connect(base: string, link: string, names: Names = {}): Promise<string> {
  const url = new URL(link);
  const { promise, resolve } = Promise.withResolvers<string>();
  const lookUp = lookUpIn({ 'api.example.com': ['8.8.8.8'], ...names });
  const connector = createConnector({
    network: undefined,
    options: { timeout: 20_000, rejectUnauthorized: true },
    guard: createLinkGuard(checkAddress('v1', base), lookUp),
  });
  const { hostname, host, protocol, port } = url;
  connector({ hostname, host, protocol, port }, (error, socket) => {
    socket?.destroy();
    const reason = error instanceof AppError ? error.failure.reason : 'network';
    resolve(error === null ? 'open' : (reason ?? 'network'));
  });
  return promise;
}

const PUBLIC_BASE = 'https://api.example.com';

describe('a link from a service', () => {
  it.each([
    ...['http://127.0.0.1:631/admin', 'http://127.1/', 'http://localhost/', 'http://[::1]/'],
    ...['http://0x7f000001/', 'http://2130706433/', 'http://0177.0.0.1/', 'https://0.0.0.0/'],
    ...['https://[::]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
    ...['https://[::127.0.0.1]/', 'https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/'],
    ...['https://10.0.0.1/', 'https://172.16.0.1/', 'https://172.31.255.255/'],
    ...['https://192.168.1.1/', 'https://3232235777/', 'https://100.64.0.1/'],
    ...['https://[fc00::1]/', 'https://[fd12:3456::1]/', 'https://[::ffff:192.168.1.1]/'],
    ...['https://[64:ff9b::a00:1]/', 'https://169.254.169.254/', 'https://[fe80::1]/'],
    ...['https://[::ffff:a9fe:a9fe]/', 'https://224.0.0.1/', 'https://255.255.255.255/'],
    ...['https://198.18.0.1/', 'https://[ff02::1]/'],
  ])('to %s is not opened if the service is public (SEC-L3)', async (link) => {
    const names = { localhost: ['127.0.0.1'] };
    expect(await connect(PUBLIC_BASE, link, names)).toBe('answer-mismatch');
  });

  it.each([
    ['this computer', ['127.0.0.1']],
    ['this computer by IPv6', ['::1']],
    ['this computer in a mapped form', ['::ffff:127.0.0.1']],
    ['the network of the office', ['192.168.1.1']],
    ['the metadata service of a cloud', ['169.254.169.254']],
    ['a public address and this computer', ['8.8.8.8', '127.0.0.1']],
  ])('to a name that resolves to %s is not opened (SEC-L3)', async (_, addresses) => {
    const names = { 'files.example.com': addresses };
    const link = 'https://files.example.com/a.pdf';
    expect(await connect(PUBLIC_BASE, link, names)).toBe('answer-mismatch');
  });

  it('is checked by the address that is connected, not by an earlier look-up (SEC-L3)', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const names = {
      get 'files.example.com'() {
        return answers.pop() ?? ['127.0.0.1'];
      },
    };
    const link = 'https://files.example.com/a.pdf';
    expect(await connect(PUBLIC_BASE, link, names)).toBe('answer-mismatch');
    // The name was looked up only once, and that answer was used.
    expect(answers).toEqual([['8.8.8.8']]);
  });

  it('may lead to this computer if the service is on it (SEC-L3)', async () => {
    const files = await startRawServer(() => rawAnswer('200 OK', 'text/plain', 'file'));
    const { port } = new URL(files.origin);
    const names = { 'files.example.com': ['127.0.0.1'], 'desk.example.com': ['127.0.0.1'] };
    try {
      expect(await connect('http://127.0.0.1:1', files.origin)).toBe('open');
      expect(await connect('http://127.0.0.1:1', `http://files.example.com:${port}`, names)).toBe(
        'open',
      );
      expect(await connect('https://desk.example.com', files.origin, names)).toBe('open');
      expect(await connect('https://10.0.0.5', files.origin)).toBe('answer-mismatch');
    } finally {
      await files.close();
    }
  });

  it('may lead to the service’s own private network, but to no other (SEC-L3)', async () => {
    const names = { 'desk.example.com': ['10.0.0.5'] };
    const base = 'https://desk.example.com';
    expect(await connect(base, 'https://10.255.255.1/', names)).not.toBe('answer-mismatch');
    expect(await connect(base, 'https://169.254.169.254/', names)).toBe('answer-mismatch');
    expect(await connect(base, 'https://127.0.0.1/', names)).toBe('answer-mismatch');
    expect(await connect('http://127.0.0.1:1', 'https://10.0.0.1/')).toBe('answer-mismatch');
  });

  it.each([
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '100.100.100.200',
    'fd00:ec2::254',
    'fd20:ce::254',
  ])('to %s, a cloud metadata address, is never opened (SR-L13)', async (address) => {
    expect(networkKindOf(address)).toBe('nowhere');
    const names = { 'files.example.com': [address], 'desk.example.com': ['10.0.0.5', 'fd00::5'] };
    for (const base of [PUBLIC_BASE, 'https://desk.example.com']) {
      expect(await connect(base, 'https://files.example.com/a.pdf', names)).toBe('answer-mismatch');
    }
  });

  it.each([
    ['8.8.8.8', 'public'],
    ['172.32.0.1', 'public'],
    ['100.128.0.1', 'public'],
    ['2a00:1450::1', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['2002:808:808::', 'public'],
    ['fec0::1', 'private'],
    ['::', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['240.0.0.1', 'nowhere'],
  ])('to %s leads to an address that is %s (SEC-L3)', (address, reach) => {
    expect(networkKindOf(address)).toBe(reach);
  });
});
