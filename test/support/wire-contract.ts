import { createBirpc } from 'birpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SyncResult } from '../../shared/contract/agreements.ts';
import type { JobId } from '../../shared/model/ids.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import { type Channel, type Client, connect, serve } from '../../shared/wire.ts';
import { pageOf, remoteOf } from './fakes/fake-service.ts';
import { addConnection, type MemoryDesk, startMemoryDesk } from './fakes/memory-desk.ts';

/** Both ends of a channel, connected as in a host. */
export interface Transport {
  readonly server: Channel;
  readonly client: Channel;
  close(): Promise<void>;
}

const FUZZED = 1000;

/** Contract of every host's channel, tested on the channel that `makeTransport` creates. */
export function wireContract(name: string, makeTransport: () => Promise<Transport>): void {
  describe(`the contract over ${name}`, () => {
    let transport: Transport;
    let desk: MemoryDesk;

    beforeEach(async () => {
      transport = await makeTransport();
      desk = startMemoryDesk();
    });
    afterEach(() => transport.close());

    /** Serves the core with some handlers replaced, and connects to it. */
    const open = (replaced: Partial<Handlers> = {}): Client => {
      const handlers = { ...desk.handlers, ...replaced };
      desk.forwardTo(serve(handlers, transport.server, desk.toFailure).emit);
      return connect(transport.client);
    };
    /** Creates a client that sends any given message. */
    const openRaw = () =>
      createBirpc<{ call(name: unknown, input: unknown): unknown }>({}, rawOver(transport.client));
    /** Creates a server that gives this answer to every request. */
    const answerWith = (reply: unknown) =>
      createBirpc({ call: () => reply }, rawOver(transport.server));

    it('answers a call with the result of its handler', async () => {
      const { api } = open();
      const { id } = await addConnection({ api });
      expect(await api['connections.list']({})).toMatchObject([{ id, name: 'Office v1' }]);
    });

    it('answers many simultaneous calls, each with its own result', async () => {
      const { api } = open({
        'host.notify': async ({ title }) => {
          if (title.endsWith('0')) throw new AppError('invalid', title);
          return {};
        },
      });
      const calls = Array.from({ length: 100 }, (_, index) =>
        api['host.notify']({ title: `n${index}`, body: '' }).then(
          () => 'done',
          (error: unknown) => (error instanceof AppError ? error.message : 'other'),
        ),
      );
      const wanted = (_: string, index: number) => (index % 10 === 0 ? `n${index}` : 'done');
      const answers = await Promise.all(calls);
      expect(answers).toEqual(answers.map(wanted));
    });

    it('validates the input of a call in the core, and names invalid fields', async () => {
      open();
      const raw = openRaw();
      expect(await raw.$call('call', 'drafts.save', { id: 'x', revision: '1' })).toMatchObject({
        ok: false,
        error: {
          code: 'invalid',
          fields: { id: expect.any(String), revision: expect.any(String) },
        },
      });
    });

    it('validates the output of a call in the core, so that only data of the contract is sent', async () => {
      const { api } = open({
        'settings.read': async () => ({ ...desk.stores.settings.read(), secret: 'left over' }),
        'connections.list': async () => [{ secret: 'left over' }] as never,
      });
      expect(await api['settings.read']({})).not.toHaveProperty('secret');
      const failed = await api['connections.list']({}).catch((error: unknown) => error);
      expect(failed).toMatchObject({ failure: { code: 'unexpected', ref: 'ref-1' } });
      expect(JSON.stringify(failed)).not.toContain('left over');
    });

    it.each([
      ['a value of another form', { ok: true, value: { theme: 'plaid' } }],
      ['no reply at all', 'hello'],
      ['an error of another form', { ok: false, error: { code: 'oops' } }],
    ])('parses the reply where it arrives: %s is no answer', async (_, reply) => {
      answerWith(reply);
      const { api } = connect(transport.client);
      await expect(api['settings.read']({})).rejects.toThrow();
    });

    it('sends an error as data, with its fields and times', async () => {
      const details = { fields: { 'parties.2.email': 'no' }, retryAt: 5, reason: 'tls' } as const;
      const { api } = open({
        'drafts.list': () => Promise.reject(new AppError('limited', 'Later', details)),
        'drafts.show': () => Promise.reject(new Error('/home/someone: secret')),
      });
      await expect(api['drafts.list']({})).rejects.toMatchObject({
        message: 'Later',
        failure: { code: 'limited', message: 'Later', ...details },
      });
      const draft = { id: '00000000-0000-4000-8000-000000000001' };
      const failed = await api['drafts.show'](draft).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(AppError);
      expect(failed).toMatchObject({ failure: { code: 'unexpected' } });
      expect(String(failed) + JSON.stringify(failed)).not.toContain('someone');
    });

    it.each(['nope', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 7, null, {}])(
      'rejects a call named %j',
      async (unknown) => {
        open();
        expect(await openRaw().$call('call', unknown, {})).toMatchObject({
          ok: false,
          error: { code: 'invalid' },
        });
      },
    );

    it.each(['constructor', '__proto__', 'toString', 'valueOf', '$close', 'event', 'then'])(
      'makes nothing accessible except calls: %s',
      async (method) => {
        const { api } = open();
        transport.client.post(JSON.stringify({ t: 'q', i: 'x', m: method, a: [{}] }));
        expect(await api['settings.read']({})).toMatchObject({ theme: 'system' });
        expect(Object.prototype).not.toHaveProperty('theme');
      },
    );

    it('drops invalid messages, in both directions, and continues', async () => {
      const { api } = open();
      for (const message of malformed) {
        transport.client.post(message);
        transport.server.post(message);
      }
      expect(await api['settings.read']({})).toMatchObject({ theme: 'system' });
    });

    it('sends valid events, and drops invalid events', async () => {
      const { api, on } = open();
      const received: unknown[] = [];
      const stop = on('settings.changed', (data) => received.push(data));
      on('drafts.changed', (data) => received.push(data));
      const event = (...args: unknown[]) => JSON.stringify({ t: 'q', m: 'event', a: args });
      for (const args of [
        ['drafts.changed', { id: 'no id' }],
        ['drafts.changed'],
        ['__proto__', {}],
        ['constructor', {}],
        [7, {}],
      ]) {
        transport.server.post(event(...args));
      }
      await api['settings.write']({ theme: 'dark' });
      expect(received).toEqual([{}]);
      stop();
      await api['settings.write']({ theme: 'light' });
      expect(received).toEqual([{}]);
    });

    it('runs a job with progress, and stops it on request', async () => {
      const { api, on } = open();
      await addConnection({ api });
      const page = (id: number) => pageOf([remoteOf({ id: `a${id}` })], 1);
      desk.services.v1.pages = Array.from({ length: 50 }, (_, index) => page(index));
      const started = Promise.withResolvers<JobId>();
      desk.services.v1.beforePage = async (index) => {
        const jobId = await started.promise;
        if (index === 3) await api['jobs.cancel']({ jobId });
      };
      const steps: number[] = [];
      on('agreements.syncChanged', () => {
        void api['agreements.syncStatus']({}).then(([status]) => steps.push(status?.done ?? 0));
      });
      const ended = new Promise<void>((resolve) => {
        on('jobs.changed', (change) => {
          void api['jobs.show'](change).then(({ state }) => {
            if (state !== 'running') resolve();
          });
        });
      });
      const { jobId } = await api['agreements.sync']({});
      started.resolve(jobId);
      await ended;
      const job = await api['jobs.show']({ jobId });
      expect(job.state).toBe('cancelled');
      expect(SyncResult.parse(job.result).connections[0]).toMatchObject({ received: 3 });
      expect(steps.length).toBeGreaterThan(1);
    });

    it('still answers calls after a thousand random messages', async () => {
      const { api } = open();
      for (const message of fuzzed(FUZZED)) {
        transport.client.post(message);
        transport.server.post(message);
      }
      expect(await api['settings.read']({})).toMatchObject({ theme: 'system' });
    });
  });
}

