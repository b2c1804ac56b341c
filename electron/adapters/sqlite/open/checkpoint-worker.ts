import { workerData } from 'node:worker_threads';
import * as z from 'zod';
import { serveThread } from '../../threads/serve.ts';
import { connect } from '../database/cipher.ts';
import { blobColumn } from '../database/columns.ts';

/*
 * Checkpoints the WAL into the data file on request, in parallel with the writing connection. Later
 * commits wait for the next checkpoint.
 */

const { file, key } = z.object({ file: z.string(), key: blobColumn }).parse(workerData);
const raw = connect(file, key, 'write');
raw.pragma('synchronous = FULL');
raw.pragma('fullfsync = ON');

const calls = { move: () => void raw.pragma('wal_checkpoint(PASSIVE)') };
export type CheckpointCalls = typeof calls;

serveThread(calls, () => raw.close());
