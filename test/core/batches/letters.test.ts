import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { PDF_THREAD_LIMITS } from '../../../electron/adapters/pdf/kept-thread.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { addFont, fontFolder, removeFolders } from '../../adapters/pdf/alphabets.ts';
import { throughTool } from '../../adapters/pdf/sample-pdfs.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  leaseV1,
  people,
  problemsOf,
  realForms,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

const folder = fontFolder([]);
const forms = createPdfForms(PDF_THREAD_LIMITS, [folder]);
let asked = 0;
const pdf = realForms({
  ...forms,
  missingLetters(texts) {
    asked += 1;
    return forms.missingLetters(texts);
  },
});
let started: BatchDesk;
afterEach(() => started[Symbol.dispose]());
afterAll(async () => {
  await forms.close();
  removeFolders();
});

const [first = '', second = '', third = ''] = people(3);
const rows = [first, second.replace('Åsa', '张伟'), third.replace('Åsa', 'Łukasz')];

async function start(merge: 'here' | 'service', given: readonly string[] = rows): Promise<Batch> {
  asked = 0;
  started = await startBatchDesk('v1', { pdf });
  return addBatch(started, await addLease(started.desk, { ...leaseV1, merge }), given);
}
const check = (batch: Batch) => started.desk.api['batches.check']({ id: batch.id });

describe('a row with characters that no installed font has', () => {
  it('is blocked with its field, its character and the font to install, then is sent', async () => {
    const batch = await start('here');
    const { api, finish } = started.desk;
    expect(await problemsOf(started.desk, batch)).toEqual(['3:Förnamn:letters']);
    const all = await api['batches.rows']({ id: batch.id, filter: 'errors', offset: 0, limit: 9 });
    expect(all.rows[0]?.problems).toMatchObject([
      {
        isError: true,
        message: expect.stringContaining('tenant: no font on this computer has 张 (U+5F20)'),
        letter: { field: 'tenant', letter: '张 (U+5F20)', font: 'Noto Sans CJK' },
      },
    ]);
    expect(await check(batch)).toMatchObject({ ready: 2 });
    expect(await api['batches.preview']({ id: batch.id, row: 3 })).toMatchObject({ out: null });

    addFont(folder, 'chinese');
    expect(await problemsOf(started.desk, batch)).toEqual([]);
    expect(await check(batch)).toMatchObject({ ready: 3 });
    const { out } = await api['batches.preview']({ id: batch.id, row: 3 });
    const file = out === null ? null : started.desk.bytes.take(out);
    expect(throughTool('pdftotext', file ?? new Uint8Array(), ['in.pdf', '-']).said).toContain(
      '张伟',
    );
    const { revision } = batch;
    const { jobId } = await api['batches.send']({ id: batch.id, confirm: 3, revision });
    expect((await finish(jobId)).state).toBe('done');
  });

  it('is left to the service when the service merges the PDF', async () => {
    const batch = await start('service');
    expect(await problemsOf(started.desk, batch)).toEqual([]);
    expect(asked).toBe(0);
  });

  it('does not load fonts for sheets without such characters', async () => {
    const batch = await start('here', [first, third.replace('Åsa', 'Łukasz Дмитрий')]);
    expect(await problemsOf(started.desk, batch)).toEqual([]);
    expect(asked).toBe(0);
  });
});
