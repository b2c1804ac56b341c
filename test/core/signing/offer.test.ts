import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SignRequest } from '../../../electron/core/ports.ts';
import { type TempDatabase, tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { addDraftV1, createWorld } from '../../support/fakes/memory-desk.ts';
import {
  plant,
  sign,
  type SigningDesk,
  startSigningDesk,
} from '../../support/desks/signing-desk.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let temp: TempDatabase;
let desk: SigningDesk;

/** Starts a desk with a real data file, since queries choose the offered agreements. */
beforeEach(async () => {
  temp = tempDatabase();
  const stores = { ...temp.stores, journal: [], actionJournal: [] };
  desk = await startSigningDesk({ ...createWorld(), stores });
});
afterEach(() => {
  temp[Symbol.dispose]();
});

/** The requested signatures, each with its configuration. */
function requests(): SignRequest[] {
  const asked: SignRequest[] = [];
  const signOne = desk.services.v1.sign.bind(desk.services.v1);
  desk.services.v1.sign = async (request) => {
    asked.push(request);
    return signOne(request);
  };
  return asked;
}

describe('a signature through the API', () => {
  it('is offered when a configuration has that type and there is no other way to sign (T1-81)', async () => {
    const methods = ['EID', 'CLICK'];
    const byHand = partyOf({ id: 'party-2', methods, apiSigning: null });
    desk.services.v1.pages = [
      pageOf([
        remoteOf({ id: 'ours', parties: [byHand, partyOf({ methods })] }),
        remoteOf({ id: 'by-hand', parties: [byHand] }),
      ]),
    ];
    const { jobId } = await desk.api['agreements.sync']({});
    await desk.finish(jobId);
    const queue = await desk.api['signing.list']({});
    expect(queue.map(({ id, partyId }) => [id, partyId])).toEqual([['ours', 'party-1']]);
  });

  it('uses the configuration from the latest reading, and no party before its turn (T1-81)', async () => {
    await plant(desk, 'now', 'later', 'by-hand');
    const asked = requests();
    const { agreements } = desk.services.v1;
    const change = (id: string, party: Parameters<typeof partyOf>[0]) => {
      const known = agreements.get(id);
      if (known === undefined || known instanceof Error) throw new Error('Not planted');
      agreements.set(id, { ...known, parties: [partyOf(party)] });
    };
    change('now', { apiSigning: 'configuration-8' });
    change('later', { state: 'waiting' });
    change('by-hand', { apiSigning: null });
    const { signed, failed } = await sign(desk, 'now', 'later', 'by-hand');
    expect(signed.map(({ id }) => id)).toEqual(['now']);
    expect(failed.map(({ id, failure }) => [id, failure.reason, failure.message])).toEqual([
      [
        'later',
        'not-your-turn',
        'This party cannot sign yet, because other parties must sign first',
      ],
      ['by-hand', 'not-offered', 'The service no longer lets this party sign the agreement'],
    ]);
    expect(asked).toMatchObject([{ agreementId: 'now', configurationId: 'configuration-8' }]);
  });

  it('is not dated ahead of the service once the service’s clock is known (T1-81)', async () => {
    await plant(desk, 'a');
    const { id } = await addDraftV1(desk);
    const serverTime = desk.clock.now() - 3 * HOUR;
    desk.services.v1.answers.push({ kind: 'done', remoteId: 'remote-1', serverTime });
    const { connectionId } = desk;
    await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    await desk.api['outbox.run']({});
    const [gate] = await desk.api['outbox.gates']({});
    expect(gate).toMatchObject({ kind: 'clock', until: null });
    expect(gate?.reason?.message).toContain('180 minutes ahead of');
    const { signed, failed } = await sign(desk, 'a');
    expect(signed).toEqual([]);
    expect(failed.map((one) => one.id)).toEqual(['a']);
    await desk.api['outbox.run']({});
    expect(desk.services.v1.signed).toEqual([]);
  });
});
