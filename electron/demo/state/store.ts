import { createHash } from 'node:crypto';
import type { Agreement } from './record-v1.ts';
import type { LegacyAgreement, Upload } from './record-v2.ts';

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

/** State of the service as plain data, as it is stored on disk. */
export interface Snapshot {
  readonly version: 1;
  readonly agreements: readonly Agreement[];
  readonly legacy: readonly LegacyAgreement[];
  readonly uploads: readonly Upload[];
  readonly groups: readonly Group[];
  readonly deletedReferences: readonly string[];
  readonly lastTick: string;
  readonly lastReference: number;
  /** Contents of files in Base64, by their SHA-256. */
  readonly blobs: Readonly<Record<string, string>>;
}

/** Number of ticks (100 ns) between the UUID epoch (15 October 1582) and the Unix epoch. */
const UUID_EPOCH_OFFSET = 0x01b21dd213814000n;
const TICKS_PER_MS = 10_000n;
const UUID_NODE = '03d35ce00001';
const UUID_CLOCK_SEQUENCE = '8d35';
/** First timestamp of UUIDs that are counted: later than any clock. */
const FIRST_UUID_TIMESTAMP = BigInt(Date.UTC(2200, 0, 1)) * TICKS_PER_MS + UUID_EPOCH_OFFSET;
const FIRST_REFERENCE = 4_711_000_000;

/** The service's state in memory; code that changes a record calls `changed`. */
export class Store {
  readonly agreements = new Map<string, Agreement>();
  readonly legacy = new Map<string, LegacyAgreement>();
  readonly uploads = new Map<string, Upload>();
  readonly groups = new Map<string, Group>();
  readonly deletedReferences = new Set<string>();
  readonly #blobs = new Map<string, Buffer>();
  readonly #now: () => number;
  readonly #listeners: (() => void)[] = [];
  #lastTick = 0n;
  #lastReference = FIRST_REFERENCE;

  constructor(now: () => number) {
    this.#now = now;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * Makes all later UUIDs independent of the clock, so that data generated at every start has the
   * same UUIDs each time.
   */
  numberUuids(): void {
    this.#lastTick = FIRST_UUID_TIMESTAMP;
  }

  /**
   * Returns a new version 1 UUID (RFC 4122), unique within this state even if the clock does not
   * advance.
   */
  uuid(): string {
    const tick = BigInt(Math.floor(this.#now())) * TICKS_PER_MS + UUID_EPOCH_OFFSET;
    this.#lastTick = tick > this.#lastTick ? tick : this.#lastTick + 1n;
    const hex = this.#lastTick.toString(16).padStart(15, '0');
    return `${hex.slice(7)}-${hex.slice(3, 7)}-1${hex.slice(0, 3)}-${UUID_CLOCK_SEQUENCE}-${UUID_NODE}`;
  }

  /** Returns a new v2 reference number: digits with leading zeros. */
  reference(): string {
    this.#lastReference += 1;
    return String(this.#lastReference).padStart(12, '0');
  }

  keep(bytes: Buffer): string {
    const key = createHash('sha256').update(bytes).digest('hex');
    this.#blobs.set(key, bytes);
    return key;
  }

  /** @throws Error if the content is gone: a record outlived its bytes. */
  blob(key: string): Buffer {
    const bytes = this.#blobs.get(key);
    if (bytes === undefined) throw new Error(`No content ${key}`);
    return bytes;
  }

  snapshot(): Snapshot {
    this.#dropUnusedBlobs();
    return {
      version: 1,
      agreements: [...this.agreements.values()],
      legacy: [...this.legacy.values()],
      uploads: [...this.uploads.values()],
      groups: [...this.groups.values()],
      deletedReferences: [...this.deletedReferences],
      lastTick: this.#lastTick.toString(),
      lastReference: this.#lastReference,
      blobs: Object.fromEntries(
        [...this.#blobs].map(([key, data]) => [key, data.toString('base64')]),
      ),
    };
  }

  restore(from: Snapshot): void {
    for (const one of from.agreements) this.agreements.set(one.id, one);
    for (const one of from.legacy) this.legacy.set(one.referenceNumber, one);
    for (const one of from.uploads) this.uploads.set(one.token, one);
    for (const one of from.groups) this.groups.set(one.id, one);
    for (const reference of from.deletedReferences) this.deletedReferences.add(reference);
    for (const data of Object.values(from.blobs)) this.keep(Buffer.from(data, 'base64'));
    this.#lastTick = BigInt(from.lastTick);
    this.#lastReference = from.lastReference;
  }

  #dropUnusedBlobs(): void {
    const used = new Set<string | null>();
    for (const one of this.agreements.values())
      for (const { blob } of one.attachments) used.add(blob);
    for (const one of this.legacy.values()) for (const { blob } of one.attachments) used.add(blob);
    for (const { blob } of this.uploads.values()) used.add(blob);
    for (const key of this.#blobs.keys()) if (!used.has(key)) this.#blobs.delete(key);
  }
}
