import type { HandlersOf } from '../../../shared/contract/index.ts';
import type {
  OpenOfficeOperation,
  OfficeClaimHolder,
} from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ActionId } from '../../../shared/model/ids.ts';
import { containsPersonNumber } from '../../../shared/rules/people/personal-numbers.ts';
import type { OutboxGates } from '../outbox/gates.ts';
import { sendNow } from '../outbox/handlers.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Clock, Encoding, Stores } from '../ports.ts';
import type { Services } from '../services/services.ts';
import { requireActive } from '../deactivation.ts';
import { adopt, adoptAct, isAct, isHere, DELAYS_FOR_ABANDONED_SEND } from './adopt.ts';
import { leaveOffice } from './leaving.ts';
import type { OfficeActs } from './acts.ts';
import type { ActionRunner } from '../actions/runner.ts';
import type { OfficeApprovalWork } from './approvals.ts';
import type { OfficeBatches } from './batches.ts';
import type { DraftEditors } from './editors.ts';
import type { OfficeGuard } from './guard.ts';
import type { OfficeHandoverWork } from './handovers.ts';
import type { OfficeExchange } from './items/exchange.ts';
import { createOfficeSharingHandlers } from './items/questions.ts';
import type { ClaimHolder, JoinedOffice, OpenOffice, OpenOperation } from './ports.ts';
import { readOfficeRestore } from './put-back.ts';
import { type OfficeSession, officeUnconfirmed, type OfficeSessionPorts } from './session.ts';

const PERSON = 'person';

interface OfficeHandlerPorts extends Omit<OfficeSessionPorts, 'trusted' | 'reached'> {
  readonly stores: Stores;
  readonly room: OfficeSession;
  readonly office: OfficeGuard;
  readonly acts: OfficeActs;
  readonly actionRunner: Pick<ActionRunner, 'reconcile'>;
  readonly exchange: OfficeExchange;
  readonly approvals: OfficeApprovalWork;
  readonly editors: DraftEditors;
  readonly handovers: OfficeHandoverWork;
  readonly officeBatches: OfficeBatches;
  readonly services: Services;
  readonly transitions: OutboxTransitions;
  readonly gates: OutboxGates;
  readonly worker: OutboxWorker;
  readonly bytes: ByteExchange;
  readonly encoding: Encoding;
  readonly clock: Clock;
}

export function createOfficeHandlers(ports: OfficeHandlerPorts): HandlersOf<'office'> {
  const { stores, room, offices, bytes, encoding } = ports;
  return {
    'office.read': async () => stores.office.membership(),
    'office.create': async (order) => {
      assertNotInOffice(ports);
      assertNoPersonNumber(order.name);
      const member = await (await offices()).create(order);
      await room.enter(member);
      return member.membership;
    },
    'office.invite': async (order) => {
      assertNoPersonNumber(order.name);
      const { seat, role, invitation, phrase } = await (await room.require()).invite(order);
      // The invited user is stored on this computer: after a restore, the office's database may not
      // know the user or the role, although the invited computer may have sent something.
      const met = { desk: seat, seat, role, seenAt: ports.clock.now(), name: order.name };
      stores.office.keepDesks([...stores.office.desks(), met]);
      const out = bytes.put(encoding.utf8(invitation));
      return { seat, out, fileName: `${order.name}.signoffice`, phrase };
    },
    'office.join': async ({ invitation, phrase }) => {
      await assertNoReachableOffice(ports);
      const member = await (await offices()).join(invitation, phrase);
      await room.enter(member);
      return member.membership;
    },
    'office.leave': async () => {
      const open = await countOwnUnsettled(ports);
      await leaveOffice(ports);
      return { open };
    },
    'office.remove': async ({ owner, seat }) => {
      const removed = await (await room.require()).remove(owner, seat);
      ports.emit('office.changed', {});
      return removed;
    },
    'office.upgrade': async ({ owner }) => {
      const membership = stores.office.membership();
      const unconfirmed = officeUnconfirmed(stores);
      if (unconfirmed !== null) throw unconfirmed;
      if (membership === null) await room.require();
      else await (await offices()).upgrade(membership, owner);
      return {};
    },
    ...createDecisions(ports),
    ...createReports(ports),
    ...createLooks(ports),
    ...createOfficeSharingHandlers(ports),
    ...ports.handovers.handlers,
    ...ports.officeBatches.handlers,
    ...ports.approvals.handlers,
    ...ports.editors.handlers,
  };
}

