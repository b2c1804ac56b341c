import {
  type ListColumn,
  type ListLayout,
  usualLayout,
} from '../../../shared/contract/agreement-views.ts';
import { settings } from '../../window/settings.svelte.ts';

/** Milliseconds after the last change of several; a dragged edge makes many. */
const WRITE_AFTER = 400;

/** How the list of agreements is drawn and ordered; kept from one start to the next. */
class AgreementLayout {
  #changed = $state.raw<ListLayout | null>(null);
  readonly now: ListLayout = $derived(
    this.#changed ?? settings.stored.value?.agreementLayout ?? usualLayout,
  );
  #timer: ReturnType<typeof setTimeout> | undefined;

  change(part: Partial<ListLayout>): void {
    const layout = { ...this.now, ...part };
    this.#changed = layout;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void settings.write({ agreementLayout: layout }), WRITE_AFTER);
  }

  widen(column: ListColumn, pixels: number | null): void {
    const { [column]: _, ...widths } = this.now.widths;
    this.change({ widths: pixels === null ? widths : { ...widths, [column]: pixels } });
  }
}

export const layout = new AgreementLayout();
