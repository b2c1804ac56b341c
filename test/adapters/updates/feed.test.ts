import { describe, expect, it } from 'vitest';
import { createUpdateSource } from '../../../electron/adapters/updates/feed.ts';
import { systemChance, systemClock } from '../../../electron/adapters/system/platform.ts';
import type { UpdateFeed } from '../../../shared/contract/updates.ts';
import { AppError } from '../../../shared/errors.ts';
import { createMemoryLog } from '../../support/fakes/memory-ports.ts';
import { startRawServer } from '../../support/raw-server.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { type FeedServer, FILE_NAME, someKey, startFeed } from '../../support/update-feed.ts';

const ports = { clock: systemClock, chance: systemChance, log: createMemoryLog() };
const source = createUpdateSource(ports, { platform: 'linux', arch: 'x64' });
const read = ({ address, key }: Pick<FeedServer, 'address' | 'key'>) =>
  source.read({ url: address, key, daily: false }, new AbortController().signal);

async function failure(promise: Promise<unknown>) {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof AppError) return error.failure;
  throw new Error(`no AppError: ${String(error)}`);
}

describe('an update feed', () => {
  it('gives the version signed by its key, with its size and the address of its release notes', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.2.0', file: Buffer.alloc(1000), notes: 'https://desk.example/1.2' });
    expect(await read(feed)).toMatchObject({
      version: '1.2.0',
      size: 1000,
      notes: 'https://desk.example/1.2',
      files: [{ url: FILE_NAME, size: 1000 }],
    });
    expect(feed.asked).toEqual(['latest-linux.yml', 'latest-linux.yml.sig']);
  });

  it.each([
    ['win32', 'x64', 'latest.yml'],
    ['darwin', 'arm64', 'latest-mac.yml'],
    ['linux', 'arm64', 'latest-linux-arm64.yml'],
  ])(
    'for %s on %s is read from the file that electron-builder writes for that platform',
    async (platform, arch, name) => {
      const feed = await startFeed();
      const other = createUpdateSource(ports, { platform, arch });
      const asked = other.read(
        { url: feed.address, key: feed.key, daily: false },
        new AbortController().signal,
      );
      expect(await failure(asked)).toMatchObject({ code: 'not-found', reason: 'update-feed' });
      expect(feed.asked).toEqual([name]);
    },
  );

  it('is rejected when another key signed it', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.2.0' });
    expect(await failure(read({ address: feed.address, key: someKey() }))).toMatchObject({
      reason: 'update-signature',
    });
  });

  it.each([
    ['its version', (text: string) => text.replace('1.2.0', '1.3.0')],
    ['a checksum', (text: string) => text.replace(/sha512: ./, 'sha512: A')],
    ['its end', (text: string) => `${text} `],
  ])('is rejected when %s was changed after it was signed', async (_, change) => {
    const feed = await startFeed();
    feed.publish({ version: '1.2.0' });
    const signed = Buffer.from(feed.files.get('latest-linux.yml') ?? []).toString();
    feed.files.set('latest-linux.yml', Buffer.from(change(signed)));
    expect(await failure(read(feed))).toMatchObject({ reason: 'update-signature' });
  });

  it('is rejected if its signature is missing', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.2.0' });
    feed.spoil('latest-linux.yml.sig', 'missing');
    expect(await failure(read(feed))).toMatchObject({ reason: 'update-feed' });
  });

  it('does not follow a redirect of its server', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.2.0' });
    feed.spoil('latest-linux.yml', 'redirect');
    expect(await failure(read(feed))).toMatchObject({ reason: 'redirected' });
  });

  it('offers no update if it is signed but invalid', async () => {
    const feed = await startFeed();
    feed.publish({ version: 'next' });
    expect(await failure(read(feed))).toMatchObject({ reason: 'update-feed' });
  });

  it('is not read from a server with an untrusted certificate', async () => {
    const server = await startRawServer(() => 'HTTP/1.1 200 OK\r\n\r\n', selfSigned());
    const address = `https://127.0.0.1:${server.port}`;
    expect(await failure(read({ address, key: someKey() }))).toMatchObject({ reason: 'tls' });
    await server.close();
  });
});

describe('the update feed settings', () => {
  const check = (feed: Partial<UpdateFeed>) =>
    source.check({ url: 'https://desk.example', key: someKey(), daily: false, ...feed });

  it.each([
    ['http://desk.example/updates', 'address-not-https'],
    ['ftp://desk.example/updates', 'address-invalid'],
    ['desk.example', 'address-invalid'],
    ['https://me:secret@desk.example', 'address-invalid'],
    ['https://desk.example/?channel=beta', 'address-invalid'],
  ])('do not accept the address %s', (url, reason) => {
    expect(() => check({ url })).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ reason, fields: { url: expect.anything() } }),
      }),
    );
  });

  it('accept a whole PEM file, and store the Base64 in it', () => {
    const key = someKey();
    const pem = `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----\n`;
    expect(check({ key: pem, url: 'https://desk.example/updates/' })).toEqual({
      url: 'https://desk.example/updates',
      key,
      daily: false,
    });
  });

  it.each(['', 'no key', Buffer.alloc(44).toString('base64')])(
    'do not accept the key %j',
    (key) => {
      expect(() => check({ key })).toThrow(
        expect.objectContaining({ failure: expect.objectContaining({ reason: 'update-key' }) }),
      );
    },
  );
});
