import type { BatchSummary } from '../../../shared/contract/batches.ts';
import { type Answer, answer } from './answer.ts';
import type { Session } from './session.ts';
import { plain, table } from './text.ts';
import { iso, shown } from './times.ts';

/** `batch list`: names every batch, so that one whose command was cut off is found again. */
export async function listBatches({ api }: Session): Promise<Answer> {
  const found = await api['batches.list']({});
  const batches = found.map(({ id, name, fileName, rows, updatedAt, ...one }) => {
    const stage = stageOf(one);
    return { batch: id, name, file: fileName, stage, rows, updatedAt: iso(updatedAt) };
  });
  const rows = found.map(({ id, name, rows: lines, updatedAt, ...one }) => {
    return [id, stageOf(one), String(lines), shown(updatedAt), plain(name)];
  });
  const heading = ['BATCH', 'STAGE', 'ROWS', 'CHANGED', 'NAME'];
  return answer({ batches }, table(heading, rows, 'There are no batches.'));
}

const stageOf = ({ stage, isFinished }: Pick<BatchSummary, 'stage' | 'isFinished'>): string =>
  isFinished ? 'finished' : stage;
