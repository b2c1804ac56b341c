import { expect, it } from 'vitest';
import type { StoredBackup } from '../../../../electron/core/backup/ports.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const set: StoredBackup = {
  desk: '1f2e3d4c',
  recipient: 'age1example',
  wrapped: Uint8Array.from([1, 2, 3]),
  plan: {
    folder: '/srv/backups',
    when: { kind: 'weekly', day: 7, at: '03:00' },
    keep: 8,
    isOn: true,
    withCredentials: false,
    administrator: null,
  },
  setUpAt: NOW,
  last: null,
  good: null,
};

it('backup keys and results are stored as given', () => {
  using place = tempDatabase();
  const { backup } = place.stores;
  expect(backup.read()).toBeNull();
  backup.save(set);
  expect(backup.read()).toEqual({ ...set, wrapped: Buffer.from(set.wrapped) });
  const failure = { code: 'storage', message: 'No room', reason: 'disk-full' } as const;
  const after = {
    ...set,
    last: { at: NOW + 1, file: null, failure, inRow: 1 },
    good: { at: NOW, file: '/srv/backups/one', bytes: 7 },
  };
  backup.save(after);
  expect(backup.read()).toEqual({ ...after, wrapped: Buffer.from(set.wrapped) });
});
