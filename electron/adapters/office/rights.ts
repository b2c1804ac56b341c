import { limitSeats } from './roles.ts';
import type { Statements } from './statements.ts';

/**
 * Returns the name of the group of all users of an office. The name contains the office's ID,
 * because a PostgreSQL role exists on the whole server.
 */
export const officeGroupRole = (office: string): string => `signing_desk_${office.slice(0, 8)}`;

/** Rights of a user on a table: grants limit the columns, policies limit the rows. */
interface TableRights {
  readonly table: string;
  readonly grants: readonly string[];
  /** Conditions for rows, by kind of statement. */
  readonly policies: Readonly<Partial<Record<'select' | 'insert' | 'update' | 'delete', string>>>;
}

/**
 * Minimum rights that claims need, enforced by the database. No user can delete an operation,
 * change which user began it, or remove a committed claim: a row has the number of the transaction
 * that wrote it. Triggers restrict changes to operations of other computers, and the times and
 * numbers that a user may write (`migrations/0014-narrower-rights.ts`, `0015-bounded-rows.ts`,
 * `0016-removable-seats.ts`, `0017-desks-rows.ts`).
 */
const tableRights: readonly TableRights[] = [
  { table: 'schema_version', grants: ['SELECT'], policies: { select: 'USING (true)' } },
  { table: 'office', grants: ['SELECT'], policies: { select: 'USING (true)' } },
  {
    table: 'seat',
    grants: ['SELECT', 'UPDATE (joined_at, sealed, key_version)'],
    policies: {
      select: 'USING (true)',
      // A user changes this row only in the transaction of joining. A user who may change a row may
      // also lock it, and the removal of the user must write to this row.
      update: `USING (id = signing_desk.this_seat()
        AND (joined_at IS NULL OR xmin = pg_current_xact_id()::xid))
        WITH CHECK (id = signing_desk.this_seat())`,
    },
  },
  {
    table: 'office_key',
    grants: ['SELECT', 'UPDATE (wrapped)'],
    policies: {
      select: 'USING (seat = signing_desk.this_seat())',
      update: 'USING (seat = signing_desk.this_seat())',
    },
  },
  {
    table: 'desk',
    grants: [
      'SELECT',
      'INSERT (id, seat, version)',
      'UPDATE (version, seen_at, mark, brought_back)',
    ],
    policies: {
      select: 'USING (true)',
      insert: 'WITH CHECK (seat = signing_desk.this_seat())',
      update: 'USING (seat = signing_desk.this_seat())',
    },
  },
  { table: 'seat_removal', grants: ['SELECT'], policies: { select: 'USING (true)' } },
  { table: 'change_number', grants: ['SELECT'], policies: { select: 'USING (true)' } },
  {
    table: 'put_back',
    // Only functions of the owner write to this table.
    grants: ['SELECT'],
    policies: { select: 'USING (true)' },
  },
  { table: 'this_database', grants: ['SELECT'], policies: { select: 'USING (true)' } },
  {
    table: 'put_back_missing',
    grants: ['SELECT', 'INSERT (put_back, missing, of_seat, role, seen_at, desk, seat)'],
    policies: {
      select: 'USING (true)',
      insert: 'WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk))',
    },
  },
  {
    table: 'put_back_excused',
    grants: ['SELECT', 'INSERT (put_back, excused, desk, seat)'],
    policies: {
      select: 'USING (true)',
      insert: `WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk)
        AND signing_desk.seat_may('send'))`,
    },
  },
  {
    table: 'operation',
    grants: [
      'SELECT',
      'INSERT (id, kind, desk, seat, state, sealed, key_version)',
      'UPDATE (state, desk, sealed, key_version, started_at, settled_at)',
    ],
    policies: {
      select: 'USING (true)',
      insert: `WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk)
        AND signing_desk.seat_may(kind))`,
      // Any computer may report that the service has the agreement, or settle an operation that
      // another computer left. A trigger decides when this is allowed.
      update: `USING (signing_desk.this_seat() IS NOT NULL)
        WITH CHECK (state = 'done' OR signing_desk.is_own_desk(desk))`,
    },
  },
  {
    table: 'claim',
    grants: ['SELECT', 'INSERT', 'DELETE'],
    policies: {
      select: 'USING (true)',
      insert: `WITH CHECK (EXISTS (SELECT FROM signing_desk.operation o
        WHERE o.id = operation AND signing_desk.is_own_desk(o.desk)
          AND signing_desk.seat_may(o.kind)))`,
      delete: 'USING (xmin = pg_current_xact_id()::xid)',
    },
  },
  {
    table: 'shared_item',
    grants: [
      'SELECT',
      'INSERT (kind, id, version, sealed, key_version, desk, seat)',
      'UPDATE (version, sealed, key_version, desk, seat)',
    ],
    policies: {
      // The subqueries are evaluated once per statement, not per row.
      select: `USING (CASE WHEN kind IN ('number', 'draft')
        THEN (SELECT signing_desk.seat_may_read('number'))
        ELSE (SELECT signing_desk.seat_may_read('person')) END)`,
      insert: `WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk)
        AND signing_desk.seat_may_write(kind))`,
      update: `USING (signing_desk.seat_may_write(kind))
        WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk))`,
    },
  },
  {
    table: 'shared_file',
    grants: ['SELECT', 'INSERT (file, place, pieces, sealed, key_version)'],
    policies: {
      select: 'USING (true)',
      insert: `WITH CHECK (signing_desk.seat_may_write('template'))`,
    },
  },
  {
    table: 'draft_file',
    grants: ['SELECT', 'INSERT (draft, file, place, pieces, sealed, key_version)', 'DELETE'],
    policies: {
      select: `USING ((SELECT signing_desk.seat_may_read('draft')))`,
      insert: `WITH CHECK (signing_desk.seat_may_write('draft'))`,
      delete: `USING ((SELECT signing_desk.seat_may_write('draft')))`,
    },
  },
  {
    table: 'batch_progress',
    grants: [
      'SELECT',
      'INSERT (batch, desk, seat, sealed, key_version)',
      'UPDATE (sealed, key_version, at)',
      'DELETE',
    ],
    policies: {
      select: 'USING (true)',
      insert: 'WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk))',
      update: 'USING (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk))',
      delete: 'USING (seat = signing_desk.this_seat())',
    },
  },
  {
    table: 'handover',
    grants: [
      'SELECT',
      'INSERT (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces, wrapped)',
      'UPDATE (taken_at)',
    ],
    policies: {
      select: 'USING (signing_desk.this_seat() IN (from_seat, to_seat))',
      insert: `WITH CHECK (from_seat = signing_desk.this_seat()
        AND signing_desk.is_own_desk(from_desk))`,
      // The recipient takes the handover; the giver withdraws it.
      update: 'USING (signing_desk.this_seat() IN (from_seat, to_seat))',
    },
  },
  {
    table: 'handover_piece',
    // The pieces are removed together with their handover.
    grants: ['SELECT', 'INSERT'],
    policies: {
      select: 'USING (signing_desk.sees_handover(handover))',
      insert: `WITH CHECK (EXISTS (SELECT FROM signing_desk.handover h
        WHERE h.id = handover AND h.from_seat = signing_desk.this_seat()
        AND h.xmin = pg_current_xact_id()::xid))`,
    },
  },
  {
    table: 'evidence_end',
    grants: ['SELECT', 'INSERT (log, entries, hash, desk, seat)'],
    policies: {
      select: 'USING (true)',
      insert: 'WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk))',
    },
  },
  {
    // A request is decided once, by a user who may sign and who did not make the request.
    table: 'approval',
    grants: [
      'SELECT',
      'INSERT (id, from_desk, from_seat, sealed, key_version)',
      'UPDATE (decided_by, decided_desk, decision, decision_key, decided_at)',
    ],
    policies: {
      select: 'USING (signing_desk.this_seat() IS NOT NULL)',
      insert: `WITH CHECK (from_seat = signing_desk.this_seat()
        AND signing_desk.is_own_desk(from_desk))`,
      update: `USING (decided_by IS NULL AND from_seat <> signing_desk.this_seat())
        WITH CHECK (decided_by = signing_desk.this_seat()
          AND signing_desk.is_own_desk(decided_desk) AND signing_desk.seat_may('sign'))`,
    },
  },
  {
    // The holder must enter itself; a trigger limits the number and the length of rows.
    table: 'lease',
    grants: [
      'SELECT',
      'INSERT (task, kind, number, desk, seat, sealed, key_version, until)',
      'UPDATE (number, desk, seat, sealed, key_version, taken_at, until)',
    ],
    policies: {
      select: 'USING (true)',
      // Without these conditions, a user who may not send could block a rule for users who may.
      insert: `WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk)
        AND (kind <> 'remind' OR signing_desk.seat_may(kind))
        AND (kind <> 'draft' OR signing_desk.seat_may_write(kind)))`,
      update: `USING (signing_desk.this_seat() IS NOT NULL)
        WITH CHECK (seat = signing_desk.this_seat() AND signing_desk.is_own_desk(desk)
          AND (kind <> 'remind' OR signing_desk.seat_may(kind))
          AND (kind <> 'draft' OR signing_desk.seat_may_write(kind)))`,
    },
  },
];

