import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Issued } from './self-signed.ts';

/** Reaction of a proxy to a CONNECT. */
export type ProxyManner =
  | { readonly kind: 'pass' }
  /** Closes the connection instead of answering. */
  | { readonly kind: 'die' }
  /** Accepts the request, and closes the connection before any data is transferred. */
  | { readonly kind: 'die-after' }
  /** Accepts the request, and shows its own page instead of the service, as guest networks do. */
  | { readonly kind: 'page' }
  /** Forwards this number of bytes, and closes both connections. */
  | { readonly kind: 'die-within'; readonly bytes: number }
  | { readonly kind: 'refuse'; readonly status: number; readonly challenge?: string }
  | { readonly kind: 'silence' };

export interface TestProxy {
  readonly port: number;
  readonly origin: string;
  /** Requests with their `host:port`, and their credentials in clear text. */
  readonly asked: readonly { readonly authority: string; readonly credentials: string | null }[];
  manner: ProxyManner;
}

interface ProxyOptions {
  /** Credentials that the proxy requires, as `user:password`; null if it requires none. */
  readonly credentials?: string | null;
  /** Ports of hosts that only the proxy resolves; it connects to other hosts directly. */
  readonly names?: Readonly<Record<string, number>>;
  /** Certificate with which the proxy uses TLS to its clients. */
  readonly tls?: Issued;
}

/** A small local proxy that answers CONNECT. Stops with the test. */
export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const { credentials = null, names = {}, tls } = options;
  const asked: { authority: string; credentials: string | null }[] = [];
  const sockets = new Set<Socket>();
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const kept = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };
  server.on('connection', kept);
  server.on('connect', (request, near: Socket) => {
    kept(near);
    const authority = request.url ?? '';
    const [, encoded] = /^Basic (.+)$/.exec(request.headers['proxy-authorization'] ?? '') ?? [];
    const given = encoded === undefined ? null : Buffer.from(encoded, 'base64').toString();
    asked.push({ authority, credentials: given });
    const { manner } = proxy;
    if (manner.kind === 'silence') return;
    if (manner.kind === 'die') return void near.destroy();
    if (manner.kind === 'refuse') return refuse(near, manner.status, manner.challenge);
    if (credentials !== null && given !== credentials)
      return refuse(near, 407, 'Basic realm="office"');
    near.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (manner.kind === 'die-after') return void near.destroy();
    if (manner.kind === 'page') {
      return void near.once('data', () => near.end('HTTP/1.1 200 OK\r\n\r\n<html>Log in'));
    }
    const [, host = '', port = '443'] = /^(.*):(\d+)$/.exec(authority) ?? [];
    const target = names[host];
    const far = kept(connect(target ?? Number(port), target === undefined ? host : '127.0.0.1'));
    pass(near, far, manner.kind === 'die-within' ? manner.bytes : null);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const scheme = tls === undefined ? 'http' : 'https';
  const proxy: TestProxy = {
    port,
    origin: `${scheme}://127.0.0.1:${String(port)}`,
    asked,
    manner: { kind: 'pass' },
  };
  return proxy;
}

function refuse(near: Socket, status: number, challenge: string | undefined): void {
  const header = challenge === undefined ? '' : `Proxy-Authenticate: ${challenge}\r\n`;
  near.end(`HTTP/1.1 ${String(status)} No\r\n${header}Content-Length: 0\r\n\r\n`);
}

function pass(near: Socket, far: Socket, most: number | null): void {
  let bytes = 0;
  near.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (most === null || bytes <= most) {
      far.write(chunk);
      return;
    }
    near.destroy();
    far.destroy();
  });
  far.on('data', (chunk: Buffer) => near.write(chunk));
  far.on('end', () => near.end()).on('error', () => near.destroy());
  near.on('end', () => far.end()).on('close', () => far.destroy());
}
