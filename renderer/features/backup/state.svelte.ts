import type { BackupPlan } from '../../../shared/contract/backup.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { formatTime } from '../../ui/format.ts';
import { host } from '../../window/host.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { errorSentenceOf } from '../../window/refusal.ts';
import { m } from '../../ui/language.svelte.ts';

/** A backup plan that is being edited; it contains new words when backups are set up. */
export interface BackupForm extends BackupPlan {
  /** New words; null keeps the current ones. */
  readonly phrase: string | null;
  typed: string;
}

const DEFAULT_KEPT_BACKUPS = 14;
const RECOVERY_PAGE_NAME = 'signing-desk-backups.pdf';
/** Default time: few people work then, and most services are available. */
export const USUAL_TIME = '02:30';

class Backups {
  readonly now = new Loaded(() => api['backup.read']({}));
  form = $state<BackupForm | null>(null);
  /** The closed form whose new words were shown, until the user decides about the words. */
  left = $state.raw<BackupForm | null>(null);
  readonly isRunning = $derived(jobs.running.some(({ kind }) => kind === 'make-backup'));

  constructor() {
    on('backup.changed', () => void this.now.renew());
  }

  /** Opens the form, with new words for the first setup or if the old ones are lost. */
  async begin(): Promise<void> {
    await activity.attempt(async () => {
      const { phrase } = await api['backup.newPhrase']({});
      this.form = { ...(this.now.value?.plan ?? defaultPlan()), phrase, typed: '' };
    });
  }

  edit(plan: BackupPlan): void {
    this.form = { ...plan, phrase: null, typed: '' };
  }

  /** Closes the form. If its words were shown, the user has to decide about them. */
  close(): void {
    if (this.form !== null && this.form.phrase !== null) this.left = $state.snapshot(this.form);
    this.form = null;
  }

  /** Opens the closed form again, with the same words. */
  goBack(): void {
    this.form = this.left;
    this.left = null;
  }

  /**
   * Saves the plan. Returns null on success; otherwise the reason, and the words that the user
   * wrote down stay valid.
   */
  async save(): Promise<string | null> {
    const { form } = this;
    if (form === null) return null;
    const { phrase, typed, ...plan } = $state.snapshot(form);
    const refusal = await errorSentenceOf(() =>
      phrase === null
        ? api['backup.savePlan'](plan)
        : api['backup.setUp']({ ...plan, phrase: typed }),
    );
    if (refusal !== null) return refusal;
    this.form = null;
    activity.notify(phrase === null ? m.backup_plan_changed : m.backup_is_set_up);
    return null;
  }

  async switch(isOn: boolean): Promise<void> {
    await activity.attempt(() => api['backup.switch']({ isOn }));
  }

  /** Makes a backup, and announces its end: the job may take minutes. */
  async run(): Promise<void> {
    await activity.attempt(async () => {
      const { jobId } = await api['backup.run']({});
      const { state, failure } = await jobs.outcome(jobId);
      const at = Date.now();
      if (failure !== null) activity.fail(failure);
      else if (state === 'done') activity.notify(() => m.backup_last({ time: formatTime(at) }));
    });
  }

  /** Saves a page to write the words on by hand. */
  async savePage(): Promise<void> {
    await activity.attempt(async () => {
      const { features, documentsFolder, platform } =
        host.value ?? (await api['host.describe']({}));
      const chosen = features.chooseFolder
        ? (await api['host.chooseFolder']({})).path
        : documentsFolder;
      if (chosen === null) return;
      const separator = platform === 'windows' ? '\\' : '/';
      const { file } = await api['backup.page']({
        file: `${chosen}${separator}${RECOVERY_PAGE_NAME}`,
      });
      activity.notify(() => m.file_saved_as({ file }));
    });
  }
}

function defaultPlan(): BackupPlan {
  return {
    folder: host.value?.documentsFolder ?? '',
    when: { kind: 'daily', at: USUAL_TIME },
    keep: DEFAULT_KEPT_BACKUPS,
    isOn: true,
    withCredentials: false,
    administrator: null,
  };
}

export const backups = new Backups();

/** Whether the typed words match the shown ones, ignoring formatting. */
export function matchesPhrase({ phrase, typed }: Pick<BackupForm, 'phrase' | 'typed'>): boolean {
  const wordsIn = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z]+/u)
      .filter(Boolean)
      .join(' ');
  return phrase === null || wordsIn(typed) === wordsIn(phrase);
}
