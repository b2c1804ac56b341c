import * as z from 'zod';
import { OfficeMembership } from '../../../../shared/contract/office.ts';
import type { OfficeStore } from '../../../core/office/ports.ts';
import { flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { OutboxRef } from '../../../../shared/model/ids.ts';

const sql = {
  membership: `
    SELECT office, seat, desk, name, address, goes_on_without AS goesOnWithout
    FROM office WHERE id = 1`,
  join: `
    INSERT INTO office (id, office, seat, desk, name, address, goes_on_without)
    VALUES (1, @office, @seat, @desk, @name, @address, @goesOnWithout)
    ON CONFLICT (id) DO UPDATE SET office = excluded.office, seat = excluded.seat,
      desk = excluded.desk, name = excluded.name, address = excluded.address,
      goes_on_without = excluded.goes_on_without`,
  leave: 'DELETE FROM office',
  seen: 'SELECT generation FROM office_seen WHERE key = @key',
  see: `
    INSERT INTO office_seen (key, generation) VALUES (@key, @generation)
    ON CONFLICT (key) DO UPDATE SET generation = excluded.generation`,
  isWithout: 'SELECT 1 AS found FROM office_without WHERE ref = @ref',
  goWithout: 'INSERT INTO office_without (ref) VALUES (@ref) ON CONFLICT (ref) DO NOTHING',
  unclaimed: 'SELECT ref FROM office_without WHERE is_claimed = 0 ORDER BY ref',
  claimed: 'UPDATE office_without SET is_claimed = 1 WHERE ref = @ref',
};

const Membership = z.object({
  office: z.string(),
  seat: OfficeMembership.shape.seat,
  desk: z.string(),
  name: z.string(),
  address: jsonColumn(OfficeMembership.shape.address),
  goesOnWithout: flagColumn,
});

export function createOfficeStore(database: Database): OfficeStore {
  const membership = database.query(sql.membership, Membership);
  const join = database.command(sql.join);
  const leave = database.command(sql.leave);
  const seen = database.query(sql.seen, z.object({ generation: z.number() }));
  const isWithout = database.query(sql.isWithout, z.object({ found: z.number() }));
  const unclaimed = database.query(sql.unclaimed, z.object({ ref: OutboxRef }));
  const see = database.command(sql.see);
  const goWithout = database.command(sql.goWithout);
  const claimed = database.command(sql.claimed);
  return {
    membership: () => membership.first() ?? null,
    join: ({ address, goesOnWithout, ...one }) =>
      void join({
        ...one,
        address: JSON.stringify(address),
        goesOnWithout: goesOnWithout ? 1 : 0,
      }),
    leave: () => void leave(),
    seen: (key) => seen.first({ key })?.generation ?? null,
    see: (key, generation) => void see({ key, generation }),
    isWithout: (ref) => isWithout.first({ ref }) !== undefined,
    goWithout: (ref) => void goWithout({ ref }),
    unclaimed: () => unclaimed.all().map(({ ref }) => ref),
    claimed: (ref) => void claimed({ ref }),
  };
}
