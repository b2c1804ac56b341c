import type { Emit } from '../../../shared/contract/index.ts';
import { MAX_FAILURES } from '../rules/failures-in-row.ts';
import type { Failure } from '../../../shared/errors.ts';
import { becomeAnotherDesk } from '../office/another-desk.ts';
import { OutboxEpoch } from '../outbox/epoch.ts';
import { createOutboxTransitions, type OutboxTransitions } from '../outbox/transitions.ts';
import type { Chance, Clock, Stores, Vault } from '../ports.ts';
import { pauseRestored } from '../reminders/work.ts';
import type { ExternalState } from '../external-state-ports.ts';

/** No file lies there: what was restored is known by it even where system and volume are the same. */
const NOWHERE = { computer: null, volume: null, file: 'restored', made: null } as const;

interface DoubtPorts {
  readonly stores: Stores;
  readonly vault: Vault;
  readonly externalState: ExternalState;
  readonly clock: Clock;
  readonly chance: Chance;
}

/** What changes when a copy is found. */
const changedRules = ['reminders', 'intake', 'archive', 'backup', 'settings', 'office'] as const;

/** What another computer may have done meanwhile. */
interface RulePorts {
  readonly stores: Stores;
  readonly clock: Clock;
}

export interface Doubts {
  readonly doubtful: number;
  readonly pausedRules: number;
}

const doubt = (message: string): Failure => ({
  code: 'conflict',
  message,
  reason: 'data-restored',
});
const restored = doubt('This data was restored. Decide whether to continue with this here');
const copied = doubt('This data was copied or moved. Decide whether to continue with this here');
const woken = doubt(
  'This computer was deactivated by a move and reactivated. Decide whether to continue with this here',
);

/**
 * Every restore is a doubt: the computer that the backup came from may have sent, reminded and
 * archived since, or still does. What waits becomes unknown, no rule goes on before a person says so,
 * backups made here are named apart from its own, and in an office this is another desk.
 */
export async function markUnknownAfterRestore(ports: DoubtPorts): Promise<Doubts> {
  const { stores, clock } = ports;
  const emit: Emit = () => undefined;
  const transitions = createOutboxTransitions({ stores, clock, emit });
  transitions.recover(new Set());
  transitions.distrust();
  const pausedRules = doubtRules(ports, restored);
  stores.sync.readAnew(clock.now());
  becomeAnotherDesk(ports);
  stores.outbox.setEpoch({ current: stores.outbox.epoch().current, next: null, place: NOWHERE });
  await new OutboxEpoch({ ...ports, distrust: () => undefined }).check();
  return { doubtful: stores.outbox.inState('unknown').length, pausedRules };
}

/** The same for data that was found to be a copy when it was opened; its sends are doubted beside this. */
export function markUnknownAfterCopy(
  ports: RulePorts & { readonly chance: Chance; readonly emit: Emit },
): void {
  doubtRules(ports, copied);
  becomeAnotherDesk(ports);
  for (const name of changedRules) ports.emit(`${name}.changed`, {});
}

/** The same for a desk that moved and goes on after all: the other computer may have begun. */
export function markUnknownAfterReactivation(
  ports: RulePorts & { readonly transitions: Pick<OutboxTransitions, 'distrust'> },
): void {
  ports.transitions.distrust();
  pauseRules(ports, woken);
  pauseBackups(ports, woken, null);
}

/** Pauses all that this desk does by itself; gives how many rules that is. */
function doubtRules(ports: RulePorts & { readonly chance: Chance }, failure: Failure): number {
  return pauseRules(ports, failure) + pauseBackups(ports, failure, newName(ports.chance));
}

function pauseRules(ports: RulePorts, failure: Failure): number {
  const { stores, clock } = ports;
  pauseRestored(ports);
  // What is removed by age, and the digest, have no run that could be noted.
  const at = clock.now();
  stores.settings.write({ restoredAt: at, lastRestoredAt: at });
  // Another clock wrote when that was, or the maker of a backup: it may lie in the future.
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

/** The files that came into a shared folder since are drafts of the other computer. */
function pauseIntake({ stores, clock }: RulePorts, failure: Failure): number {
  const { rules } = stores.intake;
  const kept = rules.list();
  const nothing = { drafts: 0, sheets: 0, again: 0, refused: 0, replaced: 0, waiting: 0 };
  const run = { ...nothing, at: clock.now(), failure, inRow: MAX_FAILURES };
  for (const { rule } of kept) rules.noteRun(rule.id, run);
  return kept.length;
}

/** `name`: under its own one, what was restored would remove backups of the other computer. */
function pauseBackups({ stores, clock }: RulePorts, failure: Failure, name: string | null): number {
  const stored = stores.backup.read();
  if (stored === null) return 0;
  const last = { at: clock.now(), file: null, failure, inRow: MAX_FAILURES };
  if (name === null) stores.backup.save({ ...stored, last });
  else stores.backup.save({ ...stored, desk: name, last, good: null });
  return 1;
}

/** As many hexadecimal digits of a random number name a desk. */
const NAME_LENGTH = 8;

export const newName = (chance: Chance): string =>
  chance.uuid().replaceAll('-', '').slice(0, NAME_LENGTH);
