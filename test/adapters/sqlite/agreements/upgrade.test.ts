import path from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { migrate } from '../../../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import {
  type RemoteAgreement,
  RemoteAgreement as Model,
} from '../../../../shared/model/agreement.ts';
import { storesOf } from './place.ts';
import { idOf, newConnection, party, query, remote } from '../samples.ts';
import { NOW, tempFolder } from '../temp-database.ts';

/** Last version of the data file without a search index. */
const BEFORE_SEARCH = 3;

/** Creates a data file as version `BEFORE_SEARCH` left it. */
function oldFile(
  { file, key }: ReturnType<typeof tempFolder>,
  received: readonly RemoteAgreement[],
) {
  const connection = newConnection({ api: 'v2' });
  const raw = connect(file, key, 'write');
  raw.pragma('journal_mode = WAL');
  migrate(raw, migrations.slice(0, BEFORE_SEARCH), `${file}.before`);
  raw
    .prepare(
      `INSERT INTO connection (id, name, api, url, environment, created_at)
       VALUES (?, 'Office', 'v2', 'https://example.com', 'test', ?)`,
    )
    .run(connection.id, NOW);
  const row = raw.prepare(`
    INSERT INTO agreement (connection_id, id, api, title, state, native_state, my_turn, updated_at,
      closed_at, seen_at, search_text, title_key, gone)
    VALUES (?, ?, 'v2', ?, ?, ?, 0, ?, ?, ?, 'in the old form', 'in the old form', ?)`);
  const content = raw.prepare('INSERT INTO agreement_content VALUES (?, ?, ?)');
  for (const [index, one] of received.entries()) {
    const { id, title, state, nativeState, updatedAt, closedAt } = one;
    const gone = index === 0 ? 'deleted' : null;
    row.run(connection.id, id, title, state, nativeState, updatedAt, closedAt, NOW, gone);
    content.run(connection.id, id, JSON.stringify(Model.parse(one)));
  }
  const [, archived] = received;
  raw
    .prepare(
      `INSERT INTO archive (connection_id, id, title, file, bytes, sha256, saved_at)
       VALUES (?, ?, 'Order', 'order.pdf', 1, 'ab', ?)`,
    )
    .run(connection.id, archived?.id, NOW);
  raw.close();
  return connection;
}

it('agreements stored before the search index existed are found, sorted, counted and archived like new ones (TX-56)', () => {
  using folder = tempFolder();
  const own = { ...folder, file: path.join(folder.folder, 'desk.db') };
  const received = [
    remote({ title: 'Öl', updatedAt: NOW - 1, parties: [party({ name: 'Astrid Öberg' })] }),
    remote({ title: 'Ål', state: 'signed', closedAt: NOW, updatedAt: NOW - 2, parties: [] }),
    remote({ title: 'Zebra', updatedAt: null, tags: { case: 'K-7' } }),
    remote({ title: 'Apa', state: 'rejected', nativeState: 'REJECTED', updatedAt: NOW - 3 }),
    remote({ id: '004711', title: 'Bil', updatedAt: NOW - 4, parties: [] }),
  ];
  const { id: connectionId } = oldFile(own, received);
  const database = openDatabase({ ...own, now: NOW });
  try {
    const { agreements } = storesOf(database);
    const titles = (change: object) =>
      agreements.list(query({ sort: 'title', ...change }), NOW).items.map(({ title }) => title);
    const look = () => ({
      sorted: titles({}),
      name: titles({ search: 'öberg' }),
      number: titles({ search: '4711' }),
      tag: titles({ tag: 'case=K-7' }),
      archived: titles({ archived: true }),
      gone: titles({ gone: true }),
      counts: agreements.counts(connectionId, NOW),
      apa: agreements.list(query({ search: 'apa' }), NOW).items[0]?.perhapsExpired,
    });
    const expected = {
      sorted: ['Apa', 'Bil', 'Zebra', 'Ål', 'Öl'],
      name: ['Apa', 'Zebra', 'Öl'],
      number: ['Bil'],
      tag: ['Zebra'],
      archived: ['Ål'],
      gone: ['Öl'],
      counts: { all: 5, byState: { signed: 1, rejected: 1, waiting: 3 }, notArchived: 0 },
      apa: true,
    };
    expect(look()).toMatchObject(expected);
    while (!agreements.buildIndex());
    expect(look()).toMatchObject(expected);
    const { bytes = 0 } = agreements.storage().connections[0] ?? {};
    expect(bytes).toBeGreaterThan(1000);
    // The upgraded agreements are still recognised: an unchanged answer changes nothing.
    expect(agreements.put(connectionId, 'v2', received.slice(1), NOW)).toBe(0);
    expect(agreements.find(idOf('004711'))).toHaveLength(1);
  } finally {
    database.close();
  }
});
