import type { Postgres } from '../../support/postgres.ts';

const OFFICE = 'signing_desk';
const COPY = 'office_copy';

/** An administrator who copies the office's database and restores it. */
export class OfficeDumps {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Copies the database while no computer is connected. */
  async take(): Promise<void> {
    await this.#copy(OFFICE, COPY);
  }

  async putBack(): Promise<void> {
    await this.#copy(COPY, OFFICE);
  }

  /** Copies a database with its connection rights, which a template does not include. */
  async #copy(from: string, to: string): Promise<void> {
    const { run } = this.#postgres;
    await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${from}'`);
    const [rights] = (
      await run(`SELECT datacl, datdba FROM pg_database WHERE datname = '${OFFICE}'`)
    ).rows;
    await run(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`);
    await run(`CREATE DATABASE ${to} TEMPLATE ${from} STRATEGY FILE_COPY`);
    await run(
      `UPDATE pg_database SET datacl = '${String(rights.datacl)}', datdba = ${String(rights.datdba)}
       WHERE datname = '${to}'`,
    );
  }
}
