import { createWriterLock } from '../../../../electron/adapters/sqlite/open/lock.ts';

/** Takes the lock named by the first argument, reports the result, and frees it on a message. */
const lock = createWriterLock(process.argv[2] ?? '');
process.send?.(lock.take());
process.on('message', () => {
  lock.free();
  process.send?.('freed');
});
