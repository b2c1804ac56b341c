import { expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { createBatchHandoverAdapter } from '../../../electron/core/office/handover/batch.ts';
import { BatchId } from '../../../shared/model/ids.ts';
import { HandoverBatch } from '../../../shared/rules/office/items.ts';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';
import { sha256 } from '../../support/fakes/memory-ports.ts';

it('a batch that is handed over with a PDF other than its template names is refused (SR-P15)', async () => {
  using anna = await startBatchDesk();
  using bo = await startBatchDesk();
  const batch = await addBatch(anna, await addLease(anna.desk), people(2));
  const reader = {
    readLines: () => Promise.reject(new Error('Not read')),
    holdsNumber: async () => false,
  };
  const worker = { hold: () => true, wake: () => undefined };
  const ports = { encoding: createEncoding(), sha256, worker, sheets: { reader } };
  const mover = ({ desk }: typeof anna) =>
    createBatchHandoverAdapter({ ...desk, ...ports, emit: () => undefined });
  const { data } = await mover(anna).pack(batch.id, {} as never);
  const handed = HandoverBatch.parse(JSON.parse(Buffer.from(data).toString('utf8')));
  const pdf = Buffer.from('%PDF-1.7 with other terms').toString('base64');
  const template = handed.template && { ...handed.template, pdf };
  const other = Buffer.from(JSON.stringify({ ...handed, template }));
  await expect(mover(bo).unpack(other, null)).rejects.toMatchObject({
    failure: { code: 'storage', reason: 'data-damaged', file: 'Hyresavtal.pdf' },
  });
  expect(await bo.desk.api['templates.list']({})).toEqual([]);
  expect(await bo.desk.api['batches.list']({})).toEqual([]);
  const taken = await mover(bo).unpack(data, null);
  expect(BatchId.parse(taken?.what.id)).not.toBe(batch.id);
  expect(await bo.desk.api['templates.list']({})).toHaveLength(1);
});
