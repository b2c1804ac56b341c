import * as z from 'zod';
import type { OfficeStore } from '../../../core/office/ports.ts';
import type { Database } from '../database/database.ts';
import { OutboxRef } from '../../../../shared/model/ids.ts';

const sql = {
  seen: 'SELECT generation FROM office_seen WHERE key = @key',
  see: `
    INSERT INTO office_seen (key, generation) VALUES (@key, @generation)
    ON CONFLICT (key) DO UPDATE SET generation = excluded.generation`,
  isWithout: 'SELECT 1 AS found FROM office_without WHERE ref = @ref',
  goWithout: 'INSERT INTO office_without (ref) VALUES (@ref) ON CONFLICT (ref) DO NOTHING',
  unclaimed: 'SELECT ref FROM office_without WHERE is_claimed = 0 ORDER BY ref',
  claimed: 'UPDATE office_without SET is_claimed = 1 WHERE ref = @ref',
};

export function createOfficeStore(database: Database): OfficeStore {
  const seen = database.query(sql.seen, z.object({ generation: z.number() }));
  const isWithout = database.query(sql.isWithout, z.object({ found: z.number() }));
  const unclaimed = database.query(sql.unclaimed, z.object({ ref: OutboxRef }));
  const see = database.command(sql.see);
  const goWithout = database.command(sql.goWithout);
  const claimed = database.command(sql.claimed);
  return {
    seen: (key) => seen.first({ key })?.generation ?? null,
    see: (key, generation) => void see({ key, generation }),
    isWithout: (ref) => isWithout.first({ ref }) !== undefined,
    goWithout: (ref) => void goWithout({ ref }),
    unclaimed: () => unclaimed.all().map(({ ref }) => ref),
    claimed: (ref) => void claimed({ ref }),
  };
}
