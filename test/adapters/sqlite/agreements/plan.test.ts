import { expect, it } from 'vitest';
import { isStreaming, type Source } from '../../../../electron/adapters/sqlite/agreements/plan.ts';

it.each<[boolean, Source]>([
  [true, { kind: 'walk' }],
  [true, { kind: 'words', isSorted: false }],
  [false, { kind: 'words', isSorted: true }],
  [false, { kind: 'facets', facets: [1] }],
  [false, { kind: 'range', range: 'expires' }],
])(
  'a query of an ordered index is read in parts, and a query that must be sorted as a whole: %s of %j',
  (is, of) => {
    expect(isStreaming(of)).toBe(is);
  },
);
