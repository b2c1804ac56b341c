import type { Connection } from '../../../shared/contract/connections.ts';
import { secretName } from '../services/services.ts';
import type { Vault } from '../ports.ts';
import type { UnpackedBackup } from './ports.ts';

/**
 * Returns the credentials in a backup that belong to its connections. Other entries are skipped: a
 * malicious backup could name any entry of the credential store, such as the data key or an
 * office's keys.
 */
export function credentialsInBackup(
  { manifest, secrets }: Pick<UnpackedBackup, 'manifest' | 'secrets'>,
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

/**
 * Writes the credentials to the credential store; returns whether all were written. If not, the
 * data is still restored, and the user enters the missing credentials.
 */
export async function storeCredentials(
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
