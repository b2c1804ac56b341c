import { randomUUID } from 'node:crypto';
import { ReadingId } from '../../../../../shared/contract/backup.ts';
import type { Session } from '../../session/session.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** Reads a backup and draws its progress. Ctrl+C stops it and removes its unfinished files. */
export async function followReading<Result>(
  { api, on, report, onStop }: Session,
  title: string,
  work: (reading: ReadingId) => Promise<Result>,
): Promise<Result> {
  const reading = ReadingId.parse(randomUUID());
  const progress = report.progress(title);
  const endListening = on('backup.reading', (now) => {
    if (now.reading !== reading || now.total === null) return;
    const unit = now.step === 'opening' ? BYTES_PER_MIB : 1;
    const [done, total] = [now.done, now.total].map((length) => Math.ceil(length / unit));
    progress.show({ done: done ?? 0, total: total ?? 0, failed: 0 });
  });
  onStop(() => void api['backup.stopReading']({ reading }).catch(() => undefined));
  try {
    return await work(reading);
  } finally {
    onStop(null);
    endListening();
    progress.end();
  }
}
