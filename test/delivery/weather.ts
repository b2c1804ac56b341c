import type { Demo } from '../../electron/demo/start.ts';
import type { ChooseFault, FaultAction, FaultRequest } from '../../electron/demo/server/faults.ts';
import { MINUTE } from '../../shared/rules/time/units.ts';

/** One fault: its family in the fault matrix and its effect. */
export interface Mishap {
  readonly family: string;
  readonly action: FaultAction;
}

const REFUSAL = '{"errors":[{"status":"400","title":"Bad Request","detail":"No"}]}';
const REFUSAL_V2 = '{"message":"No","errors":["No"]}';
const LOST_BY_GATEWAY = [500, 502, 503, 504, 408, 425, 520];
/**
 * Name of a separate family of faults: the service answers "not now" but carries out the request.
 */
export const TURNED_AWAY_AND_DONE = 'turned away and done';

/**
 * Possible faults of a create request. `simulated` converts simulated milliseconds to real ones.
 */
export function createMishaps(
  api: 'v1' | 'v2',
  elsewhere: string,
  simulated: (milliseconds: number) => number,
): readonly Mishap[] {
  const contentType = 'application/json';
  const body = api === 'v1' ? REFUSAL : REFUSAL_V2;
  const mishap = (family: string, action: FaultAction): Mishap => ({ family, action });
  const status = (code: number, more: object = {}): FaultAction => ({
    kind: 'status',
    status: code,
    contentType,
    body: '',
    ...more,
  });
  return [
    mishap('F05', { kind: 'reset-before' }),
    mishap('F05', { kind: 'reset-during' }),
    mishap('F06', { kind: 'reset-after' }),
    mishap('F07', { kind: 'hang', commits: false }),
    mishap('F07', { kind: 'hang', commits: true }),
    ...[1_000, 30_000, 5 * MINUTE, 9 * MINUTE].map((late) =>
      mishap('F08', { kind: 'late-commit', ms: simulated(late) }),
    ),
    ...LOST_BY_GATEWAY.flatMap((code) => [
      mishap('F10', status(code, { contentType: 'text/html' })),
      mishap('F10', status(code, { commits: true })),
    ]),
    mishap('F11', { kind: 'cut-json' }),
    mishap('F11', { kind: 'cut-body', fraction: 0.5 }),
    mishap('F11', { kind: 'html', commits: true }),
    mishap('F11', { kind: 'wrong-type', contentType: 'text/plain' }),
    mishap('F11', { kind: 'wrong-length', by: 7 }),
    mishap('F12', { kind: 'mutate', change: () => ({}) }),
    mishap('F12', { kind: 'mutate', change: withOtherTitle }),
    mishap('F12', status(202, { commits: true })),
    ...[301, 302, 303, 307, 308].map((code) =>
      mishap('F13', { kind: 'redirect', status: code, location: elsewhere }),
    ),
    mishap('F14', status(400, { body })),
    mishap('F14', status(422, { body })),
    mishap('F15', status(400, { contentType: 'text/html', body: '<h1>Bad Request</h1>' })),
    mishap('F15', status(403)),
    mishap('F16', status(400, { body, commits: true })),
    mishap('F17', { kind: 'unauthorized' }),
    mishap(TURNED_AWAY_AND_DONE, status(401, { body, commits: true })),
    mishap(
      TURNED_AWAY_AND_DONE,
      status(429, { body, commits: true, headers: { 'Retry-After': '31' } }),
    ),
    ...['0', '31', '120', 'soon', '-5'].map((after) =>
      mishap('F20', status(429, { body, headers: { 'Retry-After': after } })),
    ),
  ];
}

/** Possible faults of a reading of the list. */
export function listMishaps(): readonly Mishap[] {
  return [
    { family: 'F24', action: { kind: 'mutate', change: withOneMore } },
    { family: 'F25', action: { kind: 'mutate', change: withoutTags } },
    { family: 'F26', action: { kind: 'mutate', change: withStrayLinks } },
    {
      family: 'F28',
      action: { kind: 'status', status: 404, contentType: 'text/html', body: '<h1>Not here</h1>' },
    },
    { family: 'F32', action: { kind: 'mutate', change: withNothing } },
  ];
}

/** Shares of create requests and of readings that get a fault. */
export interface Shares {
  readonly create: number;
  readonly list: number;
}

export function createWeather(
  mishaps: { readonly create: readonly Mishap[]; readonly list: readonly Mishap[] },
  shares: Shares,
  random: () => number,
  seen: Map<string, number>,
): ChooseFault {
  return (request) => {
    const kind = kindOf(request);
    if (kind === null || random() >= shares[kind]) return null;
    const chosen = mishaps[kind][Math.floor(random() * mishaps[kind].length)];
    if (chosen === undefined) return null;
    seen.set(chosen.family, (seen.get(chosen.family) ?? 0) + 1);
    return chosen.action;
  };
}

export function kindOf({ method, url }: FaultRequest): 'create' | 'list' | null {
  const [path = ''] = url.split('?');
  if (!path.endsWith('/agreements')) return null;
  return method === 'POST' ? 'create' : 'list';
}

/** Agreements that a colleague revoked or deleted at the service, by id. */
export interface TakenBack {
  readonly title: string;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly isDeleted: boolean;
}

/**
 * A colleague who revokes or deletes the latest agreement in the browser. That one most often has
 * an unknown outcome.
 */
export class Colleague {
  readonly taken = new Map<string, TakenBack>();
  readonly #demo: Demo;
  readonly #api: 'v1' | 'v2';

  constructor(demo: Demo, api: 'v1' | 'v2') {
    this.#demo = demo;
    this.#api = api;
  }

  takeBackNewest(): void {
    const newest = this.#all().findLast(({ id }) => !this.taken.has(id));
    if (newest === undefined) return;
    const isDeleted = this.taken.size % 2 === 0;
    this.taken.set(newest.id, { ...newest, isDeleted });
    this.#demo.act(this.#api, newest.id, isDeleted ? 'delete' : 'revoke');
  }

  #all(): readonly { readonly id: string; readonly title: string; readonly tags: Json }[] {
    const { agreements } = this.#demo;
    if (this.#api === 'v1') return agreements.v1();
    return agreements.v2().map(({ referenceNumber, name }) => {
      return { id: referenceNumber, title: name, tags: {} };
    });
  }
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function withOtherTitle(json: unknown): unknown {
  if (!isJson(json)) return json;
  if (isJson(json['data'])) return { ...json, data: { ...json['data'], title: 'Another' } };
  return { ...json, name: 'Another' };
}

function withOneMore(json: unknown): unknown {
  if (!isJson(json)) return json;
  const { meta, totalCount } = json;
  if (isJson(meta))
    return { ...json, meta: { ...meta, totalRecords: Number(meta['totalRecords']) + 1 } };
  return { ...json, totalCount: Number(totalCount) + 1 };
}

function withoutTags(json: unknown): unknown {
  if (!isJson(json) || !Array.isArray(json['data'])) return json;
  return {
    ...json,
    data: json['data'].map((one: unknown) => (isJson(one) ? { ...one, tags: null } : one)),
  };
}

function withStrayLinks(json: unknown): unknown {
  if (!isJson(json) || !isJson(json['meta'])) return json;
  return { ...json, links: { next: 'https://elsewhere.example/v1/agreements?page[number]=2' } };
}

function withNothing(json: unknown): unknown {
  if (!isJson(json)) return json;
  if (isJson(json['meta'])) {
    return { ...json, data: [], meta: { ...json['meta'], totalRecords: 0, totalPages: 0 } };
  }
  return { ...json, agreements: [], totalCount: 0 };
}
