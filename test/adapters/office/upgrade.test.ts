import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { migrate } from '../../../electron/adapters/office/migrate.ts';
import { migrations } from '../../../electron/adapters/office/migrations/index.ts';
import { SCHEMA_VERSION } from '../../../electron/adapters/office/schema.ts';
import { openOffice } from '../../../electron/adapters/office/server.ts';
import { borrowPostgres, postgresPrograms } from '../../support/postgres.ts';

/** Last schema version without limits on times and numbers written by users. */
const BEFORE = 13;

it.skipIf(postgresPrograms === null)(
  'an office with impossible times and numbers, written by a user, is upgraded (DL-S7) (DL-S10) (SR-M3)',
  async () => {
    const postgres = await borrowPostgres();
    const [owner, password] = ['upgraded_owner', 'only for this test'];
    await postgres.run(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${password}'`);
    await postgres.run(`CREATE DATABASE upgraded OWNER ${owner}`);
    const { host, port } = postgres.address;
    const address = { host, port, database: 'upgraded', role: owner, trust: null };
    const server = openOffice(address, async () => password);
    await server.command('CREATE SCHEMA signing_desk');
    await server.command(`CREATE TABLE schema_version (version integer NOT NULL);
      INSERT INTO schema_version VALUES (${String(BEFORE)})`);
    for (const sql of migrations.slice(0, BEFORE)) await server.command(sql);
    const [seat, other, desk, putBack] = Array.from({ length: 4 }, () => randomUUID());
    await server.command(`
      INSERT INTO seat (id, role, sealed, key_version)
        VALUES ('${seat}', 'one', '', 1), ('${other}', 'two', decode(repeat('00', 20000), 'hex'), 1);
      INSERT INTO desk (id, seat, version, seen_at) VALUES ('${desk}', '${seat}', '', 'infinity');
      INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
        VALUES (gen_random_uuid(), 'send', '${desk}', '${other}', 'claimed', '', 1);
      INSERT INTO put_back (id, last, as_of, desk, seat)
        VALUES ('${putBack}', 0, '2200-01-01', '${desk}', '${seat}');
      INSERT INTO put_back_missing (put_back, missing, of_seat, role, seen_at, desk, seat)
        VALUES ('${putBack}', gen_random_uuid(), '${seat}', 'one', 'infinity', '${desk}', '${seat}');
      INSERT INTO lease (task, kind, number, desk, seat, sealed, key_version, taken_at, until)
        VALUES (decode(repeat('00', 32), 'hex'), 'archive', 9223372036854775807, '${desk}',
          '${seat}', '', 1, 'infinity', 'infinity')`);

    await migrate(server);

    const { rows } = await postgres
      .run(
        `SET search_path = signing_desk;
       SELECT (SELECT version FROM schema_version) AS version,
         (SELECT max(seen_at) <= clock_timestamp() FROM desk) AS desk,
         (SELECT max(as_of) <= clock_timestamp() FROM put_back) AS put_back,
         (SELECT max(seen_at) <= clock_timestamp() FROM put_back_missing) AS missing,
         (SELECT max(taken_at) <= clock_timestamp() AND max(number) < 1e13
           AND max(until) < clock_timestamp() + interval '16 minutes' FROM lease) AS lease,
         (SELECT max(length(sealed)) = 0 FROM seat) AS seats,
         (SELECT claimed_by = '${seat}' FROM operation) AS operation`,
        'upgraded',
      )
      .then((results) => [results].flat().at(-1) ?? { rows: [] });
    const is = {
      seats: true,
      desk: true,
      put_back: true,
      missing: true,
      lease: true,
      operation: true,
    };
    expect(rows).toEqual([{ version: SCHEMA_VERSION, ...is }]);
    await server.close();
    await postgres.remove();
  },
);
