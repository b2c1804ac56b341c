import {
  type ListColumn,
  type ListLayout,
  defaultListLayout,
} from '../../../shared/contract/agreement-views.ts';
import { settings } from '../../window/settings.svelte.ts';

/** Delay after the last of several changes (ms); dragging an edge makes many. */
const LAYOUT_SAVE_DELAY_MS = 400;

/** Columns and order of the list of agreements; stored across restarts. */
class AgreementLayout {
  #changed = $state.raw<ListLayout | null>(null);
  readonly now: ListLayout = $derived(
    this.#changed ?? settings.stored.value?.agreementLayout ?? defaultListLayout,
  );
  #timer: ReturnType<typeof setTimeout> | undefined;

  change(part: Partial<ListLayout>): void {
    const layout = { ...this.now, ...part };
    this.#changed = layout;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void settings.write({ agreementLayout: layout }),
      LAYOUT_SAVE_DELAY_MS,
    );
  }

  widen(column: ListColumn, pixels: number | null): void {
    const { [column]: _, ...widths } = this.now.widths;
    this.change({ widths: pixels === null ? widths : { ...widths, [column]: pixels } });
  }
}

export const layout = new AgreementLayout();
