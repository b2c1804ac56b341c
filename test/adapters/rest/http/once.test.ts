import { describe, expect, it } from 'vitest';
import { checkAddress } from '../../../../electron/adapters/rest/http/address.ts';
import type { Client } from '../../../../electron/adapters/rest/http/client.ts';
import type { WriteEndpoint } from '../../../../electron/adapters/rest/http/endpoint.ts';
import { createTransport } from '../../../../electron/adapters/rest/http/lazy-transport.ts';
import * as v1 from '../../../../electron/adapters/rest/v1/table.ts';
import * as v2 from '../../../../electron/adapters/rest/v2/table.ts';
import { writeOnce } from '../../../../electron/adapters/rest/http/write.ts';
import { rawAnswer, startRawServer, type RawReply } from '../../../support/raw-server.ts';
import { SHORT, createTestPorts, neverStops } from '../desk.ts';

type Change = WriteEndpoint<unknown>;

const changes: readonly Change[] = [
  v1.createAgreement,
  v1.deleteAgreement,
  v1.updateAgreement,
  v1.revokeAgreement,
  v1.signAgreement,
  v1.updateEmail,
  v1.replaceRecipients,
  v1.deleteNotification,
  v1.notifyParty,
  v2.createAgreement,
  v2.rejectAgreement,
  v2.revokeAgreement,
  v2.deleteAgreement,
  v2.signAgreement,
  v2.shareAgreement,
  v2.uploadFile,
  v2.deleteFile,
];

const entries = [...Object.values(v1), ...Object.values(v2)].filter(
  (entry) => typeof entry === 'object' && 'repeat' in entry,
);

async function send(entry: Change, origin: string) {
  const ports = createTestPorts();
  const client: Client = {
    base: checkAddress('v1', origin),
    headers: {},
    language: null,
    actingUser: { accountId: '1' },
    transport: createTransport(ports, checkAddress('v1', origin), SHORT),
    redact: (text) => text,
    credential: '',
    clock: ports.clock,
  };
  const names = entry.path.match(/(?<=\{)\w+(?=\})/g) ?? [];
  const path = Object.fromEntries(names.map((name) => [name, 'x']));
  const body = ['GET', 'DELETE'].includes(entry.method) ? null : new TextEncoder().encode('{}');
  const result = await writeOnce(client, entry, { path, body, signal: neverStops }, () => ({
    remoteId: 'x',
    isOurs: true,
  }));
  return { result, waits: ports.waits };
}

describe('the tables of endpoints', () => {
  it('list every change as a request that is sent only once', () => {
    const once = entries.filter((entry) => entry.repeat === 'once');
    expect(once.map(({ name }) => name).sort()).toEqual(changes.map(({ name }) => name).sort());
    const changing = entries.filter(
      ({ method, path }) => method !== 'GET' || /\/(?:revoke|sign|notify)\b/.test(path),
    );
    for (const { name, repeat } of changing) expect([name, repeat]).toEqual([name, 'once']);
  });

  it('treat revoking as a change, though v1 has it as a GET (T1-70)', () => {
    expect(v1.revokeAgreement).toMatchObject({ method: 'GET', repeat: 'once' });
    expect(v2.revokeAgreement).toMatchObject({ method: 'PUT', repeat: 'once' });
  });
});

describe.each(changes.map((entry) => ({ name: entry.name, entry })))('$name', ({ entry }) => {
  const replies: readonly (readonly [string, RawReply])[] = [
    ['a reset', 'reset'],
    ['silence', 'silence'],
    ['a closed connection', ''],
    [
      '503 with Retry-After',
      rawAnswer('503 Busy', 'text/plain', '').replace('\r\n\r\n', '\r\nRetry-After: 0\r\n\r\n'),
    ],
    [
      '429 with Retry-After',
      rawAnswer('429 Slow', 'text/plain', '').replace('\r\n\r\n', '\r\nRetry-After: 0\r\n\r\n'),
    ],
    [
      '307',
      rawAnswer('307 There', 'text/plain', '').replace('\r\n\r\n', '\r\nLocation: /again\r\n\r\n'),
    ],
  ];

  it.each(replies)('is sent exactly once if the answer is %s (T1-70)', async (_name, reply) => {
    const server = await startRawServer(() => reply);
    const { result, waits } = await send(entry, server.origin);
    await server.close();
    expect(['unknown', 'turned-away']).toContain(result.kind);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatch(new RegExp(`^${entry.method} `));
    expect(waits).toEqual([]);
  });
});
