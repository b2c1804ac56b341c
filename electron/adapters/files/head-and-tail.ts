import { PDF_PADDING, TAIL_BYTES } from '../../../shared/rules/files/pdf-shape.ts';

/** Number of bytes kept from the start of a file, for its check after writing. */
const HEAD_BYTES = 1024;
/**
 * Number of bytes kept of a run of padding at the end; more would push the content before the
 * padding out of the tail.
 */
const PADDING_BYTES = 1024;

/** Collects the head and the tail of a stream without keeping the rest. */
export interface StreamEnds {
  take(chunk: Uint8Array): void;
  head(): Uint8Array;
  /** Returns the end of the stream, in which runs of padding may be shortened. */
  tail(): Uint8Array;
  bytes(): number;
}

export function createEnds(): StreamEnds {
  let head: Uint8Array = new Uint8Array();
  let bytes = 0;
  let padding = 0;
  const tail = new TailBuffer();
  return {
    take(chunk) {
      bytes += chunk.length;
      if (head.length < HEAD_BYTES) {
        head = concatBytes(head, chunk.subarray(0, HEAD_BYTES - head.length));
      }
      const end = chunk.findLastIndex((byte) => !PDF_PADDING.has(byte)) + 1;
      if (end > 0) {
        tail.take(chunk.subarray(0, end));
        padding = 0;
      }
      const kept = chunk.subarray(end, end + PADDING_BYTES - padding);
      tail.take(kept);
      padding += kept.length;
    },
    head: () => head,
    tail: () => tail.bytes(),
    bytes: () => bytes,
  };
}

/** Ring buffer with the last `TAIL_BYTES` bytes. */
class TailBuffer {
  #ring = new Uint8Array();
  #next = 0;
  #isFull = false;

  take(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#ring.length === 0) this.#ring = new Uint8Array(TAIL_BYTES);
    const rest = chunk.subarray(-TAIL_BYTES);
    const room = TAIL_BYTES - this.#next;
    this.#ring.set(rest.subarray(0, room), this.#next);
    this.#ring.set(rest.subarray(room), 0);
    this.#isFull ||= rest.length >= room;
    this.#next = (this.#next + rest.length) % TAIL_BYTES;
  }

  bytes(): Uint8Array {
    const before = this.#isFull ? this.#ring.subarray(this.#next) : new Uint8Array();
    return concatBytes(before, this.#ring.subarray(0, this.#next));
  }
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([first, second]));
}
