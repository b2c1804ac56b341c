import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../../electron/compose/compose.ts';
import type { NewConnection } from '../../../shared/contract/connections.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import {
  addConnection,
  addDraftV1,
  bodyV1,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { BUS_ADDRESS } from '../../support/keyring.ts';
import { noHostFeatures, offersNothing } from '../../support/fakes/no-host-features.ts';

const PASSPHRASE = 'eight pale horses run';

let folder: string;
let opened: Desk[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-lost-'));
  // No server listens at this address, as on a computer without a credential store.
  process.env['DBUS_SESSION_BUS_ADDRESS'] = BUS_ADDRESS;
});

afterEach(async () => {
  await Promise.all(opened.map((desk) => desk.close()));
  opened = [];
  rmSync(folder, { recursive: true });
});

function start(vault: 'keychain' | { readonly keyfile: string } = 'keychain') {
  const desk = createDesk({
    dataDir: path.join(folder, 'data'),
    stateDir: path.join(folder, 'state'),
    vault,
    version: '0',
    locale: 'en',
    platform: 'linux',
    documentsFolder: folder,
    interactive: false,
    features: { describe: offersNothing, ...noHostFeatures },
  });
  opened.push(desk);
  return { desk, api: connectDirectly(desk.handlers, desk.toFailure).api };
}

const office: NewConnection = {
  name: 'Office',
  api: 'v1',
  url: 'https://service.example',
  environment: 'production',
  accountId: null,
  orgNo: null,
  allowed: null,
  secret: 'plain-words-of-a-token',
};

const content = { api: 'v1', body: bodyV1('Lease') } as const;

describe.runIf(process.platform === 'linux')('without a credential store', () => {
  it('nothing is stored until the user chooses a passphrase (TX-51)', async () => {
    const { desk, api } = start();
    expect(await desk.open()).toMatchObject({
      open: false,
      store: 'keychain',
      vault: 'no-session',
    });
    await expect(api['connections.add'](office)).rejects.toMatchObject({
      failure: { code: 'vault', reason: 'vault-no-session' },
    });
    expect(desk.hasData('own')).toBe(false);
    expect(
      readdirSync(folder, { recursive: true }).filter((name) => /vault|\.db/.test(String(name))),
    ).toEqual([]);
    const access = await api['access.usePassphrase']({ passphrase: PASSPHRASE });
    expect(access).toMatchObject({ open: true, store: 'passphrase', vault: 'ready' });
    expect(await api['connections.add'](office)).toMatchObject({ name: 'Office' });
  });

  it('the passphrase is required at every start, and never stored (TX-51)', async () => {
    const first = start();
    await first.api['access.usePassphrase']({ passphrase: PASSPHRASE });
    await first.api['connections.add'](office);
    await first.desk.close();
    const { desk, api } = start();
    expect(await desk.open()).toMatchObject({ open: false, passphraseSet: true });
    const wrong = await api['access.usePassphrase']({ passphrase: 'eight pale horses ran' });
    expect(wrong).toMatchObject({ open: false, vault: 'wrong-key' });
    const right = await api['access.usePassphrase']({ passphrase: PASSPHRASE });
    expect(right).toMatchObject({ open: true });
    expect(await api['connections.list']({})).toHaveLength(1);
  });
});

describe('when the credential store lost', () => {
  it('the database key, the file stays unchanged and opens again with the key (TX-52)', async () => {
    const keyfile = path.join(folder, 'key');
    writeFileSync(keyfile, randomBytes(32), { mode: 0o600 });
    const first = start({ keyfile });
    await first.desk.open();
    const { id } = await first.api['drafts.create']({ content, connectionId: null });
    await first.desk.close();
    const data = path.join(folder, 'data');
    const before = readFileSync(path.join(data, 'desk.db'));
    renameSync(path.join(data, 'vault.sealed'), path.join(folder, 'elsewhere'));

    const second = start({ keyfile });
    expect(await second.desk.open()).toMatchObject({ open: false, vault: 'entry-missing' });
    expect(readFileSync(path.join(data, 'desk.db')).equals(before)).toBe(true);
    renameSync(path.join(folder, 'elsewhere'), path.join(data, 'vault.sealed'));
    expect(await second.api['access.retry']({})).toMatchObject({ open: true });
    expect((await second.api['drafts.list']({})).map((draft) => draft.id)).toEqual([id]);
  });

  it('an API key, the draft stays and is sent once the key is back (TX-52)', async () => {
    const desk = startMemoryDesk();
    const { id: connectionId } = await addConnection(desk);
    const { id } = await addDraftV1(desk);
    await desk.vault.remove(`connection/${connectionId}`);
    const order = { id, connectionId, holdSeconds: 0, confirm: 1 };
    await expect(desk.api['drafts.send'](order)).rejects.toMatchObject({
      failure: { code: 'signed-out', reason: 'credential-missing' },
    });
    expect(await desk.api['outbox.list']({})).toEqual([]);
    expect(await desk.api['drafts.show']({ id })).toMatchObject({ sending: null });
    await desk.api['connections.replaceSecret']({ id: connectionId, secret: 'another' });
    const { ref } = await desk.api['drafts.send'](order);
    await desk.api['outbox.run']({});
    expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'sent', attempts: 1 });
    expect(desk.opened.secrets.at(-1)).toBe('another');
  });
});
