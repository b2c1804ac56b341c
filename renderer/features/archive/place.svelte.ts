import { m } from '../../ui/language.svelte.ts';
import { api } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';
import { tokenProblem } from './words.ts';

interface ArchivePlace {
  /** Folder for the PDFs; empty for the default folder. */
  readonly folder?: string;
  readonly pattern?: string;
}

/** Form for the archive's folder and file names, with the stored values until some are typed. */
export class PlaceForm {
  /** Values that are not saved yet; they stay even if other settings change. */
  #typed = $state.raw<ArchivePlace>({});
  /** Examples of file names for the typed pattern. */
  readonly preview = new Loaded(() => api['archive.preview']({ pattern: this.pattern }));

  get folder(): string {
    return this.#typed.folder ?? settings.stored.value?.archiveFolder ?? '';
  }

  set folder(folder: string) {
    this.#typed = { ...this.#typed, folder };
  }

  get pattern(): string {
    return this.#typed.pattern ?? settings.stored.value?.archivePattern ?? '';
  }

  set pattern(pattern: string) {
    this.#typed = { ...this.#typed, pattern };
  }

  /** Reason why the form cannot be saved; null if it can. */
  get reason(): string | null {
    return this.pattern === '' ? m.settings_field_missing() : tokenProblem(this.pattern);
  }

  /** Saves the form. Returns null on success, otherwise the reason; the typed values then stay. */
  async save(): Promise<string | null> {
    if (this.reason !== null) return this.reason;
    const sent = this.#typed;
    const archiveFolder = this.folder.trim() === '' ? null : this.folder.trim();
    const refusal = await settings.save({ archiveFolder, archivePattern: this.pattern });
    if (refusal === null && this.#typed === sent) this.#typed = {};
    return refusal;
  }
}
