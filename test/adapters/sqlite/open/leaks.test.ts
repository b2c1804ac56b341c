// tier: all
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { DraftId, IdentityId } from '../../../../shared/model/ids.ts';
import { findLeaks } from '../../../support/leak-scan.ts';
import {
  content,
  draftFile,
  newConnection,
  newDraft,
  outboxEntry,
  party,
  remote,
} from '../samples.ts';
import { NOW, tempFolder } from '../temp-database.ts';

/** Fifty fictional personal numbers with impossible birth dates. */
const numbers = Array.from({ length: 50 }, (_, index) => `19990231-${String(9000 + index)}`);

it('50 personal numbers are unreadable in every file, open or closed, in six encodings (TX-50)', () => {
  using place = tempFolder();
  const database = openDatabase({ ...place, now: NOW });
  try {
    const { connections, drafts, identities, agreements, outbox } = createStores(database);
    const connection = newConnection();
    connections.save(connection);
    for (const [index, number] of numbers.entries()) {
      const id = DraftId.parse(randomUUID());
      const data = Buffer.from(`%PDF-1.7 ${number}`);
      drafts.insert(newDraft({ id, content: content(`Lease ${index}`, number) }));
      drafts.addFile(id, draftFile(data), data, null);
      const person = { name: `P${index}`, firstName: 'A', lastName: 'B', personNumber: number };
      identities.insert(IdentityId.parse(randomUUID()), person);
      const received = remote({
        title: number,
        parties: [party({ name: number })],
        native: number,
      });
      agreements.put(connection.id, 'v1', [received], NOW);
      outbox.insert(outboxEntry(connection, {}, Buffer.from(number)), NOW);
    }
    expect(readFileSync(`${place.file}-wal`).length).toBeGreaterThan(100_000);
    expect(findLeaks([place.folder, '/var/tmp'], numbers)).toEqual([]);
  } finally {
    database.close();
  }
  expect(findLeaks([place.folder], numbers)).toEqual([]);
});

/** Returns the open files of this process, also the temporary ones that SQLite has unlinked. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // The descriptor used to list the folder is closed now.
      return [];
    }
  });
}

it.skipIf(!existsSync('/proc/self/fd'))('large sorts write nothing into temporary files', () => {
  const temporaryFiles = (name: string) => openFiles().filter((file) => file.includes(name));
  const spill = `
    CREATE TEMP TABLE spilled AS WITH RECURSIVE n (i) AS
      (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000)
    SELECT hex(randomblob(500)) AS text FROM n ORDER BY text`;
  // With its default setting, SQLite writes temporary files.
  const careless = new Sqlite(':memory:');
  careless.exec(spill);
  expect(temporaryFiles('etilqs')).not.toEqual([]);
  careless.close();

  using place = tempFolder();
  const database = openDatabase({ ...place, now: NOW });
  database.command(spill)();
  expect(temporaryFiles('etilqs')).toEqual([]);
  database.close();
});

it.skipIf(!existsSync('/proc/self/fd'))('a data file that cannot be upgraded is closed', () => {
  using place = tempFolder();
  openDatabase({ ...place, now: NOW }).close();
  const raw = connect(place.file, place.key, 'write');
  // The tables are newer than this version number, so the first upgrade step fails.
  raw.exec('PRAGMA user_version = 1');
  raw.close();
  expect(() => openDatabase({ ...place, now: NOW })).toThrowError();
  expect(openFiles().filter((file) => file.startsWith(place.file))).toEqual([]);
});

it('database errors do not contain the values of the failed statement', () => {
  using place = tempFolder();
  const database = openDatabase({ ...place, now: NOW });
  const number = numbers[0] ?? '';
  const id = IdentityId.parse(randomUUID());
  const { identities } = createStores(database);
  const twice = { name: number, firstName: number, lastName: number, personNumber: number };
  identities.insert(id, twice);
  const damage = database.command('UPDATE draft SET content = \'{"secret": \' || @number');
  const causes = [
    () => identities.insert(id, twice),
    () => {
      createStores(database).drafts.insert(newDraft());
      damage({ number });
      createStores(database).drafts.list();
    },
  ];
  for (const cause of causes) {
    const texts: string[] = [];
    try {
      cause();
    } catch (error) {
      for (let at = error; at instanceof Error; at = at.cause)
        texts.push(String(at), at.stack ?? '');
    }
    expect(texts).not.toEqual([]);
    expect(texts.join('\n')).not.toContain(number);
  }
  database.close();
});
