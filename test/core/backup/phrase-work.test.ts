import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBackupFiles } from '../../../electron/adapters/backup/thread.ts';
import { createDesk } from '../../../electron/compose/compose.ts';
import { CreatedBackup } from '../../../shared/contract/backup.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { createHome, type Home } from '../../support/desks/desk-process.ts';
import { noHostFeatures, offersNothing } from '../../support/fakes/no-host-features.ts';

/** Base-2 logarithm of scrypt's N. */
const SHIPPED = 14;

let home: Home;
let folder: string;

beforeAll(async () => {
  home = await createHome();
  folder = path.join(home.folder, 'backups');
  mkdirSync(folder);
});
afterAll(() => home.remove());

/** Work factor in the header of the key that is encrypted with the phrase, found in `bytes`. */
function workIn(bytes: Uint8Array): number {
  const head = /age-encryption\.org\/v1\n-> scrypt \S+ (\d+)\n/u.exec(
    Buffer.from(bytes).toString('latin1'),
  );
  return Number(head?.[1]);
}

/** Most other tests use a smaller work factor, since they test other behaviour. */
describe('the phrase of a backup is protected by the work factor of the released program', () => {
  it('when its keys are created', async () => {
    const files = createBackupFiles();
    const { wrapped } = await files.makeKeys(await files.newPhrase());
    expect(workIn(wrapped)).toBe(SHIPPED);
  });

  it('when a backup is made on the command line', async () => {
    const { phrase } = await home.value(['backup', 'phrase']);
    await home.value(['backup', 'setup', '--to', folder], String(phrase));
    const { file } = await home.value(['backup', 'run']);
    expect(workIn(readFileSync(String(file)))).toBe(SHIPPED);
  });

  it('when a backup is made in the window', async () => {
    const keyfile = path.join(home.folder, 'window.key');
    writeFileSync(keyfile, randomBytes(32), { mode: 0o600 });
    // Options as the program with windows passes them, with a key file as the credential store.
    const desk = createDesk({
      dataDir: path.join(home.folder, 'window'),
      stateDir: null,
      vault: { keyfile },
      interactive: true,
      version: '0',
      locale: 'en',
      platform: 'linux',
      documentsFolder: home.folder,
      updates: { way: 'checkout' },
      features: { describe: offersNothing, ...noHostFeatures },
    });
    const { api, emit, on } = connectDirectly(desk.handlers, desk.toFailure);
    desk.setEmit(emit);
    try {
      await desk.open();
      const { phrase } = await api['backup.newPhrase']({});
      const when = { kind: 'daily', at: '02:30' } as const;
      const plan = { folder, when, keep: 3, isOn: true, withCredentials: false } as const;
      await api['backup.setUp']({ ...plan, administrator: null, phrase });
      const { jobId } = await api['backup.run']({});
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const look = async (): Promise<void> => {
        const { state, result } = await api['jobs.show']({ jobId });
        if (state !== 'running') resolve(result);
      };
      on('jobs.changed', () => void look());
      await look();
      const { file } = CreatedBackup.parse(await promise);
      expect(workIn(readFileSync(file))).toBe(SHIPPED);
    } finally {
      await desk.close();
    }
  });
});
