import { api } from '../../../window/desk.ts';

/** Groups that drafts here were shared with before: a slip in a name makes a new group. */
class KnownGroups {
  names = $state.raw<readonly string[]>([]);

  async read(): Promise<void> {
    this.names = (await api['drafts.knownGroups']({})).names;
  }
}

export const knownGroups = new KnownGroups();
