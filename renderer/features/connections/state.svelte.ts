import type { Capabilities, Connection } from '../../../shared/contract/connections.ts';
import type { ApiName, ConnectionId } from '../../../shared/model/ids.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';

class Connections {
  readonly list = new Loaded(() => api['connections.list']({}));
  readonly capabilities = new Loaded(() => api['connections.capabilities']({}));
  readonly all: readonly Connection[] = $derived(this.list.value ?? []);
  /** Selected connection; null if all connections are selected. */
  readonly current: Connection | null = $derived(
    this.find(settings.stored.value?.connection ?? null) ?? null,
  );
  /** Input for calls that can be restricted to one connection. */
  readonly scope: { readonly connectionId?: ConnectionId } = $derived(
    this.current === null ? {} : { connectionId: this.current.id },
  );

  constructor() {
    on('connections.changed', () => void this.list.refresh());
  }

  find(id: ConnectionId | null): Connection | undefined {
    return this.all.find((connection) => connection.id === id);
  }

  /** Abilities of an API; undefined until they are read. */
  can(name: ApiName): Capabilities | undefined {
    return this.capabilities.value?.find((row) => row.api === name);
  }

  async switchTo(id: ConnectionId | null): Promise<void> {
    await settings.write({ connection: id });
  }

  /** Adds the built-in demo service for both APIs, with a template and a batch to try. */
  async addDemo(): Promise<void> {
    await api['connections.addDemo']({});
    await this.list.refresh();
    await api['samples.add']({});
  }
}

export const connections = new Connections();
