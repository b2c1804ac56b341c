import {
  type BackupContents,
  type FoundBackup,
  ReadingId,
  type RestoreOutcome,
  type RestoreTargetFolder,
} from '../../../shared/contract/backup.ts';
import type { EventData } from '../../../shared/contract/index.ts';
import type { Failure } from '../../../shared/errors.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { chooseFolder } from '../../window/choose-folder.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { host } from '../../window/host.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { backups } from './state.svelte.ts';

type OpeningStep = 'choose' | 'inside' | 'target' | 'done';
type DraftInBackup = BackupContents['drafts'][number];

/** Maximum size of a key file, of which the program needs only one line. */
const MAX_KEY_FILE_BYTES = 10_000;
const MAX_FILE_NAME_ATTEMPTS = 100;

class BackupOpening {
  isOpen = $state(false);
  step = $state<OpeningStep>('choose');
  failure = $state.raw<Failure | null>(null);

  folder = $state('');
  file = $state<string | null>(null);
  by = $state<'phrase' | 'key'>('phrase');
  /**
   * Words that the user typed. They are cleared once the backup is open, because the core keeps the
   * secret until the backup is closed.
   */
  phrase = $state('');
  key = $state.raw<{ readonly name: string; readonly text: string } | null>(null);
  readonly found = new Loaded(() => this.#find());

  progress = $state.raw<EventData<'backup.reading'> | null>(null);
  look = $state.raw<BackupContents | null>(null);

  room = $state.raw<RestoreTargetFolder | null>(null);
  isHere = $state(false);
  into = $state('');
  restored = $state.raw<(RestoreOutcome & { readonly isHere: boolean }) | null>(null);

  constructor() {
    on('backup.reading', (now) => {
      if (now.reading === this.progress?.reading) this.progress = now;
    });
  }

  begin(): void {
    this.#forget();
    this.folder = backups.now.value?.plan?.folder ?? host.value?.documentsFolder ?? '';
    this.isOpen = true;
    void this.lookAround();
  }

  close(): void {
    this.stop();
    this.#forget();
    this.isOpen = false;
  }

  /** Lists the folder and selects its newest backup. */
  async lookAround(): Promise<void> {
    await this.found.refresh();
    const files = (this.found.value ?? []).map(({ file }) => file);
    if (this.file === null || !files.includes(this.file)) this.file = files[0] ?? null;
  }

  async takeKey(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const text = file.size > MAX_KEY_FILE_BYTES ? '' : await file.text();
    this.key = text.includes('AGE-SECRET-KEY-1') ? { name: file.name, text } : null;
    this.failure =
      this.key === null
        ? { code: 'invalid', message: 'This is no key file of age', reason: 'key-wrong' }
        : null;
  }

  async open(): Promise<void> {
    const { file } = this;
    const secret = this.by === 'phrase' ? this.phrase : (this.key?.text ?? '');
    if (file === null || this.progress !== null) return;
    const look = await this.#reading((reading) => api['backup.look']({ reading, file, secret }));
    if (look === null) return;
    if (!this.isOpen) {
      await api['backup.endLook']({ id: look.id });
      return;
    }
    this.#dropSecret();
    this.look = look;
    this.step = 'inside';
  }

  async saveFile(draft: DraftInBackup, file: DraftInBackup['files'][number]): Promise<void> {
    await this.#saving(async (look, folder) => {
      const what = { id: look.id, draftId: draft.id, fileId: file.id, folder };
      return (await api['backup.saveFile'](what)).file;
    });
  }

  async saveEvidence(): Promise<void> {
    await this.#saving(async ({ id, manifest }, folder) => {
      const separator = host.value?.platform === 'windows' ? '\\' : '/';
      const time = new Date(manifest.madeAt).toISOString().slice(0, 19).replaceAll(':', '-');
      const name = `${folder}${separator}evidence-${manifest.desk}-${time}Z`;
      for (let copy = 1; ; copy += 1) {
        const to = copy === 1 ? `${name}.json` : `${name} (${copy}).json`;
        try {
          return (await api['backup.saveEvidence']({ id, to })).file;
        } catch (error) {
          // Retry only if the name is taken: files are never overwritten.
          if (failureOf(error).code !== 'conflict' || copy === MAX_FILE_NAME_ATTEMPTS) throw error;
        }
      }
    });
  }

  async chooseTarget(): Promise<void> {
    this.failure = null;
    try {
      this.room = await api['backup.room']({});
      this.isHere = isFree(this.room);
      this.step = 'target';
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  async restore(): Promise<void> {
    const { look, isHere, into } = this;
    if (look === null || this.progress !== null) return;
    const folder = isHere ? null : into.trim();
    const restored = await this.#reading((reading) =>
      api['backup.restoreLook']({ reading, id: look.id, folder }),
    );
    if (restored === null) return;
    if (isHere) await Promise.all([settings.stored.refresh(), connections.list.refresh()]);
    this.restored = { ...restored, isHere };
    this.step = 'done';
  }

  back(): void {
    this.failure = null;
    this.step = 'inside';
  }

  /** Cancels the running read; its partial results are removed. */
  stop(): void {
    const { progress } = this;
    if (progress !== null) void api['backup.stopReading']({ reading: progress.reading });
  }

  /** Runs a read. Returns null after a failure, which is shown, and after a cancellation. */
  async #reading<Result>(work: (reading: ReadingId) => Promise<Result>): Promise<Result | null> {
    const reading = ReadingId.parse(crypto.randomUUID());
    this.failure = null;
    this.progress = { reading, step: 'opening', done: 0, total: null };
    try {
      return await work(reading);
    } catch (error) {
      const failure = failureOf(error);
      this.failure = failure.code === 'cancelled' ? null : failure;
      return null;
    } finally {
      this.progress = null;
    }
  }

  async #saving(save: (look: BackupContents, folder: string) => Promise<string>): Promise<void> {
    const { look } = this;
    if (look === null) return;
    const { features, documentsFolder } = host.value ?? (await api['host.describe']({}));
    const folder = features.chooseFolder ? await chooseFolder() : documentsFolder;
    if (folder === null) return;
    this.failure = null;
    try {
      const file = await save(look, folder);
      this.saved = file;
      activity.notify(() => m.file_saved_as({ file }));
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  saved = $state<string | null>(null);

  #dropSecret(): void {
    this.phrase = '';
    this.key = null;
  }

  #forget(): void {
    this.#dropSecret();
    const { look } = this;
    // Removes the core's copy; after a failure it is removed when the program ends.
    if (look !== null) void api['backup.endLook']({ id: look.id }).catch(() => undefined);
    this.look = null;
    this.step = 'choose';
    this.failure = null;
    this.by = 'phrase';
    this.file = null;
    this.saved = null;
    this.room = null;
    this.into = '';
    this.restored = null;
  }

  async #find(): Promise<readonly FoundBackup[]> {
    const folder = this.folder.trim();
    return folder === '' ? [] : api['backup.find']({ folder });
  }
}

export const opening = new BackupOpening();

export const isFree = ({ takes }: RestoreTargetFolder): boolean =>
  takes === 'yes' || takes === 'damaged';
