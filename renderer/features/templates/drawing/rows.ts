import { tick } from 'svelte';
import type { PdfPlace } from '../../../../shared/model/pdf-place.ts';
import { m } from '../../../ui/language.svelte.ts';
import type { FieldDrawing, Spot } from './state.svelte.ts';

/** Steps of the arrow keys in a list. */
export const rowSteps: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/** Turns to the page of a field or a found place, and keeps the focus in the list. */
export function lookAt(drawing: FieldDrawing, id: string, isMore = false): void {
  const { fields, found } = drawing.drawing;
  const spot: Spot = { id, at: 0 };
  const field = fields.find((one) => one.id === id) ?? found.find((one) => one.id === id)?.field;
  const place = field?.places[0];
  if (place !== undefined) drawing.page = place.page;
  drawing.choose(spot, isMore);
}

/** Focuses a row: an accepted place has its row in another list. */
export async function focusRow(id: string | undefined): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"]`)?.focus();
}

export const placesOf = (places: readonly Pick<PdfPlace, 'page'>[]): string =>
  places.length === 1
    ? m.draw_page({ page: places[0]?.page ?? 1 })
    : m.draw_places({ count: places.length });
