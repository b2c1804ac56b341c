import type { SheetChoices, SheetRow } from '../../../../shared/contract/sheets.ts';
import type { CheckedRow, CheckSpec } from '../../../../shared/rules/batches/check.ts';
import { serveThread } from '../../threads/serve.ts';
import { readLines } from '../read/lines.ts';
import { holdsNumber } from '../read/person-numbers.ts';
import { readSheet } from '../read/sheet.ts';

const tasks = {
  read: (data: Uint8Array, choices: SheetChoices) => readSheet(data, choices),
  readLines: (data: Uint8Array, choices: SheetChoices) => readLines(data, choices),
  holdsNumber,
  async check(spec: CheckSpec, rows: readonly SheetRow[]): Promise<readonly CheckedRow[]> {
    // The rules are loaded only now: they are large, and reading a file needs none of them.
    const { createRowCheck } = await import('../../../../shared/rules/batches/check.ts');
    return rows.map(createRowCheck(spec));
  },
};
export type SheetTasks = typeof tasks;

serveThread(tasks);
