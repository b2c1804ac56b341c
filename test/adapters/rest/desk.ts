import {
  createOpenActions,
  createOpenService,
} from '../../../electron/adapters/rest/open-service.ts';
import { DEFAULT_DEADLINES } from '../../../electron/adapters/rest/http/transport.ts';
import type { ActionsV1, ActionsV2 } from '../../../electron/core/services/ports.ts';
import type { AgreementService, ChangePage, Clock } from '../../../electron/core/ports.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { AgreementId, OutboxRef } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';

/** Timeouts (ms): long enough for loopback, short enough for tests of timeouts. */
export const SHORT = { ...DEFAULT_DEADLINES, read: 400, write: 400 };

export const neverStops = new AbortController().signal;
export const REF = OutboxRef.parse('0b7ad0a2-1f6f-4a3e-9c8e-1f2f3a4b5c6d');

/** Creates ports whose waits take no time; their lengths are recorded in `waits`. */
export function createTestPorts(now: () => number = Date.now) {
  const waits: number[] = [];
  const logged: string[] = [];
  const clock: Clock = {
    now,
    after(milliseconds, run) {
      waits.push(milliseconds);
      const handle = setImmediate(run);
      return () => {
        clearImmediate(handle);
      };
    },
  };
  return {
    waits,
    logged,
    clock,
    chance: { uuid: () => REF, fraction: () => 0.5 },
    log: {
      info: (event: string, fields = {}) => logged.push(`${event} ${JSON.stringify(fields)}`),
      error: (error: unknown) => String(logged.push(String(error))),
    },
  };
}

export function openV1(
  url: string,
  {
    token = 'demo-token-not-a-secret',
    ports = createTestPorts(),
    deadlines = DEFAULT_DEADLINES,
  } = {},
): AgreementService {
  const open = createOpenService(ports, deadlines);
  return open({ api: 'v1', url, accountId: null, orgNo: null, environment: 'test' }, token);
}

export function openV2(
  url: string,
  {
    key = 'demo-key-not-a-secret',
    accountId = '1001' as string | null,
    orgNo = null as string | null,
    ports = createTestPorts(),
    deadlines = DEFAULT_DEADLINES,
  } = {},
): AgreementService {
  const open = createOpenService(ports, deadlines);
  return open({ api: 'v2', url, accountId, orgNo, environment: 'test' }, key);
}

export function actionsV1(
  url: string,
  {
    token = 'demo-token-not-a-secret',
    ports = createTestPorts(),
    deadlines = DEFAULT_DEADLINES,
  } = {},
): ActionsV1 {
  const connection = { api: 'v1', url, accountId: null, orgNo: null, environment: 'test' } as const;
  const actions = createOpenActions(ports, deadlines)(connection, token);
  if (actions.api === 'v1') return actions;
  throw new Error(`v1 opened ${actions.api}`);
}

export function actionsV2(
  url: string,
  {
    key = 'demo-key-not-a-secret',
    accountId = '1001' as string | null,
    ports = createTestPorts(),
    deadlines = DEFAULT_DEADLINES,
  } = {},
): ActionsV2 {
  const connection = { api: 'v2', url, accountId, orgNo: null, environment: 'test' } as const;
  const actions = createOpenActions(ports, deadlines)(connection, key);
  if (actions.api === 'v2') return actions;
  throw new Error(`v2 opened ${actions.api}`);
}

export function id(text: string): AgreementId {
  return AgreementId.parse(text);
}

export async function all(
  service: AgreementService,
  since: number | null = null,
): Promise<RemoteAgreement[]> {
  return (await pagesOf(service, since)).flatMap(({ items }) => items);
}

export async function pagesOf(
  service: AgreementService,
  since: number | null = null,
): Promise<ChangePage[]> {
  return collect(service.changes(since, neverStops));
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Returns the failure of a call; a successful call fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    if (error instanceof AppError) return error.failure;
    throw error;
  }
  throw new Error('It succeeded');
}

/** Returns the requests that the demo received at these paths, in order. */
export function seen(demo: Demo, path: RegExp): string[] {
  return demo.requests
    .filter(({ url }) => path.test(url))
    .map(({ method, url }) => `${method} ${url}`);
}
