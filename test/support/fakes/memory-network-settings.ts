import type {
  NetworkSettings,
  NetworkSettingsStore,
} from '../../../electron/core/network/ports.ts';

/** Settings of the network that no file keeps; the usual ones at first. */
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
