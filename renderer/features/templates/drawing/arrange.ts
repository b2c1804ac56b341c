import type { ShownBox } from './seen.ts';

/** @internal */
export const arrangements = [
  'left',
  'center',
  'right',
  'top',
  'middle',
  'bottom',
  'same-width',
  'same-height',
  'across',
  'down',
] as const;
export type Arrangement = (typeof arrangements)[number];

/** Minimum number of boxes: an even distribution needs one between the outer two. */
export const leastOf = (how: Arrangement): number => (how === 'across' || how === 'down' ? 3 : 2);

/** Boxes aligned with the first one, made as large as it, or evenly distributed. */
export function arrangeBoxes(boxes: readonly ShownBox[], how: Arrangement): readonly ShownBox[] {
  const [first] = boxes;
  if (first === undefined || boxes.length < leastOf(how)) return boxes;
  switch (how) {
    case 'left':
      return boxes.map((box) => ({ ...box, left: first.left }));
    case 'center':
      return boxes.map((box) => ({ ...box, left: first.left + (first.width - box.width) / 2 }));
    case 'right':
      return boxes.map((box) => ({ ...box, left: first.left + first.width - box.width }));
    case 'top':
      return boxes.map((box) => ({ ...box, top: first.top }));
    case 'middle':
      return boxes.map((box) => ({ ...box, top: first.top + (first.height - box.height) / 2 }));
    case 'bottom':
      return boxes.map((box) => ({ ...box, top: first.top + first.height - box.height }));
    case 'same-width':
      return boxes.map((box) => ({ ...box, width: first.width }));
    case 'same-height':
      return boxes.map((box) => ({ ...box, height: first.height }));
    case 'across':
      return distributeBoxes(boxes, 'left', 'width');
    case 'down':
      return distributeBoxes(boxes, 'top', 'height');
  }
}

/** Keeps the outer two boxes and makes the gaps equal. */
function distributeBoxes(
  boxes: readonly ShownBox[],
  start: 'left' | 'top',
  length: 'width' | 'height',
): readonly ShownBox[] {
  const inOrder = boxes.toSorted((one, other) => one[start] - other[start]);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (first === undefined || last === undefined) return boxes;
  const filled = inOrder.reduce((sum, box) => sum + box[length], 0);
  const room = (last[start] + last[length] - first[start] - filled) / (boxes.length - 1);
  const starts = new Map<ShownBox, number>();
  let at = first[start];
  for (const box of inOrder) {
    starts.set(box, at);
    at += box[length] + room;
  }
  return boxes.map((box) => ({ ...box, [start]: starts.get(box) ?? box[start] }));
}
