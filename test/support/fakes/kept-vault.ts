import type { Vault } from '../../../electron/core/ports.ts';

/** A credential store that holds what it is given for as long as the test runs. */
export function keptVault(): Vault {
  const secrets = new Map<string, string>();
  return {
    store: 'keychain',
    status: async () => 'ready',
    read: async (name) => secrets.get(name) ?? null,
    write: async (name, secret) => void secrets.set(name, secret),
    remove: async (name) => secrets.delete(name),
  };
}
