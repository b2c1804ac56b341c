/** A claim of an operation; a key may have had several claims, one after the other. */
export interface NumberedClaim {
  /** ID of the operation. */
  readonly id: string;
  /** Increases with each claim of the same key; after a restore of the office, numbers repeat. */
  readonly generation: number;
}

/**
 * Whether the user saw this claim. A later claim of the key by the same operation is another claim.
 */
export function isSeenClaim(
  { id, generation }: NumberedClaim,
  seen: readonly NumberedClaim[],
): boolean {
  return seen.some((one) => one.id === id && one.generation >= generation);
}
