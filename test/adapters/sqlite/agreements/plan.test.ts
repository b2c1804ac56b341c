import { expect, it } from 'vitest';
import {
  isStreaming,
  type MatchSource,
} from '../../../../electron/adapters/sqlite/agreements/plan.ts';

it.each<[boolean, MatchSource]>([
  [true, { kind: 'walk' }],
  [true, { kind: 'words', isSorted: false }],
  [false, { kind: 'words', isSorted: true }],
  [false, { kind: 'facets', facets: [1] }],
  [false, { kind: 'range', range: 'expires' }],
])('reading in parts is %s for the source %j: it is possible only without sorting', (is, of) => {
  expect(isStreaming(of)).toBe(is);
});
