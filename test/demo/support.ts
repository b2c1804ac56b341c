import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startDemo, type Demo, type DemoOptions } from '../../electron/demo/start.ts';

export const NOON = Date.UTC(2026, 4, 20, 10, 0, 0);

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  readonly json: unknown;
}

export interface Sent {
  readonly body?: unknown;
  /** Body that is sent instead of the JSON of `body`. */
  readonly raw?: BodyInit;
  /** Additional headers; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface Client {
  readonly demo: Demo;
  readonly clock: { at: number };
  v1(method: string, path: string, sent?: Sent): Promise<Reply>;
  v2(method: string, path: string, sent?: Sent): Promise<Reply>;
}

/** Starts a service on its own port with a fixed clock; it is closed when the test ends. */
export async function openDemo(options: Partial<DemoOptions> = {}): Promise<Client> {
  const clock = { at: NOON };
  const demo = await startDemo({
    dataDir: null,
    seed: 'none',
    counterpartDelayMs: null,
    now: () => clock.at,
    ...options,
  });
  onTestFinished(() => demo.close());
  const { token, accessKey, accountId } = demo.credentials;
  return {
    demo,
    clock,
    v1: (method, path, sent = {}) =>
      send(method, demo.v1Url + path, { authorization: `Token ${token}` }, sent),
    v2: (method, path, sent = {}) =>
      send(method, demo.v2Url + path, { accessKey, accountId }, sent),
  };
}

/** Creates a folder that is deleted when the test ends. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'desk-demo-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function stateKey(): Uint8Array {
  return randomBytes(32);
}

/** Returns the value at a path of keys; undefined if it does not exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Object.entries(here).find(([name]) => name === String(key))?.[1];
  }
  return here;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new TypeError(`No text at ${path.join('.')}`);
  return found;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new TypeError(`No list at ${path.join('.')}`);
  return found;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Returns a copy of a body with one changed value; undefined removes its key. */
export function changed(body: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const holder = at(copy, ...keys);
  if (typeof holder !== 'object' || holder === null) throw new TypeError(`No place ${path}`);
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
  return copy;
}

async function send(
  method: string,
  url: string,
  usual: Readonly<Record<string, string>>,
  { body, raw, headers }: Sent,
): Promise<Reply> {
  const all = new Headers(usual);
  if (body !== undefined) all.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  const content = raw ?? (body === undefined ? null : JSON.stringify(body));
  const reply = await fetch(url, { method, headers: all, body: content, redirect: 'manual' });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const text = bytes.toString();
  const json: unknown = /json/.test(reply.headers.get('content-type') ?? '')
    ? JSON.parse(text)
    : null;
  return { status: reply.status, headers: reply.headers, bytes, text, json };
}
