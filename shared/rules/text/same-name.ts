import { EXCESS_COMBINING_MARKS } from './long-marks.ts';

/** Whether two names count as equal, for users and for lookups on the command line. */
export function isSameName(one: string, other: string): boolean {
  const plain = (name: string) =>
    name.replaceAll(EXCESS_COMBINING_MARKS, '').normalize().trim().toLowerCase();
  return plain(one) === plain(other);
}
