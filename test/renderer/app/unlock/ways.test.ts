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
])(
  'data that is closed because of %s has its own explanation and actions',
  (reason, lead, canRescue) => {
    const ways = waysOf(because(reason));
    expect(ways.lead?.()).toBe(lead());
    expect(ways.canRescue).toBe(canRescue);
  },
);

it.each([true, false])(
  'closed data offers to set the data aside only if that is allowed: %s',
  (canSetAside) => {
    const access = { ...because('data-damaged'), canSetAside };
    expect(waysOf(access)).toMatchObject({ canSetAside });
  },
);

it('closed data under a passphrase explains a forgotten passphrase, for any error of the store', () => {
  const ways = waysOf({ ...because('vault-locked'), passphraseSet: true });
  expect(ways.lead?.()).toBe(m.unlock_saving_passphrase());
  expect(ways.canRescue).toBe(false);
});

it('data of a newer version is described as intact, and is not offered for recovery', () => {
  const problem = { code: 'newer-data', message: 'No' } as const;
  expect(waysOf({ ...closed, problem })).toMatchObject({ canRescue: false });
  expect(waysOf({ ...closed, problem }).lead?.()).toBe(m.unlock_saving_newer());
});

it('closed data before a first start offers to open a backup, and no recovery', () => {
  const ways = waysOf({ ...because('vault-no-session'), hasData: false });
  expect(ways).toMatchObject({ lead: null, canRescue: false });
  expect(ways.heading()).toBe(m.unlock_first_backup());
});

it('a disk that returns only a part of the file is offered for recovery', () => {
  const problem = { code: 'storage', message: 'The disk could not be read or written' } as const;
  const ways = waysOf({ ...closed, problem });
  expect(ways.lead?.()).toBe(m.unlock_saving_damaged());
  expect(ways.canRescue).toBe(true);
});

it('data that another program keeps closed has no explanation and no recovery', () => {
  expect(waysOf(because('data-in-use'))).toMatchObject({ lead: null, canRescue: false });
});
