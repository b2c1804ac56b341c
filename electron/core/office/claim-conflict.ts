import type { Failure } from '../../../shared/errors.ts';
import type { ClaimResult } from './ports.ts';

export function claimConflict({ held }: Extract<ClaimResult, { readonly ok: false }>): Failure {
  const isDone = held.some(({ state }) => state === 'done');
  const message = isDone
    ? 'Another computer in the office has already completed this send'
    : 'Another computer in the office is working on this send now';
  return { code: 'conflict', message, reason: 'claimed-elsewhere' };
}
