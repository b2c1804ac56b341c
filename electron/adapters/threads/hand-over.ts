const handedOver = new WeakMap<object, readonly ArrayBuffer[]>();

/**
 * The same value. Asked or answered as it is, it takes its memory along to the other thread, which
 * copies nothing; here these buffers are empty from then on.
 */
export function handOver<Value extends object>(
  value: Value,
  ...buffers: readonly ArrayBufferLike[]
): Value {
  handedOver.set(
    value,
    buffers.filter((buffer) => buffer instanceof ArrayBuffer),
  );
  return value;
}

/** What goes along with a message of birpc's: of what it asks, or of its answer. */
export const handedOverIn = ({ a = [], r }: Message): ArrayBuffer[] =>
  [...a, r].flatMap((value) =>
    typeof value === 'object' && value !== null ? (handedOver.get(value) ?? []) : [],
  );

/** The parts of birpc's message that hold values. */
export interface Message {
  readonly a?: readonly unknown[];
  readonly r?: unknown;
}
