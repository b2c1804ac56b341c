import type { OfficePutBack } from '../../../shared/contract/office/office.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Clock, Stores } from '../ports.ts';
import type { OfficeGuard } from './guard.ts';
import type { OfficeExchange } from './items/exchange.ts';
import { actOf } from './operation.ts';
import { stateOfAction } from './outcome.ts';
import type { LostOperation, OpenOffice } from './ports.ts';

/** Operations that the office is asked for in one go. */
const AT_ONCE = 500;

interface PutBackPorts {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'office' | 'actions'>;
  readonly office: Pick<OfficeGuard, 'known' | 'lost'>;
  readonly exchange: () => Pick<OfficeExchange, 'rebase' | 'soon'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

/**
 * An office whose database was put back from an older dump has lost what its desks did since. Every desk
 * tells it what it knows to be sent, and compares what is shared; nobody sends before all of them have, but
 * those that a person does not wait for.
 */
export class PutBackOffice {
  readonly #ports: PutBackPorts;

  constructor(ports: PutBackPorts) {
    this.#ports = ports;
  }

  /** Tells what this desk knows, once for each time that the office was put back. Throws 'offline'. */
  async tell(office: OpenOffice): Promise<void> {
    const found = await office.putBacks.read();
    if (found === null || found.isTold) return;
    await this.#bringBack(office);
    await this.#ports.exchange().rebase(office, found.last);
    await office.putBacks.told(found.id);
    this.#ports.emit('office.changed', {});
    this.#ports.exchange().soon();
  }

  async #bringBack({ joined, putBacks }: OpenOffice): Promise<void> {
    const { stores, office, clock } = this.#ports;
    const rows = office.known();
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const some = rows.slice(at, at + AT_ONCE);
      const known = await putBacks.known(some.map(({ ref }) => ref));
      const lost = some.filter(({ ref }) => !known.has(ref));
      await putBacks.bringBack(lost.flatMap((item) => office.lost(joined, item) ?? []));
    }
    const acts = [...stores.actions.inState('done'), ...stores.actions.inState('unknown')];
    for (let at = 0; at < acts.length; at += AT_ONCE) {
      const some = acts.slice(at, at + AT_ONCE);
      const known = await putBacks.known(some.map(({ actionId }) => actionId));
      const lost = some.filter(({ actionId }) => !known.has(actionId));
      await putBacks.bringBack(
        lost.flatMap((action): LostOperation[] => {
          const operation = actOf(stores, joined, action);
          const state = stateOfAction(action, clock.now());
          if (operation === null || state === 'claimed' || state === 'released') return [];
          return [{ ...operation, state, startedAt: action.createdAt }];
        }),
      );
    }
  }
}

/** For people; null where the office was never put back. */
export async function readPutBack(office: OpenOffice): Promise<OfficePutBack | null> {
  const found = await office.putBacks.read();
  if (found === null) return null;
  const names = await office.seatNames();
  const { id, noticedAt, asOf } = found;
  const awaited = found.awaited.map(({ desk, seat, seenAt }) => ({
    desk,
    seat: names.get(seat) ?? '',
    seenAt,
    isThis: desk === office.joined.desk,
  }));
  return { id, noticedAt, asOf, awaited };
}
