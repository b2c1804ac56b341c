import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createWriterLock } from '../adapters/sqlite/open/lock.ts';
import type { DemoService, Vault } from '../core/ports.ts';
import type { Demo } from '../demo/start.ts';
import { AppError } from '../../shared/errors.ts';

export type RunningDemo = Pick<Demo, 'v1Url' | 'v2Url' | 'credentials' | 'company'>;

/** The built-in service of one data folder; starts on first use and ends with the program. */
export interface OwnDemo {
  readonly service: DemoService;
  close(): Promise<void>;
}

const STATE_KEY = 'demo-service';
const KEY_BYTES = 32;
const ADDRESS_FILE = 'address.json';

export function useRunningDemo(demo: RunningDemo): OwnDemo {
  const service = { urls: async () => addressOf(demo), samples: loadSamples };
  return { service, close: async () => {} };
}

/**
 * One process of a data folder runs the service and stores its state encrypted in the folder; the
 * other processes connect to it.
 */
export function createOwnDemo(folder: string, vault: Vault): OwnDemo {
  const lock = createWriterLock(path.join(folder, 'lock'));
  let starting: Promise<Demo> | null = null;

  const start = async (): Promise<Demo> => {
    // Real work never waits for the demo's code to load.
    const { startDemo } = await import('../demo/start.ts');
    const crowd = sampleCountOf(process.env);
    // A large sample set is generated again at every start, with the same IDs: it is too large to
    // store.
    const kept = { dataDir: folder, stateKey: await stateKey(vault) };
    const demo = await startDemo(crowd === null ? kept : { dataDir: null, seed: crowd });
    await writeFile(path.join(folder, ADDRESS_FILE), JSON.stringify(addressOf(demo)));
    return demo;
  };

  return {
    service: {
      async urls() {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if (starting === null && !lock.take()) return readAddress(folder);
        starting ??= start();
        return addressOf(await starting);
      },
      samples: loadSamples,
    },
    async close() {
      if (starting === null) return;
      const [started] = await Promise.allSettled([starting]);
      if (started?.status === 'fulfilled') await started.value.close();
      starting = null;
      lock.free();
    },
  };
}

const loadSamples: DemoService['samples'] = async () => {
  const { samples } = await import('../demo/story/samples.ts');
  return samples();
};

/** Returns the number of generated sample agreements; null for the story only. */
function sampleCountOf(env: Readonly<Record<string, string | undefined>>): number | null {
  const wanted = Number(env['SIGNING_DESK_DEMO_SEED'] ?? '');
  return Number.isInteger(wanted) && wanted > 0 ? wanted : null;
}

type Address = Awaited<ReturnType<DemoService['urls']>>;

function addressOf({ v1Url, v2Url, credentials, company }: RunningDemo): Address {
  return { v1Url, v2Url, ...credentials, orgNo: company.orgNo };
}

async function readAddress(folder: string): Promise<Address> {
  try {
    const address: unknown = JSON.parse(await readFile(path.join(folder, ADDRESS_FILE), 'utf8'));
    if (isAddress(address)) return address;
    throw new TypeError('The address of the built-in service has another form');
  } catch (cause) {
    const reason = 'connection-refused';
    throw new AppError('offline', 'The demo service is still starting. Try again in a moment', {
      reason,
      cause,
    });
  }
}

function isAddress(value: unknown): value is Address {
  if (typeof value !== 'object' || value === null) return false;
  const fields = ['v1Url', 'v2Url', 'token', 'accessKey', 'accountId', 'orgNo'];
  return fields.every((field) => typeof Reflect.get(value, field) === 'string');
}

async function stateKey(vault: Vault): Promise<Uint8Array> {
  const stored = await vault.read(STATE_KEY);
  const hex = stored ?? randomBytes(KEY_BYTES).toString('hex');
  if (stored === null) await vault.write(STATE_KEY, hex);
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