type OfficeDecisionName = 'adopt' | 'holders' | 'follow' | 'actHolders' | 'allowAct' | 'goWithout';

/** Creates the user's decisions about operations that other computers did or may have done. */
function createDecisions(
  ports: OfficeHandlerPorts,
): Pick<HandlersOf<'office'>, `office.${OfficeDecisionName}`> {
  const { stores, room, office: guard } = ports;
  return {
    'office.adopt': async ({ id }) => {
      const { joined } = await room.require();
      const found = (await joined.claims.open()).find((one) => one.id === id);
      if (found === undefined) {
        throw new AppError('not-found', 'This send or action is already resolved in the office');
      }
      if (isAct(found)) return { ref: null, actionId: await settleAct(ports, joined, found) };
      if (found.desk === joined.desk && isHere(stores, found)) {
        throw new AppError(
          'conflict',
          'This send was started on this computer. Resolve it in the outbox',
        );
      }
      const ref = await adopt(ports, joined, found, DELAYS_FOR_ABANDONED_SEND);
      ports.worker.wake();
      return { ref, actionId: null };
    },
    'office.holders': async ({ ref }) => {
      const names = await (await room.require()).seatNames();
      return holdersOf(await guard.holders(ref), names);
    },
    'office.follow': async ({ ref, seen }) => {
      requireActive(stores);
      ports.gates.requireForOne(stores.outbox.get(ref).connectionId);
      guard.follow(ref, seen);
      sendNow(ports, stores.outbox.get(ref));
      return {};
    },
    'office.actHolders': async ({ actionId }) => {
      const names = await (await room.require()).seatNames();
      return holdersOf(await ports.acts.holders(actionId), names);
    },
    'office.allowAct': async ({ actionId, seen }) => {
      requireActive(stores);
      ports.acts.allow(actionId, seen);
      ports.emit('actions.changed', { connectionId: stores.actions.get(actionId).connectionId });
      return {};
    },
    'office.goWithout': async ({ ref }) => {
      requireActive(stores);
      ports.gates.requireForOne(stores.outbox.get(ref).connectionId);
      if (stores.office.membership()?.goesOnWithout !== true) {
        const message = 'This office allows no sending while its database cannot be reached';
        throw new AppError('forbidden', message);
      }
      guard.goWithout(ref);
      sendNow(ports, stores.outbox.get(ref));
      return {};
    },
  };
}

/**
 * Takes over an unsettled action, and immediately reads its agreement to find the outcome. If the
 * reading fails, the user can check the action later.
 */
async function settleAct(
  ports: OfficeHandlerPorts,
  joined: JoinedOffice,
  found: OpenOperation,
): Promise<ActionId> {
  const actionId = await adoptAct(ports, joined, found);
  const { stores, actionRunner, toFailure, emit } = ports;
  const action = stores.actions.get(actionId);
  await actionRunner
    .reconcile(action)
    .catch((error: unknown) => void toFailure(error, 'office.adopt'));
  emit('actions.changed', { connectionId: action.connectionId });
  return actionId;
}

function createReports(
  ports: OfficeHandlerPorts,
): Pick<HandlersOf<'office'>, `office.${'report' | 'excuse'}`> {
  return {
    'office.excuse': async ({ id, desks }) => {
      await (await ports.room.require()).putBacks.excuse(id, desks);
      ports.emit('office.changed', {});
      askAgain(ports);
      return {};
    },
    'office.report': async () => {
      try {
        // Opening a connection to the office also sends this computer's reports.
        const office = await ports.room.open();
        const found = await office?.putBacks.read();
        if (office !== null && (found?.awaited ?? []).length === 0) openGates(ports);
      } catch (error) {
        ports.toFailure(error, 'office.report');
      }
      return {};
    },
  };
}

type OfficeViewName = 'seats' | 'check' | 'putBack' | 'activity' | 'open' | 'tasks';

