import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createBackupFiles } from '../../../electron/adapters/backup/thread.ts';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import {
  copiesOf,
  extractedDataOperations,
} from '../../../electron/adapters/sqlite/backup/copies.ts';
import { makeWorkplace } from '../../../electron/compose/workplace.ts';
import { tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';
import { LITTLE_PHRASE_WORK } from '../../support/phrase-work.ts';

/** A computer whose data is on disk, so that its backups are real; its services are fakes. */
export async function createMovingDesk() {
  const place = tempDatabase();
  const folder = path.join(place.folder, 'stick');
  mkdirSync(folder);
  const backupFiles = createBackupFiles(LITTLE_PHRASE_WORK);
  const world = {
    ...createWorld(createMemoryStores(place.database)),
    files: Object.assign(createMemoryFiles(), createFiles()),
    backupFiles,
    dataCopies: copiesOf(place),
    backupPlaces: { inspect: extractedDataOperations.inspect, workplace: makeWorkplace },
  };
  const phrase = await backupFiles.newPhrase();
  const { recipient, wrapped } = await backupFiles.makeKeys(phrase);
  const plan = {
    folder,
    when: { kind: 'daily', at: '02:30' },
    keep: 3,
    isOn: true,
    withCredentials: false,
    administrator: null,
  } as const;
  const set = { desk: '1f2e3d4c', recipient, wrapped, plan, setUpAt: world.clock.now() };
  world.stores.backup.save({ ...set, last: null, good: null });
  const order = { folder, withCredentials: false, secret: phrase };
  return {
    place,
    folder,
    world,
    phrase,
    order,
    /** Starts another process with the same data. */
    start: (change: Partial<typeof world> = {}) => startMemoryDesk({ ...world, ...change }),
    files: () => readdirSync(folder).toSorted(),
    /** Moves and reactivations in the evidence, oldest first. */
    facts: () =>
      world.stores.evidence
        .list({ limit: 100 })
        .map(({ fact }) => fact)
        .toReversed(),
    open: (file: string) =>
      backupFiles.unpack(
        { file, secret: phrase, into: path.join(place.folder, `out-${path.basename(file)}.db`) },
        () => undefined,
        new AbortController().signal,
      ),
    [Symbol.dispose]: () => place[Symbol.dispose](),
  };
}
