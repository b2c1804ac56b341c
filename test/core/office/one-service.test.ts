import { NO_ADOPTION_DELAYS } from '../../../electron/core/office/adopt.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serviceOf } from '../../../electron/core/services/same-service.ts';
import { isSameService } from '../../../shared/rules/office/service-name.ts';
import { BatchId, DraftId } from '../../../shared/model/ids.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  type OfficeDatabase,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { type OfficeDesk, officeDesk } from './desks.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const DRAFT = DraftId.parse('6f0e7a52-1111-4111-8111-111111111111');
const BATCH = BatchId.parse('6f0e7a52-2222-4222-8222-222222222222');

describe.skipIf(postgresPrograms === null)('two computers at one service', () => {
  let place: OfficeDatabase;
  let seats: readonly [TestDesk, TestDesk];
  let anna: OfficeDesk;
  let bo: OfficeDesk;

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk()];
  }, 600_000);
  beforeEach(async () => {
    await place.empty();
    anna = await officeDesk(place, seats[0]);
    bo = await officeDesk(place, seats[1]);
  });
  afterAll(() => place?.remove());

  const connect = ({ world, connectionId }: OfficeDesk, url: string, accountId?: string) => {
    const { connections } = world.stores;
    const change = accountId === undefined ? { url } : { url, accountId, api: 'v2' as const };
    connections.save({ ...connections.get(connectionId), ...change });
  };
  const sendBoth = async () => {
    const sent = await anna.send(anna.insert());
    const ref = bo.insert();
    return [sent, await bo.send(ref), bo.why(ref)];
  };

  it.each([
    ['https://service.example', 'https://service.example/'],
    ['https://service.example', 'https://SERVICE.example:443'],
    ['https://service.example/api', 'https://service.example//api/'],
  ])(
    'send the same agreement once, although they write the address as %s and %s (DL-A3)',
    async (one, other) => {
      connect(anna, one);
      connect(bo, other);
      expect(await sendBoth()).toEqual(['sent', 'queued', 'claimed-elsewhere']);
    },
  );

  it('send the same agreement once as two users of API v2 (DL-A3)', async () => {
    connect(anna, 'https://service.example/v2', '1001');
    connect(bo, 'https://service.example/v2', '1002');
    const answer = { kind: 'done', remoteId: '7', serverTime: null } as const;
    for (const { world } of [anna, bo]) world.services.v2.answers = [answer];
    expect(await sendBoth()).toEqual(['sent', 'queued', 'claimed-elsewhere']);
  });

  it('recognise a claim of an earlier version for an address as typed, with an account (DL-A3)', async () => {
    const [url, account] = ['https://service.example/v2/', '1001'];
    connect(anna, url, account);
    connect(bo, url, account);
    const service = JSON.stringify([url, account]);
    const key = anna.joined.claimKey([service, 'content', 'lease', '0']);
    const id = anna.world.chance.uuid();
    const about = { title: 'Lease', service, scan: null };
    await anna.joined.claims.claim([{ id, kind: 'send', keys: [{ key, seen: [] }], about }]);
    await anna.joined.claims.settle([{ id, state: 'done' }]);
    const ref = bo.insert();
    expect([await bo.send(ref), bo.why(ref)]).toEqual(['queued', 'claimed-elsewhere']);
    // A person sees the claim and sends anyway, so both desks now use the new key.
    bo.work.office.follow(ref, await bo.work.office.holders(ref));
    bo.work.transitions.postpone(ref, bo.world.clock.now(), { cause: 'person' });
    expect(await bo.send(ref)).toBe('sent');
    expect(isSameService(service, serviceOf(bo.world.stores, bo.connectionId))).toBe(true);
    const { rows } = await place.postgres.run(
      `SELECT count(*)::integer AS count FROM signing_desk.claim WHERE operation = '${ref}'`,
      'office',
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('recognise an unsent claim from before the office was upgraded (DL-A3)', async () => {
    const [url, account] = ['https://service.example/v2', '1001'];
    connect(anna, url, account);
    connect(bo, url, '1002');
    for (const { world } of [anna, bo]) {
      world.services.v2.answers = [{ kind: 'done', remoteId: '7', serverTime: null }];
    }
    const ref = anna.insert();
    const service = JSON.stringify([url, account]);
    const key = anna.joined.claimKey([service, 'content', 'lease', '0']);
    const about = { title: 'Lease', service, scan: null };
    await anna.joined.claims.claim([{ id: ref, kind: 'send', keys: [{ key, seen: [] }], about }]);
    expect(await bo.send(bo.insert())).toBe('sent');
    expect([await anna.send(ref), anna.why(ref)]).toEqual(['queued', 'claimed-elsewhere']);
  });

  it('send a shared draft once, although one of them chose another service (DL-A4)', async () => {
    const once = [['draft', DRAFT]];
    connect(bo, 'https://other.example');
    expect(await anna.send(anna.insert({ once }))).toBe('sent');
    const ref = bo.insert({ once, fingerprint: 'for another service' });
    expect([await bo.send(ref), bo.why(ref)]).toEqual(['queued', 'claimed-elsewhere']);
  });

  it('send a shared draft once, although one of them changed it in the meantime (DL-A4)', async () => {
    const once = [['draft', DRAFT]];
    anna.isCut = true;
    const ref = anna.insert({ fingerprint: 'as it was', once });
    expect([await anna.send(ref), anna.why(ref)]).toEqual(['queued', 'office-away']);
    expect(await bo.send(bo.insert({ fingerprint: 'a word mended', once }))).toBe('sent');
    anna.isCut = false;
    anna.world.clock.advance(HOUR);
    expect([await anna.send(ref), anna.why(ref)]).toEqual(['queued', 'claimed-elsewhere']);
  });

  it('send each row of a handed-over batch once, even after changes in it (DL-A4)', async () => {
    const row = (no: number, fingerprint: string) => ({
      fingerprint,
      once: [['row', BATCH, String(no)]],
    });
    expect(await anna.send(anna.insert(row(2, 'Greta')))).toBe('sent');
    const [same, next] = [bo.insert(row(2, 'Greta Berg')), bo.insert(row(3, 'Hans'))];
    expect([await bo.send(same), bo.why(same)]).toEqual(['queued', 'claimed-elsewhere']);
    expect(await bo.send(next)).toBe('sent');
  });

  it('recognise a row that an earlier version identified by its filled PDF (DL-A4)', async () => {
    expect(await anna.send(anna.insert({ fingerprint: 'filled' }))).toBe('sent');
    const ref = bo.insert({ fingerprint: 'written', formerFingerprints: ['numbered', 'filled'] });
    expect([await bo.send(ref), bo.why(ref)]).toEqual(['queued', 'claimed-elsewhere']);
  });

  it('may send a draft again after a person gave up its send, and no other draft (DL-A4)', async () => {
    const lost = { code: 'offline', message: 'Lost', reason: 'connection-lost' } as const;
    const once = [['draft', DRAFT]];
    const first = anna.insert({ once });
    await anna.send(first, { kind: 'unknown', failure: lost, serverTime: null });
    anna.work.transitions.apply(first, { kind: 'abandon' }, { cause: 'person' });
    const again = anna.insert({ once, fingerprint: 'changed', supersedes: first });
    expect(await anna.send(again)).toBe('sent');
    const theirs = bo.insert({ once, fingerprint: 'another change' });
    expect([await bo.send(theirs), bo.why(theirs)]).toEqual(['queued', 'claimed-elsewhere']);
  });

  it('send once when one slept between the answer of the office and its request (DL-D4)', async () => {
    const ref = anna.insert();
    let sleeps = 1;
    anna.afterClaim = async () => {
      if (sleeps === 0) return;
      sleeps -= 1;
      anna.world.clock.advance(2 * HOUR);
      await place.rest('2 hours');
      expect(
        await bo.joined.claims.takeOver({ id: ref, desk: seats[0].desk }, NO_ADOPTION_DELAYS),
      ).toBe(true);
    };
    expect([await anna.send(ref), anna.why(ref)]).toEqual(['queued', 'claimed-elsewhere']);
    expect(anna.world.services.v1.created).toEqual([]);
  });

  it('ask the service again after a sleep that no clock shows (DL-D4)', async () => {
    const ref = anna.insert();
    const { v1 } = anna.world.services;
    let asked = 0;
    const count = v1.countOpen.bind(v1);
    v1.countOpen = async () => {
      asked += 1;
      return count();
    };
    anna.afterClaim = async () => {
      if (asked === 0) anna.work.worker.wokeUp();
    };
    expect(await anna.send(ref)).toBe('sent');
    expect(asked).toBe(1);
  });
});
