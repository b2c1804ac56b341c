import type { OfficeApproval } from '../../../shared/contract/office/approvals.ts';
import type { SigningItem } from '../../../shared/contract/signing.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { signing } from './state.svelte.ts';

/** Approvals requested between users of an office. Without an office there are no requests. */
class OfficeApprovals {
  readonly all = new Loaded(() => api['office.approvals']({}));
  isInOffice = $state(false);

  readonly #known: readonly OfficeApproval[] = $derived(this.all.value ?? []);
  /** Requests of other users that are still undecided. */
  readonly asked = $derived(this.#known.filter(({ isOwn, decision }) => !isOwn && !decision));

  constructor() {
    on('office.changed', () => void this.begin());
    on('office.exchanged', () => void this.begin());
    on('evidence.changed', () => void this.begin());
  }

  async begin(): Promise<void> {
    await activity.attempt(async () => {
      this.isInOffice = (await api['office.read']({})) !== null;
      if (this.isInOffice) await this.all.renew();
    }, 'office.read');
  }

  /** Last request of this computer's user about an item; null if there is none. */
  ofItem({ connectionId, id }: SigningItem): OfficeApproval | null {
    const own = this.#known.filter(
      ({ isOwn, agreement }) =>
        isOwn && agreement?.id === id && agreement.connectionId === connectionId,
    );
    return own.at(-1) ?? null;
  }

  /** The item in the signing queue that the request is about; null if it is not in the queue. */
  itemOf({ agreement }: OfficeApproval): SigningItem | null {
    const found = signing.items.find(
      ({ connectionId, id }) => agreement?.id === id && agreement.connectionId === connectionId,
    );
    return found ?? null;
  }

  async ask({ connectionId, id }: SigningItem): Promise<void> {
    await activity.attempt(async () => {
      await api['office.askApproval']({ connectionId, id, note: '' });
      activity.notify(m.signing_office_asked);
      await this.all.renew();
    }, 'office.askApproval');
  }

  async decide({ id }: OfficeApproval, isApproved: boolean, reason = ''): Promise<boolean> {
    const { signer } = signing;
    if (signer === null) return false;
    const isDone = await activity.attempt(async () => {
      await api['office.decide']({ id, identityId: signer.id, isApproved, reason });
    }, 'office.decide');
    await this.begin();
    return isDone;
  }
}

export const approvals = new OfficeApprovals();
