import type { Postgres } from '../../support/postgres.ts';
import type { OfficeDatabase, TestDesk } from './office-database.ts';

/** Sealed data of a send, of realistic length. */
const SEALED = "decode(repeat(md5(n::text), 20), 'hex')";
/** One of this number of agreements was rejected or missing once, and was sent again. */
const AGAIN_OF = 20;

/** Returns SQL for the claim key of the agreement with this number: 32 bytes without an order. */
const keyOf = (number: string): string => `sha256(convert_to('agreement ' || ${number}, 'UTF8'))`;

/** Adds this number of closed agreements, sent within a year, each claimed once or twice. */
export async function fillYear(
  { postgres, empty }: Pick<OfficeDatabase, 'postgres' | 'empty'>,
  { desk, seat }: TestDesk,
  agreements: number,
): Promise<void> {
  await empty();
  const each = `FROM generate_series(1, ${String(agreements)}) n`;
  const md5 = (times: string) => `md5(${times} || ' of ' || n)`;
  const id = (times: string) =>
    `overlay(overlay(${md5(times)} placing '4' from 13) placing '8' from 17)::uuid`;
  const sent = `clock_timestamp() - interval '1 year' * (1 - n / ${String(agreements)}.0)`;
  const again = `WHERE n % ${String(AGAIN_OF)} = 0`;
  const operation =
    'INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version, started_at)';
  const whose = `'send', '${desk}', '${seat}'`;
  const generation = `CASE WHEN n % ${String(AGAIN_OF)} = 0 THEN 2 ELSE 1 END`;
  await run(postgres, [
    `${operation} SELECT ${id("'last'")}, ${whose}, 'done', ${SEALED}, 1, ${sent} ${each}`,
    `${operation} SELECT ${id("'first'")}, ${whose}, 'released', ${SEALED}, 1, ${sent} ${each} ${again}`,
    `INSERT INTO claim SELECT ${keyOf('n')}, ${generation}, ${id("'last'")} ${each}`,
    `INSERT INTO claim SELECT ${keyOf('n')}, 1, ${id("'first'")} ${each} ${again}`,
    'ANALYZE operation, claim',
  ]);
}

const run = (postgres: Postgres, statements: readonly string[]) =>
  postgres.run(['SET search_path = signing_desk', ...statements].join(';'), 'office');
