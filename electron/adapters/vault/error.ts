import { VaultState } from '../../../shared/contract/access.ts';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';

const VaultTrouble = VaultState.exclude(['ready']);
export type VaultTrouble = Exclude<VaultState, 'ready'>;

const REASONS = {
  locked: 'vault-locked',
  dismissed: 'vault-dismissed',
  denied: 'vault-denied',
  'no-session': 'vault-no-session',
  'entry-missing': 'vault-entry-missing',
  'wrong-key': 'vault-wrong-key',
  changed: 'vault-changed',
} as const satisfies Record<VaultTrouble, ErrorReason>;

export function vaultError(state: VaultTrouble, message: string, cause?: unknown): AppError {
  return new AppError('vault', message, { reason: REASONS[state], cause });
}

/** The state behind an error of a vault; anything that is not about the vault is thrown again. */
export function stateOf(error: unknown): VaultTrouble {
  if (error instanceof AppError) {
    const { reason } = error.failure;
    // A key file that others can read is kept shut by us, not by the system.
    if (reason === 'keyfile-mode') return 'denied';
    const state = VaultTrouble.options.find((option) => REASONS[option] === reason);
    if (state !== undefined) return state;
  }
  throw error;
}
