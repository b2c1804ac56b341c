import { Refusal } from './refusal.ts';

export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Uint8Array };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Content;
}

/** One request for the handlers: read completely, with decoded path parameters. */
export interface Exchange {
  readonly method: string;
  /** Path without query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Origin of the service: `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
}

export function json(
  value: unknown,
  more: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Answer {
  return {
    status: more.status ?? 200,
    headers: more.headers ?? {},
    content: { kind: 'json', value },
  };
}

export function bytes(type: string, data: Uint8Array): Answer {
  return { status: 200, headers: {}, content: { kind: 'bytes', type, bytes: data } };
}

export function text(value: string): Answer {
  return bytes('text/plain; charset=utf-8', Buffer.from(value));
}

export function noContent(headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 204, headers, content: { kind: 'none' } };
}

/** @throws Error if the route has no such parameter: a bug in the route table. */
export function requirePathParameter(exchange: Exchange, name: string): string {
  const value = exchange.params[name];
  if (value === undefined) throw new Error(`No path parameter '${name}' in ${exchange.path}`);
  return value;
}

/** @throws Refusal with 400 unless the body is declared as JSON. */
export function requireJsonType(exchange: Exchange): void {
  const type = exchange.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new Refusal(400, 'The header Content-Type: application/json is required.');
  }
}

export function encode(content: Content): { type: string | null; bytes: Uint8Array } {
  switch (content.kind) {
    case 'none':
      return { type: null, bytes: new Uint8Array() };
    case 'json':
      return {
        type: 'application/json; charset=utf-8',
        bytes: Buffer.from(JSON.stringify(content.value)),
      };
    case 'bytes':
      return { type: content.type, bytes: content.bytes };
  }
}
