// tier: all
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withVariables } from '../support/desks/computer.ts';
import { createHome, type Home } from '../support/desks/desk-process.ts';
import { type Keyring, startKeyring } from '../support/keyring.ts';

const CREDENTIALS = 4;
const LOCKED = 'Your data is safe: unlock the credential store, and try again.';

/**
 * Whether the tests can run: only on Linux, because the keyrings of other systems belong to the
 * user, and no test may touch them.
 */
const hasKeyring = process.platform === 'linux';

let keyring: Keyring;
let home: Home;
let phrase: string;
let backup: string;

/**
 * Runs a command in its own process, as a scheduler does at night: with a session, but without a
 * screen on which the keyring could ask.
 */
let desk: Home['desk'];
let value: Home['value'];

beforeAll(async () => {
  if (!hasKeyring) return;
  keyring = await startKeyring();
  home = await createHome('none');
  ({ desk, value } = withVariables(home, {
    SIGNING_DESK_VAULT: 'keychain',
    DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
  }));
  phrase = String((await value(['backup', 'phrase']))['phrase']);
  const to = path.join(home.folder, 'backups');
  mkdirSync(to);
  await value(['people', 'add', '--first', 'Astrid', '--last', 'Ek', '--email', 'a@example.com']);
  await value(['backup', 'setup', '--to', to], phrase);
  backup = String((await value(['backup', 'run']))['file']);
});
afterAll(async () => {
  if (!hasKeyring) return;
  await keyring.stop();
  await home.remove();
});

// The tests run in order on the same data, with the same real keyring.
describe.runIf(hasKeyring)('a locked keyring', () => {
  it('blocks every command that needs the data, gives advice, and leaves the data unchanged', async () => {
    keyring.lock();
    const data = () =>
      ['desk.db', 'vault.json'].map((name) => readFileSync(path.join(home.data, name)));
    const before = data();
    for (const command of [
      'people list',
      'run-due',
      'backup recover',
      'backup recover --replace',
    ]) {
      const { exit, stderr } = await desk(command.split(' '));
      expect([command, exit, stderr]).toEqual([
        command,
        CREDENTIALS,
        expect.stringContaining(LOCKED),
      ]);
    }
    expect(data()).toEqual(before);
    const status = await desk(['vault', 'status']);
    expect([status.exit, status.stdout]).toEqual([CREDENTIALS, 'keychain: locked\n']);
  });

  it('prevents setting the data aside', async () => {
    const { exit, stderr } = await desk(['backup', 'set-aside', '--confirm']);
    expect([exit, stderr]).toEqual([CREDENTIALS, expect.stringContaining(LOCKED)]);
    expect(readdirSync(home.data).filter((name) => name.startsWith('set-aside'))).toEqual([]);
  });

  it('prevents restoring a backup over the data, or into a folder whose key the keyring would store', async () => {
    for (const folder of [home.data, path.join(home.folder, 'other')]) {
      const restore = ['backup', 'restore', backup, '--into', folder];
      const { exit, stderr } = await desk(restore, phrase);
      expect([exit, stderr]).toEqual([CREDENTIALS, expect.stringContaining(LOCKED)]);
    }
    expect(readdirSync(path.join(home.folder, 'other'))).not.toContain('desk.db');
  });

  it('still allows a backup to be verified and inspected', async () => {
    expect(await value(['backup', 'check', backup], phrase)).toMatchObject({
      manifest: { counts: { people: 1 } },
    });
    expect(await value(['backup', 'inspect', backup], phrase)).toMatchObject({ drafts: [] });
  });

  it('gives access to the data and its backups again once it is unlocked', async () => {
    await keyring.unlock();
    expect((await value(['people', 'list']))['items']).toMatchObject([{ title: 'Astrid Ek' }]);
    expect(await value(['backup', 'status'])).toMatchObject({ good: { file: backup } });
    expect((await desk(['vault', 'status'])).stdout).toBe('keychain: ready\n');
  });
});
