import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createBackupFiles } from '../../../electron/adapters/backup/thread.ts';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { originOf, systemChance, systemClock } from '../../../electron/adapters/system/platform.ts';
import { createKeyFile } from '../../../electron/adapters/vault/key-source.ts';
import { createRestorePlaces } from '../../../electron/compose/restore.ts';
import { createRestore } from '../../../electron/core/backup/restore.ts';
import { ReadingId } from '../../../shared/contract/backup.ts';
import type { EventData } from '../../../shared/contract/index.ts';
import { createOffice } from './office.ts';

type Told = EventData<'backup.reading'>;

type Office = Awaited<ReturnType<typeof createOffice>>;

interface Maker {
  readonly plan?: Parameters<typeof createOffice>[0];
  /** Prepares the data that is backed up. */
  readonly prepare?: (office: Office) => void;
  /** Changes the backup as its maker might. */
  readonly forge?: Parameters<typeof createOffice>[1];
}

/** A backup, and a program without data that reads it. */
export async function createReader({ plan = {}, prepare, forge }: Maker = {}) {
  const office = await createOffice(plan, forge);
  prepare?.(office);
  const { file, bytes } = await office.run();
  const home = path.join(office.place.folder, 'home');
  mkdirSync(home);
  const keyfile = path.join(home, 'desk.key');
  await createKeyFile(keyfile);
  const data = path.join(home, 'data');
  const setup = {
    dataDir: data,
    stateDir: path.join(home, 'state'),
    vault: { keyfile },
    interactive: false,
  };
  const told: Told[] = [];
  const heard = { listener: (_: Told): void => undefined };
  const { handlers, close } = createRestore({
    backupFiles: createBackupFiles(),
    places: createRestorePlaces(setup, systemClock),
    own: {
      room: async () => ({ folder: '', takes: 'yes' }),
      whileClosed: (work) => work(),
      renewed: (work) => work(),
    },
    files: createFiles(),
    origin: originOf('0'),
    clock: systemClock,
    chance: systemChance,
    sha256: (of) => createHash('sha256').update(of).digest('hex'),
    encoding: createEncoding(),
    emit: (name, event) => {
      if (name !== 'backup.reading') return;
      const now = event as Told;
      told.push(now);
      heard.listener(now);
    },
  });
  const opening = () => ({
    reading: ReadingId.parse(systemChance.uuid()),
    file,
    secret: office.phrase,
  });
  return {
    office,
    file,
    bytes,
    data,
    keyfile,
    told,
    heard,
    handlers,
    close,
    opening,
    [Symbol.dispose]: () => office[Symbol.dispose](),
  };
}
