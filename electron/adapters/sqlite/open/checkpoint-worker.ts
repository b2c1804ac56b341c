import { workerData } from 'node:worker_threads';
import * as z from 'zod';
import { serveThread } from '../../threads/serve.ts';
import { connect } from '../database/cipher.ts';
import { blobColumn } from '../database/columns.ts';

/*
 * Moves what was committed from the log into the data file whenever it is told to, beside the
 * connection that writes. What is not in the log yet waits for the next time.
 */

const { file, key } = z.object({ file: z.string(), key: blobColumn }).parse(workerData);
const raw = connect(file, key, 'write');
raw.pragma('synchronous = FULL');
raw.pragma('fullfsync = ON');

const calls = { move: () => void raw.pragma('wal_checkpoint(PASSIVE)') };
export type CheckpointCalls = typeof calls;

serveThread(calls, () => raw.close());
