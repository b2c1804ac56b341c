import type { Emit } from '../../../shared/contract/index.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { Stores } from '../ports.ts';
import type { OfficeHandoverWork } from './handovers.ts';
import type { OfficeExchange } from './items/exchange.ts';
import { draftFreedFailure } from './items/freed.ts';
import type { OfficeSession } from './session.ts';

interface LeavingPorts {
  readonly stores: Pick<Stores, 'office' | 'outbox' | 'reminders' | 'intake'>;
  readonly room: Pick<OfficeSession, 'leave'>;
  readonly exchange: Pick<OfficeExchange, 'changed' | 'quietly'>;
  readonly handovers: Pick<OfficeHandoverWork, 'takeAllBack'>;
  readonly transitions: Pick<OutboxTransitions, 'postpone'>;
  readonly emit: Emit;
}

/**
 * Ends this computer's membership. First, sends of shared drafts are held for the user, shared
 * reminder rules and watched folders are switched off on this computer, and handovers that no
 * computer has accepted are withdrawn. Works even if the office is unreachable.
 */
export async function leaveOffice(ports: LeavingPorts): Promise<void> {
  const { stores, room, exchange, handovers, emit } = ports;
  holdSharedDrafts(ports);
  await handovers.takeAllBack();
  // After this exchange, other computers may send those drafts without waiting for this computer.
  exchange.changed('drafts');
  await exchange.quietly();
  await room.leave(() => {
    switchRulesOff(stores);
  });
  emit('reminders.changed', {});
  emit('intake.changed', {});
}

function holdSharedDrafts({ stores, transitions }: LeavingPorts): void {
  const shared = new Set(stores.office.sharedDrafts());
  for (const { ref, draftId } of stores.outbox.inState('queued')) {
    if (draftId === null || !shared.has(draftId)) continue;
    transitions.postpone(ref, null, { cause: 'office', reason: draftFreedFailure });
  }
}

/**
 * Switches off reminder rules of the office, and watched folders. Other computers may watch the
 * same folders: in the office, one computer at a time did that for all.
 */
function switchRulesOff({ office, reminders, intake }: LeavingPorts['stores']): void {
  for (const { rule } of reminders.rules.list()) {
    if (office.item('reminder-rule', rule.id) === null) continue;
    reminders.rules.save({ ...rule, isOn: false });
  }
  for (const { rule } of intake.rules.list()) intake.rules.save({ ...rule, isOn: false });
}
