import type { WriterLock } from '../../../core/outbox/ports.ts';
import { createFileLock } from './file-lock.ts';

/**
 * Creates a lock that only one of several processes gets. It is IMMEDIATE, since EXCLUSIVE would
 * also wait for readers.
 */
export function createWriterLock(file: string): WriterLock {
  const lock = createFileLock(file);
  return { take: () => lock.take('BEGIN IMMEDIATE'), free: () => lock.free() };
}
