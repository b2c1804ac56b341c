import { expect, it } from 'vitest';
import { sha256 } from '../../../electron/adapters/sqlite/database/sha256.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { listImportableFiles, STEADY_MS } from '../../../electron/core/intake/look.ts';
import type { FolderEntry } from '../../../electron/core/intake/ports.ts';
import { createWorld } from '../../support/fakes/memory-desk.ts';

const FOLDER = '/scans';

it.each([
  ['only in capital letters', ['Lease.pdf', 'LEASE.pdf']],
  ['only in the Unicode form of an accent', ['K\u00F6p.pdf', 'Ko\u0308p.pdf']],
])(
  'two files whose names differ %s on a case-sensitive system both count as complete (DL-B3)',
  async (_, names) => {
    const { clock, ...world } = createWorld();
    const changedAt = clock.now();
    const entries = names.map((name, at): FolderEntry => ({
      name,
      kind: 'file',
      bytes: 100 + at,
      changedAt,
      identity: String(at),
    }));
    const watched = { ...world.watched, list: async () => entries };
    const look = () =>
      listImportableFiles(
        { ...world, clock, watched, sha256, encoding: createEncoding() },
        { folder: FOLDER },
        true,
      );
    expect((await look()).map(({ isSteady }) => isSteady)).toEqual([false, false]);
    clock.advance(STEADY_MS);
    expect((await look()).map(({ isSteady }) => isSteady)).toEqual([true, true]);
  },
);
