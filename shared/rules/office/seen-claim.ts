/** A claim of an operation, of which several may have followed each other on one key. */
export interface NumberedClaim {
  /** Of the operation. */
  readonly id: string;
  /** Rises with each claim of the same key; an office that is put back gives numbers again. */
  readonly generation: number;
}

/** Whether a person saw this claim. An operation that claimed the key once more since then is another claim. */
export function isSeenClaim(
  { id, generation }: NumberedClaim,
  seen: readonly NumberedClaim[],
): boolean {
  return seen.some((one) => one.id === id && one.generation >= generation);
}
