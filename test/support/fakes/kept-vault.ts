import type { Vault } from '../../../electron/core/ports.ts';

/** A credential store in memory, for the duration of the test. */
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
