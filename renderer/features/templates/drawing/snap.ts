import type { Lines, ShownBox } from './seen.ts';

/** A box after snapping, and its guide lines; null if it did not snap. */
export interface SnapResult {
  readonly box: ShownBox;
  readonly x: number | null;
  readonly y: number | null;
}

/** The dragged sides: -1 for the left or upper one, 1 for the right or lower one, 0 for neither. */
export interface Handle {
  readonly across: -1 | 0 | 1;
  readonly down: -1 | 0 | 1;
}

interface NearestLine {
  readonly at: number;
  readonly by: number;
}

function nearestLine(
  lines: readonly number[],
  edges: readonly number[],
  reach: number,
): NearestLine | null {
  let found: NearestLine | null = null;
  for (const at of lines) {
    for (const edge of edges) {
      const by = at - edge;
      const isNear = found === null ? Math.abs(by) <= reach : Math.abs(by) < Math.abs(found.by);
      if (isNear) found = { at, by };
    }
  }
  return found;
}

/** Snaps a moved box by any of its sides. */
export function snapMovedBox(box: ShownBox, { xs, ys }: Lines, reach: number): SnapResult {
  const across = nearestLine(xs, [box.left, box.left + box.width], reach);
  const down = nearestLine(ys, [box.top, box.top + box.height], reach);
  return {
    box: { ...box, left: box.left + (across?.by ?? 0), top: box.top + (down?.by ?? 0) },
    x: across?.at ?? null,
    y: down?.at ?? null,
  };
}

/** Snaps a resized box by the dragged sides only. */
export function snapResizedBox(
  box: ShownBox,
  { across, down }: Handle,
  { xs, ys }: Lines,
  reach: number,
): SnapResult {
  const x =
    across === 0 ? null : nearestLine(xs, [sidePosition(box.left, box.width, across)], reach);
  const y = down === 0 ? null : nearestLine(ys, [sidePosition(box.top, box.height, down)], reach);
  return {
    box: resizedBox(box, { across, down }, x?.by ?? 0, y?.by ?? 0),
    x: x?.at ?? null,
    y: y?.at ?? null,
  };
}

const sidePosition = (start: number, length: number, side: -1 | 1): number =>
  side === -1 ? start : start + length;

/** Minimum size (points); smaller boxes cannot be grabbed. */
const MIN_BOX_POINTS = 6;

/** The box with its sides dragged this far; never inverted. */
export function resizedBox(
  box: ShownBox,
  { across, down }: Handle,
  dx: number,
  dy: number,
): ShownBox {
  const width = Math.max(MIN_BOX_POINTS, box.width + across * dx);
  const height = Math.max(MIN_BOX_POINTS, box.height + down * dy);
  return {
    left: across === -1 ? box.left + box.width - width : box.left,
    top: down === -1 ? box.top + box.height - height : box.top,
    width,
    height,
  };
}
