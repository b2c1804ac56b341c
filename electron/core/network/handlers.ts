import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import type { NetworkState, ProxyChoice } from '../../../shared/contract/network.ts';
import { AppError } from '../../../shared/errors.ts';
import { parseProxy } from '../../../shared/rules/network/proxies.ts';
import type { Chance, Vault } from '../ports.ts';
import type { DescribeAuthorities, NetworkSettings, NetworkSettingsStore } from './ports.ts';

interface NetworkPorts {
  readonly networkSettings: NetworkSettingsStore;
  readonly describeAuthorities: DescribeAuthorities;
  readonly vault: Pick<Vault, 'write' | 'remove'>;
  readonly chance: Chance;
  readonly emit: Emit;
}

export function createNetworkHandlers(ports: NetworkPorts): HandlersOf<'network'> {
  const { networkSettings, describeAuthorities, vault, chance, emit } = ports;
  const changed = async (settings: NetworkSettings): Promise<NetworkState> => {
    await networkSettings.write(settings);
    emit('network.changed', {});
    return stateOf(settings, describeAuthorities);
  };
  return {
    'network.read': async () => stateOf(await networkSettings.read(), describeAuthorities),
    'network.setProxy': async ({ proxy, password, proxyFindsLinks }) => {
      const before = await networkSettings.read().catch(() => null);
      const wanted = requireValidProxy(proxy);
      if (password !== null && CONTROL.test(password))
        throw proxyFieldError(
          'password',
          'The password contains a line break or another control character',
        );
      const kept =
        password === null && isSameUser(before?.proxy, wanted) ? (before?.password ?? null) : null;
      const hasPassword = wanted.kind === 'fixed' && password !== null && password !== '';
      if (hasPassword && wanted.user === null)
        throw proxyFieldError('user', 'Enter the user name that belongs to the password');
      const fresh = hasPassword ? `proxy/${chance.uuid()}` : null;
      if (fresh !== null && password !== null) await vault.write(fresh, password);
      const state = await changed({
        authorities: before?.authorities ?? '',
        proxy: wanted,
        password: fresh ?? kept,
        proxyFindsLinks,
      });
      // Remove the password only once no setting refers to it.
      const old = before?.password ?? null;
      if (old !== null && old !== (fresh ?? kept)) await vault.remove(old);
      return state;
    },
    'network.setAuthorities': async ({ pem }) => {
      const before = await networkSettings.read();
      if (pem !== null) describeAuthorities(pem);
      return changed({ ...before, authorities: pem ?? '' });
    },
  };
}

const CONTROL = /\p{Cc}/u;

function stateOf(
  { proxy, password, proxyFindsLinks, authorities }: NetworkSettings,
  describeAuthorities: DescribeAuthorities,
): NetworkState {
  return {
    proxy,
    hasPassword: password !== null,
    proxyFindsLinks,
    authorities: authorities === '' ? [] : [...describeAuthorities(authorities)],
  };
}

function requireValidProxy(proxy: ProxyChoice): ProxyChoice {
  if (proxy.kind !== 'fixed') return proxy;
  const way = parseProxy(proxy.address);
  if (way.kind === 'unusable' && way.what === 'socks') {
    throw proxyFieldError(
      'address',
      'A SOCKS proxy cannot be used: enter the address of an HTTP proxy',
    );
  }
  if (way.kind !== 'proxy') {
    throw proxyFieldError(
      'address',
      'This is not the address of a proxy, such as http://proxy.example:8080',
    );
  }
  if (way.user !== null) {
    throw proxyFieldError(
      'address',
      'The address must not contain a user name or password. Enter them separately',
    );
  }
  const user = proxy.user?.trim() ?? '';
  // The user name must not contain a colon, because a colon would end it (RFC 7617).
  if (user.includes(':') || CONTROL.test(user)) {
    throw proxyFieldError(
      'user',
      'The user name of a proxy must not contain a colon or a control character',
    );
  }
  return {
    kind: 'fixed',
    address: way.origin,
    user: user === '' ? null : user,
    exceptions: proxy.exceptions.trim(),
  };
}

/**
 * Whether proxy and user are the same, so that the stored password is kept: it is sent only to the
 * proxy it was entered for.
 */
function isSameUser(before: ProxyChoice | undefined, wanted: ProxyChoice): boolean {
  return (
    before?.kind === 'fixed' &&
    wanted.kind === 'fixed' &&
    before.address === wanted.address &&
    before.user === wanted.user
  );
}

function proxyFieldError(field: string, sentence: string): AppError {
  const reason = field === 'address' ? { reason: 'proxy-kind' as const } : {};
  return new AppError('invalid', sentence, { ...reason, fields: { [field]: sentence } });
}
