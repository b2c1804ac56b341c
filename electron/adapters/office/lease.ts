import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/turn-ports.ts';
import type { Statements } from './statements.ts';

// Held to the end of the transaction: whoever takes it meanwhile waits for what is written under it.
const CHECK = 'SELECT number FROM lease WHERE task = $1 AND number = $2 AND desk = $3 FOR SHARE';

const Found = z.object({ number: z.number() });

/** Within the transaction that the lease is for. Throws 'conflict' with 'lease-lost'. */
export async function requireLease(
  { query }: Pick<Statements, 'query'>,
  { task, number }: Lease,
  desk: string,
): Promise<void> {
  const found = await query(CHECK, [task, number, desk], Found);
  if (found.length > 0) return;
  const message = 'Another computer in the office has taken this over';
  throw new AppError('conflict', message, { reason: 'lease-lost' });
}
