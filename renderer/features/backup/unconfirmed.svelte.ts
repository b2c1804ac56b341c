import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/** Servers from restored data: the user must confirm each address before it is used. */
class Unconfirmed {
  readonly now = new Loaded(() => api['backup.unconfirmed']({}));

  constructor() {
    // Entering a new credential or invitation also confirms its server.
    for (const name of ['backup.changed', 'connections.changed', 'office.changed'] as const) {
      on(name, () => void this.now.renew());
    }
  }

  async confirm(id: string): Promise<void> {
    await activity.attempt(() => api['backup.confirm']({ id }));
  }
}

export const unconfirmed = new Unconfirmed();
