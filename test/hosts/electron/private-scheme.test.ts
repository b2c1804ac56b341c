import { describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '../../../electron/hosts/page/policy.ts';
import { startWindow, type StartedWindow } from '../../support/desks/started-window.ts';

async function ask({ session }: StartedWindow, url: string, init?: RequestInit): Promise<Response> {
  const request = new Request('http://unused.example', init);
  // The URL is set afterwards, because Node's own Request accepts no private scheme.
  Object.defineProperty(request, 'url', { value: url });
  const answer = await session.handlers.call('protocol:desk', request);
  if (!(answer instanceof Response)) throw new TypeError('The scheme gave no response');
  return answer;
}

describe('the private scheme', () => {
  it('answers with bytes of the core, under the page’s policy and without a cache (TX-53)', async () => {
    const answer = await ask(await startWindow(), 'desk://app/bytes/out/1');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('%PDF-');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('accepts bytes from the page', async () => {
    const started = await startWindow();
    const init = { method: 'POST', body: new Uint8Array([1, 2, 3]) };
    const answer = await ask(started, 'desk://app/bytes/in', init);
    expect(await answer.json()).toEqual({ id: 'id-of-bytes' });
    expect(started.state.taken.map((data) => [...data])).toEqual([[1, 2, 3]]);
  });

  it.each([
    ['desk://evil/index.html', 403],
    ['file:///etc/passwd', 403],
    ['desk://app/../package.json', 404],
    ['desk://app/%2e%2e/package.json', 404],
    ['desk://app/..%5cpackage.json', 404],
    ['desk://app/bytes/out/2', 404],
  ])('answers nothing for %s, under the same policy (TX-53)', async (url, status) => {
    const answer = await ask(await startWindow(), url);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
  });

  it('supports only reading and accepting bytes (TX-53)', async () => {
    const started = await startWindow();
    const answer = await ask(started, 'desk://app/index.html', { method: 'DELETE' });
    expect(answer.status).toBe(405);
  });
});
