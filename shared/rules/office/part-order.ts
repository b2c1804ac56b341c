/**
 * Inserts parts that only one side has: each follows the part before it on its own side. If both
 * sides insert at the same position, the order is the same for both.
 *
 * @param order order of the parts that both sides have
 * @param sides all parts of each side, in the side's order
 */
export function arrange(
  order: readonly string[],
  sides: readonly [readonly string[], readonly string[]],
): readonly string[] {
  const places = new Map(order.map((id, at) => [id, at]));
  const anchors = new Map<string, number>();
  for (const side of sides) {
    let behind = -1;
    for (const id of side) {
      const place = places.get(id);
      if (place === undefined) anchors.set(id, Math.min(behind, anchors.get(id) ?? behind));
      else behind = place;
    }
  }
  const [first, second] = sides.map((side) => groupByAnchor(side, anchors));
  const placedAt = (anchor: number): readonly string[] =>
    joinParts(first?.get(anchor) ?? [], second?.get(anchor) ?? []);
  return [...placedAt(-1), ...order.flatMap((id, at) => [id, ...placedAt(at)])];
}

export const haveSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, at) => other[at] === id);

function groupByAnchor(
  side: readonly string[],
  anchors: ReadonlyMap<string, number>,
): ReadonlyMap<number, readonly string[]> {
  const placed = new Map<number, string[]>();
  for (const id of side) {
    const anchor = anchors.get(id);
    if (anchor === undefined) continue;
    const others = placed.get(anchor);
    if (others === undefined) placed.set(anchor, [id]);
    else others.push(id);
  }
  return placed;
}

/** Joins two lists, each part once; the result does not depend on the order of the arguments. */
function joinParts(one: readonly string[], other: readonly string[]): readonly string[] {
  const first = smallerOrder(one, other);
  return [...new Set([...first, ...(first === one ? other : one)])];
}

/** Returns the smaller of two orders, independent of the order of the arguments. */
export const smallerOrder = (one: readonly string[], other: readonly string[]): readonly string[] =>
  isBefore(other, one) ? other : one;

function isBefore(one: readonly string[], other: readonly string[]): boolean {
  const at = one.findIndex((id, place) => other[place] !== id);
  const [mine, theirs] = [one[at], other[at]];
  if (mine === undefined) return false;
  return theirs !== undefined && mine < theirs;
}
