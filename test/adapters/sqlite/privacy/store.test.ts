import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Batch } from '../../../../shared/contract/batches.ts';
import { type DraftId, FileId } from '../../../../shared/model/ids.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  people,
  startBatchDesk,
} from '../../../support/desks/batch-desk.ts';
import { bodyV1 } from '../../../support/fakes/memory-desk.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

let on: BatchDesk;
let now: number;

beforeEach(async () => {
  on = await startBatchDesk();
  now = on.desk.clock.now();
});
afterEach(() => on[Symbol.dispose]());

const privacy = () => on.world.stores.privacy;

async function addDraft(): Promise<DraftId> {
  const content = { api: 'v1' as const, body: bodyV1('Lease') };
  return (await on.desk.api['drafts.create']({ content, connectionId: null })).id;
}

async function trashed(): Promise<DraftId> {
  const id = await addDraft();
  await on.desk.api['drafts.delete']({ id });
  return id;
}

async function sentBatch(rows: readonly string[] = people(2)): Promise<Batch> {
  const { api } = on.desk;
  const batch = await addBatch(on, await addLease(on.desk), rows);
  const { revision } = await api['batches.show']({ id: batch.id });
  const { jobId } = await api['batches.send']({ id: batch.id, confirm: rows.length, revision });
  await on.desk.finish(jobId);
  return batch;
}

/** Gives each queued outbox row a final status, as an answer of the service would. */
function settle(states: readonly ('sent' | 'rejected' | 'unknown')[]): void {
  const refs = on.world.stores.outbox.inState('queued').map(({ ref }) => ref);
  for (const [at, ref] of refs.entries()) {
    on.temp.database.command(
      `INSERT INTO attempt (ref, started_at, floor, credential) VALUES (@ref, 0, 0, '')`,
    )({ ref });
    on.temp.database.command(`UPDATE outbox SET state = 'sending' WHERE ref = @ref`)({ ref });
    on.temp.database.command(`UPDATE outbox SET state = @state WHERE ref = @ref`)({
      ref,
      state: states[at] ?? 'sent',
    });
  }
}

describe('retention of the trash', () => {
  it('removes drafts older than the given time, oldest first, up to the given number', async () => {
    const first = await trashed();
    on.desk.clock.advance(DAY);
    const second = await trashed();
    expect(privacy().old('trash', now)).toMatchObject({ number: 0, oldest: null, younger: 2 });
    expect(privacy().drop('trash', now, 9).drafts).toEqual([]);
    expect(privacy().old('trash', now + 1)).toMatchObject({ number: 1, oldest: now, younger: 1 });
    expect(privacy().drop('trash', now + 9 * DAY, 1).drafts).toEqual([first]);
    expect((await on.desk.api['drafts.trash']({})).map(({ id }) => id)).toEqual([second]);
  });

  it('includes the files of a draft in the reported size', async () => {
    await trashed();
    const without = privacy().old('trash', now + 1).bytes;
    const id = await addDraft();
    const data = new Uint8Array(Buffer.from('%PDF-1.7 of a thousand bytes'.padEnd(1000)));
    const file = {
      id: FileId.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11'),
      name: 'a.pdf',
      mimeType: 'application/pdf',
      bytes: 1000,
    };
    const about = { sha256: '', pages: 1, fieldCount: 0, notices: [] };
    const draftFile = { ...file, ...about };
    on.world.stores.drafts.addFile(id, draftFile, data, null);
    await on.desk.api['drafts.delete']({ id });
    expect(privacy().old('trash', now + 1).bytes).toBeGreaterThan(2 * without + 900);
  });
});

describe('retention of batch spreadsheets', () => {
  it('keeps a spreadsheet while a row is in the outbox or open, and removes it once all rows are settled', async () => {
    const { id } = await sentBatch();
    const far = now + 1000 * DAY;
    expect(privacy().old('sheets', far)).toMatchObject({ number: 0, unsettled: 1 });
    expect(privacy().drop('sheets', far, 9).batches).toEqual([]);
    settle(['sent', 'unknown']);
    expect(privacy().drop('sheets', far, 9).batches).toEqual([]);
    settle([]);
    on.temp.database.command(`UPDATE outbox SET state = 'sent' WHERE state = 'unknown'`)();
    expect(privacy().old('sheets', far)).toMatchObject({ number: 1, unsettled: 0 });
    expect(privacy().drop('sheets', far, 9).batches).toEqual([id]);
    expect(privacy().old('sheets', far)).toMatchObject({ number: 0, younger: 0, bytes: 0 });
  });

  it('keeps each row’s identifying data, so that it is not sent twice', async () => {
    const rows = people(2);
    await sentBatch(rows);
    settle([]);
    const hashes = on.temp.database
      .query('SELECT hash FROM batch_row WHERE hash IS NOT NULL', z.object({ hash: z.string() }))
      .all()
      .map(({ hash }) => hash);
    privacy().drop('sheets', now + 1000 * DAY, 9);
    const again = await addBatch(on, await addLease(on.desk, undefined, 'Another'), rows);
    expect(hashes).toHaveLength(2);
    expect(on.world.stores.batches.sentBefore(hashes, again.id).size).toBe(2);
    const cells = on.temp.database
      .query('SELECT cells FROM batch_row WHERE hash IS NOT NULL', z.object({ cells: z.string() }))
      .all();
    for (const one of cells) expect(one.cells).toBe('["","","","",""]');
  });

  it('keeps the spreadsheet of a batch that was never sent', async () => {
    await addBatch(on, await addLease(on.desk), people(2));
    expect(privacy().old('sheets', now + 1000 * DAY)).toMatchObject({ number: 0, unsettled: 1 });
    expect(privacy().drop('sheets', now + 1000 * DAY, 9).batches).toEqual([]);
  });
});

describe('retention of sent drafts', () => {
  it('keeps a draft while its outcome is open', async () => {
    const id = await addDraft();
    await sentBatch();
    const [item] = on.world.stores.outbox.inState('queued');
    if (item === undefined) throw new Error('nothing is queued');
    on.world.stores.drafts.keepSent(id, item.ref, now);
    expect(privacy().drop('sent', now + 1, 9).drafts).toEqual([]);
    expect(privacy().old('sent', now + 1)).toMatchObject({ number: 0, unsettled: 1 });
    settle([]);
    expect(privacy().drop('sent', now + 1, 9).drafts).toEqual([id]);
  });
});
