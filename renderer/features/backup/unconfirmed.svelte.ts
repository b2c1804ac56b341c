import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';

/** Servers that restored data names: each waits until a person confirms its address. */
class Unconfirmed {
  readonly now = new Loaded(() => api['backup.unconfirmed']({}));

  constructor() {
    // Whoever enters a credential or an invitation anew has confirmed it, too.
    for (const name of ['backup.changed', 'connections.changed', 'office.changed'] as const) {
      on(name, () => void this.now.renew());
    }
  }

  async confirm(id: string): Promise<void> {
    await activity.attempt(() => api['backup.confirm']({ id }));
  }
}

export const unconfirmed = new Unconfirmed();
