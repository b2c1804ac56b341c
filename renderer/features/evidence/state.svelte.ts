import type { EvidenceEntry, EvidenceVerification } from '../../../shared/contract/evidence.ts';
import { api, on } from '../../window/desk.ts';
import { activity } from '../../window/activity.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { errorSentenceOf } from '../../window/refusal.ts';
import type { AboutAgreement } from './words.ts';

/** Number of entries per read, more than a screen shows; older ones are read on request. */
const EVIDENCE_PAGE_SIZE = 200;

/** The log of reviews, approvals and signatures, newest first. */
class Evidence {
  readonly page = new Loaded(() => api['evidence.list']({ limit: Math.min(this.#wanted, 500) }));
  readonly anchor = new Loaded(() => api['evidence.lastAnchor']({}));
  active = $state<string | null>(null);
  verdict = $state.raw<EvidenceVerification | null>(null);
  verifying = $state(false);
  #older = $state.raw<readonly EvidenceEntry[]>([]);
  #wanted = EVIDENCE_PAGE_SIZE;

  readonly items: readonly EvidenceEntry[] = $derived([
    ...(this.page.value?.items ?? []),
    ...this.#older,
  ]);
  readonly total = $derived(this.page.value?.total ?? 0);
  readonly current = $derived(
    this.items.find(({ number }) => String(number) === this.active) ?? null,
  );

  constructor() {
    on('evidence.changed', () => void this.page.refresh());
    on('evidence.anchored', () => void this.anchor.refresh());
    on('settings.changed', () => void this.anchor.refresh());
  }

  async older(): Promise<void> {
    const before = this.items.at(-1)?.number;
    if (before === undefined) return;
    await activity.attempt(async () => {
      const { items } = await api['evidence.list']({ before, limit: EVIDENCE_PAGE_SIZE });
      this.#older = [...this.#older, ...items];
    });
  }

  async verify(): Promise<void> {
    this.verifying = true;
    await activity.attempt(async () => {
      this.verdict = await api['evidence.verify']({});
    });
    this.verifying = false;
  }

  /**
   * Writes all entries, or the statement of one agreement; the file must not exist. Returns null on
   * success; otherwise the reason.
   */
  async write(file: string, of: AboutAgreement | null): Promise<string | null> {
    return errorSentenceOf(async () => {
      if (of !== null) {
        const { connectionId, id } = of;
        await api['evidence.statement']({ connectionId, id, file });
        return;
      }
      const form = file.toLowerCase().endsWith('.json') ? 'json' : 'csv';
      await api['evidence.export']({ file, form });
    });
  }
}

export const evidence = new Evidence();
