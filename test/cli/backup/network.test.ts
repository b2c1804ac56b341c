// tier: all
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSealedVault } from '../../../electron/adapters/vault/sealed.ts';
import { type Computer, createComputer } from '../../support/desks/computer.ts';
import { createHomeHere } from '../../support/desks/desk-here.ts';
import { createAuthority } from '../../support/self-signed.ts';

const PASSWORD = 'Secret-of-the-proxy';
const A_PERSON_DECIDES = 7;

const vaultOf = ({ keyfile, data }: Computer) =>
  createSealedVault({ store: 'keyfile', path: keyfile }, data);

it('a backup restored on a computer with its own proxy brings no proxy, certificate file or proxy password with its credentials (IN-N1) (IN-N2)', async () => {
  const home = await createHomeHere();
  onTestFinished(() => home.remove());
  const [old, other] = [await createComputer(home, 'old'), await createComputer(home, 'other')];
  const to = path.join(home.folder, 'backups');
  mkdirSync(to);
  const authority = path.join(home.folder, 'office-ca.pem');
  await writeFile(authority, createAuthority('Office Inspection CA').cert);
  const proxy = ['network', 'proxy', 'old-proxy.example:8080', '--user', 'anna'];
  expect(await old.value(proxy, PASSWORD)).toMatchObject({ hasPassword: true });
  await old.value(['network', 'trust', authority]);
  const phrase = String((await old.value(['backup', 'phrase']))['phrase']);
  await old.value(['backup', 'setup', '--to', to, '--credentials'], phrase);
  const file = String((await old.value(['backup', 'run']))['file']);

  const own = { proxy: { kind: 'fixed', address: 'http://other-proxy.example:3128' } };
  await other.value(['network', 'proxy', 'other-proxy.example:3128']);
  const restore = ['backup', 'restore', file, '--into', other.data];
  await other.value(restore, phrase, A_PERSON_DECIDES);
  const after = await other.value(['network', 'show']);
  expect(after).toMatchObject({ ...own, hasPassword: false, authorities: [] });
  const stored = await readFile(path.join(old.data, 'network.json'), 'utf8');
  const { password } = JSON.parse(stored) as { readonly password: string };
  const kept = await Promise.all([old, other].map((one) => vaultOf(one).read(password)));
  expect(kept).toEqual([PASSWORD, null]);
});
