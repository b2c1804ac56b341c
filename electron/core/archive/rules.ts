import { ArchiveRuleId, type ArchiveRule } from '../../../shared/contract/archive.ts';
import { requireTokens } from './names.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { WorkPorts, ArchiveWork } from './work.ts';
import { dueOf, isArchivePaused } from './work.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Chance } from '../ports.ts';

type RuleCalls = `archive.${'rules' | `${'save' | 'switch' | 'remove' | 'run'}Rule`}`;

/** Rules by which archives are kept, each with how it went last. */
export function createArchiveRules(
  ports: WorkPorts & {
    readonly archiveWork: ArchiveWork;
    readonly jobs: JobQueue;
    readonly chance: Chance;
  },
): Pick<HandlersOf<'archive'>, RuleCalls> {
  const { stores, clock, chance, emit, jobs, archiveWork } = ports;
  const { rules } = stores.archive;
  return {
    'archive.rules': async () =>
      rules.list().map((stored) => {
        const isPaused = isArchivePaused(stored);
        const dueAt = stored.rule.isOn && !isPaused ? dueOf(stored, clock.now()) : null;
        return { ...stored, isPaused, dueAt };
      }),
    'archive.saveRule': async ({ id, ...said }) => {
      requireTokens(said);
      const rule: ArchiveRule = {
        ...said,
        id: id ?? ArchiveRuleId.parse(chance.uuid()),
        createdAt: id === undefined ? clock.now() : rules.get(id).rule.createdAt,
      };
      rules.save(rule);
      emit('archive.changed', {});
      return rule;
    },
    'archive.switchRule': async ({ id, isOn }) => {
      const { rule: before, last } = rules.get(id);
      const rule = { ...before, isOn };
      rules.save(rule);
      if (isOn && last !== null) rules.noteRun(id, { ...last, inRow: 0 });
      emit('archive.changed', {});
      return rule;
    },
    'archive.removeRule': async ({ id }) => {
      rules.remove(id);
      emit('archive.changed', {});
      return {};
    },
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
