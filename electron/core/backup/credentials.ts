import type { Connection } from '../../../shared/contract/connections.ts';
import { secretName } from '../services/services.ts';
import type { Vault } from '../ports.ts';
import type { Unpacked } from './ports.ts';

/**
 * The credentials of a backup that its connections are known by. Whoever wrote it could name any entry of
 * the credential store: the key of the data, or the keys of an office.
 */
export function ownCredentials(
  { manifest, secrets }: Pick<Unpacked, 'manifest' | 'secrets'>,
  connections: readonly Pick<Connection, 'id' | 'environment'>[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!manifest.withCredentials) return found;
  for (const { id, environment } of connections) {
    const name = secretName(id);
    const secret = environment !== 'demo' && Object.hasOwn(secrets.credentials, name);
    if (secret) found.set(name, secrets.credentials[name] ?? '');
  }
  return found;
}

/** Gives whether all are there: the data is, and what is not there is typed again. */
export async function keepCredentials(
  vault: Vault,
  credentials: ReadonlyMap<string, string>,
): Promise<boolean> {
  try {
    for (const [name, secret] of credentials) await vault.write(name, secret);
    return true;
  } catch {
    return false;
  }
}
