import type { Connection, TestResult } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { api } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { errorSentenceOf } from '../../window/refusal.ts';
import { connections } from './state.svelte.ts';

type ConnectionRemoval = Omit<Parameters<(typeof api)['connections.remove']>[0], 'id'>;

class ConnectionMaintenance {
  /** The connection whose test is shown; its result is null while the test runs. */
  tested = $state.raw<{
    readonly id: ConnectionId;
    readonly result: TestResult | null;
  } | null>(null);

  /** The connection for which a new key is being entered. */
  replacing = $state.raw<ConnectionId | null>(null);

  /** The connection whose organisation number is being changed. */
  numbering = $state.raw<ConnectionId | null>(null);

  /** Tests the connection; changes nothing on the service. */
  async test({ id }: Connection): Promise<void> {
    this.tested = { id, result: null };
    const done = await activity.attempt(async () => {
      this.tested = { id, result: await api['connections.test']({ id }) };
    }, 'connection');
    if (!done) this.tested = null;
  }

  rename({ id }: Connection, name: string): Promise<boolean> {
    return this.#change(() => api['connections.rename']({ id, name }));
  }

  /**
   * Restricts the connection to these recipients; null allows everyone. Returns the error, or null
   * on success.
   */
  async allow({ id }: Connection, allowed: Connection['allowed']): Promise<string | null> {
    const refusal = await errorSentenceOf(() => api['connections.allow']({ id, allowed }));
    await connections.list.refresh();
    return refusal;
  }

  /** Changes the number of our company. Returns the error, or null on success. */
  async setOrgNo({ id }: Connection, orgNo: string | null): Promise<string | null> {
    const refusal = await errorSentenceOf(() => api['connections.setOrgNo']({ id, orgNo }));
    await connections.list.refresh();
    return refusal;
  }

  /** Returns the error, and the old key is kept; or null on success. */
  async replaceSecret({ id }: Connection, secret: string): Promise<string | null> {
    const refusal = await errorSentenceOf(() => api['connections.replaceSecret']({ id, secret }));
    await connections.list.refresh();
    if (refusal !== null) return refusal;
    activity.notify(m.settings_replaced);
    // Actions are unavailable until a check succeeds. The screens show its result.
    void activity.attempt(() => api['agreements.sync']({ connectionId: id }));
    return null;
  }

  async remove({ id, name }: Connection, copies: ConnectionRemoval): Promise<void> {
    const done = await this.#change(() => api['connections.remove']({ id, ...copies }));
    if (done) activity.notify(() => m.settings_removed({ name }));
  }

  async #change(work: () => Promise<unknown>): Promise<boolean> {
    const done = await activity.attempt(work, 'connection');
    await connections.list.refresh();
    return done;
  }
}

export const connectionCare = new ConnectionMaintenance();
