import { beforeEach, describe, expect, it } from 'vitest';
import type { PreUpload } from '../../../electron/core/ports.ts';
import type { ActionResult } from '../../../electron/core/services/ports.ts';
import { isUnused } from '../../../electron/core/outbox/uploads.ts';
import type { UploadedFile } from '../../../shared/contract/uploads.ts';
import { AppError, type ErrorCode, type Failure } from '../../../shared/errors.ts';
import { type ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { uploadOf } from '../../support/fakes/fake-actions.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { bytesOf, textOf } from '../../support/fakes/memory-ports.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';

const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const FILES = ['a.pdf', 'b.pdf'];

let world: World;
let connectionId: ConnectionId;
let work: ReturnType<typeof startOutboxWork>;

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world), 'v2')).id;
  work = startOutboxWork(world);
  const complete: PreUpload['complete'] = (body, tokens) =>
    bytesOf(`${textOf(body)} ${tokens.join(' ')}`);
  world.services.v2.uploadFirst = { filesOf: () => [], complete };
});

const now = () => world.clock.now();
const row = (ref: OutboxRef) => world.stores.outbox.get(ref);
const v2 = () => world.actions.v2;
const uploads = () => v2().sent.filter((one) => one.startsWith('upload'));
const created = () => world.services.v2.created;

/** Adds a row whose request lacks the tokens of its two files. */
function insert(): OutboxRef {
  const ref = OutboxRef.parse(world.chance.uuid());
  const item = {
    ref,
    connectionId,
    kind: 'create',
    title: 'Lease',
    people: [],
    mark: { by: 'token' },
    nextAt: now(),
  } as const;
  const files = FILES.map((name) => ({ name, data: bytesOf(`%PDF ${name}`) }));
  const request = { body: bytesOf('create'), target: null, signedAt: null };
  const entry = { item: { ...item, people: [] }, request, uploads: files };
  world.stores.outbox.insert(entry, now());
  return ref;
}

const attempt = (ref: OutboxRef) => work.worker.attempt(ref);

/** Sets the service's answer to the next upload. */
const answer = (ending: Exclude<ActionResult<UploadedFile>, { kind: 'done' }>) =>
  void v2().endings.push(ending);

/** Sets the service's answer when any file is checked. */
const showAs = (error: Error | null) => {
  v2().uploads.show = () => (error === null ? Promise.resolve(null) : Promise.reject(error));
};

