import { createCipheriv, createDecipheriv, randomBytes, type DecipherGCM } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Snapshot, Store } from './store.ts';

const STATE_FILE_NAME = 'demo-service.state';
const STATE_FILE_MAGIC = Buffer.from('DEMOSTATE1\n');
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Delay of a write (ms): changes within this time share one write. */
const STATE_WRITE_DELAY_MS = 200;

/** Error for a state file that cannot be read: it has another key, or its bytes were changed. */
class StateFileError extends Error {
  override readonly name = 'StateFileError';
}

/** Stores the state in one encrypted file (AES-256-GCM), which is always replaced as a whole. */
export class StateFile {
  readonly #folder: string;
  readonly #key: Uint8Array;
  readonly #store: Store;
  #timer: NodeJS.Timeout | null = null;
  #isDirty = false;
  #writing: Promise<void> = Promise.resolve();

  /** @throws RangeError unless the key has 32 bytes. */
  constructor(folder: string, key: Uint8Array, store: Store) {
    if (key.byteLength !== KEY_BYTES) throw new RangeError('The state key must have 32 bytes.');
    this.#folder = folder;
    this.#key = key;
    this.#store = store;
  }

  /**
   * Fills the store from the file; returns false if there is none yet.
   * @throws StateFileError if the file cannot be decrypted with this key.
   */
  async load(): Promise<boolean> {
    const sealed = await readIfThere(join(this.#folder, STATE_FILE_NAME));
    if (sealed === null) return false;
    this.#store.restore(decryptSnapshot(sealed, this.#key));
    return true;
  }

  /**
   * Schedules a write. The timer does not keep the process alive; `flush` writes remaining changes
   * at the end.
   */
  schedule(): void {
    this.#isDirty = true;
    this.#timer ??= setTimeout(() => {
      // A full disk may have space later; the final flush reports an error if it never has.
      this.flush().catch(() => {
        this.schedule();
      });
    }, STATE_WRITE_DELAY_MS).unref();
  }

  /** Writes the state; resolves when every change so far is on disk. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const earlier = this.#writing;
    this.#writing = Promise.allSettled([earlier]).then(() => this.#write());
    await this.#writing;
  }

  async #write(): Promise<void> {
    if (!this.#isDirty) return;
    const sealed = encryptSnapshot(this.#store.snapshot(), this.#key);
    this.#isDirty = false;
    try {
      await this.#replace(sealed);
    } catch (error) {
      this.#isDirty = true;
      throw error;
    }
  }

  async #replace(sealed: Buffer): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const target = join(this.#folder, STATE_FILE_NAME);
    const file = await open(`${target}.part`, 'w', 0o600);
    try {
      await file.writeFile(sealed);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${target}.part`, target);
  }
}

function encryptSnapshot(snapshot: Snapshot, key: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(STATE_FILE_MAGIC);
  const hidden = cipher.update(deflateSync(JSON.stringify(snapshot), { level: 1 }));
  const rest = cipher.final();
  return Buffer.concat([STATE_FILE_MAGIC, nonce, cipher.getAuthTag(), hidden, rest]);
}

function decryptSnapshot(sealed: Buffer, key: Uint8Array): Snapshot {
  const nonceAt = STATE_FILE_MAGIC.length;
  const tagAt = nonceAt + NONCE_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  if (!sealed.subarray(0, nonceAt).equals(STATE_FILE_MAGIC) || sealed.length < bodyAt) {
    throw new StateFileError('This is not a state file of the demo service.');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(nonceAt, tagAt))
    .setAAD(STATE_FILE_MAGIC)
    .setAuthTag(sealed.subarray(tagAt, bodyAt));
  const plain = finishDecryption(decipher, sealed.subarray(bodyAt));
  const value: unknown = JSON.parse(inflateSync(plain).toString());
  if (!isSnapshot(value)) throw new StateFileError('The state file has a version not known here.');
  return value;
}

function finishDecryption(decipher: DecipherGCM, hidden: Buffer): Buffer {
  try {
    return Buffer.concat([decipher.update(hidden), decipher.final()]);
  } catch (cause) {
    throw new StateFileError('The state file does not open with this key.', { cause });
  }
}

/**
 * Whether the data is a snapshot of this version. Successful decryption has proven that this
 * program wrote the data, so only its version may differ.
 */
function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  }
}
