import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** Action on a connection after the head of a request. */
export type RawReply = string | 'reset' | 'silence';

export interface RawServer {
  readonly port: number;
  readonly origin: string;
  /** All received bytes, one entry per connection. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a server that answers with exactly these bytes, for answers that no HTTP library would
 * send.
 */
export async function startRawServer(
  reply: (request: string) => RawReply,
  tls?: { readonly key: string; readonly cert: string },
): Promise<RawServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    const index = received.push('') - 1;
    let isAnswered = false;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      received[index] += data.toString('latin1');
      if (isAnswered || !(received[index] ?? '').includes('\r\n\r\n')) return;
      isAnswered = true;
      answer(socket, reply(received[index] ?? ''));
    });
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  const port = await listening(server);
  return {
    port,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${String(port)}`,
    received,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A complete answer with its length, which closes the connection. */
export function rawAnswer(status: string, type: string, body: string): string {
  const length = String(Buffer.byteLength(body));
  return [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function answer(socket: Socket, reply: RawReply): void {
  if (reply === 'reset') socket.resetAndDestroy();
  else if (reply !== 'silence') socket.end(reply);
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
