import type { NetworkState, ProxyChoice } from '../../../shared/contract/network.ts';
import type { Failure } from '../../../shared/errors.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

type ProxyKind = ProxyChoice['kind'];

/** Typed values of a fixed proxy that are not stored yet. */
interface TypedProxy {
  readonly kind: ProxyKind;
  readonly address: string;
  readonly user: string;
  readonly exceptions: string;
  readonly password: string;
  readonly proxyFindsLinks: boolean;
}

class NetworkForm {
  readonly state = new Loaded(() => api['network.read']({}));
  #typed = $state.raw<Partial<TypedProxy>>({});
  refusal = $state.raw<Failure | null>(null);

  readonly kind = $derived(this.#typed.kind ?? this.state.value?.proxy.kind ?? 'system');
  readonly address = $derived(this.#typed.address ?? fixedProxyOf(this.state.value)?.address ?? '');
  readonly user = $derived(this.#typed.user ?? fixedProxyOf(this.state.value)?.user ?? '');
  readonly exceptions = $derived(
    this.#typed.exceptions ?? fixedProxyOf(this.state.value)?.exceptions ?? '',
  );
  readonly password = $derived(this.#typed.password ?? '');
  readonly proxyFindsLinks = $derived(
    this.#typed.proxyFindsLinks ?? this.state.value?.proxyFindsLinks ?? false,
  );

  constructor() {
    on('network.changed', () => void this.state.refresh());
  }

  type(change: Partial<TypedProxy>): void {
    this.#typed = { ...this.#typed, ...change };
  }

  async save(): Promise<boolean> {
    const { kind, address, user, exceptions, password, proxyFindsLinks } = this;
    const proxy: ProxyChoice =
      kind === 'fixed'
        ? { kind, address, user: user.trim() === '' ? null : user, exceptions }
        : { kind };
    const isStored = await this.#change(() =>
      api['network.setProxy']({
        proxy,
        password: password === '' ? null : password,
        proxyFindsLinks,
      }),
    );
    if (isStored) this.#typed = {};
    return isStored;
  }

  trust(pem: string): Promise<boolean> {
    return this.#change(() => api['network.setAuthorities']({ pem }));
  }

  distrust(): Promise<boolean> {
    return this.#change(() => api['network.setAuthorities']({ pem: null }));
  }

  async #change(change: () => Promise<NetworkState>): Promise<boolean> {
    try {
      await change();
      this.refusal = null;
      await this.state.refresh();
      return true;
    } catch (error) {
      this.refusal = failureOf(error);
      return false;
    }
  }
}

function fixedProxyOf(state: NetworkState | null | undefined) {
  return state?.proxy.kind === 'fixed' ? state.proxy : null;
}

export const network = new NetworkForm();