/** Grants all rights. The owner runs it after each schema change; earlier grants are replaced. */
export async function grantRights({ command }: Statements, office: string): Promise<void> {
  const group = officeGroupRole(office);
  await command(`REVOKE ALL ON ALL TABLES IN SCHEMA signing_desk FROM PUBLIC, ${group}`);
  await command(`GRANT USAGE ON SCHEMA signing_desk TO ${group}`);
  await command(`GRANT SELECT ON awaited_desk TO ${group}`);
  await command(`GRANT EXECUTE ON FUNCTION notice_other_database(uuid) TO ${group}`);
  await command(`GRANT EXECUTE ON FUNCTION notice_put_back(uuid, bigint) TO ${group}`);
  await command(`GRANT EXECUTE ON FUNCTION finish_removals() TO ${group}`);
  for (const { table, grants, policies } of tableRights) {
    await command(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
    await command(`GRANT ${grants.join(', ')} ON ${table} TO ${group}`);
    for (const kind of ['select', 'insert', 'update', 'delete']) {
      await command(`DROP POLICY IF EXISTS seat_${kind} ON ${table}`);
    }
    for (const [kind, rule] of Object.entries(policies)) {
      const name = `seat_${kind}`;
      await command(
        `CREATE POLICY ${name} ON ${table} FOR ${kind.toUpperCase()} TO ${group} ${rule}`,
      );
    }
  }
  await limitSeats({ command });
}
