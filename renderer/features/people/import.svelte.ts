import type { BookImport, ImportRow, ImportDecision } from '../../../shared/contract/people.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, transferBytes } from '../../window/desk.ts';
import { RowWindows, type RowRange } from '../../window/row-windows.svelte.ts';
import { book } from './book.svelte.ts';

const INITIAL_IMPORT_ROWS = 40;

/** A file of people that is previewed before it is stored. */
export class FileImport {
  file = $state.raw<BookImport | null>(null);
  fileName = $state('');
  verdict = $state<ImportDecision | null>(null);
  work = $state<'reading' | 'storing' | null>(null);
  takesChanges = $state(true);
  readonly rows = new RowWindows<ImportRow>({
    onfailure: () => undefined,
    onstale: () => undefined,
  });
  readonly wouldStore = $derived(
    (this.file?.counts.new ?? 0) + (this.takesChanges ? (this.file?.counts.change ?? 0) : 0),
  );

  async read(file: File): Promise<void> {
    this.work = 'reading';
    await activity.attempt(async () => {
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      this.file = await api['people.readImport']({ bytes, fileName: file.name });
      this.fileName = file.name;
      await this.show(null);
    }, 'people-file');
    this.work = null;
  }

  async show(verdict: ImportDecision | null): Promise<void> {
    const id = this.file?.id;
    if (id === undefined) return;
    this.verdict = verdict;
    const read = async (from: number, limit: number): Promise<RowRange<ImportRow>> => {
      const { rows, total } = await api['people.importRows']({ id, verdict, from, limit });
      return { items: rows, total, isCounted: true };
    };
    await activity.attempt(async () => {
      this.rows.replace(await this.rows.readAround(read, 0, INITIAL_IMPORT_ROWS), read);
    });
  }

  async store(): Promise<boolean> {
    const { file, fileName, takesChanges } = this;
    if (file === null) return false;
    this.work = 'storing';
    const isDone = await activity.attempt(async () => {
      const done = await api['people.import']({ id: file.id, changes: takesChanges });
      const { added, changed } = done;
      activity.notify(() => m.people_imported({ added, changed }));
      book.offerUndoOf(done.change, fileName);
    });
    this.work = null;
    return isDone;
  }
}
