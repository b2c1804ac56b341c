import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { Lease } from '../../core/turn-ports.ts';
import type { Statements } from './statements.ts';

// The row stays locked until the end of the transaction, so that another computer waits for the
// commit.
const CHECK_LEASE_SQL =
  'SELECT number FROM lease WHERE task = $1 AND number = $2 AND desk = $3 FOR SHARE';

const FoundLeaseRow = z.object({ number: z.number() });

/** Requires the lease within the transaction that needs it. Throws 'conflict' with 'lease-lost'. */
export async function requireLease(
  { query }: Pick<Statements, 'query'>,
  { task, number }: Lease,
  desk: string,
): Promise<void> {
  const found = await query(CHECK_LEASE_SQL, [task, number, desk], FoundLeaseRow);
  if (found.length > 0) return;
  const message = 'Another computer in the office has taken over this job';
  throw new AppError('conflict', message, { reason: 'lease-lost' });
}
