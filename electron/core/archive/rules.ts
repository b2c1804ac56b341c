import { ArchiveRuleId } from '../../../shared/contract/archive.ts';
import { requireTokens } from './names.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { WorkPorts, ArchiveWork } from './work.ts';
import { nextDueTime, isArchivePaused } from './work.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Chance } from '../ports.ts';
import { namedFailures } from '../rules/failed-items.ts';
import { RuleBook } from '../rules/rule-book.ts';

type RuleCalls = `archive.${'rules' | `${'save' | 'switch' | 'remove' | 'run'}Rule`}`;

export function createArchiveRuleHandlers(
  ports: WorkPorts & {
    readonly archiveWork: ArchiveWork;
    readonly jobs: JobQueue;
    readonly chance: Chance;
  },
): Pick<HandlersOf<'archive'>, RuleCalls> {
  const { stores, clock, chance, emit, jobs, archiveWork } = ports;
  const { rules } = stores.archive;
  const book = new RuleBook({
    rules,
    transaction: stores.transaction,
    parseId: (id) => ArchiveRuleId.parse(id),
    clock,
    chance,
    announce: () => emit('archive.changed', {}),
    forgive({ rule, last }) {
      if (last !== null) rules.noteRun(rule.id, { ...last, failure: null, inRow: 0 });
    },
  });
  return {
    'archive.rules': async () =>
      rules.list().map((stored) => {
        const isPaused = isArchivePaused(stored);
        const dueAt = stored.rule.isOn && !isPaused ? nextDueTime(stored, clock.now()) : null;
        const failures = namedFailures(stores, stored.last?.failures);
        return { ...stored, failures, isPaused, dueAt };
      }),
    'archive.saveRule': async ({ id, ...said }) => {
      requireTokens(said);
      return book.save({ ...said, ...book.originOf(id) });
    },
    'archive.switchRule': async ({ id, isOn }) => book.switch(id, isOn),
    'archive.removeRule': async ({ id }) => book.remove(id),
    'archive.runRule': async ({ id, isDue = false }) => {
      rules.get(id);
      return {
        jobId: jobs.start('archive-agreements', (signal, report) =>
          archiveWork.runRule(id, !isDue, signal, report),
        ),
      };
    },
  };
}
