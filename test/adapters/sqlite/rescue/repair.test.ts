import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import type { Stores } from '../../../../electron/core/ports.ts';
import { OutboxRef } from '../../../../shared/model/ids.ts';
import { NOW } from '../temp-database.ts';
import { damagedFile } from './damaged-file.ts';

const LOST_SEND = OutboxRef.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11');

function onlyConnection({ connections }: Stores) {
  const [only] = connections.list();
  if (only === undefined) throw new Error('There is no connection');
  return only.id;
}

function firstDraft({ drafts }: Stores) {
  const [first] = drafts.list();
  if (first === undefined) throw new Error('There is no draft');
  return first;
}

describe('data rescued from a damaged file', () => {
  it('starts a new complete sync after a loss of agreements, and counts the agreements that are left', () => {
    using damaged = damagedFile(({ stores }) => {
      const place = { position: 60, pages: 1 };
      const full = { startedAt: NOW, serverTime: NOW, total: 120, place };
      stores.sync.saveFull(onlyConnection(stores), full);
    });
    const pages = damaged.pagesOf('agreement');
    damaged.zero(pages[Math.floor(pages.length / 2)] ?? 0);
    damaged.salvage();
    const left = Number(
      damaged.read((raw) => raw.prepare('SELECT count(*) FROM agreement').pluck().get()),
    );
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(120);
    const database = openDatabase({ file: `${damaged.file}.saved`, key: damaged.key, now: NOW });
    const stores = createStores(database);
    const full = stores.sync.full(onlyConnection(stores));
    const counted = stores.agreements.counts(undefined, NOW).all;
    database.close();
    expect([full, counted]).toEqual([null, left]);
  });

  it('contains a send of unknown outcome for a draft whose send is lost with its whole record', () => {
    let draft: string | undefined;
    using damaged = damagedFile(({ stores }) => {
      const { id } = firstDraft(stores);
      stores.drafts.setSending(id, LOST_SEND);
      draft = id;
    });
    expect(damaged.salvage()).toMatchObject({ lost: [], bareSends: 1 });
    const sql = 'SELECT state, draft_id AS draft FROM outbox WHERE ref = ?';
    expect(damaged.read((raw) => raw.prepare(sql).get(LOST_SEND))).toEqual({
      state: 'unknown',
      draft,
    });
  });
});
