import { parentPort } from 'node:worker_threads';
import { readCards } from './read.ts';

/** One file read; whatever goes wrong ends the thread. */
parentPort?.once('message', (data: Uint8Array) => parentPort?.postMessage(readCards(data)));
