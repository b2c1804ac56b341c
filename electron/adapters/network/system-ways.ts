import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseProxyList, type NetworkRoute } from '../../../shared/rules/network/proxies.ts';
import type { Destination } from '../../core/network/ports.ts';
import {
  NO_SYSTEM_PROXY,
  parseRegistryOutput,
  parseScutilOutput,
  type SystemProxy,
  routeBySystem,
  routeByVariables,
} from '../../../shared/rules/network/system-settings.ts';

/** Routes that the system names for an address, in the order in which they are tried. */
export type FindSystemRoutes = (url: Destination) => Promise<readonly NetworkRoute[]>;

/** Returns the output of a system program; empty if it fails. */
type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

interface SystemPorts {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly run?: RunProgram;
}

const RUN_TIMEOUT_MS = 5000;
const INTERNET_SETTINGS = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';

/**
 * Finds routes by environment variables, and on Windows and macOS also by the system's proxy
 * settings.
 */
export function createSystemRoutes({
  platform,
  variables,
  run = runProgram,
}: SystemPorts): FindSystemRoutes {
  let reading: Promise<SystemProxy> | null = null;
  const system = (): Promise<SystemProxy> =>
    (reading ??= readSystemProxies(platform, variables, run));
  return async ({ hostname, port }) => {
    const number = port === '' ? 443 : Number(port);
    const byVariables = routeByVariables(variables, hostname, number);
    return [byVariables ?? routeBySystem(await system(), hostname, number)];
  };
}

/**
 * Finds routes with Electron's own resolver. The resolver cannot look up names (`guard.ts`), so it
 * cannot load an office's PAC script. A direct route therefore gets the system's information about
 * a script.
 */
export function createBrowserRoutes(
  resolveProxy: (url: string) => Promise<string>,
  bySystem: FindSystemRoutes,
): FindSystemRoutes {
  return async (address) => {
    const ways = parseProxyList(await resolveProxy(`${address.origin}/`));
    if (ways.some(({ kind }) => kind === 'proxy')) return ways;
    const others = await bySystem(address);
    return [...ways, ...others.filter((way) => way.kind === 'unusable' && way.what === 'script')];
  };
}

async function readSystemProxies(
  platform: NodeJS.Platform,
  variables: SystemPorts['variables'],
  run: RunProgram,
): Promise<SystemProxy> {
  switch (platform) {
    case 'darwin':
      return parseScutilOutput(await run('/usr/sbin/scutil', ['--proxy']));
    case 'win32': {
      const windows = variables['SystemRoot'] ?? 'C:\\Windows';
      const program = path.win32.join(windows, 'System32', 'reg.exe');
      return parseRegistryOutput(await run(program, ['query', INTERNET_SETTINGS]));
    }
    default:
      return NO_SYSTEM_PROXY;
  }
}

function runProgram(program: string, args: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const options = { timeout: RUN_TIMEOUT_MS, windowsHide: true, encoding: 'utf8' } as const;
  execFile(program, args, options, (error, output) => resolve(error === null ? output : ''));
  return promise;
}
