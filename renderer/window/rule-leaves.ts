type Leaves = Readonly<Record<string, string>>;

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the values of a rule as JSON, by their paths, as in `hours/from`. */
export function leavesOf(rule: object | null, path = ''): Leaves {
  const entries = Object.entries(rule ?? {}).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (isGroup(value)) return Object.entries(leavesOf(value, `${path}${name}/`));
    return [[`${path}${name}`, JSON.stringify(value)] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Sets values by their paths. A value of another type than the rule's own, and the rule's ID, stay
 * as they are: they come from another version of the program.
 */
export function setLeaves(rule: object, leaves: Leaves): void {
  for (const [path, text] of Object.entries(leaves)) {
    const parts = path.split('/');
    const last = parts.pop() ?? '';
    const group = parts.reduce<unknown>(
      (one, part) =>
        isGroup(one) && Object.hasOwn(one, part) ? Reflect.get(one, part) : undefined,
      rule,
    );
    if (path === 'id' || !isGroup(group)) continue;
    const before: unknown = Object.hasOwn(group, last) ? Reflect.get(group, last) : undefined;
    const value: unknown = JSON.parse(text);
    const isFitting =
      before === undefined || before === null || value === null || typeof before === typeof value;
    if (isFitting && Array.isArray(before) === Array.isArray(value))
      Reflect.set(group, last, value);
  }
}
