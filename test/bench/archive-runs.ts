import { createHash } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../electron/adapters/sqlite/stores.ts';
import type { Stores } from '../../electron/core/ports.ts';
import { AgreementId } from '../../shared/model/ids.ts';
import { createArchiving } from '../support/desks/archiving.ts';
import { remoteOf } from '../support/fakes/fake-service.ts';
import { ids, type Place } from '../support/desks/syncing.ts';
import { inFolder, type Load } from './archive-peers.ts';

const nobody = { token: 'token', accessKey: 'key', accountId: '1' };
const idOf = (index: number): string => `${index}-${'a'.repeat(8)}`;

/** The program's own archive over real stores that contain `count` signed agreements. */
export function openArchive(parent: string, origin: string, count: number) {
  const database = openDatabase({
    file: path.join(parent, 'data', 'desk.db'),
    key: new Uint8Array(32).fill(7),
    now: Date.now(),
  });
  const stores = createStores(database);
  const place: Place = { v1Url: origin, v2Url: `${origin}/v2`, credentials: nobody };
  const archiving = createArchiving(stores, place);
  const remotes = Array.from({ length: count }, (_, index) =>
    remoteOf({ id: idOf(index), state: 'signed', closedAt: index }),
  );
  stores.agreements.put(ids.v1, 'v1', remotes, Date.now());
  return { stores, archiving, close: () => database.close() };
}

/** Time of a whole run (ms): hash, checks, flush, rename, index and manifest. */
export function archive(origin: string, { files }: Load, parallel: number): Promise<number> {
  return inFolder(async (parent) => {
    const { archiving, close } = openArchive(parent, origin, files);
    const started = performance.now();
    const { result, failure } = await archiving.run({
      folder: path.join(parent, 'archive'),
      parallel,
    });
    const took = performance.now() - started;
    close();
    if (failure !== null || result.saved !== files) throw new Error(JSON.stringify(result));
    return took;
  });
}

/** Creates `count` archived agreements with their files, as earlier runs would have. */
export function plantArchived(stores: Stores, folder: string, count: number): void {
  mkdirSync(folder);
  for (let index = 0; index < count; index += 1) {
    const file = path.join(folder, `${index}.pdf`);
    const body = `%PDF-1.7 ${index}`;
    writeFileSync(file, body);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const known = { file, bytes: body.length, sha256, changedAt: statSync(file).ctimeMs };
    const key = { connectionId: ids.v1, id: AgreementId.parse(idOf(index)) };
    stores.archive.record(key, { ...known, seal: 'none' }, Date.now(), folder);
  }
}
