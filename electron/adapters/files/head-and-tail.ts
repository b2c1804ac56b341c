/** How much of each end is kept for the check of what was written. */
const END_BYTES = 1024;

/** The first and the last kilobyte of a stream, without keeping the rest. */
export interface Ends {
  take(chunk: Uint8Array): void;
  head(): Uint8Array;
  tail(): Uint8Array;
  bytes(): number;
}

export function createEnds(): Ends {
  let head: Uint8Array = new Uint8Array();
  let tail: Uint8Array = new Uint8Array();
  let bytes = 0;
  return {
    take(chunk) {
      bytes += chunk.length;
      if (head.length < END_BYTES) {
        head = joined(head, chunk.subarray(0, END_BYTES - head.length));
      }
      tail =
        chunk.length < END_BYTES
          ? joined(tail, chunk).slice(-END_BYTES)
          : Uint8Array.from(chunk.subarray(-END_BYTES));
    },
    head: () => head,
    tail: () => tail,
    bytes: () => bytes,
  };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([first, second]));
}
