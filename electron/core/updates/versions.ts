/**
 * Form of a version: three numbers. A suffix such as `-beta.1` makes it older than the version with
 * the numbers alone.
 */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-.+)?$/;

/**
 * Negative if `a` is older than `b`, zero if equal, positive if newer. A text that is not a version
 * is older than every version.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)];
  for (const [at, number] of left.entries()) {
    const difference = number - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function versionParts(text: string): readonly number[] {
  const [, major, minor, patch, before] = VERSION.exec(text) ?? [];
  if (major === undefined) return [-1];
  return [Number(major), Number(minor), Number(patch), before === undefined ? 1 : 0];
}
