import type { Agreement } from '../../../shared/contract/agreements.ts';
import { api } from '../../window/desk.ts';
import { connections } from '../../features/connections/state.svelte.ts';

const MAX_PALETTE_ITEMS = 8;

class PaletteState {
  text = $state('');
  found = $state.raw<readonly Agreement[]>([]);

  async type(text: string): Promise<void> {
    this.text = text;
    const search = text.trim();
    if (search === '') {
      this.found = [];
      return;
    }
    const page = await api['agreements.list']({
      ...connections.scope,
      search,
      limit: MAX_PALETTE_ITEMS,
    });
    if (this.text === text) this.found = page.items;
  }
}

export const palette = new PaletteState();
