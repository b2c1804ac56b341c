import type { AgreementGroup } from '../../../shared/contract/agreement-query.ts';

/** A line of the list: an agreement at its position among all matches, or a group's heading. */
export type Line =
  | { readonly kind: 'row'; readonly place: number }
  | { readonly kind: 'heading'; readonly group: AgreementGroup };

/** Mapping between positions of rows and lines; without groups, both numbers are equal. */
export interface Lines {
  readonly count: number;
  readonly lineAt: (line: number) => Line;
  readonly lineOf: (place: number) => number;
  /** Position of the row on a line, or of the first row below a heading. */
  readonly placeAt: (line: number) => number;
}

/** Lines of a list of `total` rows in which every group begins with a heading. */
export function linesOf(groups: readonly AgreementGroup[], total: number): Lines {
  const headings = groups.map((group, before) => ({ group, line: group.from + before }));
  /** Index of the last heading on or above the line. */
  const lastBefore = (line: number): number => headings.findLastIndex((one) => one.line <= line);
  const lineAt = (line: number): Line => {
    const at = lastBefore(line);
    const heading = headings[at];
    if (heading?.line === line) return { kind: 'heading', group: heading.group };
    return { kind: 'row', place: line - at - 1 };
  };
  return {
    count: total + groups.length,
    lineAt,
    lineOf: (place) => place + groups.findLastIndex(({ from }) => from <= place) + 1,
    placeAt: (line) => {
      const found = lineAt(line);
      return found.kind === 'row' ? found.place : found.group.from;
    },
  };
}
