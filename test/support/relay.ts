import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A sent request, and its answer. */
export interface Relayed {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly status: number;
  readonly reply: Buffer;
}

/** The connection to a service, up or down, with a record of its traffic. */
export interface Relay {
  /** Address of the service through the relay, whether it is up or down. */
  through(url: string): string;
  readonly passed: readonly Relayed[];
  /** Starts listening; before this call, and after `down`, connections are refused. */
  up(): Promise<void>;
  down(): Promise<void>;
}

/** Creates a relay to the service at `target`; it is down at first. */
export async function layRelay(target: string): Promise<Relay> {
  const passed: Relayed[] = [];
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, target, passed).catch(() => outgoing.destroy());
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const down = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  // Choose the port before a server answers on it.
  const port = await listen(0);
  await down();
  return {
    through(url) {
      const changed = new URL(url);
      changed.port = String(port);
      return changed.href.replace(/\/$/, '');
    },
    passed,
    up: async () => void (await listen(port)),
    down,
  };
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: string,
  passed: Relayed[],
): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  const body = await buffer(incoming);
  const onward = request(new URL(path, target), {
    method,
    // The service builds addresses from its own name.
    headers: { ...headers, host: new URL(target).host },
  });
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const reply = await buffer(answer);
  const status = answer.statusCode ?? 0;
  passed.push({ method, path, body, status, reply });
  const { 'transfer-encoding': _, ...passedHeaders } = answer.headers;
  outgoing.writeHead(status, passedHeaders).end(reply);
}
