import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { PartyExtras, RemoteExtras } from '../../../shared/model/remote-extras.ts';
import { api } from '../../window/desk.ts';
import { details } from './details.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

interface LoadedExtras {
  readonly key: AgreementKey;
  readonly extras: RemoteExtras;
}

/** Data of the shown agreement that only the service has; read when the user asks for it. */
class AgreementExtras {
  readonly #stored = new Loaded(() => this.#ask());
  readonly failure = $derived(this.#stored.failure);
  readonly loading = $derived(this.#stored.loading);
  /** Extra data of the shown agreement; null while the loaded data belongs to another agreement. */
  readonly shown: RemoteExtras | null = $derived.by(() => {
    const read = this.#stored.value;
    const isWanted =
      read?.key.id === details.key?.id && read?.key.connectionId === details.key?.connectionId;
    return isWanted && read !== null ? read.extras : null;
  });

  async read(): Promise<void> {
    await this.#stored.refresh();
  }

  /**
   * Reads the version and then the data, before a change. In this order, no newer version is
   * missed.
   */
  async readForChange(): Promise<void> {
    await this.read();
    await details.refreshFromService();
  }

  partyOf(id: string): PartyExtras | undefined {
    return this.shown?.parties.find((party) => party.id === id);
  }

  async #ask(): Promise<LoadedExtras | null> {
    const { key } = details;
    return key === null ? null : { key, extras: await api['actions.extras']({ key }) };
  }
}

export const extras = new AgreementExtras();
