/** Claim of an operation; a key may have had several claims, one after the other. */
export interface NumberedClaim {
  /** ID of the operation. */
  readonly id: string;
  /** Number of the claim, higher for each claim of a key; a restored office repeats numbers. */
  readonly generation: number;
}

/**
 * Whether the user saw this claim. A later claim of its key by the same operation is another claim.
 */
export function isSeenClaim(
  { id, generation }: NumberedClaim,
  seen: readonly NumberedClaim[],
): boolean {
  return seen.some((one) => one.id === id && one.generation >= generation);
}
