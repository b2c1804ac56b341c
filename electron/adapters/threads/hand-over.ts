const buffersByValue = new WeakMap<object, readonly ArrayBuffer[]>();

/**
 * Returns the value. When it is sent to the other thread as an argument or answer, its buffers are
 * transferred without a copy, and are empty in the sending thread afterwards.
 */
export function handOver<Value extends object>(
  value: Value,
  ...buffers: readonly ArrayBufferLike[]
): Value {
  buffersByValue.set(
    value,
    buffers.filter((buffer) => buffer instanceof ArrayBuffer),
  );
  return value;
}

/**
 * Returns the buffers to transfer with a birpc message: those of its arguments or of its answer.
 */
export const handedOverIn = ({ a = [], r }: Message): ArrayBuffer[] =>
  [...a, r].flatMap((value) =>
    typeof value === 'object' && value !== null ? (buffersByValue.get(value) ?? []) : [],
  );

/** The parts of a birpc message that hold values. */
export interface Message {
  readonly a?: readonly unknown[];
  readonly r?: unknown;
}
