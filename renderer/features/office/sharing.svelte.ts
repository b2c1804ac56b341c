import type { OfficeQuestion, SharedItemSet } from '../../../shared/contract/office/items.ts';
import { activity, type Cause } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/**
 * Settings for the data that this computer shares with its office, and conflicts that users must
 * decide.
 */
class OfficeSharing {
  readonly now = new Loaded(() => api['office.sharing']({}));
  readonly questions = new Loaded(() => api['office.questions']({}));
  isBusy = $state(false);

  constructor() {
    on('office.exchanged', () => void this.begin());
  }

  async begin(): Promise<void> {
    await Promise.all([this.now.renew(), this.questions.renew()]);
  }

  share(set: SharedItemSet, isShared: boolean): Promise<void> {
    return this.#busy('office.share', () => api['office.share']({ set, isShared }));
  }

  exchange(): Promise<void> {
    return this.#busy('office.exchange', () => api['office.exchange']({}));
  }

  answer({ kind, id, field }: OfficeQuestion, take: 'here' | 'office'): Promise<void> {
    return this.#busy('office.answer', () => api['office.answer']({ kind, id, field, take }));
  }

  async #busy(cause: Cause, work: () => Promise<unknown>): Promise<void> {
    this.isBusy = true;
    await activity.attempt(work, cause);
    await this.begin();
    this.isBusy = false;
  }
}

export const sharing = new OfficeSharing();
