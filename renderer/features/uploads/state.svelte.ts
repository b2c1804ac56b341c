import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { ListedUpload, UploadedFile } from '../../../shared/contract/uploads.ts';
import { api, transferBytes, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/** Files uploaded to one connection that no agreement uses yet. */
export class Uploads {
  readonly connectionId: ConnectionId;
  readonly list = new Loaded(() => api['uploads.list']({ connectionId: this.connectionId }));
  readonly files: readonly ListedUpload[] = $derived(this.list.value?.files ?? []);
  busy = $state(false);

  constructor(connectionId: ConnectionId) {
    this.connectionId = connectionId;
    void this.list.refresh();
  }

  /** Refreshes the list while it is shown; the returned function stops this. */
  watch(): () => void {
    return on('actions.changed', ({ connectionId }) => {
      if (connectionId === this.connectionId) void this.list.refresh();
    });
  }

  /** Uploads the files one by one; after a failure, the rest is not uploaded. */
  async add(files: readonly File[]): Promise<void> {
    for (const file of files) if (!(await this.#addOne(file))) break;
  }

  async remove({ token, fileName }: UploadedFile): Promise<void> {
    await this.#attempt(async () => {
      const { connectionId } = this;
      const outcome = await api['uploads.remove']({ connectionId, token });
      if (outcome.outcome === 'unknown') return activity.warn(m.uploads_unknown);
      return activity.notify(() =>
        outcome.wasAlready ? m.uploads_gone() : m.uploads_removed({ name: fileName }),
      );
    });
  }

  /** Reads the data of one file again; null if the service no longer has the file. */
  async show({ token }: UploadedFile): Promise<UploadedFile | null> {
    return api['uploads.show']({ connectionId: this.connectionId, token });
  }

  #addOne(file: File): Promise<boolean> {
    return this.#attempt(async () => {
      activity.notify(() => m.uploads_adding({ name: file.name }));
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      const { connectionId } = this;
      const outcome = await api['uploads.add']({ connectionId, name: file.name, bytes });
      if (outcome.outcome === 'unknown') return activity.warn(m.uploads_unknown);
      const { fileName } = outcome.file;
      return activity.notify(() => m.uploads_added({ name: fileName }));
    });
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    const isDone = await activity.attempt(work);
    this.busy = false;
    await this.list.refresh();
    return isDone;
  }
}
