import { once } from 'node:events';
import { request as requestPlainly } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Demo, startDemo } from '../../electron/demo/start.ts';
import { createAuthority, type TestAuthority } from './self-signed.ts';

/** Host name that only a proxy resolves. */
export const OFFICE_HOST = 'service.example';

export interface OfficeService {
  readonly authority: TestAuthority;
  readonly demo: Demo;
  /** Port at which a proxy finds `OFFICE_HOST`. */
  readonly port: number;
  /** Address of API v1. */
  readonly url: string;
}

/**
 * Starts the demo service over TLS as `OFFICE_HOST`, with a certificate of an office's authority.
 * It stops with the test.
 */
export async function startOfficeService(
  name = 'Office Inspection CA',
  seed: 'none' | 'full' = 'none',
): Promise<OfficeService> {
  const authority = createAuthority(name);
  const demo = await startDemo({ dataDir: null, counterpartDelayMs: null, seed });
  const { host, port: behind, pathname } = new URL(demo.v1Url);
  const front = createServer(authority.issue(OFFICE_HOST), (request, response) => {
    const { method, url } = request;
    // The service accepts only requests for its own host name.
    const headers = { ...request.headers, host };
    const onward = requestPlainly({ host: '127.0.0.1', port: behind, method, path: url, headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  front.on('tlsClientError', () => undefined);
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(async () => {
    front.closeAllConnections();
    front.close();
    await demo.close();
  });
  const { port } = front.address() as AddressInfo;
  return { authority, demo, port, url: `https://${OFFICE_HOST}${pathname.replace(/\/$/, '')}` };
}
