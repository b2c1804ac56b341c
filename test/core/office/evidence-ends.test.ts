import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offices } from '../../../electron/adapters/office/offices.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { type Postgres, postgresPrograms, startPostgres } from '../../support/postgres.ts';

const OWNER = { role: 'keeper', password: 'the owner’s, for this test' };
const DATABASE = 'ends';

describe.skipIf(postgresPrograms === null)('the end of a computer’s evidence log', () => {
  let postgres: Postgres;
  let world: World;
  let desk: MemoryDesk;
  let review: (of?: MemoryDesk) => Promise<unknown>;

  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
    await postgres.run(`CREATE DATABASE ${DATABASE} OWNER ${OWNER.role}`);
    world = {
      ...createWorld(),
      offices: async () => offices,
      chance: { uuid: randomUUID, fraction: () => 0.5 },
    };
    desk = startMemoryDesk(world);
    const { id: connectionId } = await addConnection(desk, 'v2');
    const karin = { name: 'Karin', firstName: 'Karin', lastName: 'Lind' };
    const { id: identityId } = await desk.api['identities.add'](karin);
    const remote = remoteOf({ id: '7', parties: [partyOf({ id: '5560360793' })] });
    world.services.v2.agreements.set('7', remote);
    world.services.v2.pages = [pageOf([remote], 1)];
    world.stores.agreements.put(connectionId, 'v2', [remote], world.clock.now());
    const key = { connectionId, id: AgreementId.parse('7') };
    review = (of = desk) => of.api['signing.markReviewed']({ ...key, identityId });
    const { host, port } = postgres.address;
    const address = { host, port, database: DATABASE, trust: null };
    await desk.api['office.create']({ address, owner: OWNER, name: 'Anna', goesOnWithout: false });
  });
  afterAll(async () => {
    await desk.desk.stop();
    await postgres.remove();
  });

  const ends = async () =>
    (
      await postgres.run(
        'SELECT entries, hash FROM signing_desk.evidence_end ORDER BY entries',
        DATABASE,
      )
    ).rows;

  it('is stored in the office after each entry, without its content', async () => {
    await review();
    await review();
    await expect.poll(async () => (await ends()).length).toBeGreaterThan(0);
    const last = world.stores.evidence.last();
    await expect
      .poll(async () => (await ends()).at(-1))
      .toEqual({
        entries: last?.number,
        hash: last?.hash,
      });
    expect((await desk.api['evidence.verify']({})).chain).toBe('ok');
  });

  it('reveals that the log was cut, even if the notes on its computer were restored too', async () => {
    const whole = world.stores.evidence.last();
    // Data and credential store of an earlier day: no note on this computer is newer.
    const stores = createMemoryStores();
    const membership = world.stores.office.membership();
    if (membership === null) throw new Error('This desk is in no office');
    const first = world.stores.evidence.at(1);
    if (first === null) throw new Error('There is no evidence');
    stores.evidence.append(() => first);
    stores.evidence.setNoted({ entries: 1, hash: first.hash });
    stores.office.join(membership);
    const cut = startMemoryDesk({ ...world, stores, externalState: createWorld().externalState });
    const verdict = await cut.api['evidence.verify']({});
    expect(verdict).toMatchObject({ chain: 'broken', firstBroken: { why: 'cut' }, entries: 1 });
    expect(verdict.anchors).toBeGreaterThan(0);
    expect(whole?.number).toBeGreaterThan(1);
    await cut.desk.stop();
  });
});
