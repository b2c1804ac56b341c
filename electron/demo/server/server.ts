import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FaultBoard, Outcome } from './faults.ts';
import { encode, type Answer, type Exchange } from './http.ts';

const MISDIRECTED_ANSWER: Answer = { status: 421, headers: {}, content: { kind: 'none' } };

export interface DemoRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodySha256: string;
  readonly bodyBytes: number;
  /** Status of the response; 0 if no response was sent. */
  readonly status: number;
  /** Time at which the request was finished (epoch ms). */
  readonly at: number;
}

interface RunningServer {
  readonly origin: string;
  readonly requests: readonly DemoRequest[];
  close(): Promise<void>;
}

const LOOPBACK_ADDRESS = '127.0.0.1';
const MAX_REQUESTS_KEPT = 10_000;
/**
 * Maximum size of a request body: above the maximum of both APIs (12 MB as Base64), and far below a
 * harmful size.
 */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Listens only on loopback and passes every request to `handle`, with the planted faults. */
export async function listen(options: {
  readonly port: number;
  readonly now: () => number;
  readonly faults: FaultBoard;
  readonly handle: (exchange: Exchange) => Promise<Answer>;
}): Promise<RunningServer> {
  const { now, faults, handle } = options;
  const requests: DemoRequest[] = [];
  let origin = '';
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    faults.arriving({ method: request.method ?? 'GET', url: request.url ?? '/' });
    const body = await readBody(request);
    const exchange = toExchange(request, body, origin);
    const url = request.url ?? '/';
    const outcome = await faults.run({ method: exchange.method, url }, () =>
      isLoopbackHost(exchange)
        ? answerOrFail(handle, exchange)
        : Promise.resolve(MISDIRECTED_ANSWER),
    );
    requests.push(toRecord(request, { body, url, outcome, at: now() }));
    if (requests.length > MAX_REQUESTS_KEPT) requests.shift();
    response.sendDate = false;
    response.setHeader('Date', new Date(now()).toUTCString());
    sendOutcome(response, outcome);
  };
  const server = createServer((request, response) => {
    // A client that disconnects during its request needs no response.
    serve(request, response).catch(() => response.destroy());
  });
  origin = await startListening(server, options.port);
  return { origin, requests, close: () => stopServer(server) };
}

/**
 * Answers a request. A bug of the service becomes a response with status 500 and is reported on the
 * error channel; the connection is not lost.
 */
async function answerOrFail(
  handle: (exchange: Exchange) => Promise<Answer>,
  exchange: Exchange,
): Promise<Answer> {
  try {
    return await handle(exchange);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
    return { status: 500, headers: {}, content: { kind: 'none' } };
  }
}

/**
 * Whether the request names the loopback address as its host. This prevents DNS rebinding: a web
 * page whose host name points to loopback must not reach this service.
 */
function isLoopbackHost({ headers, origin }: Exchange): boolean {
  const { host, port } = new URL(origin);
  return headers['host'] === host || headers['host'] === `localhost:${port}`;
}

function toExchange(request: IncomingMessage, body: Buffer, origin: string): Exchange {
  const url = request.url ?? '/';
  const [path = '/', query = ''] = url.split(/\?(.*)/s);
  return {
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers: flatHeaders(request),
    body,
    origin,
    params: {},
  };
}

function toRecord(
  request: IncomingMessage,
  seen: { body: Buffer; url: string; outcome: Outcome; at: number },
): DemoRequest {
  const { outcome } = seen;
  return {
    method: request.method ?? 'GET',
    url: seen.url,
    headers: flatHeaders(request),
    bodySha256: createHash('sha256').update(seen.body).digest('hex'),
    bodyBytes: seen.body.byteLength,
    status: 'answer' in outcome ? outcome.answer.status : 0,
    at: seen.at,
  };
}

function sendOutcome(response: ServerResponse, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'reset':
      response.destroy();
      return;
    case 'silence':
      return;
    case 'answer': {
      const { bytes } = writeHead(response, outcome.answer);
      response.end(bytes);
      return;
    }
    case 'cut':
      sendTruncated(response, outcome);
      return;
    case 'drip':
      sendInPieces(response, outcome);
      return;
    case 'misdeclared': {
      const { bytes } = writeHead(response, outcome.answer, outcome.by);
      response.end(bytes);
    }
  }
}

function sendInPieces(response: ServerResponse, outcome: Extract<Outcome, { kind: 'drip' }>): void {
  const { bytes } = writeHead(response, outcome.answer);
  response.flushHeaders();
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + outcome.bytes));
    sent += outcome.bytes;
    if (sent < bytes.byteLength) return;
    clearInterval(timer);
    response.end();
  }, outcome.everyMs);
  response.once('close', () => {
    clearInterval(timer);
  });
}

function sendTruncated(response: ServerResponse, outcome: Extract<Outcome, { kind: 'cut' }>): void {
  response.shouldKeepAlive = false;
  const { bytes } = writeHead(response, outcome.answer, outcome.announced ? 0 : null);
  const part = bytes.subarray(0, Math.floor(bytes.byteLength * outcome.fraction));
  if (!outcome.announced) response.end(part);
  else response.write(part, () => response.destroy());
}

/** Writes the head of a response. `wrongBy` is added to Content-Length; null omits this header. */
function writeHead(
  response: ServerResponse,
  answer: Answer,
  wrongBy: number | null = 0,
): { bytes: Uint8Array } {
  const { type, bytes } = encode(answer.content);
  if (type !== null) response.setHeader('Content-Type', type);
  if (wrongBy === null) response.removeHeader('Transfer-Encoding');
  else if (answer.status !== 204) {
    response.setHeader('Content-Length', bytes.byteLength + wrongBy);
  }
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.writeHead(answer.status);
  return { bytes };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const piece: unknown = chunk;
    if (!Buffer.isBuffer(piece)) throw new TypeError('A request gives bytes.');
    size += piece.byteLength;
    if (size > MAX_BODY_BYTES) throw new RangeError('The body is too large.');
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

function flatHeaders({ headers }: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function startListening(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK_ADDRESS, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://${LOOPBACK_ADDRESS}:${String(bound)}`);
    });
  });
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeAllConnections();
  });
}
