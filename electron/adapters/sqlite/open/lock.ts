import type { WriterLock } from '../../../core/outbox/ports.ts';
import { createFileLock } from './file-lock.ts';

/**
 * Only one of several processes gets the lock. IMMEDIATE, since EXCLUSIVE would also wait for
 * readers.
 */
export function createWriterLock(file: string): WriterLock {
  const lock = createFileLock(file);
  return { take: () => lock.take('BEGIN IMMEDIATE'), free: () => lock.free() };
}
