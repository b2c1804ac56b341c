import type {
  ReceivedItem,
  DeskLink,
  LinkedDraft,
  LinkFault,
} from '../../../shared/contract/links.ts';
import type { AgreementId, AgreementKey } from '../../../shared/model/ids.ts';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { go } from '../../window/router.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { beginDraftWithOpened, isPdf } from '../drafts/begin.ts';
import { copies } from '../drafts/copies.svelte.ts';
import { sync } from '../sync/state.svelte.ts';
import { isFree, watchPageChanges } from './free.ts';

const linkFaultSentences = {
  'too-long': m.link_too_long,
  damaged: m.link_damaged,
  unknown: m.link_unknown,
  'too-much': m.link_too_much,
} as const satisfies Record<LinkFault, () => string>;

type OpenedFile = Extract<ReceivedItem, { kind: 'file' }>;

/** Items that the system passed to this program: opened one by one, and never over typed text. */
class Links {
  /** Content of a link, until the user answers. */
  asked = $state.raw<LinkedDraft | null>(null);
  /** The copies that match a link, for the user to choose from. */
  found = $state.raw<readonly AgreementKey[]>([]);
  /** Whether more items wait, or may wait, in the program's core. */
  #isMore = true;
  /** Whether it is certain that an item waits. */
  #isSure = false;
  readonly #taking = new CoalescedTask(() => this.#takeAll());

  /** Starts showing items; the returned function stops this. */
  attend(): () => void {
    const stop = on('links.arrived', () => {
      this.#isMore = true;
      this.#isSure = true;
      void this.#taking.run();
    });
    void this.#taking.run();
    return stop;
  }

  async #takeAll(): Promise<void> {
    await activity.attempt(async () => {
      // Items wait in the core, which stores files longer than a page can.
      while (this.#isMore) {
        await this.#wait();
        const { arrival, left } = await api['links.next']({});
        this.#isMore = left > 0;
        this.#isSure = left > 0;
        if (arrival !== null) await this.#open(arrival, left);
      }
    });
  }

  /** Resolves when the user has finished or left typed text, or wants to see the item now. */
  async #wait(): Promise<void> {
    const isClear = (): boolean => this.asked === null && this.found.length === 0 && isFree();
    if (isClear()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = watchPageChanges(() => {
      if (isClear()) resolve();
    });
    if (this.#isSure) activity.warn(m.link_waits, { label: m.activity_show, run: resolve });
    await promise;
    stop();
    if (activity.notice?.words === m.link_waits) activity.close();
  }

  async #open(arrival: ReceivedItem, left: number): Promise<void> {
    switch (arrival.kind) {
      case 'file':
        return isPdf({ name: arrival.name, type: '' })
          ? this.#begin(arrival, left)
          : copies.open(arrival.bytes, arrival.name);
      case 'no-file':
        return activity.warn(() => m.link_no_file({ file: arrival.name }));
      case 'link':
        return this.#follow(arrival.link);
    }
  }

  /** Begins a draft; PDFs that were opened together become its documents. */
  async #begin(first: OpenedFile, others: number): Promise<void> {
    const pdfs = [first];
    let left = others;
    let next: ReceivedItem | null = null;
    while (left > 0 && next === null) {
      const answer = await api['links.next']({});
      left = answer.left;
      next = answer.arrival;
      if (next?.kind === 'file' && isPdf({ name: next.name, type: '' })) {
        pdfs.push(next);
        next = null;
      }
    }
    this.#isMore = left > 0;
    await beginDraftWithOpened(pdfs);
    if (next !== null) await this.#open(next, left);
  }

  async #follow(link: DeskLink): Promise<void> {
    switch (link.kind) {
      case 'agreement':
        return this.#show(link.id);
      case 'draft':
        this.asked = link.draft;
        return;
      case 'refused':
        return activity.warn(linkFaultSentences[link.why]);
    }
  }

  async #show(id: AgreementId): Promise<void> {
    const keys = await api['agreements.find']({ id });
    const here = keys.find(({ connectionId }) => connectionId === connections.current?.id);
    const only = here ?? (keys.length === 1 ? keys[0] : undefined);
    if (only !== undefined) return go('agreements', only.connectionId, only.id);
    if (keys.length > 0) this.found = keys;
    else {
      const run = (): void => void sync.checkNow();
      activity.warn(m.link_missing, { label: m.command_check, run });
    }
  }
}

export const links = new Links();
