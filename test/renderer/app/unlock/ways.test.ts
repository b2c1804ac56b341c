import { expect, it } from 'vitest';
import type { Access } from '../../../../shared/contract/access.ts';
import type { ErrorReason } from '../../../../shared/errors.ts';
import { waysOf } from '../../../../renderer/app/unlock/ways.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

const closed: Access = {
  open: false,
  profile: 'own',
  store: 'keychain',
  vault: 'ready',
  hasData: true,
  passphraseSet: false,
  problem: null,
  canSetAside: false,
};
const because = (reason: ErrorReason): Access => ({
  ...closed,
  problem: { code: reason.startsWith('data-') ? 'storage' : 'vault', message: 'No', reason },
});

it.each<[ErrorReason, () => string, boolean]>([
  ['data-damaged', m.unlock_saving_damaged, true],
  ['data-foreign', m.unlock_saving_damaged, true],
  ['data-wrong-key', m.unlock_saving_key, true],
  ['vault-entry-missing', m.unlock_saving_key, false],
  ['vault-wrong-key', m.unlock_saving_key, false],
  ['vault-changed', m.unlock_saving_key, false],
  ['vault-locked', m.unlock_saving_locked, false],
  ['vault-no-session', m.unlock_saving_locked, false],
  ['vault-dismissed', m.unlock_saving_locked, false],
  ['vault-denied', m.unlock_saving_locked, false],
  ['keyfile-mode', m.unlock_saving_locked, false],
])('data that is closed because of %s has ways of its own', (reason, lead, canRescue) => {
  const ways = waysOf(because(reason));
  expect(ways.lead?.()).toBe(lead());
  expect(ways.canRescue).toBe(canRescue);
});

it.each([true, false])(
  'whether the data may be set aside is not judged here: %s',
  (canSetAside) => {
    const access = { ...because('data-damaged'), canSetAside };
    expect(waysOf(access)).toMatchObject({ canSetAside });
  },
);

it('a passphrase may be forgotten, whatever the store says', () => {
  const ways = waysOf({ ...because('vault-locked'), passphraseSet: true });
  expect(ways.lead?.()).toBe(m.unlock_saving_passphrase());
  expect(ways.canRescue).toBe(false);
});

it('data of a newer version is intact, and is not read page by page', () => {
  const problem = { code: 'newer-data', message: 'No' } as const;
  expect(waysOf({ ...closed, problem })).toMatchObject({ canRescue: false });
  expect(waysOf({ ...closed, problem }).lead?.()).toBe(m.unlock_saving_newer());
});

it('before a first start nothing can be saved, and a backup can be opened', () => {
  const ways = waysOf({ ...because('vault-no-session'), hasData: false });
  expect(ways).toMatchObject({ lead: null, canRescue: false });
  expect(ways.heading()).toBe(m.unlock_first_backup());
});

it('a disk that does not give all of the file is read as far as it does', () => {
  const problem = { code: 'storage', message: 'The disk could not be read or written' } as const;
  const ways = waysOf({ ...closed, problem });
  expect(ways.lead?.()).toBe(m.unlock_saving_damaged());
  expect(ways.canRescue).toBe(true);
});

it('nothing is promised of data that something else keeps closed', () => {
  expect(waysOf(because('data-in-use'))).toMatchObject({ lead: null, canRescue: false });
});
