import { createBirpc } from 'birpc';
import * as z from 'zod';
import {
  type Api,
  type CallName,
  calls,
  type Emit,
  type EventData,
  type EventName,
  events,
  type Handlers,
} from './contract/index.ts';
import { AppError, Failure } from './errors.ts';

/**
 * Carries text in both directions; a host connects two channels and does not read their messages.
 */
export interface Channel {
  post(message: string): void;
  onMessage(listener: (message: string) => void): void;
}

/** Converts a thrown error to data; the core supplies it, because it logs unexpected errors. */
export type ToFailure = (error: unknown, callName: string) => Failure;

type Reply = { ok: true; value: unknown } | { ok: false; error: Failure };

const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: Failure }),
]);

const isCallName = (name: unknown): name is CallName =>
  typeof name === 'string' && Object.hasOwn(calls, name);

const isEventName = (name: unknown): name is EventName =>
  typeof name === 'string' && Object.hasOwn(events, name);

/** Messages of a zod error by field path, such as `parties.2.email`. */
const schemaErrorsByField = (error: z.ZodError): Record<string, string> =>
  Object.fromEntries(error.issues.map((issue) => [issue.path.join('.'), issue.message]));

async function answerCall(
  handlers: Handlers,
  toFailure: ToFailure,
  name: unknown,
  input: unknown,
): Promise<Reply> {
  if (!isCallName(name)) {
    return { ok: false, error: { code: 'invalid', message: 'This call does not exist' } };
  }
  const parsed = calls[name].input.safeParse(input);
  if (!parsed.success) {
    const message = `The input of ${name} is not valid`;
    return {
      ok: false,
      error: { code: 'invalid', message, fields: schemaErrorsByField(parsed.error) },
    };
  }
  try {
    // The table pairs each name with its own types; TypeScript cannot follow a name held in a
    // variable.
    const handler = handlers[name] as (input: unknown) => Promise<unknown>;
    return { ok: true, value: calls[name].output.parse(await handler(parsed.data)) };
  } catch (error) {
    return { ok: false, error: toFailure(error, name) };
  }
}

function parseReplyValue(name: CallName, raw: unknown): unknown {
  const reply = Reply.parse(raw);
  if (!reply.ok) throw AppError.from(reply.error);
  return calls[name].output.parse(reply.value);
}

function createApiOver(send: (name: CallName, input: unknown) => Promise<unknown>): Api {
  const entries = Object.keys(calls)
    .filter(isCallName)
    .map((name) => [
      name,
      async (input: unknown) => parseReplyValue(name, await send(name, input)),
    ]);
  return Object.fromEntries(entries) as Api;
}

type ListenFunction = <Name extends EventName>(
  name: Name,
  listener: (data: EventData<Name>) => void,
) => () => void;

/** Listeners by event; events are parsed first, and invalid ones are dropped. */
function createListeners(): {
  readonly on: ListenFunction;
  emit(name: unknown, data: unknown): void;
} {
  const byName = new Map<EventName, Set<(data: never) => void>>();
  return {
    on(name, listener) {
      const set = byName.get(name) ?? new Set();
      byName.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    emit(name, data) {
      if (!isEventName(name)) return;
      const parsed = events[name].safeParse(data);
      if (!parsed.success) return;
      for (const listener of byName.get(name) ?? []) listener(parsed.data as never);
    },
  };
}

/**
 * Messages of birpc. birpc does not validate its input, so all other messages are dropped before
 * they reach it.
 */
const Message = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('q'),
    m: z.string(),
    a: z.array(z.unknown()),
    i: z.string().optional(),
  }),
  z.object({
    t: z.literal('s'),
    i: z.string(),
    r: z.unknown().optional(),
    e: z.unknown().optional(),
  }),
]);

const createTextTransport = (channel: Channel) => ({
  post: (message: string) => channel.post(message),
  on: (listener: (message: string) => void) => channel.onMessage(listener),
  serialize: (message: unknown) => JSON.stringify(message),
  deserialize: (message: string): unknown => Message.parse(JSON.parse(message)),
  // Compares names instead of looking them up: every object has a `constructor`, which must not be
  // callable.
  resolver: <Found>(name: string, found: Found): Found | undefined =>
    name === 'call' || name === 'event' ? found : undefined,
  // A call that hangs is a bug of its handler; a second timeout here would only hide it.
  timeout: -1,
  onGeneralError: () => true,
});

/** Answers calls that arrive on a channel; returns `emit` for events to the other side. */
export function serve(handlers: Handlers, channel: Channel, toFailure: ToFailure): { emit: Emit } {
  const rpc = createBirpc<{ event(name: string, data: unknown): void }>(
    { call: (name: unknown, input: unknown) => answerCall(handlers, toFailure, name, input) },
    createTextTransport(channel),
  );
  return {
    emit: (name, data) => {
      // A closed window needs no more events.
      rpc.$callEvent('event', name, data).catch(() => {});
    },
  };
}

export interface Client {
  readonly api: Api;
  readonly on: ListenFunction;
}

export function connect(channel: Channel): Client {
  const listeners = createListeners();
  const rpc = createBirpc<{ call(name: string, input: unknown): unknown }>(
    { event: (name: unknown, data: unknown) => listeners.emit(name, data) },
    createTextTransport(channel),
  );
  return { api: createApiOver((name, input) => rpc.$call('call', name, input)), on: listeners.on };
}

/**
 * Connects a client to the handlers as `connect` does, but without a channel, for the command line;
 * input and output are parsed in the same way.
 */
export function connectDirectly(
  handlers: Handlers,
  toFailure: ToFailure,
): Client & { readonly emit: Emit } {
  const listeners = createListeners();
  return {
    api: createApiOver((name, input) => answerCall(handlers, toFailure, name, input)),
    on: listeners.on,
    emit: (name, data) => listeners.emit(name, data),
  };
}