describe('files that are uploaded before a create', () => {
  it('are uploaded in order, and the request lists their tokens in that order', async () => {
    const ref = insert();
    expect(await attempt(ref)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(uploads()).toEqual(['upload a.pdf', 'upload b.pdf']);
    expect(created()).toEqual(['create token-of-a.pdf token-of-b.pdf']);
    const changes = work.seen.filter(
      (one) => JSON.stringify(one) === JSON.stringify(['outbox.changed', { ref }]),
    );
    // Changes are reported at each start, at the claim and at the end.
    expect(changes).toHaveLength(5);
  });

  it('are uploaded again without the reason of the last try', async () => {
    const ref = insert();
    world.stores.outbox.move(ref, ['queued'], { to: 'queued', cause: 'x', reason: lost }, now());
    answer({ kind: 'not-sent', failure: lost });
    const reasons: unknown[] = [];
    v2().commit = () => void reasons.push(row(ref).reason);
    await attempt(ref);
    expect(reasons).toEqual([null]);
  });

  it.each([
    { ended: 'not-sent', failure: lost },
    { ended: 'unknown', failure: lost },
  ] as const)(
    'whose upload ends with "$ended" wait, together with their agreement',
    async (given) => {
      const ref = insert();
      answer({ kind: given.ended, failure: given.failure });
      const nextAt = now() + 5_000;
      expect(await attempt(ref)).toMatchObject({
        state: 'queued',
        attempts: 0,
        nextAt,
        reason: lost,
      });
      expect(work.gates.closed(connectionId)).toMatchObject([{ kind: 'offline', until: nextAt }]);
      expect(world.stores.outbox.journal(ref).at(-1)?.cause).toBe('upload');
      expect([created(), uploads()]).toEqual([[], ['upload a.pdf']]);
    },
  );

  it.each([
    { ended: 'not-sent', waits: true },
    { ended: 'unknown', waits: false },
  ] as const)(
    'whose upload ends repeatedly with "$ended" continue automatically: $waits',
    async (given) => {
      const ref = insert();
      for (let tries = 0; tries < 5; tries += 1) {
        answer({ kind: given.ended, failure: lost });
        await attempt(ref);
        if (tries < 4) expect(row(ref).nextAt).not.toBeNull();
        world.clock.advance(600_000);
      }
      expect(row(ref).nextAt !== null).toBe(given.waits);
      expect(row(ref)).toMatchObject({ state: 'queued', reason: lost });
    },
  );

  it('whose upload throws may have been uploaded, which has no consequence', async () => {
    v2().uploads.add = () => Promise.reject(new Error('A fault of ours'));
    expect(await attempt(insert())).toMatchObject({
      state: 'queued',
      reason: { code: 'unexpected' },
    });
  });

  it('that the service refuses end the send', async () => {
    const failure: Failure = { code: 'invalid', message: 'No such type' };
    answer({ kind: 'refused', failure });
    const ref = insert();
    expect(await attempt(ref)).toMatchObject({ state: 'rejected', attempts: 0, reason: failure });
    expect(world.stores.outbox.journal(ref).at(-1)?.cause).toBe('upload');
    expect(created()).toEqual([]);
  });

  it('that the service rejects for now wait as long as it requires', async () => {
    const failure: Failure = { code: 'limited', message: 'Slow', retryAt: now() + 90_000 };
    answer({ kind: 'turned-away', failure });
    expect(await attempt(insert())).toMatchObject({
      state: 'queued',
      verify: false,
      nextAt: now() + 90_000,
      reason: failure,
    });
    expect(work.gates.closed(connectionId)).toMatchObject([{ kind: 'rate' }]);
  });

  it.each([0, 1])(
    'are no longer uploaded once the program is closing, after file %i',
    async (after) => {
      const ref = insert();
      v2().commit = () => {
        if (uploads().length > after) void work.worker.halt();
      };
      await attempt(ref);
      expect(uploads()).toHaveLength(after + 1);
      expect(row(ref)).toMatchObject({ state: 'queued', attempts: 0, reason: null });
      expect(created()).toEqual([]);
    },
  );

  it('are no longer uploaded if the row was cancelled in the meantime', async () => {
    const ref = insert();
    v2().commit = () => void work.transitions.takeBack(row(ref), 'Maria');
    expect(await attempt(ref)).toMatchObject({ state: 'cancelled', attempts: 0 });
    expect([uploads(), created()]).toEqual([['upload a.pdf'], []]);
  });

  it('are not sent if their row can no longer be completed', async () => {
    world.stores.outbox.complete = () => false;
    expect(await attempt(insert())).toMatchObject({ state: 'queued', attempts: 0 });
    expect(created()).toEqual([]);
  });
});

describe('a file that was uploaded in an earlier try', () => {
  const tried = () => {
    const ref = insert();
    world.stores.outbox.setToken(ref, 0, 'old');
    return ref;
  };

  it('is not uploaded again while the service still has it', async () => {
    v2().files.set('old', uploadOf('a.pdf'));
    await attempt(tried());
    expect(uploads()).toEqual(['upload b.pdf']);
    expect(created()).toEqual(['create old token-of-b.pdf']);
  });

  it.each<[ErrorCode | null]>([[null], ['not-found'], ['forbidden']])(
    'is uploaded again if the service no longer has it (%s)',
    async (code) => {
      showAs(code === null ? null : new AppError(code, 'Gone'));
      const ref = tried();
      v2().commit = (request) => {
        if (request.endsWith('a.pdf')) {
          expect(world.stores.outbox.uploads(ref)[0]?.token).toBeNull();
        }
      };
      await attempt(ref);
      expect(created()).toEqual(['create token-of-a.pdf token-of-b.pdf']);
    },
  );

  it.each<[ErrorCode, string]>([
    ['signed-out', 'auth'],
    ['limited', 'rate'],
    ['offline', 'offline'],
    ['service', 'offline'],
  ])('that cannot be checked (%s) waits behind the gate "%s"', async (code, kind) => {
    showAs(new AppError(code, 'No'));
    const ref = tried();
    expect(await attempt(ref)).toMatchObject({ state: 'queued', attempts: 0, reason: { code } });
    expect(work.gates.closed(connectionId)).toMatchObject([{ kind }]);
    expect([uploads(), created()]).toEqual([[], []]);
  });
});

describe('the use of a send’s files', () => {
  const ask = (ref: OutboxRef) => isUnused(work.ports, row(ref));
  const both = () => {
    const ref = insert();
    for (const place of [0, 1]) world.stores.outbox.setToken(ref, place, `token-${String(place)}`);
    return ref;
  };

  it.each(['token-0', 'token-1'])(
    'is ruled out by any file that is still unused: %s',
    async (token) => {
      v2().files.set(token, uploadOf('a.pdf'));
      expect(await ask(both())).toBe(true);
    },
  );

  it('is unknown if the service has none of the files, or if the send had no files', async () => {
    expect(await ask(both())).toBe(false);
    showAs(new AppError('not-found', 'Gone'));
    expect(await ask(both())).toBe(false);
    showAs(new AppError('forbidden', 'Gone'));
    expect(await ask(both())).toBe(false);
    showAs(new Error('Nobody asks'));
    expect(await ask(insert())).toBe(false);
  });

  it.each([new AppError('offline', 'Down'), new Error('A fault of ours')])(
    'is unknown while the check fails: %s',
    async (error) => {
      showAs(error);
      await expect(ask(both())).rejects.toBe(error);
    },
  );
});
