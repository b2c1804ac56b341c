import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Statements } from './statements.ts';

const ROUNDS = 4096;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PASSWORD_BYTES = 24;

export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');

/** As PostgreSQL keeps it: the password itself is in no statement, and in no log of the server. */
function verifierOf(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ROUNDS, HASH_BYTES, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${String(ROUNDS)}:${salt.toString('base64')}$${stored}:${server}`;
}

/** @param role of lower-case letters, digits and `_` alone, as this program makes them. */
export function createRole(
  { command }: Statements,
  { role, group, password }: Readonly<Record<'role' | 'group' | 'password', string>>,
): Promise<void> {
  return command(`CREATE ROLE ${role} LOGIN NOCREATEDB NOCREATEROLE NOSUPERUSER IN ROLE ${group}
    PASSWORD '${verifierOf(password)}'`);
}

/** Of whoever is connected. */
export const changeOwnPassword = ({ command }: Statements, password: string): Promise<void> =>
  command(`ALTER ROLE CURRENT_USER PASSWORD '${verifierOf(password)}'`);
