import * as z from 'zod';
import type { IntakeStore } from '../../../core/intake/ports.ts';
import { flagColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { createIntakeRuleStore } from './rule-store.ts';

const sql = {
  known: `
    SELECT folder, hash, name_hash AS nameHash, data_hash AS dataHash, is_moved AS isMoved
    FROM intake_file WHERE folder = @folder AND hash = @hash`,
  note: `
    INSERT INTO intake_file (folder, hash, name_hash, data_hash)
    VALUES (@folder, @hash, @nameHash, @dataHash)`,
  again: `
    INSERT INTO intake_file (folder, hash, name_hash, data_hash, is_moved)
    VALUES (@folder, @hash, @nameHash, @dataHash, 1) ON CONFLICT (folder, hash) DO NOTHING`,
  moved: 'UPDATE intake_file SET is_moved = 1 WHERE folder = @folder AND hash = @hash',
  taken: `
    SELECT 1 AS found FROM intake_file
    WHERE folder = @folder AND name_hash = @nameHash AND data_hash = @dataHash LIMIT 1`,
  sights: `
    SELECT name_hash AS nameHash, bytes, changed_at AS changedAt, since
    FROM intake_sight WHERE folder = @folder`,
  keepSight: `
    INSERT INTO intake_sight (folder, name_hash, bytes, changed_at, since)
    VALUES (@folder, @nameHash, @bytes, @changedAt, @since)
    ON CONFLICT (folder, name_hash) DO UPDATE SET bytes = excluded.bytes,
      changed_at = excluded.changed_at, since = excluded.since`,
  forgetSight: 'DELETE FROM intake_sight WHERE folder = @folder AND name_hash = @nameHash',
};

const KnownRow = z.object({
  folder: z.string(),
  hash: z.string(),
  nameHash: z.string(),
  dataHash: z.string().nullable(),
  isMoved: flagColumn,
});
const SightRow = z.object({
  nameHash: z.string(),
  bytes: z.number(),
  changedAt: z.number(),
  since: z.number(),
});

/** Files imported from watched folders, and files still in them. */
export function createIntakeStore(database: Database): IntakeStore {
  const known = database.query(sql.known, KnownRow);
  const taken = database.query(sql.taken, z.object({ found: z.number() }));
  const sights = database.query(sql.sights, SightRow);
  const note = database.command(sql.note);
  const again = database.command(sql.again);
  const moved = database.command(sql.moved);
  const keepSight = database.command(sql.keepSight);
  const forgetSight = database.command(sql.forgetSight);
  return {
    rules: createIntakeRuleStore(database),
    known: (folder, hash) => known.first({ folder, hash }) ?? null,
    once: (file, make) =>
      database.transaction(() => {
        const { folder, hash, nameHash, dataHash } = file;
        if (known.first({ folder, hash }) !== undefined) return false;
        note({ folder, hash, nameHash, dataHash });
        make();
        return true;
      }),
    again: ({ folder, nameHash, dataHash }) => {
      if (dataHash === null) return;
      // The row of the first import has that file's name and sidecar file.
      again({ folder, hash: `${nameHash} ${dataHash}`, nameHash, dataHash });
    },
    moved: (folder, hash) => void moved({ folder, hash }),
    isTaken: (folder, nameHash, dataHash) =>
      taken.first({ folder, nameHash, dataHash }) !== undefined,
    sights: (folder) => sights.all({ folder }),
    keepSights: (folder, changed, gone) =>
      // Sightings of files can be repeated, so the transaction need not wait for the disk.
      database.quickTransaction(() => {
        for (const { nameHash, bytes, changedAt, since } of changed) {
          keepSight({ folder, nameHash, bytes, changedAt, since });
        }
        for (const nameHash of gone) forgetSight({ folder, nameHash });
      }),
  };
}
