import * as z from 'zod';
import { IntakeRule, IntakeRun } from '../../../../shared/contract/intake.ts';
import type { IntakeRuleStore, StoredIntakeRule } from '../../../core/intake/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { createRuleStore } from '../rules/rule-store.ts';

const Row: z.ZodType<StoredIntakeRule> = z.object({
  rule: jsonColumn(IntakeRule),
  last: jsonColumn(IntakeRun).nullable(),
});

export const createIntakeRuleStore = (database: Database): IntakeRuleStore =>
  createRuleStore(database, {
    table: 'intake_rule',
    noun: 'watched-folder rule',
    columns: 'rule, last',
    row: Row,
    unique: [
      { field: 'name', taken: 'Another watched-folder rule already has this name' },
      { field: 'folder', taken: 'Another rule already watches this folder' },
    ],
  });
