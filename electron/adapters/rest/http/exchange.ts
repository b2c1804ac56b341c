import { Agent, type buildConnector, Client } from 'undici';
import type { BaseAddress } from './address.ts';
import { type Answer, createAnswer } from './answer.ts';
import { ACCEPT_ENCODING } from './content-coding.ts';
import { abortAfter, waitUnlessAborted, type RequestAbort } from './request-abort.ts';
import { watchLeaving } from './leaving.ts';
import { createLinkGuard } from './link-guard.ts';
import { retryDelayBefore } from './retry.ts';
import { createConnector } from './way-out.ts';
import type {
  Deadlines,
  AttemptResult,
  Transport,
  TransportPorts,
  UseAnswer,
  WireRequest,
} from './transport.ts';

/** Slowest supported upload speed (bytes per ms; 64 KiB/s). */
const BYTES_PER_MS = (64 * 1024) / 1000;

interface ExchangeContext extends TransportPorts {
  readonly deadlines: Deadlines;
  readonly count: () => void;
  /** Opens the connection of requests that are sent once. */
  readonly connect: buildConnector.connector;
}

/**
 * Options of connections. Certificates are verified even if the environment disables that in Node.
 */
const CONNECTION_OPTIONS = { allowH2: false, timeout: 10_000, rejectUnauthorized: true } as const;

export function createExchange(
  ports: TransportPorts,
  base: BaseAddress,
  deadlines: Deadlines,
): Transport {
  let requests = 0;
  const count = (): void => {
    requests += 1;
  };
  const { network } = ports;
  const connect = createConnector({ network, options: CONNECTION_OPTIONS, guard: null });
  const agent = new Agent({ connect, allowH2: false });
  const guard = createLinkGuard(base);
  const links = new Agent({
    connect: createConnector({ network, options: CONNECTION_OPTIONS, guard }),
    allowH2: false,
  });
  const means: ExchangeContext = { ...ports, deadlines, count, connect };
  // A link leads to another server, whose clock may differ.
  const linkMeans: ExchangeContext = { ...means, hearClock: undefined };
  return {
    requestCount: () => requests,
    read: (request, kind, signal, use) => {
      const { read, download, downloadIdle } = deadlines;
      const ending = abortAfter(kind === 'read' ? read : download, signal);
      const idle = kind === 'read' ? read : downloadIdle;
      const [by, meansOf] = kind === 'link' ? [links, linkMeans] : [agent, means];
      return readWithRetries(meansOf, { ending, idle, request, use, by });
    },
    once: (request, signal, use) => {
      const uploadMs = Math.ceil((request.body?.byteLength ?? 0) / BYTES_PER_MS);
      const ending = abortAfter(Math.min(deadlines.write + uploadMs, deadlines.writeMost), signal);
      return sendOnce(means, request, ending, use);
    },
  };
}

async function readWithRetries<Result>(
  means: ExchangeContext,
  reading: {
    ending: RequestAbort;
    idle: number;
    request: WireRequest;
    use: UseAnswer<Result>;
    by: Agent;
  },
): Promise<Result> {
  const { ending, idle, request, use, by } = reading;
  const { origin, path, method, headers, route } = request;
  const { signal } = ending;
  const options = {
    origin,
    path,
    method,
    headers: { ...ACCEPT_ENCODING, ...headers },
    signal,
    headersTimeout: idle,
    bodyTimeout: idle,
  };
  for (let tries = 1; ; tries += 1) {
    const startedAt = means.clock.now();
    try {
      const response = watchLeaving(() => by.request(options), means.count);
      const answer = createAnswer(route, await ending.race(response), ending.caller);
      logAnswer(means, route, answer, startedAt);
      return await ending.race(use(answer));
    } catch (error) {
      const failure = ending.explain(route, error);
      const wait = retryDelayBefore(failure.failure, tries, means);
      if (wait === null) throw failure;
      await waitUnlessAborted(means.clock, wait, ending).catch((stopped: unknown) => {
        throw ending.explain(route, stopped);
      });
    }
  }
}

async function sendOnce<Result>(
  means: ExchangeContext,
  request: WireRequest,
  ending: RequestAbort,
  use: UseAnswer<Result>,
): Promise<AttemptResult<Result>> {
  const { origin, path, method, headers, body, route } = request;
  // A reused connection may already be closed, which would leave the outcome of the request
  // unknown.
  const client = new Client(origin, { connect: means.connect, allowH2: false, pipelining: 0 });
  const startedAt = means.clock.now();
  let hasLeft = false;
  try {
    ending.signal.throwIfAborted();
    const options = {
      path,
      method,
      headers: { ...ACCEPT_ENCODING, ...headers },
      body,
      signal: ending.signal,
      idempotent: false,
    };
    const start = () => client.request(options);
    const response = watchLeaving(start, () => {
      means.atKillPoint?.('before-headers');
      hasLeft = true;
      means.count();
    });
    const answer = createAnswer(route, await ending.race(response), ending.caller);
    means.atKillPoint?.('answer-headers');
    logAnswer(means, route, answer, startedAt);
    return { kind: 'answered', result: await ending.race(use(answer)) };
  } catch (error) {
    // Destroying the connection ensures that an unsent request can no longer be sent.
    await client.destroy();
    return { kind: hasLeft ? 'lost' : 'not-sent', failure: ending.explain(route, error).failure };
  } finally {
    // This is awaited before the result is returned: in the meantime the event loop processes other
    // answers, before the program stores this one.
    await client.destroy();
  }
}

/** Logs an answer. Never throws: the outcome of the request must not be lost because of logging. */
function logAnswer(
  { log, clock, hearClock }: ExchangeContext,
  route: string,
  { status, serverTime }: Answer,
  startedAt: number,
): void {
  log.info('service.answered', { route, status, milliseconds: clock.now() - startedAt });
  try {
    hearClock?.(serverTime);
  } catch (error) {
    log.error(error, 'service.answered');
  }
}
