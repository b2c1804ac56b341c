/**
 * Makes `target` equal to `next`. Changes only the differences, so that elements drawn from the
 * unchanged data stay and keep the focus. Both values are plain data. Returns the new value of
 * `target`.
 */
export function updateInPlace<Value>(target: Value, next: Value): Value {
  if (Array.isArray(target) && Array.isArray(next)) updateArray(target, next);
  else if (isRecord(target) && isRecord(next) && !Array.isArray(target) && !Array.isArray(next)) {
    updateRecord(target, next);
    // The stored text of a draft has its keys in this order, so the object must have it too.
    return hasSameKeyOrder(target, next) ? target : next;
  } else return next;
  return target;
}

function updateArray(target: unknown[], next: readonly unknown[]): void {
  for (const [index, item] of next.entries()) target[index] = updateInPlace(target[index], item);
  target.length = next.length;
}

function updateRecord(
  target: Record<string, unknown>,
  next: Readonly<Record<string, unknown>>,
): void {
  for (const key of Object.keys(target)) if (!Object.hasOwn(next, key)) delete target[key];
  for (const [key, value] of Object.entries(next)) {
    const before = target[key];
    const after = updateInPlace(before, value);
    if (after !== before) target[key] = after;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function hasSameKeyOrder(target: object, next: object): boolean {
  const order = Object.keys(next);
  return Object.keys(target).every((key, index) => key === order[index]);
}
