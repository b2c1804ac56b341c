import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { place } from '../../build/places.ts';
import { runNode } from '../../build/run.ts';
import { createUpdateSource } from '../../electron/adapters/updates/feed.ts';
import { systemChance, systemClock } from '../../electron/adapters/system/platform.ts';
import { createMemoryLog } from '../support/fakes/memory-ports.ts';
import { startFeed } from '../support/update-feed.ts';

const ports = { clock: systemClock, chance: systemChance, log: createMemoryLog() };
const pem = { type: 'pkcs8', format: 'pem' } as const;

it('a release signature is accepted by the program only with the key of the same pair', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-sign-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const feed = await startFeed();
  feed.publish({ version: '1.1.0' });
  const text = feed.files.get('latest-linux.yml') ?? Buffer.of();
  await writeFile(path.join(folder, 'latest-linux.yml'), text);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { code, output } = await runNode(place('build/package/sign-feed.ts'), [folder], {
    env: { UPDATE_KEY: String(privateKey.export(pem)) },
  });
  expect({ code, output }).toEqual({ code: 0, output: 'signed latest-linux.yml\n' });
  expect((await readdir(folder)).toSorted()).toEqual(['latest-linux.yml', 'latest-linux.yml.sig']);
  feed.files.set('latest-linux.yml.sig', await readFile(path.join(folder, 'latest-linux.yml.sig')));
  const source = createUpdateSource(ports, { platform: 'linux', arch: 'x64' });
  const { signal } = new AbortController();
  const key = String(publicKey.export({ type: 'spki', format: 'pem' }));
  const read = (by: string) => source.read({ url: feed.address, key: by, daily: false }, signal);
  expect(await read(key)).toMatchObject({ version: '1.1.0' });
  await expect(read(feed.key)).rejects.toMatchObject({ failure: { reason: 'update-signature' } });
});

it('another kind of key cannot sign', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { code, output } = await runNode(place('build/package/sign-feed.ts'), [tmpdir()], {
    env: { UPDATE_KEY: String(privateKey.export(pem)) },
  });
  expect(code).not.toBe(0);
  expect(output).toContain('no Ed25519 key');
});
