import type { Emit } from '../../../shared/contract/index.ts';
import { MAX_FAILURES } from '../rules/failures-in-row.ts';
import type { Failure } from '../../../shared/errors.ts';
import { becomeAnotherDesk } from '../office/another-desk.ts';
import { OutboxEpoch } from '../outbox/epoch.ts';
import { createOutboxTransitions, type OutboxTransitions } from '../outbox/transitions.ts';
import type { Chance, Clock, Stores, Vault } from '../ports.ts';
import { pauseRestored } from '../reminders/work.ts';
import type { ExternalState } from '../external-state-ports.ts';

/**
 * Location that no data file has: restored data is recognized by it even on the same computer and
 * volume.
 */
const IMPOSSIBLE_PLACE = { computer: null, volume: null, file: 'restored', made: null } as const;

interface UnknownOutcomePorts {
  readonly stores: Stores;
  readonly vault: Vault;
  readonly externalState: ExternalState;
  readonly clock: Clock;
  readonly chance: Chance;
}

/** Areas whose `.changed` events are emitted when the data is detected as a copy. */
const changedAreas = ['reminders', 'intake', 'archive', 'backup', 'settings', 'office'] as const;

/** Ports for pausing rules that another computer may also run. */
interface RulePorts {
  readonly stores: Stores;
  readonly clock: Clock;
}

export interface UnknownOutcomeCounts {
  readonly doubtful: number;
  readonly pausedRules: number;
}

const toUncertainFailure = (message: string): Failure => ({
  code: 'conflict',
  message,
  reason: 'data-restored',
});
const restoredDataFailure = toUncertainFailure(
  'This data was restored. Decide whether this computer should continue this work',
);
const copiedDataFailure = toUncertainFailure(
  'This data was copied or moved. Decide whether this computer should continue this work',
);
const reactivatedFailure = toUncertainFailure(
  'This computer was deactivated by a move and reactivated. Decide whether it should continue this work',
);

/**
 * Marks restored data as uncertain: the computer that made the backup may have sent, reminded and
 * archived since the backup, or may still do so. Waiting sends become unknown, all rules wait for
 * the user, new backups get another name, and in an office this computer becomes another one.
 */
export async function markUnknownAfterRestore(
  ports: UnknownOutcomePorts,
): Promise<UnknownOutcomeCounts> {
  const { stores, clock } = ports;
  const emit: Emit = () => undefined;
  const transitions = createOutboxTransitions({ stores, clock, emit });
  transitions.recover(new Set());
  transitions.distrust();
  const pausedRules = pauseAllRules(ports, restoredDataFailure);
  stores.sync.readAnew(clock.now());
  becomeAnotherDesk(ports);
  stores.outbox.setEpoch({
    current: stores.outbox.epoch().current,
    next: null,
    place: IMPOSSIBLE_PLACE,
  });
  await new OutboxEpoch({ ...ports, distrust: () => undefined }).check();
  return { doubtful: stores.outbox.inState('unknown').length, pausedRules };
}

/**
 * Pauses the rules of data that was detected as a copy when it was opened, and makes this computer
 * another one in its office. The caller marks the sends as unknown.
 */
export function markUnknownAfterCopy(
  ports: RulePorts & { readonly chance: Chance; readonly emit: Emit },
): void {
  pauseAllRules(ports, copiedDataFailure);
  becomeAnotherDesk(ports);
  for (const name of changedAreas) ports.emit(`${name}.changed`, {});
}

/**
 * Marks data as uncertain when its computer is reactivated after a move: the other computer may
 * have started its work.
 */
export function markUnknownAfterReactivation(
  ports: RulePorts & { readonly transitions: Pick<OutboxTransitions, 'distrust'> },
): void {
  ports.transitions.distrust();
  pauseRules(ports, reactivatedFailure);
  pauseBackups(ports, reactivatedFailure, null);
}

/** Pauses all automatic work of this computer; returns the number of paused rules. */
function pauseAllRules(ports: RulePorts & { readonly chance: Chance }, failure: Failure): number {
  return pauseRules(ports, failure) + pauseBackups(ports, failure, newName(ports.chance));
}

function pauseRules(ports: RulePorts, failure: Failure): number {
  const { stores, clock } = ports;
  pauseRestored(ports);
  // Retention and the daily summary have no run to record, so this setting pauses them.
  const at = clock.now();
  stores.settings.write({ restoredAt: at, lastRestoredAt: at });
  // The times at which connections were last read came from another clock or a malicious backup, so
  // they may be in the future.
  stores.connections.forgetCheckedAt();
  const reminders = stores.reminders.rules.list().length;
  return reminders + pauseArchives(ports, failure) + pauseIntake(ports, failure);
}

function pauseArchives({ stores, clock }: RulePorts, failure: Failure): number {
  const { rules } = stores.archive;
  const kept = rules.list().filter(({ rule }) => rule.when.kind !== 'by-hand');
  const run = { at: clock.now(), saved: 0, failed: 0, failure, inRow: MAX_FAILURES };
  for (const { rule } of kept) rules.noteRun(rule.id, run);
  return kept.length;
}

/**
 * Pauses the rules of watched folders: files added to a shared folder since the backup may already
 * be drafts of the other computer.
 */
function pauseIntake({ stores, clock }: RulePorts, failure: Failure): number {
  const { rules } = stores.intake;
  const kept = rules.list();
  const nothing = { drafts: 0, sheets: 0, again: 0, refused: 0, replaced: 0, waiting: 0 };
  const run = { ...nothing, at: clock.now(), failure, inRow: MAX_FAILURES };
  for (const { rule } of kept) rules.noteRun(rule.id, run);
  return kept.length;
}

/**
 * Pauses backups. `name`: new name for backups, because under the old name they would replace those
 * of the other computer; null keeps the old name.
 */
function pauseBackups({ stores, clock }: RulePorts, failure: Failure, name: string | null): number {
  const stored = stores.backup.read();
  if (stored === null) return 0;
  const last = { at: clock.now(), file: null, failure, inRow: MAX_FAILURES };
  if (name === null) stores.backup.save({ ...stored, last });
  else stores.backup.save({ ...stored, desk: name, last, good: null });
  return 1;
}

/** Number of hexadecimal digits of the random number in a backup name. */
const NAME_LENGTH = 8;

export const newName = (chance: Chance): string =>
  chance.uuid().replaceAll('-', '').slice(0, NAME_LENGTH);
