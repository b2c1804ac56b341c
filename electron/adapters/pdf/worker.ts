import { workerData } from 'node:worker_threads';
import * as z from 'zod';
import type { MergedPdf } from '../../core/templates/ports.ts';
import { handOver } from '../threads/hand-over.ts';
import { serveThread } from '../threads/serve.ts';
import { createPdfEngine, type PdfEngine } from './engine.ts';

/* Reads and fills PDFs in a separate thread, which contains the effects of a hostile file. */

const { fontFolders } = z.object({ fontFolders: z.array(z.string()) }).parse(workerData);
const engine = createPdfEngine(fontFolders);

const handOverFilled = (merged: MergedPdf): MergedPdf => handOver(merged, merged.data.buffer);

const tasks = {
  ...engine,
  find: (data: Uint8Array) => engine.find(data, (...pages) => report(...pages)),
  async place(...asked: Parameters<PdfEngine['place']>) {
    const data = await engine.place(...asked);
    return handOver(data, data.buffer);
  },
  merge: async (...asked: Parameters<PdfEngine['merge']>) =>
    handOverFilled(await engine.merge(...asked)),
  fill: async (...asked: Parameters<PdfEngine['fill']>) =>
    handOverFilled(await engine.fill(...asked)),
};
export type PdfTasks = typeof tasks;

const report = serveThread(tasks);
