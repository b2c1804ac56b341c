import type { PackParameters, UnpackParameters } from '../../core/backup/ports.ts';
import { serveThread } from '../threads/serve.ts';
import { makeKeys, openKeys } from './keys.ts';
import { pack } from './pack.ts';
import { readBackup } from './unpack.ts';

/* Encrypts and decrypts backups, and derives keys from phrases, off the main loop. */

/**
 * Number of bytes between two progress messages: a message for each piece would cost more than the
 * piece.
 */
const REPORT_STEP_BYTES = 8 * 1024 * 1024;

let unreportedBytes = 0;
function countBytes(bytes: number): void {
  unreportedBytes += bytes;
  if (unreportedBytes < REPORT_STEP_BYTES) return;
  report(unreportedBytes);
  unreportedBytes = 0;
}

const tasks = {
  makeKeys,
  async checkSecret(wrapped: Uint8Array, secret: string) {
    await openKeys(wrapped, secret);
  },
  pack: (order: PackParameters) => pack(order, countBytes),
  async unpack({ file, secret, into }: UnpackParameters) {
    const { manifest, secrets, bytes } = await readBackup(file, { secret }, into, countBytes);
    return { manifest, secrets, bytes };
  },
};
export type BackupTasks = typeof tasks;

const report = serveThread(tasks);
