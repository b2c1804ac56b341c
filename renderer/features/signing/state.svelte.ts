import { SvelteSet } from 'svelte/reactivity';
import {
  type Identity,
  type NewIdentity,
  SignResult,
  type SigningItem,
} from '../../../shared/contract/signing.ts';
import { api, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';

/** Key of one party of one agreement; an agreement may wait for two of our companies. */
export const keyOf = (item: SigningItem): string =>
  `${item.connectionId}/${item.id}/${item.partyId}`;

/** Text with the numbers of signed, failed and unknown agreements. */
export function signedText({ signed, failed, unknown }: SignResult): string {
  return [
    m.signing_done({ signed: signed.length }),
    ...(failed.length > 0 ? [m.signing_done_failed({ count: failed.length })] : []),
    ...(unknown.length > 0 ? [m.signing_done_unknown({ count: unknown.length })] : []),
  ].join(' ');
}

class Signing {
  readonly queue = new Loaded(() => api['signing.list'](connections.scope));
  /** Connections whose organisation number may be wrong, so that the queue lacks agreements. */
  readonly otherCompanies = new Loaded(() => api['signing.otherCompanies'](connections.scope));
  readonly identities = new Loaded(() => api['identities.list']({}));
  readonly marked = new SvelteSet<string>();
  active = $state<string | null>(null);
  result = $state.raw<SignResult | null>(null);
  signing = $state(false);

  readonly items: readonly SigningItem[] = $derived(this.queue.value ?? []);
  readonly current = $derived(this.items.find((item) => keyOf(item) === this.active) ?? null);
  /** Items to sign now: the selected items that are still in the queue. */
  readonly chosen = $derived(
    this.items.filter((item) => item.state === 'ready' && this.marked.has(keyOf(item))),
  );
  readonly blocked = $derived(this.chosen.filter((item) => this.blockerOf(item) !== null));
  /** The signer: the chosen identity, or the only one. */
  readonly signer: Identity | null = $derived.by(() => {
    const all = this.identities.value ?? [];
    const wanted = all.find(({ id }) => id === settings.stored.value?.signingIdentity);
    return wanted ?? (all.length === 1 ? (all[0] ?? null) : null);
  });

  constructor() {
    const reload = (): void => void this.queue.renew();
    on('agreements.changed', () => {
      reload();
      // Only the queue's screen shows them.
      if (this.otherCompanies.value !== null) void this.otherCompanies.renew();
    });
    on('outbox.changed', reload);
    on('evidence.changed', reload);
    on('identities.changed', () => void this.identities.refresh());
  }

  /**
   * Reason why an item cannot be signed yet; null if there is none. Whose turn it is does not
   * matter.
   */
  blockerOf(item: SigningItem): 'review' | 'changed' | 'approval' | 'other' | 'number' | null {
    const { review, approval } = item;
    if (review === null) return 'review';
    if (!review.isCurrent) return 'changed';
    if (settings.stored.value?.fourEyes === true) {
      if (approval === null) return 'approval';
      if (approval.personId === this.signer?.id) return 'other';
    }
    // API v2 requires the signer's number for a signature.
    const isV2 = connections.find(item.connectionId)?.api === 'v2';
    return isV2 && this.signer?.personNumberMasked === null ? 'number' : null;
  }

  /**
   * Whether the signer may not sign an agreement of v2 that names the persons who may sign for the
   * company.
   */
  isExcluded({ allowed }: SigningItem): boolean {
    return this.signer !== null && allowed !== null && !allowed.includes(this.signer.id);
  }

  /**
   * Whether the item's documents can be read in this program and have no review since their last
   * change.
   */
  isToRead({ state, readable, review }: SigningItem): boolean {
    return state === 'ready' && readable && review?.isCurrent !== true;
  }

  /** Whether the review of an item in the queue, as it is now, waits for a second person. */
  waitsForApproval(item: SigningItem): boolean {
    const now = this.items.find((one) => keyOf(one) === keyOf(item));
    return now !== undefined && this.blockerOf(now) === 'approval';
  }

  async reviewed(item: SigningItem): Promise<void> {
    this.marked.add(keyOf(item));
    await this.goOn(item);
  }

  /** Moves to the next item that is not ready; stays if there is none. */
  async goOn(item: SigningItem): Promise<void> {
    await this.queue.refresh();
    const next = this.nextAfter(item);
    if (next !== undefined) this.active = keyOf(next);
  }

  /** Next item that is not ready to be signed; undefined if there is no other. */
  nextAfter(item: SigningItem): SigningItem | undefined {
    const at = this.items.findIndex((one) => keyOf(one) === keyOf(item));
    const later = [...this.items.slice(at + 1), ...this.items.slice(0, Math.max(at, 0))];
    return later.find((one) => one.state === 'ready' && this.blockerOf(one) !== null);
  }

  toggle(key: string): void {
    const item = this.items.find((candidate) => keyOf(candidate) === key);
    if (item?.state !== 'ready') return;
    if (!this.marked.delete(key)) this.marked.add(key);
  }

  /**
   * Adds a person. The signer stays the same, also if there was no other person until now. Throws
   * the core's refusal.
   */
  async addPerson(person: NewIdentity): Promise<Identity> {
    const { signer } = this;
    if (signer !== null) await settings.write({ signingIdentity: signer.id });
    const added = await api['identities.add'](person);
    await this.identities.refresh();
    return added;
  }

  async removeIdentity(id: Identity['id']): Promise<boolean> {
    return activity.attempt(() => api['identities.remove']({ id }), 'identities.remove');
  }

  /** Signs exactly the confirmed items, as exactly the confirmed person. */
  async sign(
    items: readonly SigningItem[],
    signer: Identity,
    stopOnFailure: boolean,
  ): Promise<void> {
    this.signing = true;
    this.result = null;
    await activity.attempt(async () => {
      const { jobId } = await api['signing.sign']({
        items: items.map(({ connectionId, id, partyId }) => ({ connectionId, id, partyId })),
        identityId: signer.id,
        confirm: items.length,
        stopOnFailure,
      });
      const { result, failure } = await jobs.outcome(jobId);
      if (result !== null) {
        const ended = SignResult.parse(result);
        this.result = ended;
        const isWhole = ended.failed.length + ended.unknown.length === 0;
        const words = (): string => signedText(ended);
        if (isWhole) activity.notify(words);
        else activity.warn(words, null, 'signing.sign');
      }
      if (failure !== null) activity.fail(failure, 'signing.sign');
      this.#keepFailed();
    }, 'signing.sign');
    this.signing = false;
    await this.queue.refresh();
  }

  /** Deselects signed items and those with an unknown outcome; failed ones stay selected. */
  #keepFailed(): void {
    const failed = new Set(
      this.result?.failed.map(({ connectionId, id }) => `${connectionId}/${id}`),
    );
    for (const item of this.items) {
      if (!failed.has(`${item.connectionId}/${item.id}`)) this.marked.delete(keyOf(item));
    }
  }
}

export const signing = new Signing();
