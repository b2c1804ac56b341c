import { Agreement } from '../../../shared/contract/agreements.ts';
import { AgreementId, type AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';

const connectionId = ConnectionId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');

/** A row of the list as the core returns it: a signed agreement named `Avtal 3`, for example. */
export function listRow(name: string): Agreement {
  return Agreement.parse({
    connectionId,
    id: AgreementId.parse(`id-${name}`),
    api: 'v1',
    title: `Avtal ${name}`,
    state: 'signed',
    nativeState: 'SIGNED_BY_ALL',
    perhapsExpired: false,
    parties: null,
    signedCount: null,
    partyCount: null,
    myTurn: false,
    gone: null,
    sentAt: null,
    updatedAt: 1,
    closedAt: 1,
    expiresAt: null,
    deletesAt: null,
    archivedAt: null,
  });
}

interface Stretch {
  readonly from: number;
  readonly limit: number;
  readonly countUpTo?: number;
}

/** Fake core for the agreement list, over rows in memory. */
export class FakeList {
  rows: Agreement[] = [];
  /** Result of the next job, by the call that starts it. */
  readonly endings = new Map<string, { result: unknown; failure: Failure | null }>();
  /** Promise that a count of all matches waits for. */
  counting: Promise<void> = Promise.resolve();
  /** Received requests, as `call` and input. */
  readonly asked: { readonly call: string; readonly input: unknown }[] = [];
  readonly #listeners = new Map<string, ((data: unknown) => void)[]>();

  readonly api = {
    'agreements.window': async ({ from, limit, countUpTo = Infinity }: Stretch) => ({
      items: this.rows.slice(from, from + limit),
      from,
      total: Math.min(this.rows.length, countUpTo + 1),
      isCounted: this.rows.length <= countUpTo,
    }),
    'agreements.count': async () => {
      await this.counting;
      return { total: this.rows.length };
    },
    'agreements.keys': async ({ from, limit }: Stretch) => ({
      keys: this.rows.slice(from, from + limit),
      total: this.rows.length,
    }),
    'agreements.position': async ({ key }: { key: AgreementKey }) => {
      const index = this.rows.findIndex(({ id }) => id === key.id);
      return { index: index < 0 ? null : index };
    },
    'agreements.groups': async () => [],
    'agreements.counts': async () => null,
    'archive.list': async () => ({ items: [], counts: null }),
    'archive.run': async (input: unknown) => this.#start('archive.run', input),
    'agreements.saveCopies': async (input: unknown) => this.#start('agreements.saveCopies', input),
    'jobs.list': async () => [],
    'jobs.show': async ({ jobId }: { jobId: string }) => ({
      id: jobId,
      state: this.endings.get(jobId)?.failure ? 'failed' : 'done',
      ...this.endings.get(jobId),
    }),
  };

  readonly on = (name: string, listener: (data: unknown) => void): (() => void) => {
    const listeners = this.#listeners.get(name) ?? [];
    this.#listeners.set(name, [...listeners, listener]);
    return () => {
      const left = this.#listeners.get(name)?.filter((one) => one !== listener);
      this.#listeners.set(name, left ?? []);
    };
  };

  emit(name: string, data: unknown = {}): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(data);
  }

  #start(call: string, input: unknown): { jobId: string } {
    this.asked.push({ call, input });
    return { jobId: call };
  }
}
