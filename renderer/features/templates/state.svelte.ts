import type { ApiName, TemplateId } from '../../../shared/model/ids.ts';
import type { PlacedKind } from '../../../shared/model/placed-field.ts';
import type { TemplateSummary } from '../../../shared/contract/templates.ts';
import { titleOfFile } from '../../../shared/rules/intake/names.ts';
import { api, transferBytes, on } from '../../window/desk.ts';
import { isSameName } from '../../../shared/rules/text/same-name.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { go } from '../../window/router.svelte.ts';
import { saveBytes, saveThrough } from '../../window/save-bytes.ts';

/**
 * The start of the part of the screen that is opened next: a search for fields, a field of a kind,
 * the first undecided field, or a new draft. A pointer drags the new field; a key places it.
 */
export type TemplateStart =
  | { readonly kind: 'find' | 'decide' | 'use' }
  | { readonly kind: 'draw'; readonly tool: PlacedKind; readonly isByKey: boolean };

class Templates {
  readonly list = new Loaded(() => api['templates.list']({}));
  readonly kept: readonly TemplateSummary[] = $derived(
    (this.list.value ?? []).filter(({ trashedAt }) => trashedAt === null),
  );
  readonly trashed: readonly TemplateSummary[] = $derived(
    (this.list.value ?? []).filter(({ trashedAt }) => trashedAt !== null),
  );

  /** Number of files being read; a document takes seconds. */
  adding = $state(0);

  #start: TemplateStart | null = null;

  constructor() {
    on('templates.changed', () => void this.list.refresh());
  }

  /** Opens a template, or the drawing of its fields, and begins there with `start`. */
  openWith(
    start: TemplateStart,
    ...place: readonly [TemplateId] | readonly [TemplateId, 'fields']
  ): void {
    this.#start = start;
    go('templates', ...place);
  }

  /** Returns what to begin with, once. */
  takeStart(): TemplateStart | null {
    const start = this.#start;
    this.#start = null;
    return start;
  }

  /**
   * Creates a template from a PDF, or from a document that is converted to one. Returns its id;
   * null if the file is unsuitable.
   */
  async addPdf(file: File): Promise<TemplateId | null> {
    this.adding += 1;
    try {
      return await this.#made(async () => {
        const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
        const name = titleOfFile(file.name) || file.name;
        return api['templates.add']({ name, api: this.#api(), fileName: file.name, bytes });
      });
    } finally {
      this.adding -= 1;
    }
  }

  async addService(name: string, templateId: string): Promise<TemplateId | null> {
    return this.#made(() => api['templates.addService']({ name, templateId }));
  }

  async importFile(file: File): Promise<TemplateId | null> {
    return this.#made(async () => {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      return api['templates.import']({ bytes });
    });
  }

  async duplicate({ id, name }: Pick<TemplateSummary, 'id' | 'name'>): Promise<TemplateId | null> {
    return this.#made(() =>
      api['templates.duplicate']({ id, name: m.templates_copy_name({ name }) }),
    );
  }

  async remove({ id, name }: Pick<TemplateSummary, 'id' | 'name'>): Promise<void> {
    const done = await activity.attempt(() => api['templates.remove']({ id }), 'templates.remove');
    if (done) activity.notify(() => m.templates_removed({ name }));
  }

  async restore({ id, name }: Pick<TemplateSummary, 'id' | 'name'>): Promise<void> {
    const done = await activity.attempt(
      () => api['templates.restore']({ id }),
      'templates.restore',
    );
    if (done) activity.notify(() => m.templates_restored({ name }));
  }

  async export(id: TemplateId): Promise<void> {
    await activity.attempt(
      async () => saveBytes(await api['templates.export']({ id })),
      'templates.export',
    );
  }

  /** Saves the template's PDF with its form fields, for others to fill in. */
  async savePdf(id: TemplateId): Promise<void> {
    await activity.attempt(
      () => saveThrough((folder) => api['templates.savePdf']({ id, folder })),
      'templates.savePdf',
    );
  }

  /** API of the selected connection, for new templates. */
  #api(): ApiName {
    return (connections.current ?? connections.all[0])?.api ?? 'v1';
  }

  /** Whether another template outside of the trash has the name. */
  isTaken(name: string, id: TemplateId): boolean {
    return this.kept.some((one) => one.id !== id && isSameName(one.name, name));
  }

  /**
   * Announces the result, and says if another template has the same name after a copy or import.
   */
  async #made(
    make: () => Promise<{ readonly id: TemplateId; readonly name: string }>,
  ): Promise<TemplateId | null> {
    let id: TemplateId | null = null;
    await activity.attempt(async () => {
      const made = await make();
      id = made.id;
      await this.list.refresh();
      if (this.isTaken(made.name, made.id)) {
        activity.notify(() => m.templates_same_name({ name: made.name }));
      }
    });
    return id;
  }
}

export const templates = new Templates();
