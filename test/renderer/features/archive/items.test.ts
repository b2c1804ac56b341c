import { describe, expect, it } from 'vitest';
import {
  checkOf,
  emptyFilter,
  groupByFolder,
  isSelectable,
  isShown,
  matchesArchiveFilter,
  mergeResults,
} from '../../../../renderer/features/archive/items.ts';
import { ArchiveItem, ArchiveResult } from '../../../../shared/contract/archive.ts';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

const NOW = 1_000_000_000_000;
const CONNECTION = ConnectionId.parse('11111111-1111-4111-8111-111111111111');

const item = (change: Partial<ArchiveItem> = {}): ArchiveItem => ({
  ...ArchiveItem.parse({
    connectionId: CONNECTION,
    id: 'a',
    title: 'Lease',
    parties: ['Åsa Öberg'],
    closedAt: NOW - DAY,
    deletesAt: null,
    state: 'archived',
    file: '/archive/2026-11-01_Lease_a.pdf',
    sha256: 'ab',
    savedAt: NOW,
    checkedAt: null,
    finding: null,
    isOnService: true,
    isElsewhere: false,
    copyFolder: null,
    folder: '/archive',
  }),
  ...change,
});

const waiting = (change: Partial<ArchiveItem> = {}): ArchiveItem =>
  item({ state: 'not-archived', file: null, sha256: null, savedAt: null, folder: null, ...change });

describe('the check of an archived agreement', () => {
  it.each([
    [item(), 'unchecked'],
    [item({ finding: 'intact' }), 'verified'],
    [item({ finding: 'changed' }), 'changed'],
    [item({ finding: 'missing' }), 'missing'],
    [waiting(), 'waiting'],
    [waiting({ deletesAt: NOW + 14 * DAY }), 'endangered'],
    [waiting({ deletesAt: NOW + 14 * DAY + 1 }), 'waiting'],
    [item({ finding: 'intact', deletesAt: NOW }), 'verified'],
    [waiting({ state: 'deleted-on-service' }), 'deleted'],
  ] as const)('distinguishes file, finding and service (case %#)', (one, expected) => {
    expect(checkOf(one, NOW)).toBe(expected);
  });
});

describe('the chips of the archive', () => {
  const all = {
    lost: item({ finding: 'missing' }),
    safe: item(),
    waiting: waiting(),
    soon: waiting({ deletesAt: NOW }),
    deleted: waiting({ state: 'deleted-on-service' }),
  };

  it.each([
    ['all', ['lost', 'safe', 'waiting', 'soon', 'deleted']],
    ['problems', ['lost']],
    ['not-archived', ['waiting', 'soon']],
    ['endangered', ['soon']],
    ['archived', ['lost', 'safe']],
    ['deleted-on-service', ['deleted']],
  ] as const)('show the matching agreements: %s', (show, expected) => {
    const shown = Object.entries(all).filter(([, one]) => isShown(one, show, NOW));
    expect(shown.map(([name]) => name)).toEqual(expected);
  });
});

it('an agreement can be selected if a run would save its PDF', () => {
  expect(isSelectable(waiting())).toBe(true);
  expect(isSelectable(item({ finding: 'changed' }))).toBe(true);
  expect(isSelectable(item({ finding: 'changed', isOnService: false }))).toBe(false);
  expect(isSelectable(item({ finding: 'intact' }))).toBe(false);
  expect(isSelectable(waiting({ state: 'deleted-on-service' }))).toBe(false);
});

it('the search of the archive finds titles, parties and file names, but not folders', () => {
  const found = (words: string): boolean => matchesArchiveFilter(item(), { ...emptyFilter, words });
  expect(['lease', 'ÖBERG lease', '2026-11-01_lease_a', ''].map(found)).not.toContain(false);
  expect(found('archive')).toBe(false);
});

describe('lost files of several folders', () => {
  it('are grouped by their folders; an agreement without a folder belongs to the chosen one', () => {
    const items = [
      item({ id: ArchiveItem.shape.id.parse('own'), folder: '/archive' }),
      item({ id: ArchiveItem.shape.id.parse('other'), folder: '/by year' }),
      waiting({ id: ArchiveItem.shape.id.parse('new') }),
    ];
    const groups = [...groupByFolder(items, '/archive/')];
    expect(groups.map(([folder, keys]) => [folder, keys.map(({ id }) => id)])).toEqual([
      ['/archive/', ['own', 'new']],
      ['/by year', ['other']],
    ]);
  });

  it('have one result, with the counts and failures of each folder', () => {
    const result = (change: Partial<ArchiveResult>): ArchiveResult => ({
      listed: 2,
      saved: 1,
      present: 1,
      waiting: 0,
      unsealed: 0,
      failed: [],
      doubtful: [],
      bytes: 10,
      seconds: 1,
      folder: '/archive',
      ...change,
    });
    const failure = { code: 'offline', message: '' } as const;
    const failed = [{ connectionId: CONNECTION, id: item().id, title: 'Lease', failure }];
    const loan = ArchiveItem.shape.id.parse('b');
    const others = [{ connectionId: CONNECTION, id: loan, title: 'Loan', failure }];
    const merged = mergeResults(result({ failed }), [
      result({ waiting: 1, unsealed: 2, failed: others }),
    ]);
    expect(merged).toMatchObject({ listed: 4, saved: 2, present: 2, waiting: 1, unsealed: 2 });
    expect(merged).toMatchObject({ bytes: 20, seconds: 2, failed: [...failed, ...others] });
    // An agreement that failed in both folders is listed once: the list needs a key for each line.
    expect(mergeResults(result({ failed }), [result({ failed })]).failed).toEqual(failed);
  });
});
