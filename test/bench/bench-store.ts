import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { createAgreementStore } from '../../electron/adapters/sqlite/agreements/store.ts';
import { createConnectionStore } from '../../electron/adapters/sqlite/connections/store.ts';
import { createDatabase, type Database } from '../../electron/adapters/sqlite/database/database.ts';
import { migrate } from '../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../electron/adapters/sqlite/migrations/index.ts';
import { applySettings, openDatabase } from '../../electron/adapters/sqlite/open/open.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import { Connection } from '../../shared/contract/connections.ts';
import { NOW } from './many-agreements.ts';

/** Number of agreements in one page of the services. */
export const PAGE = 100;

const connections = ['Office', 'Branch', 'Old'].map((name, index) =>
  Connection.parse({
    id: `00000000-0000-4000-8000-00000000000${String(index)}`,
    name,
    api: 'v1',
    url: 'https://example.com',
    environment: 'test',
    accountId: null,
    orgNo: null,
    createdAt: NOW + index,
  }),
);
export const [OFFICE, BRANCH, OLD] = connections.map(({ id }) => id);

/** A data file for measurements, with functions that fill it. */
export function benchStore(kind: 'encrypted' | 'plain') {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-bench-'));
  const file = path.join(folder, 'desk.db');
  const key = randomBytes(32);
  const open = () =>
    kind === 'encrypted' ? openDatabase({ file, key, now: NOW }) : openPlain(file);
  const database = open();
  const store = createConnectionStore(database);
  for (const connection of connections) store.save(connection);
  const agreements = createAgreementStore(database);
  const put = (page: readonly RemoteAgreement[], at: number) => {
    const connection = connections[at % 10 < 6 ? 0 : at % 10 < 9 ? 1 : 2];
    if (connection !== undefined) agreements.put(connection.id, 'v1', page, NOW);
  };
  return {
    agreements,
    database,
    reopen: open,
    /** Stores the agreements page by page; returns the time of each page (ms). */
    fill: (received: Iterable<RemoteAgreement>): number[] =>
      pagesOf(received).map((page, at) => timed(() => put(page, at))),
    /** Builds the search index step by step; returns the time of each step (ms). */
    build: (): number[] => {
      const steps: number[] = [];
      for (let isWhole = false; !isWhole;) {
        steps.push(timed(() => (isWhole = agreements.buildIndex())));
      }
      return steps;
    },
    [Symbol.dispose]: () => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type BenchStore = ReturnType<typeof benchStore>;

/** Opens the same file with all settings except the encryption. */
function openPlain(file: string): Database {
  const raw = new Sqlite(file);
  applySettings(raw);
  migrate(raw, migrations, `${file}.before`);
  return createDatabase(raw, file);
}

function pagesOf(received: Iterable<RemoteAgreement>): RemoteAgreement[][] {
  const pages: RemoteAgreement[][] = [];
  let page: RemoteAgreement[] = [];
  for (const one of received) {
    if (page.length === 0) pages.push(page);
    page.push(one);
    if (page.length === PAGE) page = [];
  }
  return pages;
}

export function timed(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

/** Value below which this share of all values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
