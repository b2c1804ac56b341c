import { api } from '../../../window/desk.ts';

/** Groups with which drafts were shared before: a typing error in a name creates a new group. */
class KnownGroups {
  names = $state.raw<readonly string[]>([]);

  async read(): Promise<void> {
    this.names = (await api['drafts.knownGroups']({})).names;
  }
}

export const knownGroups = new KnownGroups();
