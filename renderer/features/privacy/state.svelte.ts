import {
  CompactionResult,
  RetentionKind,
  type RetentionLimits,
  RetentionResult,
  type RetentionPreview,
} from '../../../shared/contract/privacy.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

const MAX_DAYS = 36_500;

/** Retention periods with unsaved changes, and the disk space of the data. */
class Privacy {
  readonly limits = new Loaded(() => api['privacy.limits']({}));
  readonly sizes = new Loaded(() => api['privacy.sizes']({}));
  readonly preview = new Loaded(() => api['privacy.preview']({ limits: this.shown ?? {} }));
  typed = $state.raw<Partial<RetentionLimits>>({});

  readonly shown = $derived(
    this.limits.value === null ? null : { ...this.limits.value, ...this.typed },
  );
  readonly isChanged = $derived(
    RetentionKind.options.some((kind) => this.shown?.[kind] !== this.limits.value?.[kind]),
  );
  readonly isWrong = $derived(
    RetentionKind.options.some((kind) => isWrong(this.shown?.[kind] ?? null)),
  );

  constructor() {
    on('settings.changed', () => void this.limits.renew());
  }

  async begin(): Promise<void> {
    await this.limits.refresh();
    await this.preview.refresh();
  }

  async type(kind: RetentionKind, limit: number | null): Promise<void> {
    this.typed = { ...this.typed, [kind]: limit };
    if (!this.isWrong) await this.preview.refresh();
  }

  previewOf(kind: RetentionKind): RetentionPreview | undefined {
    const found = this.preview.value?.find((one) => one.kind === kind);
    return found?.limit === this.shown?.[kind] ? found : undefined;
  }

  async save(): Promise<void> {
    const { typed } = this;
    await activity.attempt(async () => {
      await api['privacy.setLimits']({ limits: typed });
      await this.limits.refresh();
      if (this.typed === typed) this.typed = {};
      activity.notify(m.settings_saved);
    });
  }

  async apply(): Promise<void> {
    await activity.attempt(async () => {
      const { jobId } = await api['privacy.apply']({ kinds: [...RetentionKind.options] });
      const { result } = await jobs.outcome(jobId);
      const done = RetentionResult.safeParse(result);
      if (!done.success) return;
      const gone = Object.values(done.data.removed).reduce((sum, number) => sum + number, 0);
      activity.notify(() => m.privacy_applied({ count: formatCount(gone) }));
      await this.preview.refresh();
    });
  }

  async compact(): Promise<void> {
    await activity.attempt(async () => {
      const { jobId } = await api['privacy.compact']({});
      const { result } = await jobs.outcome(jobId);
      const done = CompactionResult.safeParse(result);
      if (!done.success) return;
      const { before, after, later } = done.data;
      activity.notify(() =>
        later
          ? m.privacy_compact_later()
          : m.privacy_compacted({ before: formatBytes(before), after: formatBytes(after) }),
      );
      await this.sizes.refresh();
    });
  }
}

export const isWrong = (limit: number | null): boolean =>
  limit !== null && (!Number.isInteger(limit) || limit < 1 || limit > MAX_DAYS);

export const privacy = new Privacy();
