import * as z from 'zod';
import type { ClaimDecision, OfficeStore } from '../../../core/office/ports.ts';
import { flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const sql = {
  read: 'SELECT seen, is_without AS isWithout FROM office_decision WHERE id = @id',
  save: `
    INSERT INTO office_decision (id, seen, is_without) VALUES (@id, @seen, @isWithout)
    ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, is_without = excluded.is_without`,
  without: `
    SELECT id FROM office_decision INDEXED BY office_without
    WHERE is_without = 1 AND is_claimed = 0 ORDER BY id`,
  claimed: 'UPDATE office_decision SET is_claimed = 1 WHERE id = @id',
};

const Row: z.ZodType<ClaimDecision> = z.object({
  seen: jsonColumn(z.record(z.string(), z.number())),
  isWithout: flagColumn,
});

export function createOfficeStore(database: Database): OfficeStore {
  const read = database.query(sql.read, Row);
  const without = database.query(sql.without, z.object({ id: z.string() }));
  const save = database.command(sql.save);
  const claimed = database.command(sql.claimed);
  return {
    decision: (id) => read.first({ id }) ?? null,
    decide: (id, { seen, isWithout }) => {
      save({ id, seen: JSON.stringify(seen), isWithout: isWithout ? 1 : 0 });
    },
    without: () => without.all().map(({ id }) => id),
    claimedAfterwards: (id) => void claimed({ id }),
  };
}
