import { describe, expect, it } from 'vitest';
import {
  safetyText,
  shortPath,
  tokenProblem,
  verifiedText,
} from '../../../../renderer/features/archive/words.ts';
import type { ArchiveCounts } from '../../../../shared/contract/archive.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const CHECKED = Date.UTC(2026, 10, 28, 12);

const counts = (change: Partial<ArchiveCounts>): ArchiveCounts => ({
  notArchived: 0,
  archived: 0,
  deleted: 0,
  endangered: 0,
  changed: 0,
  missing: 0,
  copied: 0,
  here: 0,
  elsewhere: 0,
  unchecked: 0,
  checkedAt: null,
  ...change,
});

it('an unknown token of a file name pattern is named', () => {
  expect(tokenProblem('{closed:yyyy} {title}')).toBeNull();
  expect(tokenProblem('{title} {foo}')).toMatch(/^\{foo\} has no meaning/);
});

describe('the status of the archive', () => {
  it.each([
    [{}, 'No signed agreements yet'],
    [{ deleted: 3 }, 'No signed agreements yet'],
    [{ archived: 1 }, '1 of 1 safe'],
    [{ archived: 19, deleted: 2 }, '19 of 19 safe'],
    [{ archived: 19, changed: 1, missing: 1 }, '17 of 19 safe: 1 changed, 1 missing'],
    [{ archived: 1, missing: 1 }, '0 of 1 safe: 1 missing'],
    [{ archived: 19, missing: 1, copied: 1, here: 18 }, '19 of 19 safe: 1 missing'],
    [
      { archived: 19, here: 7, elsewhere: 12 },
      '7 of 19 saved in this folder: 12 only in other folders',
    ],
    [{ archived: 7, notArchived: 12 }, '7 of 19 safe: 12 not archived'],
    [
      { archived: 1200, notArchived: 1, changed: 2 },
      '1,198 of 1,201 safe: 2 changed, 1 not archived',
    ],
  ])('counts safe agreements, and names what is wrong with the others (case %#)', (some, text) => {
    expect(safetyText(counts(some))).toBe(text);
  });

  it.each([
    [{ notArchived: 5 }, null],
    [{ archived: 5, unchecked: 5 }, 'never verified'],
    [{ archived: 5, checkedAt: CHECKED }, 'verified 28 Nov'],
    [{ archived: 5, unchecked: 1, checkedAt: CHECKED }, 'verified 28 Nov, except 1 file'],
    [{ archived: 5, unchecked: 3, checkedAt: CHECKED }, 'verified 28 Nov, except 3 files'],
  ])('states when the files were verified, and how many were not (case %#)', (some, text) => {
    expect(verifiedText(counts(some), NOW)).toBe(text);
  });
});

describe('the path of the archive folder', () => {
  it.each([
    ['/home/karin/archive', '/home/karin/archive'],
    ['C:\\Users\\karin\\Signed', 'C:\\Users\\karin\\Signed'],
    [`/${'long/'.repeat(12)}documents`, '…/long/long/long/long/long/long/documents'],
    [`/data/${'d'.repeat(60)}`, `…/${'d'.repeat(60)}`],
  ])('is shortened at its start, by whole folders (case %#)', (path, shown) => {
    expect(shortPath(path)).toBe(shown);
  });
});
