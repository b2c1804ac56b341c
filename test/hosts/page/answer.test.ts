import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssets } from '../../../electron/hosts/page/assets.ts';
import { AppError } from '../../../shared/errors.ts';
import { CONTENT_SECURITY_POLICY } from '../../../electron/hosts/page/policy.ts';
import { answerPage } from '../../../electron/hosts/page/answer.ts';
import { startWindow } from '../../support/desks/started-window.ts';

const ROOM = 100;
const PDF = Buffer.from('%PDF-1.7');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signing-desk-page-'));
  mkdirSync(path.join(folder, 'page/assets'), { recursive: true });
  writeFileSync(path.join(folder, 'secret.js'), 'secret');
  writeFileSync(path.join(folder, 'page/index.html'), '<!doctype html>');
  writeFileSync(path.join(folder, 'page/assets/index-1a.js'), 'export {};');
  writeFileSync(path.join(folder, 'page/assets/notes.txt'), 'secret');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Requests the URL exactly as it is written, without the normalisation of a parser. */
function ask(url: string, method = 'GET', body = new Uint8Array()) {
  const taken: Uint8Array[] = [];
  const answer = answerPage(
    { method, url, body: () => Promise.resolve(body) },
    {
      address: 'desk://app',
      assets: createAssets(path.join(folder, 'page')),
      bytes: {
        serveBytes: (asked) =>
          Promise.resolve(asked === '/bytes/out/1' ? { type: 'application/pdf', data: PDF } : null),
        acceptBytes: (data) => {
          if (data.length > ROOM) throw new AppError('invalid', 'too large');
          if (data.length === 0) throw new Error('out of memory');
          taken.push(data);
          return 'id-of-bytes';
        },
      },
    },
  );
  return { answer, taken };
}

describe('the private origin', () => {
  it.each([
    ['desk://app/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['desk://app/index.html#/drafts', 'text/html; charset=utf-8', '<!doctype html>'],
    ['desk://app/assets/index-1a.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['desk://app/bytes/out/1', 'application/pdf', '%PDF-1.7'],
  ])('answers %s', async (url, type, text) => {
    const answer = await ask(url).answer;
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(Buffer.from(answer.body).toString()).toBe(text);
  });

  it.each([
    'desk://app/secret.js',
    'desk://app/../secret.js',
    'desk://app/assets/../../secret.js',
    'desk://app/%2e%2e/secret.js',
    'desk://app/%2E%2E/secret.js',
    'desk://app/assets/%2e%2e/%2e%2e/secret.js',
    'desk://app/..%2fsecret.js',
    'desk://app/..\\secret.js',
    'desk://app/..%5csecret.js',
    'desk://app/secret.js%00',
    'desk://app/index.html\0',
    'desk://app//etc/passwd',
    'desk://app/.git/config',
    'desk://app/assets/',
    'desk://app/assets/notes.txt',
    'desk://app/index.htm',
    'desk://app/INDEX.HTML/',
    'desk://app/package.json',
    'desk://app/bytes/out/2',
    'desk://app/bytes/../secret.js',
  ])('has nothing at %j', async (url) => {
    expect((await ask(url).answer).status).toBe(404);
  });

  it.each([
    'desk://evil/index.html',
    'desk://app.evil/index.html',
    'desk://ada@app/index.html',
    'https://app/index.html',
    'file:///index.html',
    'about:blank',
    '',
  ])('refuses %j', async (url) => {
    expect((await ask(url).answer).status).toBe(403);
  });

  it('accepts bytes at their own address only', async () => {
    const body = new Uint8Array([1, 2, 3]);
    const { answer, taken } = ask('desk://app/bytes/in', 'POST', body);
    expect(Buffer.from((await answer).body).toString()).toBe('{"id":"id-of-bytes"}');
    expect(taken).toEqual([body]);
    const elsewhere = ask('desk://app/bytes/out/1', 'POST', body);
    expect((await elsewhere.answer).status).toBe(405);
    expect(elsewhere.taken).toEqual([]);
  });

  it('refuses too many bytes', async () => {
    const { answer } = ask('desk://app/bytes/in', 'POST', new Uint8Array(ROOM + 1));
    expect((await answer).status).toBe(413);
  });

  it('does not report other failures as a missing or too large file', async () => {
    await expect(ask('desk://app/bytes/in', 'POST').answer).rejects.toThrow('out of memory');
    symlinkSync('loop.js', path.join(folder, 'page/loop.js'));
    await expect(ask('desk://app/loop.js').answer).rejects.toThrow('ELOOP');
  });

  it.each(['desk://app/', 'desk://app/bytes/out/1', 'desk://app/none', 'desk://evil/'])(
    'sends the policy with %s',
    async (url) => {
      const { headers } = await ask(url).answer;
      expect(headers['content-security-policy']).toBe(CONTENT_SECURITY_POLICY);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('answers the requests of the window’s scheme', async () => {
    const { session, state } = await startWindow();
    const get = new Request('desk://app/bytes/out/1');
    const found = await (session.handlers.call('protocol:desk', get) as Promise<Response>);
    expect(found.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    expect(await found.text()).toBe('%PDF-');
    const post = new Request('desk://app/bytes/in', { method: 'POST', body: 'abc' });
    await session.handlers.call('protocol:desk', post);
    expect(state.taken.map((data) => Buffer.from(data).toString())).toEqual(['abc']);
  });
});
