import { LONG_MARKS } from './long-marks.ts';

/** Whether people, and a command line that looks a name up, take two names for one. */
export function isSameName(one: string, other: string): boolean {
  const plain = (name: string) => name.replaceAll(LONG_MARKS, '').normalize().trim().toLowerCase();
  return plain(one) === plain(other);
}
