import type { Failure } from '../../../shared/errors.ts';
import type { Claimed } from './ports.ts';

/** Why this desk does not do it. */
export function heldElsewhere({ held }: Extract<Claimed, { readonly ok: false }>): Failure {
  const isDone = held.some(({ state }) => state === 'done');
  const message = isDone
    ? 'Another desk of the office has done this already'
    : 'Another desk of the office has this in hand';
  return { code: 'conflict', message, reason: 'claimed-elsewhere' };
}