const malformed = [
  '',
  ' ',
  'null',
  'true',
  '7',
  '"call"',
  '[]',
  '{}',
  '{',
  '\u0000',
  '{"t":"q"}',
  '{"t":"q","m":"call"}',
  '{"t":"q","m":7,"a":[]}',
  '{"t":"q","m":"call","a":{"length":4294967295}}',
  '{"t":"q","m":"call","a":"settings.read","i":"x"}',
  '{"t":"s"}',
  '{"t":"s","i":null}',
  '{"t":"s","i":"__proto__","r":{}}',
  '{"t":"z","i":"x"}',
  '{"__proto__":{"t":"q"}}',
];

/** Plain birpc without this program's checks, for messages that the program never sends. */
function rawOver(channel: Channel) {
  return {
    post: (message: string) => channel.post(message),
    on: (listener: (message: string) => void) => channel.onMessage(listener),
    serialize: (message: unknown) => JSON.stringify(message),
    deserialize: (message: string): unknown => JSON.parse(message),
  };
}

/** Real messages with characters changed, cut and doubled; the same in every run. */
function fuzzed(count: number): readonly string[] {
  const next = createNoise(20_261_121);
  const real = [
    { t: 'q', i: 'abc', m: 'call', a: ['settings.read', {}] },
    { t: 'q', i: 'abd', m: 'call', a: ['drafts.delete', { id: 'x' }] },
    { t: 'q', m: 'event', a: ['settings.changed', {}] },
    { t: 's', i: 'abc', r: { ok: true, value: {} } },
    { t: 's', i: 'abc', e: { message: 'x' } },
  ].map((message) => JSON.stringify(message));
  return Array.from({ length: count }, () => {
    const text = real[next(real.length)] ?? '';
    const at = next(text.length);
    const end = at + next(5);
    const noise = [
      text.slice(at, end),
      '',
      '\\',
      '"',
      '[',
      '}',
      '\u0000',
      'null',
      '\ud800',
      '9e999',
    ];
    return text.slice(0, at) + (noise[next(noise.length)] ?? '') + text.slice(end + next(3));
  });
}

/** Whole numbers below a limit, from a seed (mulberry32). */
function createNoise(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
