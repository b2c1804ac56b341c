import { headOf } from '../text/head-of-text.ts';
import { isProxyException, parseProxy, DIRECT_ROUTE, type NetworkRoute } from './proxies.ts';

/** The system's proxy settings for https addresses. */
export interface SystemProxy {
  /** Proxy in the system's format; null if no proxy is set. */
  readonly proxy: string | null;
  readonly exceptions: string;
  /** Whether a script chooses the proxy for each address; this program cannot run the script. */
  readonly hasScript: boolean;
}

export const NO_SYSTEM_PROXY: SystemProxy = { proxy: null, exceptions: '', hasScript: false };

/** Maximum length of the output; the settings of a system are about a page long. */
const MAX_OUTPUT_LENGTH = 100_000;

/** Parses the output of `scutil --proxy` on macOS. */
export function parseScutilOutput(output: string): SystemProxy {
  const text = headOf(output, MAX_OUTPUT_LENGTH);
  const value = (name: string): string | null =>
    text
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line.startsWith(`${name} :`))
      ?.slice(name.length + 2)
      .trim() ?? null;
  const isOn = value('HTTPSEnable') === '1';
  const host = value('HTTPSProxy');
  const [, list = ''] = /ExceptionsList : <array> \{([^}]*)\}/.exec(text) ?? [];
  const listed = list.split('\n').map((line) => line.replace(/^\s*\d+ : /, '').trim());
  const simple = value('ExcludeSimpleHostnames') === '1' ? ['<local>'] : [];
  return {
    proxy: isOn && host !== null ? `${host}:${value('HTTPSPort') ?? '443'}` : null,
    exceptions: [...listed, ...simple].filter((entry) => entry !== '').join(';'),
    hasScript: value('ProxyAutoConfigEnable') === '1',
  };
}

/** Parses the output of `reg query` for Windows' "Internet Settings". */
export function parseRegistryOutput(output: string): SystemProxy {
  const values = new Map(
    headOf(output, MAX_OUTPUT_LENGTH)
      .split(/\r?\n/)
      .map((line) => /^ {4}(\w+) {4}REG_\w+ {4}(.*)$/.exec(line))
      .filter((found) => found !== null)
      .map(([, name = '', value = '']) => [name, value.trim()] as const),
  );
  const isOn = Number(values.get('ProxyEnable') ?? '0') === 1;
  const server = values.get('ProxyServer') ?? '';
  return {
    proxy: isOn ? httpsProxyIn(server) : null,
    exceptions: values.get('ProxyOverride') ?? '',
    hasScript: (values.get('AutoConfigURL') ?? '') !== '',
  };
}

/** Proxy for https, from one proxy for all protocols or one for each: `http=a:80;https=b:81`. */
function httpsProxyIn(server: string): string | null {
  if (!server.includes('=')) return server === '' ? null : server;
  const entry = server.split(';').find((one) => one.trim().toLowerCase().startsWith('https='));
  return entry?.slice(entry.indexOf('=') + 1).trim() ?? null;
}

export function routeBySystem(system: SystemProxy, host: string, port: number): NetworkRoute {
  if (isProxyException(system.exceptions, host, port)) return DIRECT_ROUTE;
  if (system.proxy !== null) return parseProxy(system.proxy);
  return system.hasScript ? { kind: 'unusable', what: 'script' } : DIRECT_ROUTE;
}

/**
 * Route according to `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in upper or lower
 * case; null if no proxy variable is set.
 */
export function routeByVariables(
  variables: Readonly<Record<string, string | undefined>>,
  host: string,
  port: number,
): NetworkRoute | null {
  const value = (name: string): string =>
    (variables[name.toLowerCase()] || variables[name] || '').trim();
  const proxy = value('HTTPS_PROXY') || value('HTTP_PROXY') || value('ALL_PROXY');
  if (proxy === '') return null;
  return isProxyException(value('NO_PROXY'), host, port) ? DIRECT_ROUTE : parseProxy(proxy);
}
