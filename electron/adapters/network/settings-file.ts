import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ProxyChoice } from '../../../shared/contract/network.ts';
import { AppError } from '../../../shared/errors.ts';
import type { NetworkSettings, NetworkSettingsStore } from '../../core/network/ports.ts';
import { replaceFile, storageError, systemCode } from '../files/durable.ts';
import { certificatesIn } from './authorities.ts';

/**
 * File next to the data file. No backup contains it, because another computer uses another route.
 */
const SETTINGS_FILE = 'network.json';

const StoredNetworkSettings = z.object({
  proxy: ProxyChoice,
  password: z.string().nullable(),
  proxyFindsLinks: z.boolean(),
  authorities: z.string(),
});

const DEFAULT_NETWORK_SETTINGS: NetworkSettings = {
  proxy: { kind: 'system' },
  password: null,
  proxyFindsLinks: false,
  authorities: '',
};

/** Stores the network settings of a data folder; they are the defaults if none were chosen. */
export function createNetworkSettings(folder: string): NetworkSettingsStore {
  const file = path.join(folder, SETTINGS_FILE);
  return {
    async read() {
      const text = await readText(file);
      if (text === null) return DEFAULT_NETWORK_SETTINGS;
      try {
        return StoredNetworkSettings.parse(JSON.parse(text));
      } catch (error) {
        const message = `${SETTINGS_FILE} in the data folder cannot be read. Set the network again, or remove the file`;
        throw new AppError('storage', message, { cause: error });
      }
    },
    async write(settings) {
      // A file of authorities may also contain private keys, which must not be stored.
      const authorities = certificatesIn(settings.authorities).join('\n');
      try {
        await replaceFile(file, JSON.stringify({ ...settings, authorities }));
      } catch (error) {
        throw storageError(error, `Writing ${SETTINGS_FILE}`);
      }
    },
  };
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw storageError(error, `Reading ${SETTINGS_FILE}`);
  }
}
