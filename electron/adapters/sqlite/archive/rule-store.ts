import * as z from 'zod';
import { ArchiveRule, ArchiveRuleRun } from '../../../../shared/contract/archive.ts';
import type { ArchiveRuleStore, StoredArchiveRule } from '../../../core/archive/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { createRuleStore } from '../rules/rule-store.ts';

const Row: z.ZodType<StoredArchiveRule> = z.object({
  rule: jsonColumn(ArchiveRule),
  last: jsonColumn(ArchiveRuleRun).nullable(),
});

export const createArchiveRuleStore = (database: Database): ArchiveRuleStore =>
  createRuleStore(database, {
    table: 'archive_rule',
    noun: 'archive rule',
    columns: 'rule, last',
    row: Row,
    unique: [{ field: 'name', taken: 'Another archive rule already has this name' }],
  });
