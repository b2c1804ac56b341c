import { type Answer, answer } from './answer.ts';
import type { Session } from './session.ts';
import { plain, table } from './text.ts';
import { iso, shown } from './times.ts';

/** `batch list`: names every batch, so that one whose command was cut off is found again. */
export async function listBatches({ api }: Session): Promise<Answer> {
  const found = await api['batches.list']({});
  const batches = found.map(({ id, name, fileName, stage, rows, updatedAt, going }) => {
    return { batch: id, name, file: fileName, stage, rows, updatedAt: iso(updatedAt), going };
  });
  const rows = found.map(({ id, name, stage, rows: lines, updatedAt, going }) => {
    const counts = [lines, going?.waiting ?? 0, going?.needsPerson ?? 0].map(String);
    return [id, stage, ...counts, shown(updatedAt), plain(name)];
  });
  const heading = ['BATCH', 'STAGE', 'ROWS', 'WAITING', 'NEED YOU', 'CHANGED', 'NAME'];
  return answer({ batches }, table(heading, rows, 'There are no batches.'));
}
