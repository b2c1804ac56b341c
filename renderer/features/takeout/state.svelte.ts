import {
  type DataExportSummary,
  DataExportReading,
  WrittenDataExport,
} from '../../../shared/contract/takeout.ts';
import { formatCount } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api } from '../../window/desk.ts';
import { host } from '../../window/host.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';

/** Data export of this computer in open formats, and the import of another computer's export. */
class Takeout {
  to = $state('');
  from = $state('');
  /** Content of the folder `from`, once it was checked. */
  look = $state.raw<{ readonly folder: string; readonly found: DataExportSummary } | null>(null);
  isBusy = $state(false);

  readonly checked = $derived(this.look?.folder === this.from.trim() ? this.look.found : null);

  begin(): void {
    if (this.to === '') this.to = host.value?.documentsFolder ?? '';
  }

  async write(): Promise<void> {
    await this.#busy(async () => {
      const { jobId } = await api['takeout.write']({ folder: this.to.trim() });
      const { result } = await jobs.outcome(jobId);
      const done = WrittenDataExport.safeParse(result);
      if (done.success) activity.notify(() => m.takeout_written({ folder: done.data.folder }));
    });
  }

  async check(): Promise<void> {
    await this.#read('takeout.look');
  }

  async import(): Promise<void> {
    const done = await this.#read('takeout.import');
    if (done === null) return;
    const added = Object.values(done.counts).reduce((sum, one) => sum + one.added, 0);
    activity.notify(() => m.takeout_imported({ count: formatCount(added) }));
    // Check again, because the imported items are now on this computer.
    await this.#read('takeout.look');
  }

  async #read(call: 'takeout.look' | 'takeout.import'): Promise<DataExportSummary | null> {
    const folder = this.from.trim();
    let found: DataExportSummary | null = null;
    this.look = null;
    await this.#busy(async () => {
      const { jobId } = await api[call]({ folder });
      const { result } = await jobs.outcome(jobId);
      const read = DataExportReading.safeParse(result);
      if (!read.success) return;
      found = read.data.look;
      this.look = { folder, found };
    });
    return found;
  }

  async #busy(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    await activity.attempt(work);
    this.isBusy = false;
  }
}

export const takeout = new Takeout();
