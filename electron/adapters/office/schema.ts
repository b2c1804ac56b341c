import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { migrations } from './migrations/index.ts';
import type { Statements } from './statements.ts';

export const SCHEMA_VERSION = migrations.length;

export const newerOfficeError = (details: ErrorOptions = {}): AppError =>
  new AppError(
    'newer-data',
    'The office was upgraded by a newer version of this program. Install that version',
    details,
  );

const MIN_SERVER_VERSION = 15;
const Server = z.object({ version: z.number() });

/**
 * Throws 'conflict' for older servers. They let every role create functions in `public`, and the
 * office's functions could be made to call these.
 */
export async function assertSupportedServer({ query }: Pick<Statements, 'query'>): Promise<void> {
  const asked = "SELECT current_setting('server_version_num')::int / 10000 AS version";
  const [found] = await query(asked, [], Server);
  const version = found?.version ?? 0;
  if (version >= MIN_SERVER_VERSION) return;
  throw new AppError(
    'conflict',
    `The office’s server is PostgreSQL ${String(version)}. An office needs PostgreSQL ${String(MIN_SERVER_VERSION)} or newer`,
  );
}
