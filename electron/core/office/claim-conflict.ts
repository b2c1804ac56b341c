import type { Failure } from '../../../shared/errors.ts';
import type { Claimed } from './ports.ts';

/** Why this desk does not do it. */
export function claimConflict({ held }: Extract<Claimed, { readonly ok: false }>): Failure {
  const isDone = held.some(({ state }) => state === 'done');
  const message = isDone
    ? 'Another computer in the office has already done this'
    : 'Another computer in the office is doing this now';
  return { code: 'conflict', message, reason: 'claimed-elsewhere' };
}
