import type { Answer, Exchange } from './http.ts';
import { Refusal } from './refusal.ts';

/** Handler of a route. `Of` is the type of its context, which the router only passes on. */
export type Handler<Of> = (exchange: Exchange, service: Of) => Answer | Promise<Answer>;

export interface Route<Of> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the API's prefix; `:name` matches one segment. */
  readonly path: string;
  readonly run: Handler<Of>;
}

/** An API under one base address: its routes, its authentication and its error format. */
export interface Api<Of> {
  readonly prefix: string;
  readonly routes: readonly Route<Of>[];
  /** @throws Refusal if the request has no valid credential. */
  readonly admit: (exchange: Exchange) => void;
  readonly explain: (refusal: Refusal, exchange: Exchange, service: Of) => Answer;
  /** Wraps each handler, to change request and response, for example to another representation. */
  readonly wrap: (run: Handler<Of>) => Handler<Of>;
}

/** Finds and runs the route of a request; every refusal becomes the API's own error response. */
export async function dispatch<Of>(
  apis: readonly Api<Of>[],
  exchange: Exchange,
  service: Of,
): Promise<Answer> {
  const api = apis.find(({ prefix }) => exchange.path.startsWith(`${prefix}/`));
  if (api === undefined) return { status: 404, headers: {}, content: { kind: 'none' } };
  const run = api.wrap(async (request, to) => {
    try {
      api.admit(request);
      return await runRoute(api, request, to);
    } catch (error) {
      if (error instanceof Refusal) return api.explain(error, request, to);
      throw error;
    }
  });
  return run({ ...exchange, path: exchange.path.slice(api.prefix.length) }, service);
}

function runRoute<Of>(api: Api<Of>, exchange: Exchange, service: Of): Answer | Promise<Answer> {
  const segments = exchange.path.split('/').map(decodeSegment);
  const allowed = new Set<string>();
  for (const route of api.routes) {
    const params = match(route.path.split('/'), segments);
    if (params === null) continue;
    if (route.method === exchange.method) return route.run({ ...exchange, params }, service);
    allowed.add(route.method);
  }
  if (allowed.size === 0) throw new Refusal(404, 'There is nothing at this path.');
  throw new Refusal(405, 'This method is not offered here.', {
    headers: { Allow: [...allowed].join(', ') },
  });
}

function match(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    if (cause instanceof URIError) throw new Refusal(400, 'The path is not valid.');
    throw cause;
  }
}
