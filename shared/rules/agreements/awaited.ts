import type { AgreementState, Party } from '../../model/agreement.ts';

/** States in which an agreement waits for signatures. */
export const awaitingStates: readonly AgreementState[] = ['waiting', 'part-signed'];

interface AwaitingAgreement {
  readonly state: AgreementState;
  /** Why the service no longer returns the agreement; null if it still does. */
  readonly gone: string | null;
  readonly parties: readonly Pick<Party, 'name' | 'state'>[] | null;
}

/**
 * Names of the parties that can sign now. Empty if the agreement is not open, or its parties are
 * not known.
 */
export function awaitedNames({ state, gone, parties }: AwaitingAgreement): string[] {
  if (gone !== null || !awaitingStates.includes(state)) return [];
  return (parties ?? []).filter((party) => party.state === 'turn').map(({ name }) => name);
}
