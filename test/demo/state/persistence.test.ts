import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDemo } from '../../../electron/demo/start.ts';
import { agreement, create, createLegacy, fetchWhole } from '../bodies.ts';
import { at, openDemo, stateKey, tempFolder } from '../support.ts';

describe('the state file', () => {
  it('restores everything after a restart, and signed PDFs byte for byte', async () => {
    const kept = { dataDir: await tempFolder(), stateKey: stateKey() };
    const first = await openDemo(kept);
    const id = await create(first);
    const reference = await createLegacy(first);
    first.demo.act('v1', id, 'sign-all');
    const download = (client: typeof first) =>
      client.v1('GET', `/v1/agreements/${id}/download`, { headers: { accept: 'application/pdf' } });
    const { bytes } = await download(first);
    const { data, etag } = await fetchWhole(first, id);
    await first.demo.close();

    const second = await openDemo(kept);
    const again = await fetchWhole(second, id);
    expect(again.data).toEqual(data);
    expect(again.etag).toBe(etag);
    expect((await download(second)).bytes.equals(bytes)).toBe(true);
    const legacy = await second.v2('GET', `/agreements/${reference}`);
    expect(at(legacy.json, 'status')).toBe('POSTED');
    expect(await create(second)).not.toBe(id);
    expect(await createLegacy(second)).not.toBe(reference);
  });

  it('keeps the generated story instead of generating it again', async () => {
    const kept = { dataDir: await tempFolder(), stateKey: stateKey(), seed: 'full' } as const;
    const first = await openDemo(kept);
    const [one] = first.demo.agreements.v1();
    first.demo.act('v1', one?.id ?? '', 'delete');
    const before = first.demo.agreements.v1();
    await first.demo.close();
    const second = await openDemo(kept);
    expect(second.demo.agreements.v1()).toEqual(before);
  });

  it('does not open with another key, and stays unchanged', async () => {
    const dataDir = await tempFolder();
    const key = stateKey();
    const first = await openDemo({ dataDir, stateKey: key, seed: 'full' });
    await first.demo.close();
    const wrong = startDemo({ dataDir, stateKey: stateKey() });
    await expect(wrong).rejects.toThrow('does not open with this key');
    const second = await openDemo({ dataDir, stateKey: key });
    expect(second.demo.agreements.v1()).toHaveLength(42);
  });

  it('is rejected when a byte changed or it is another file', async () => {
    const dataDir = await tempFolder();
    const key = stateKey();
    const first = await openDemo({ dataDir, stateKey: key });
    await create(first);
    await first.demo.close();
    const [name = ''] = await readdir(dataDir);
    const bytes = await readFile(join(dataDir, name));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(join(dataDir, name), bytes);
    await expect(startDemo({ dataDir, stateKey: key })).rejects.toThrow('does not open');
    await writeFile(join(dataDir, name), 'hello');
    await expect(startDemo({ dataDir, stateKey: key })).rejects.toThrow('not a state file');
  });

  it('has no readable personal data, and leaves no partial file', async () => {
    const dataDir = await tempFolder();
    const client = await openDemo({ dataDir, stateKey: stateKey(), seed: 'full' });
    await create(client, { ...agreement, title: 'Hemligheten' });
    await client.demo.close();
    const names = await readdir(dataDir);
    expect(names).toEqual(['demo-service.state']);
    const bytes = await readFile(join(dataDir, names[0] ?? ''));
    const secrets = ['198507099805', '131052-308T', 'Hemligheten', 'asa@example.com', 'Åsa'];
    for (const secret of secrets) {
      for (const form of ['utf8', 'utf16le', 'base64', 'hex'] as const) {
        const text =
          form === 'utf8' || form === 'utf16le' ? null : Buffer.from(secret).toString(form);
        const needle = text === null ? Buffer.from(secret, form) : Buffer.from(text.slice(0, 6));
        expect(bytes.includes(needle)).toBe(false);
      }
    }
  });

  it('needs a key of 32 bytes', async () => {
    const dataDir = await tempFolder();
    await expect(startDemo({ dataDir })).rejects.toThrow('needs a state key');
    await expect(startDemo({ dataDir, stateKey: new Uint8Array(16) })).rejects.toThrow('32 bytes');
  });
});
