import type { ListedBatch } from '../../../../../shared/contract/batches.ts';
import { type Answer, answer } from '../../output/answer.ts';
import type { Session } from '../../session/session.ts';
import { plain, table } from '../../output/text.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';

/** `batch list`: lists every batch, so that the batch of an interrupted command can be found. */
export async function listBatches({ api }: Session): Promise<Answer> {
  const found = await api['batches.list']({});
  const batches = found.map(({ id, name, fileName, rows, updatedAt, going, ...one }) => {
    const stage = batchStageText({ ...one, going });
    return { batch: id, name, file: fileName, stage, rows, updatedAt: toIsoText(updatedAt), going };
  });
  const rows = found.map(({ id, name, rows: lines, updatedAt, going, ...one }) => {
    const { waiting = 0, needsPerson = 0, givenUp = 0 } = going ?? {};
    const counts = [lines, waiting, needsPerson, givenUp].map(String);
    return [id, batchStageText({ ...one, going }), ...counts, toShownTime(updatedAt), plain(name)];
  });
  const heading = ['BATCH', 'STAGE', 'ROWS', 'WAITING', 'NEED YOU', 'GIVEN UP', 'CHANGED', 'NAME'];
  return answer({ batches }, table(heading, rows, 'There are no batches.'));
}

/** Returns the stage of a batch. An armed batch is finished if no row waits or needs a decision. */
const batchStageText = ({ stage, going }: Pick<ListedBatch, 'stage' | 'going'>): string =>
  going !== null && going.waiting + going.needsPerson === 0 ? 'finished' : stage;
