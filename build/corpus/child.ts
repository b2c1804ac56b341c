/*
 * Reads files one after another for `build/corpus/corpus.ts`, which ends this process when a file
 * takes too long, and notices when a file ends the process.
 */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { readCards } from './read-cards.ts';
import { isBounceList, readList } from './read-list.ts';
import { readPdf } from './read-pdf.ts';
import { readTable } from './read-table.ts';
import { isList, type FileResult, type Kind, type Reading, type ChildMessage } from './verdicts.ts';

export interface ReadRequest {
  readonly file: string;
  readonly kind: Kind;
  /** Whether the two filled copies of a PDF are drawn and compared. */
  readonly hasPixels: boolean;
}

process.on('message', (ask: ReadRequest) => void serveRequest(ask));

async function serveRequest({ file, kind, hasPixels }: ReadRequest): Promise<void> {
  const data = new Uint8Array(await readFile(file));
  const begun = processorSecondsUsed();
  const reading = await readFileOrReject(kind, data, hasPixels);
  sendToParent({ read: true, milliseconds: Math.round(processorSecondsUsed() - begun) });
  sendToParent({ judged: 'judge' in reading ? await reading.judge() : reading });
}

/**
 * Reads a file with the program, or returns the reason for which the program refuses the file. Any
 * other error ends this process, as it would end the program's thread.
 */
async function readFileOrReject(
  kind: Kind,
  data: Uint8Array,
  hasPixels: boolean,
): Promise<Reading | FileResult> {
  try {
    if (kind === 'pdf') return await readPdf(data, hasPixels);
    if (kind === 'vcf') return readCards(data);
    if (isList(kind) || (kind === 'csv' && isBounceList(data))) return readList(data);
    return await readTable(kind, data);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason = error.failure.code } = error.failure;
    // The program reports a form as unreadable if the PDF library failed.
    return { verdict: 'refused', why: `${reason}: ${error.message}` };
  }
}

/**
 * Returns the processor time of this process in milliseconds. Unlike elapsed time, it does not grow
 * with other work on the computer.
 */
function processorSecondsUsed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const sendToParent = (said: ChildMessage): void => void process.send?.(said);
