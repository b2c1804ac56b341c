import { untrack } from 'svelte';
import type { Failure } from '../../../shared/errors.ts';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import { AgreementKey } from '../../../shared/model/ids.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { activity } from '../../window/activity.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/**
 * Delay before a request (ms): a user who moves through the list with the keyboard passes many
 * agreements.
 */
const REFRESH_DELAY_MS = 600;
/** Maximum age of read data (ms); newer data is not read again. */
const DETAILS_MAX_AGE_MS = MINUTE;

class AgreementDetailsState {
  key = $state.raw<AgreementKey | null>(null);
  /**
   * Agreement requested from the service; its slow response must not delay the request for another.
   */
  #asked = $state.raw<AgreementKey | null>(null);
  readonly refreshing = $derived(this.#asked !== null && this.#asked === this.key);
  #pins = $state(0);
  /**
   * Whether the agreement is pinned: a dialog is about it, so it stays shown if the selection changes.
   */
  readonly isPinned = $derived(this.#pins > 0);
  /**
   * Reason why the service could not be reached when the agreement was opened; the saved copy is
   * shown.
   */
  staleBecause = $state.raw<Failure | null>(null);
  #opening: ReturnType<typeof setTimeout> | undefined;
  readonly #stored = new Loaded(() => this.#read());
  readonly failure = $derived(this.#stored.failure);
  /** Details of the agreement; null while the loaded data belongs to another row. */
  readonly shown: AgreementDetails | null = $derived.by(() => {
    const value = this.#stored.value;
    const isWanted = value?.id === this.key?.id && value?.connectionId === this.key?.connectionId;
    return isWanted ? value : null;
  });

  constructor() {
    on('agreements.changed', ({ connectionId }) => {
      if (connectionId === this.key?.connectionId) void this.#stored.refresh();
    });
  }

  /** Shows the agreement of the address (a connection and an id), or nothing. */
  show([connectionId, id]: readonly string[]): void {
    const key = AgreementKey.safeParse({ connectionId, id });
    this.key = key.success ? key.data : null;
    this.staleBecause = null;
    clearTimeout(this.#opening);
    const read = this.#stored.refresh();
    this.#opening = setTimeout(
      () => void read.then(() => this.#freshen(this.key)),
      REFRESH_DELAY_MS,
    );
  }

  /** Keeps the agreement shown until the returned function is called. */
  pin(): () => void {
    untrack(() => (this.#pins += 1));
    return () => untrack(() => (this.#pins -= 1));
  }

  reload(): Promise<void> {
    return this.#stored.refresh();
  }

  async refreshFromService(): Promise<void> {
    const key = this.key;
    if (key === null) return;
    this.#asked = key;
    const isRead = await activity.attempt(() => api['agreements.show']({ ...key, refresh: true }));
    this.#answered(key);
    if (isRead && key === this.key) this.staleBecause = null;
    await this.#stored.refresh();
  }

  /** Saves the signed PDF as `file`; returns whether it worked. */
  async save(file: string): Promise<boolean> {
    const key = this.key;
    if (key === null) return false;
    return activity.attempt(() => api['agreements.download']({ ...key, file }));
  }

  /**
   * Reads the opened agreement from the service once: no list of changes contains changed dates,
   * addresses and rights (API v1, "List Agreements"). A failure is shown only next to the age of
   * the copy.
   */
  async #freshen(key: AgreementKey | null): Promise<void> {
    const { shown } = this;
    if (key === null || key !== this.key || shown === null || shown.gone !== null) return;
    if (this.refreshing) return;
    if (Date.now() - shown.readAt < DETAILS_MAX_AGE_MS) return;
    this.#asked = key;
    let failure: Failure | null = null;
    try {
      await api['agreements.show']({ ...key, refresh: true });
    } catch (error) {
      failure = failureOf(error);
    }
    this.#answered(key);
    if (key === this.key) this.staleBecause = failure;
    await this.#stored.refresh();
  }

  #answered(key: AgreementKey): void {
    if (this.#asked === key) this.#asked = null;
  }

  async #read(): Promise<AgreementDetails | null> {
    return this.key === null ? null : api['agreements.show']({ ...this.key, refresh: false });
  }
}

export const details = new AgreementDetailsState();
