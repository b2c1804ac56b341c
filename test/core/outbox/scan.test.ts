import { beforeEach, describe, expect, it } from 'vitest';
import type { ScanReading, SeenAgreement } from '../../../electron/core/outbox/ports.ts';
import { WATCH_ABANDONED } from '../../../electron/core/outbox/times.ts';
import type { IncompleteReason } from '../../../shared/contract/outbox.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { armRows } from '../../support/armed-rows.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import { plant, sign, startSigningDesk } from '../../support/desks/signing-desk.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  world.services.v1.serverTime = world.clock.now();
});

async function send(title: string): Promise<OutboxRef> {
  const { id } = await addDraftV1(desk, title);
  const { ref } = await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
  await desk.api['outbox.run']({});
  return ref;
}

/** Sends a control, then a row whose answer is lost and which created nothing. */
async function sendTwo() {
  const canary = await send('Seen by every pass');
  world.services.v1.answers.push({ kind: 'unknown', failure: lost });
  return { canary, ref: await send('Lease') };
}

const seenAs = (id: string, ref: OutboxRef | null): SeenAgreement => ({
  id: AgreementId.parse(id),
  title: 'Lease',
  sentAt: null,
  state: 'READY_TO_SIGN',
  ref,
  parties: null,
  fields: null,
});

/** Replaces the service's list from now on. */
function list(
  seen: readonly SeenAgreement[],
  incompleteReason: ScanReading['incompleteReason'] = null,
): void {
  const { v1 } = world.services;
  v1.scan = async () => ({ seen, pages: 1, incompleteReason, serverTime: v1.serverTime });
}

const look = (ref: OutboxRef) => desk.api['outbox.look']({ ref });

/** Reason why the last scan was inconclusive; null if it was conclusive. */
async function reasonAfter(ref: OutboxRef): Promise<IncompleteReason | null | undefined> {
  world.clock.advance(MINUTE);
  await look(ref);
  return (await desk.api['outbox.history']({ ref })).passes.at(-1)?.lack;
}

describe('a control agreement', () => {
  it('counts as shown only by a list that has it with its own mark', async () => {
    const { canary, ref } = await sendTwo();
    list([seenAs('remote-1', null)]);
    expect(await reasonAfter(ref)).toBe('no-canary');
    list([seenAs('another', canary)]);
    expect(await reasonAfter(ref)).toBe('no-canary');
    list([seenAs('another', canary), seenAs('remote-1', ref)]);
    expect(await reasonAfter(ref)).toBe('no-canary');
    list([seenAs('another', null), seenAs('remote-1', canary)]);
    expect(await reasonAfter(ref)).toBeNull();
  });
});

describe('the reason of a row whose outcome stays unknown', () => {
  const why = async (ref: OutboxRef) => (await look(ref)).reason;
  const because = (message: string) => ({ code: 'conflict', reason: 'outcome-unknown', message });

  it.each([
    {
      incompleteReason: 'unstable',
      message:
        'The list of the service kept changing while it was read, so the agreement may be missing from it',
    },
    {
      incompleteReason: 'no-tags',
      message: 'The list of the service does not show the marks by which sends are recognised',
    },
  ] as const)('($incompleteReason) is: $message', async ({ incompleteReason, message }) => {
    const { canary, ref } = await sendTwo();
    list([seenAs('remote-1', canary)], incompleteReason);
    expect(await why(ref)).toEqual(because(message));
  });

  it('says that the list lacks earlier sent agreements', async () => {
    const { ref } = await sendTwo();
    list([]);
    const message =
      'The list of the service does not show earlier sends either, so a missing agreement proves nothing';
    expect(await why(ref)).toEqual(because(message));
  });

  it('says that the list may be of another user', async () => {
    const { canary, ref } = await sendTwo();
    list([seenAs('remote-1', canary)]);
    world.services.v1.credential = 'of another user';
    const message =
      'The agreement was sent with another API key, and the list may not show agreements of that key. A person must decide';
    expect(await why(ref)).toEqual(because(message));
  });

  it('says that a complete list does not show the agreement yet', async () => {
    const { canary, ref } = await sendTwo();
    list([seenAs('remote-1', canary)]);
    const message = 'The service does not show the agreement. It may still appear';
    expect(await why(ref)).toEqual(because(message));
  });

  it('says that the list shows the agreement, but the agreement itself cannot be read', async () => {
    const { canary, ref } = await sendTwo();
    list([seenAs('remote-1', canary), seenAs('theirs', ref)]);
    world.services.v1.agreements.set('theirs', new AppError('service', 'Not today'));
    const message =
      'The agreement may be theirs on the service. Check it, and decide whether it is the agreement of this send';
    expect(await why(ref)).toEqual(because(message));
    expect(world.stores.outbox.get(ref)).toMatchObject({ state: 'unknown', remoteId: null });
  });

  it('says that the service could not be reached, with the message of the adapter', async () => {
    const { ref } = await sendTwo();
    const failure = { code: 'offline', message: 'No way there', reason: 'host-unknown' } as const;
    const { code, message, reason } = failure;
    world.services.v1.scan = () => Promise.reject(new AppError(code, message, { reason }));
    await expect(look(ref)).rejects.toMatchObject({ failure });
    expect(world.stores.outbox.get(ref).reason).toMatchObject({
      code,
      message,
      reason: 'outcome-unknown',
    });
  });
});

describe('one scan for all unknown rows', () => {
  it.each([
    { when: 'thirty days', age: WATCH_ABANDONED, to: 'sent' },
    { when: 'a millisecond more than thirty days', age: WATCH_ABANDONED + 1, to: 'abandoned' },
  ])(
    'looks for given-up sends for thirty days: a listed send of $when ago is then $to',
    async ({ age, to }) => {
      expect(WATCH_ABANDONED).toBe(30 * 24 * 60 * MINUTE);
      const { outbox } = world.stores;
      const { ref: givenUp } = await sendTwo();
      const [other] = armRows(world, { connectionId, rows: 1 });
      if (other === undefined) throw new Error('No row');
      const at = world.clock.now();
      const track = { lookAt: null };
      outbox.move(givenUp, ['unknown'], { to: 'abandoned', cause: 'person', track }, at);
      outbox.move(other, ['queued'], { to: 'human', cause: 'look' }, at);
      world.clock.advance(age);
      list([seenAs('theirs', givenUp)]);
      const tags = { 'desk.ref': givenUp };
      world.services.v1.agreements.set('theirs', remoteOf({ id: 'theirs', tags }));
      await look(other);
      expect(outbox.get(givenUp).state).toBe(to);
    },
  );

  it('reads no list for a signature, because the agreement itself shows the outcome', async () => {
    const signing = await startSigningDesk();
    await plant(signing, 'a');
    signing.services.v1.answers.push({ kind: 'unknown', failure: lost });
    await sign(signing, 'a');
    const [row] = signing.stores.outbox.inState('unknown');
    if (row === undefined) throw new Error('No row');
    await signing.api['outbox.look']({ ref: row.ref });
    expect(signing.services.v1.scans).toBe(0);
  });
});
