import type { HandoverItem, OfficeHandover } from '../../../shared/contract/office/handovers.ts';
import type { OfficeUser, OfficeUserId } from '../../../shared/contract/office/office.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { go } from '../../window/router.svelte.ts';

/** Items handed over between users. Without an office there are no requests. */
class Handovers {
  readonly waiting = new Loaded(() => api['office.handovers']({}));
  isInOffice = $state(false);

  constructor() {
    on('office.changed', () => void this.begin());
    on('office.exchanged', () => void this.begin());
  }

  async begin(): Promise<void> {
    await activity.attempt(async () => {
      this.isInOffice = (await api['office.read']({})) !== null;
      if (this.isInOffice) await this.waiting.renew();
    }, 'office.read');
  }

  async take({ id }: OfficeHandover): Promise<void> {
    await activity.attempt(async () => {
      const what = await api['office.take']({ id });
      // Open the item first: it has arrived even if the list cannot be read again.
      if (what.kind === 'draft') go('drafts', what.id);
      else if (what.kind === 'batch') go('batch', what.id, 'check');
      else go('outbox', what.id);
      await this.waiting.renew();
    }, 'office.take');
  }
}

export const handovers = new Handovers();

export class HandoverForm {
  seats = $state.raw<readonly OfficeUser[]>([]);
  seat = $state<OfficeUserId | null>(null);
  note = $state('');

  async begin(): Promise<void> {
    await activity.attempt(async () => {
      const all = await api['office.seats']({});
      this.seats = all.filter(({ isOwn, joinedAt }) => !isOwn && joinedAt !== null);
      this.seat = this.seats[0]?.id ?? null;
    }, 'office.seats');
  }

  /** Hands the item over. Returns the reason if this fails and the item stays; null on success. */
  async give(what: HandoverItem): Promise<string | null> {
    const to = this.seats.find(({ id }) => id === this.seat);
    if (to === undefined) return m.office_hand_over_nobody();
    try {
      await api['office.handOver']({ what, seat: to.id, note: this.note });
    } catch (error) {
      return sentenceFor(failureOf(error));
    }
    activity.notify(() => m.office_handed_over({ name: to.name }));
    await handovers.begin();
    return null;
  }
}
