import type { Emit } from '../../../shared/contract/index.ts';
import { MOST_FAILURES } from '../../../shared/contract/reminders.ts';
import type { Failure } from '../../../shared/errors.ts';
import { OutboxEpoch } from '../outbox/epoch.ts';
import { createOutboxTransitions } from '../outbox/transitions.ts';
import type { Chance, Clock, Stores, Vault } from '../ports.ts';
import { pauseRestored } from '../reminders/work.ts';
import type { Witness } from '../witness-ports.ts';

/** No file lies there: what was restored is known by it even where system and volume are the same. */
const NOWHERE = { computer: null, volume: null, file: 'restored', made: null } as const;

interface DoubtPorts {
  readonly stores: Stores;
  readonly vault: Vault;
  readonly witness: Witness;
  readonly clock: Clock;
  readonly chance: Chance;
}

export interface Doubts {
  readonly doubtful: number;
  readonly pausedRules: number;
}

const restored: Failure = {
  code: 'conflict',
  message: 'This data was restored: say whether it goes on here',
  reason: 'data-restored',
};

/**
 * Every restore is a doubt: the computer that the backup came from may have sent, reminded and
 * archived since, or still does. What waits becomes unknown, no rule goes on before a person says so,
 * and backups made here are named apart from its own.
 */
export async function doubtRestored(ports: DoubtPorts): Promise<Doubts> {
  const { stores, clock } = ports;
  const emit: Emit = () => undefined;
  const transitions = createOutboxTransitions({ stores, clock, emit });
  const distrust = (): void => {
    transitions.recover(new Set());
    transitions.distrust();
    pauseRestored({ stores, clock });
  };
  stores.outbox.setEpoch({ current: stores.outbox.epoch().current, next: null, place: NOWHERE });
  await new OutboxEpoch({ ...ports, distrust }).check();
  const archives = pauseArchives(ports);
  const backups = pauseBackups(ports);
  const reminders = stores.reminders.rules.list().length;
  return {
    doubtful: stores.outbox.inState('unknown').length,
    pausedRules: reminders + archives + backups,
  };
}

function pauseArchives({ stores, clock }: DoubtPorts): number {
  const { rules } = stores.archive;
  const kept = rules.list().filter(({ rule }) => rule.when.kind !== 'by-hand');
  const run = { at: clock.now(), saved: 0, failed: 0, failure: restored, inRow: MOST_FAILURES };
  for (const { rule } of kept) rules.noteRun(rule.id, run);
  return kept.length;
}

/** Under its own name it would remove those of the other computer. */
function pauseBackups({ stores, clock, chance }: DoubtPorts): number {
  const stored = stores.backup.read();
  if (stored === null) return 0;
  const desk = chance.uuid().replaceAll('-', '').slice(0, stored.desk.length);
  const last = { at: clock.now(), file: null, failure: restored, inRow: MOST_FAILURES };
  stores.backup.save({ ...stored, desk, last, good: null });
  return 1;
}
