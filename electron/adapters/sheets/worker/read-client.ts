import * as z from 'zod';
import { SheetNotice, SheetRow, SheetShape } from '../../../../shared/contract/sheets.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { SheetReader } from '../../../core/sheet-ports.ts';
import { MAX_SHEET_FILE_BYTES, MAX_SHEET_HEAP_MB, MAX_SHEET_READ_MS } from '../read/limits.ts';
import { OneCallThreads } from '../../threads/once.ts';
import { sheetError } from '../read/refuse.ts';
import { workerFile } from './file.ts';
import type { SheetTasks } from './worker.ts';

const Table = z.object({ shape: SheetShape, rows: z.array(SheetRow) });
const Lines = z.object({
  text: z.string(),
  sheets: SheetShape.shape.sheets,
  sheet: SheetShape.shape.sheet,
  notices: z.array(SheetNotice),
});

/** Reads each file in its own thread. */
export function createSheetReader(): SheetReader {
  const threads = new OneCallThreads<SheetTasks>({
    file: workerFile,
    work: 'Reading a sheet',
    milliseconds: MAX_SHEET_READ_MS,
    heapMegabytes: MAX_SHEET_HEAP_MB,
    refusals: {
      stopped: () => new AppError('cancelled', 'Reading the file was stopped'),
      time: () =>
        sheetError(
          'sheet-limit',
          `The file takes longer than ${MAX_SHEET_READ_MS / 1000} seconds to read`,
        ),
      memory: (cause) => sheetError('sheet-limit', 'The file needs too much memory to read', cause),
      failed: (cause) =>
        sheetError(
          'sheet-damaged',
          'The file cannot be read. Open it in its own program and save it again',
          cause,
        ),
    },
  });
  return {
    async read(data, choices) {
      rejectHuge(data);
      return Table.parse(await threads.call('read', [data, choices]));
    },
    async readLines(data, choices) {
      rejectHuge(data);
      return Lines.parse(await threads.call('readLines', [data, choices]));
    },
    async holdsNumber(data) {
      rejectHuge(data);
      return threads.call('holdsNumber', [data]);
    },
    close: () => threads.close(),
  };
}

function rejectHuge(data: Uint8Array): void {
  if (data.length <= MAX_SHEET_FILE_BYTES) return;
  throw sheetError(
    'sheet-limit',
    `The file is larger than ${MAX_SHEET_FILE_BYTES / 1024 / 1024} MB`,
  );
}
