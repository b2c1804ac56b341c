import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { relative } from '../places.ts';

/**
 * Test files that take minutes, longest first: a file that is started last would run alone while
 * the other cores are idle. Vitest sorts files by the times of its last run, which a fresh machine
 * lacks, and then by file size. A run of all tests prints its slowest files.
 */
export const SLOWEST: readonly string[] = [
  ...['test/core/backup/kills', 'test/app/screens', 'test/app/outbox/legacy-killed'],
  ...['test/app/templates/templates', 'test/app/keyboard-everywhere', 'test/app/looks'],
  ...['test/core/backup/work', 'test/delivery/fault-runs', 'test/core/sync/kill'],
  ...['test/cli/outbox/restored', 'test/app/journeys/v1', 'test/cli/backup/commands'],
  ...['test/app/backup/opening', 'test/delivery/signing', 'test/app/batches/story'],
  ...['test/cli/batches/kills', 'test/app/outbox/lease-killed', 'test/cli/journey'],
  ...['test/core/reminders/office-month', 'test/cli/backup/move'],
  ...['test/adapters/sheets/read/fuzz', 'test/fences/recipes', 'test/program/packaged'],
  ...['test/rules/long-texts', 'test/core/backup/move', 'test/adapters/pdf/compile'],
].map((name) => `${name}.test.ts`);

/** Sorts the slowest files of each project first, and all others in Vitest's own order. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const projects = [...new Set(usual.map(({ project }) => project.name))];
    const projectOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const at = SLOWEST.indexOf(relative(moduleId));
      return at < 0 ? SLOWEST.length : at;
    };
    return usual.toSorted((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b));
  }
}
