import { randomUUID } from 'node:crypto';
import { claimKey } from '../../../electron/adapters/office/seal.ts';
import type { Transactions } from '../../../electron/adapters/office/server.ts';
import type { JoinedOffice, OpenOffice } from '../../../electron/core/office/ports.ts';
import { OfficeRestoreReports } from '../../../electron/core/office/put-back.ts';
import type { NewRow } from '../../../electron/core/outbox/ports.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import { done } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { createLocks } from '../../support/fakes/memory-ports.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import type { OfficeDatabase, TestDesk } from '../../adapters/office/office-database.ts';

const SECRET = Buffer.alloc(32, 7);

/** A desk of an office, with its own data and outbox and a connection that can be cut. */
export interface OfficeDesk {
  readonly world: World;
  readonly connectionId: ConnectionId;
  readonly work: ReturnType<typeof startOutboxWork>;
  readonly joined: JoinedOffice;
  /** Number of claim requests to the office. */
  claims: number;
  /** Whether the office's address does not answer. */
  isCut: boolean;
  /** Runs after the office has answered a claim. */
  afterClaim: () => Promise<void>;
  /** Runs after a claim, before the request to the service. */
  beforeRequest: () => void;
  insert(change?: Partial<NewRow>): OutboxRef;
  /** Makes one attempt with this answer; returns the state of the row. */
  send(ref: OutboxRef, answer?: WriteResult): Promise<string>;
  /** Reason why a row waits. */
  why(ref: OutboxRef): string | undefined;
}

interface Earlier {
  /** Data of an ended process; its locks are released. */
  readonly world?: World;
  /** Called at each kill point; ends the process at that point if it throws. */
  readonly atKillPoint?: (point: string) => void;
  /** Replaces the direct connection to the office's server. */
  readonly server?: Transactions;
}

export async function officeDesk(
  place: OfficeDatabase,
  who: TestDesk,
  { world: earlier, atKillPoint = () => undefined, server = place.serverOf(who) }: Earlier = {},
): Promise<OfficeDesk> {
  const world: World = {
    ...(earlier ?? createWorld()),
    locks: createLocks(),
    chance: { uuid: randomUUID, fraction: () => 0.5 },
  };
  const [known] = world.stores.connections.list();
  const { id: connectionId } = known ?? (await addConnection(startMemoryDesk(world)));
  const ask = (): Transactions => {
    if (desk.isCut) {
      throw new AppError('offline', 'The office cannot be reached', { reason: 'connection-lost' });
    }
    return server;
  };
  const through: Transactions = {
    query: async (...given) => ask().query(...given),
    command: async (...given) => ask().command(...given),
    transaction: async (work) => {
      desk.claims += 1;
      const answer = await ask().transaction(work);
      await desk.afterClaim();
      return answer;
    },
  };
  const joined: JoinedOffice = {
    desk: who.desk,
    claims: place.claimsOf(who, through),
    leases: place.leasesOf(who, through),
    claimKey: (parts) => claimKey(SECRET, parts),
    goesOnWithout: true,
  };
  const hooks = { beforeAttempt: () => desk.beforeRequest(), afterAttempt: () => undefined };
  const work = startOutboxWork(world, {
    joined: () => Promise.resolve(joined),
    hooks,
    atKillPoint,
  });
  const row = (ref: OutboxRef) => world.stores.outbox.get(ref);
  const desk: OfficeDesk = {
    world,
    connectionId,
    work,
    joined,
    claims: 0,
    isCut: false,
    afterClaim: async () => undefined,
    beforeRequest: () => undefined,
    insert: (change = {}) =>
      insertRow(world, connectionId, {
        nextAt: world.clock.now(),
        fingerprint: 'lease',
        ...change,
      }),
    async send(ref, answer = done('7')) {
      world.services.v1.answers = [answer];
      await work.worker.attempt(ref);
      await work.office.reported();
      return row(ref).state;
    },
    why: (ref) => row(ref).reason?.reason,
  };
  return desk;
}

/** Gives this desk a membership in an office that has not received its earlier sends yet. */
export function joinOffice(
  { office }: OfficeDatabase,
  { seat }: TestDesk,
  { world, joined }: OfficeDesk,
  desk = joined.desk,
): void {
  world.stores.office.join({
    office,
    seat: OfficeUserId.parse(seat),
    desk,
    name: 'Anna',
    address: { host: 'localhost', port: 5432, database: 'office', role: 'anna', trust: null },
    goesOnWithout: false,
  });
}

/** Reports the sends of this desk to the office, as at its first visit. */
export function tellOffice(
  place: OfficeDatabase,
  who: TestDesk,
  { world, work, joined }: OfficeDesk,
): Promise<void> {
  const exchange = () => ({ rebase: async () => undefined, soon: () => undefined });
  const ports = {
    ...work.ports,
    ...work,
    stores: world.stores,
    exchange,
    emit: () => undefined,
  };
  const opened: Pick<OpenOffice, 'joined' | 'putBacks' | 'seatNames'> = {
    joined,
    putBacks: place.putBacksOf(who),
    seatNames: async () => new Map(),
  };
  // The other parts of an office concern shared items.
  return new OfficeRestoreReports(ports).tell(opened as OpenOffice);
}
