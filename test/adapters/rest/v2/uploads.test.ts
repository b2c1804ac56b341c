import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { actionsV2, createTestPorts, failureOf, neverStops } from '../desk.ts';
import { sendV2 } from '../sent.ts';

const DATA = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0x0d, 0x0a]);
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(() => demo.close());

const uploads = () => actionsV2(demo.v2Url).uploads;

async function add(name: string): Promise<string> {
  const result = await uploads().add(name, DATA, neverStops);
  return result.kind === 'done' ? result.reply.token : result.kind;
}

describe('uploading a file', () => {
  it.each(['avtal_åäö.pdf', 'Ärende "7" 100 %.pdf', 'semi;colon=.pdf', 'рахунок.pdf', '🖋️.pdf'])(
    'keeps the name %s (T2-44)',
    async (name) => {
      const result = await uploads().add(name, DATA, neverStops);
      // A form writes quotes as %22 (WHATWG), so the name in the answer is compared.
      const fileName = result.kind === 'done' ? result.reply.fileName : result.kind;
      expect([name, name.replaceAll('"', '%22')]).toContain(fileName);
    },
  );

  it('sends one part named "file", its name in UTF-8, and the unchanged bytes (T2-44)', async () => {
    const reply = '{"token":"t","fileName":"a.pdf","createdOn":"2026-05-01 10:00:00"}';
    const server = await startRawServer(() => rawAnswer('200 OK', 'application/json', reply));
    const decomposed = 'avtal_åäö.pdf'.normalize('NFD');
    const result = await actionsV2(`${server.origin}/v2`).uploads.add(decomposed, DATA, neverStops);
    await server.close();
    const sent = Buffer.from(server.received[0] ?? '', 'latin1');
    const text = sent.toString('utf8');
    expect(text).toContain('Content-Disposition: form-data; name="file"; filename="avtal_åäö.pdf"');
    expect(text.match(/Content-Disposition/g)).toHaveLength(1);
    expect(sent.includes(Buffer.from(DATA))).toBe(true);
    expect(result).toMatchObject({
      kind: 'done',
      reply: {
        token: 't',
        createdOn: '2026-05-01 10:00:00',
        createdAt: Date.UTC(2026, 4, 1, 8),
        deletedOn: null,
      },
    });
  });

  it('reports how many bytes were sent, and in which form', async () => {
    await add('avtal.pdf');
    const sent = demo.requests.at(-1);
    expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
    expect(sent?.headers['content-length']).toBe(String(sent?.bodyBytes));
    expect(sent?.headers).not.toHaveProperty('accountid');
  });

  it('is sent only once if its answer is lost', async () => {
    const path = /\/files\/attachment\/agreement$/;
    const fault = demo.fault({ method: 'POST', path, times: 9, do: { kind: 'reset-after' } });
    const result = await uploads().add('avtal.pdf', DATA, neverStops);
    fault.clear();
    expect(result.kind).toBe('unknown');
    expect(fault.hits()).toBe(1);
  });
});

describe('uploaded files', () => {
  it('are empty at first, when the API answers 404 (T2-01)', async () => {
    const empty = await startDemo({ dataDir: null, seed: 'none' });
    const list = await actionsV2(empty.v2Url).uploads.list(neverStops);
    await empty.close();
    expect(list).toEqual({ files: [], total: 0 });
  });

  it('are listed, including those left by a crash, and can be removed (T2-43)', async () => {
    const token = await add('kvarglömd.pdf');
    const { files } = await uploads().list(neverStops);
    expect(files.find((file) => file.token === token)).toMatchObject({
      fileName: 'kvarglömd.pdf',
      createdAt: expect.any(Number) as number,
    });
    expect(await uploads().remove(token, neverStops)).toMatchObject({
      kind: 'done',
      reply: { token, createdOn: null, deletedOn: expect.any(String) as string },
    });
    expect((await uploads().list(neverStops)).files.map((file) => file.token)).not.toContain(token);
  });

  it('are gone after the create request that used them, without an error (T2-04, T2-41)', async () => {
    const token = await add('avtal.pdf');
    expect(await uploads().show(token, neverStops)).toMatchObject({ token });
    await sendV2(demo, { attachments: [{ name: 'avtal.pdf', token }] });
    const ports = createTestPorts();
    const patient = actionsV2(demo.v2Url, { ports }).uploads;
    const before = demo.requests.length;
    expect(await patient.show(token, neverStops)).toBeNull();
    expect(await patient.remove(token, neverStops)).toMatchObject({ kind: 'done', reply: null });
    expect(demo.requests.slice(before).map(({ status }) => status)).toEqual([500, 500]);
    expect(ports.waits).toEqual([]);
  });

  it('do not count as gone if a gateway fails with status 500 (T2-04)', async () => {
    const token = await add('avtal.pdf');
    const say = { kind: 'status', status: 500, contentType: 'text/html', body: '<p>Oh' } as const;
    const fault = demo.fault({ path: new RegExp(token), times: 9, do: say });
    expect(await failureOf(uploads().show(token, neverStops))).toMatchObject({ code: 'service' });
    expect(fault.hits()).toBe(3);
    expect((await uploads().remove(token, neverStops)).kind).toBe('unknown');
    fault.clear();
    expect(await uploads().show(token, neverStops)).toMatchObject({ token });
  });

  it('are reported as not found for an unknown token', async () => {
    expect(await failureOf(uploads().show('nobody', neverStops))).toMatchObject({
      code: 'not-found',
    });
  });
});
