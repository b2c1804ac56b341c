import * as z from 'zod';
import { migrations } from './migrations/index.ts';
import { newerOfficeError, assertSupportedServer, SCHEMA_VERSION } from './schema.ts';
import type { OfficeServer } from './server.ts';

/** ID of the advisory lock: an arbitrary number, unique in this database. */
const LOCK = 5_471_902_356;

const Version = z.object({ version: z.number() });

/**
 * Upgrades the schema as its owner. Only one computer upgrades at a time, and each version is
 * applied completely or not at all. Throws 'newer-data' if the schema is newer than this program,
 * and 'conflict' if PostgreSQL is too old.
 */
export async function migrate(server: OfficeServer): Promise<void> {
  await assertSupportedServer(server);
  await server.transaction(async ({ query, command }) => {
    await command('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await command('CREATE SCHEMA IF NOT EXISTS signing_desk');
    await command('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
    const [found] = await query('SELECT version FROM schema_version', [], Version);
    const version = found?.version ?? 0;
    if (version > SCHEMA_VERSION) throw newerOfficeError();
    for (const sql of migrations.slice(version)) await command(sql);
    const write =
      found === undefined
        ? 'INSERT INTO schema_version VALUES ($1)'
        : 'UPDATE schema_version SET version = $1';
    await command(write, [SCHEMA_VERSION]);
  });
}