function createLooks({
  room,
  stores,
}: Pick<OfficeHandlerPorts, 'room' | 'stores'>): Pick<
  HandlersOf<'office'>,
  `office.${OfficeViewName}`
> {
  return {
    'office.seats': async () => [...(await (await room.require()).seats())],
    'office.check': async () => [...(await (await room.require()).checks())],
    'office.putBack': async () => readOfficeRestore(await room.require(), stores.office.desks()),
    'office.activity': async (page) => (await room.require()).activity(page),
    'office.open': async () => openOperations(await room.require(), stores),
    'office.tasks': async () => {
      const { joined } = await room.require();
      const held = await joined.leases.list();
      return held.map(({ desk, number: _number, ...task }) => ({
        ...task,
        isOwn: desk === joined.desk,
      }));
    },
  };
}

/** Lets rows that waited for the reports of other computers be sent now. */
function askAgain({ stores, gates, transitions, worker, clock }: OfficeHandlerPorts): void {
  openGates({ stores, gates });
  for (const { ref, reason } of stores.outbox.inState('queued')) {
    if (reason?.reason !== 'office-put-back') continue;
    transitions.postpone(ref, clock.now(), { cause: 'person', actor: PERSON, reason: null });
  }
  worker.wake();
}

/**
 * Opens the office gate of every connection. The office is reachable again, so rows need not wait
 * for a retry.
 */
function openGates({ stores, gates }: Pick<OfficeHandlerPorts, 'stores' | 'gates'>): void {
  for (const { id } of stores.connections.list()) gates.open(id, 'office');
}

/** Rejects a personal number in a name, because all users of the office see the name. */
function assertNoPersonNumber(name: string): void {
  if (!containsPersonNumber(name)) return;
  const message = 'Every user of the office sees this name. Remove the personal number';
  throw new AppError('invalid', message, { fields: { name: message } });
}

function assertNotInOffice({ stores }: OfficeHandlerPorts): void {
  if (stores.office.membership() === null) return;
  throw new AppError('conflict', 'This computer is already in an office. Leave that office first');
}

/**
 * Rejects joining an office while this computer is in one. If the keys of that office cannot be
 * read or its address is not confirmed, for example after a restore, this computer may join again.
 */
async function assertNoReachableOffice({ stores, room }: OfficeHandlerPorts): Promise<void> {
  if (stores.office.membership() === null) return;
  try {
    await room.open();
  } catch (error) {
    const code = error instanceof AppError ? error.failure.code : null;
    if (code === 'vault' || code === 'signed-out') return;
  }
  throw new AppError('conflict', 'This computer is already in an office. Leave that office first');
}

/** Returns the number of this computer's unsettled operations; 0 if the office is unreachable. */
async function countOwnUnsettled({ room }: OfficeHandlerPorts): Promise<number> {
  try {
    const office = await room.open();
    if (office === null) return 0;
    return (await office.joined.claims.unsettled()).length;
  } catch {
    return 0;
  }
}

async function openOperations(office: OpenOffice, stores: Stores): Promise<OpenOfficeOperation[]> {
  const names = await office.seatNames();
  const open = await office.joined.claims.open();
  // After a restore, this computer's data may lack some of its own operations. They are in no
  // outbox, so the user settles them like operations of another computer.
  const isOwn = (one: OpenOperation): boolean =>
    one.desk === office.joined.desk && isHere(stores, one);
  return open.map((operation) => {
    const { about, seat, age: _age, isGone: _isGone, ...one } = operation;
    return {
      ...one,
      title: about?.title ?? null,
      seat: names.get(seat) ?? '',
      isOwn: isOwn(operation),
    };
  });
}

/** Returns one entry per operation, even if the operation holds several keys. */
function holdersOf(
  held: readonly ClaimHolder[],
  names: ReadonlyMap<string, string>,
): OfficeClaimHolder[] {
  const byId = Map.groupBy(held, ({ id }) => id);
  return [...byId].flatMap(([id, all]): OfficeClaimHolder[] => {
    const [first] = all;
    if (first === undefined || first.state === 'released') return [];
    const { seat, state, startedAt } = first;
    const claims = all.map(({ key, generation }) => ({ key, id, generation }));
    return [{ id, claims, seat: names.get(seat) ?? '', state, startedAt }];
  });
}
