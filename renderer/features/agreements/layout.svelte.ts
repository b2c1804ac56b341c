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

  /** Shows a column, or takes it away; the last one stays. */
  toggle(column: ListColumn): void {
    const { columns } = this.now;
    const without = columns.filter((one) => one !== column);
    if (without.length === columns.length) this.change({ columns: [...columns, column] });
    else if (without.length > 0) this.change({ columns: without });
  }

  /** Moves a column one place to the left (-1) or to the right (1). */
  move(column: ListColumn, step: 1 | -1): void {
    const columns = [...this.now.columns];
    const at = columns.indexOf(column);
    const to = at + step;
    if (at < 0 || to < 0 || to >= columns.length) return;
    columns.splice(at, 1);
    columns.splice(to, 0, column);
    this.change({ columns });
  }

  widen(column: ListColumn, pixels: number | null): void {
    const { [column]: _, ...widths } = this.now.widths;
    this.change({ widths: pixels === null ? widths : { ...widths, [column]: pixels } });
  }
}

export const layout = new AgreementLayout();
