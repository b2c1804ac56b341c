import type {
  NetworkSettings,
  NetworkSettingsStore,
} from '../../../electron/core/network/ports.ts';

/** Network settings in memory; the defaults until they are changed. */
export function createMemoryNetworkSettings(): NetworkSettingsStore {
  let stored: NetworkSettings = {
    proxy: { kind: 'system' },
    password: null,
    proxyFindsLinks: false,
    authorities: '',
  };
  return {
    read: async () => stored,
    write: async (settings) => void (stored = settings),
  };
}
