import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Statements } from './statements.ts';

const SCRAM_ROUNDS = 4096;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PASSWORD_BYTES = 24;
/**
 * Maximum number of connections of one user, on all computers together. A computer has at most
 * four, one of which listens. So a user with three computers is never refused, and one user cannot
 * occupy the server.
 */
const MAX_ROLE_CONNECTIONS = 12;
/**
 * Timeout for connections made without the program. A session can set other timeouts for itself.
 */
const IDLE_SESSION_TIMEOUT = "'60s'";

export const createPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');

/**
 * Returns the verifier that PostgreSQL stores, so that the password is in no statement, and in no
 * log of the server.
 */
function verifierOf(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, SCRAM_ROUNDS, HASH_BYTES, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${String(SCRAM_ROUNDS)}:${salt.toString('base64')}$${stored}:${server}`;
}

/**
 * Creates a role with a password.
 * @param role contains only lower-case letters, digits and `_`, as this program creates it.
 */
export async function createRole(
  { command }: Statements,
  { role, group, password }: Readonly<Record<'role' | 'group' | 'password', string>>,
): Promise<void> {
  await command(`CREATE ROLE ${role} LOGIN NOCREATEDB NOCREATEROLE NOSUPERUSER IN ROLE ${group}
    PASSWORD '${verifierOf(password)}'`);
  await command(roleLimitsSql(role));
}

const roleLimitsSql = (role: string): string => `
  ALTER ROLE ${role} CONNECTION LIMIT ${String(MAX_ROLE_CONNECTIONS)};
  ALTER ROLE ${role} SET statement_timeout = ${IDLE_SESSION_TIMEOUT};
  ALTER ROLE ${role} SET idle_in_transaction_session_timeout = ${IDLE_SESSION_TIMEOUT};`;

/**
 * Limits the connections of users that were created before limits existed. Skips roles that are
 * missing or belong to another owner. A session that is changing its own role does not block this.
 */
export const limitSeats = ({ command }: Pick<Statements, 'command'>): Promise<void> =>
  command(`DO $limits$ DECLARE
    one name;
  BEGIN
    FOR one IN SELECT r.rolname FROM pg_roles r JOIN seat s ON s.role = r.rolname
      WHERE s.removed_at IS NULL AND r.rolconnlimit <> ${String(MAX_ROLE_CONNECTIONS)}
    LOOP
      BEGIN
        SET LOCAL lock_timeout = '2s';
        EXECUTE replace($each$${roleLimitsSql('<role>')}$each$, '<role>', quote_ident(one));
      EXCEPTION WHEN insufficient_privilege OR lock_not_available OR internal_error THEN NULL;
      END;
    END LOOP;
    SET LOCAL lock_timeout = 0;
  END $limits$`);

export const changeOwnPassword = ({ command }: Statements, password: string): Promise<void> =>
  command(`ALTER ROLE CURRENT_USER PASSWORD '${verifierOf(password)}'`);
