import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { findLeaks } from '../../../support/leak-scan.ts';
import { rawAnswer, type RawReply, startRawServer } from '../../../support/raw-server.ts';
import { createTestPorts, openV1, openV2, pagesOf, SHORT } from '../desk.ts';

const TOKEN = 'plain-words-of-a-token+1/2=3';
const KEY = 'plain-words-of-a-key+1/2=3';
const ACCOUNT = 'acting-user-1001';
const SECRETS = [TOKEN, KEY, ACCOUNT];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-credentials-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns all text of the error and its causes, and the log. */
async function saidBy(call: Promise<unknown>, logged: readonly string[]): Promise<string> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const said = [...logged];
  for (let at = error; at instanceof Error; at = at.cause) {
    said.push(String(at), at.stack ?? '', JSON.stringify(at));
    if (at instanceof AppError) said.push(JSON.stringify(at.failure));
  }
  return said.join('\n');
}

const echo = (request: string): string => JSON.stringify({ message: `I do not know ${request}` });

describe('an API key is sent only to the service, and is in no error or log,', () => {
  it.each<[string, (request: string) => RawReply]>([
    ['is rejected', () => rawAnswer('401 Unauthorized', 'application/json', '{"message":"No"}')],
    [
      'is repeated in an error',
      (request) => rawAnswer('400 Bad', 'application/json', echo(request)),
    ],
    ['is repeated on a web page', (request) => rawAnswer('200 OK', 'text/html', request)],
    ['is repeated on an error page', (request) => rawAnswer('502 Bad', 'text/html', request)],
    ['is repeated in JSON', (request) => rawAnswer('200 OK', 'application/json', echo(request))],
    [
      'is answered by a redirect',
      () => 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n',
    ],
    ['is answered by a reset', () => 'reset'],
    ['gets no answer', () => 'silence'],
  ])('when it %s (TX-50)', async (_, reply) => {
    const server = await startRawServer(reply);
    const ports = createTestPorts();
    const options = { ports, deadlines: SHORT };
    const v1 = openV1(server.origin, { ...options, token: TOKEN });
    const v2 = openV2(`${server.origin}/v2`, { ...options, key: KEY, accountId: ACCOUNT });
    const said = await Promise.all([v1, v2].map((api) => saidBy(pagesOf(api), ports.logged)));
    await server.close();
    const file = path.join(folder, 'said.txt');
    writeFileSync(file, said.join('\n'));
    expect(server.received.join('')).toContain(TOKEN);
    expect(server.received.join('')).toContain(KEY);
    expect(said.every((text) => text !== '')).toBe(true);
    expect(findLeaks([file], SECRETS)).toEqual([]);
    const addresses = server.received.map((request) => request.split('\r\n', 1)[0]);
    writeFileSync(file, addresses.join('\n'));
    expect(findLeaks([file], SECRETS)).toEqual([]);
  });
});
