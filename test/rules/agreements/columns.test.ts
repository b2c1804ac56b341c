import { describe, expect, it } from 'vitest';
import { ListColumn } from '../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ReportCell } from '../../../shared/contract/reports.ts';
import { cellOf, daysWaiting, optionalPartsFor } from '../../../shared/rules/agreements/columns.ts';
import { listRow } from '../../support/fakes/fake-list.ts';
import { englishWords } from '../../../shared/rules/agreements/english-words.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();
const LATE = new Date(2026, 10, 20, 23, 59).getTime();

describe('the days an agreement has waited', () => {
  const waiting = { state: 'waiting', gone: null, sentAt: LATE } as const;

  it('are calendar days since it was sent', () => {
    expect(daysWaiting(waiting, NOON)).toBe(1);
    expect(daysWaiting({ ...waiting, sentAt: NOON - HOUR }, NOON)).toBe(0);
    const inMarch = new Date(2026, 2, 28, 12).getTime();
    expect(daysWaiting({ ...waiting, sentAt: inMarch }, new Date(2026, 2, 30, 1).getTime())).toBe(
      2,
    );
  });

  it('are empty when no party is awaited, or the start is unknown', () => {
    expect(daysWaiting({ ...waiting, state: 'signed' }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, state: 'draft' }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, gone: 'deleted' }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, sentAt: null }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, state: 'unknown' }, NOON)).toBe(1);
  });

  it('are never negative, even when the service clock is ahead', () => {
    expect(daysWaiting({ ...waiting, sentAt: NOON + 48 * HOUR }, NOON)).toBe(0);
  });
});

describe('the columns of the agreement list', () => {
  const person = { name: 'Åsa', nativeState: 'HELD', email: null, mobile: null };
  const nothing = {
    tags: null,
    people: null,
    sentBy: null,
    batch: null,
    batchRow: null,
    template: null,
    awaited: [],
  };
  const context = { words: englishWords, nameOf: () => 'Office', now: NOON };
  const cell = (column: ListColumn, row: Partial<Agreement>, more: object = {}): ReportCell =>
    cellOf({ ...listRow('1'), ...row, more: { ...nothing, ...more } }, column, context);

  it('request only the data that they need', () => {
    expect(optionalPartsFor(['title', 'sent', 'daysWaiting'])).toEqual([]);
    expect(optionalPartsFor(['tags', 'title', 'sentBy'])).toEqual(['remote']);
    expect(optionalPartsFor(['batch', 'addresses'])).toEqual(['remote', 'sending']);
  });

  it('give times as times, and numbers as numbers', () => {
    expect(cell('sent', { sentAt: LATE })).toEqual({ at: LATE });
    expect(cell('batchRow', {}, { batchRow: 12 })).toEqual({ number: 12 });
    expect(cell('daysWaiting', { state: 'waiting', sentAt: LATE })).toEqual({ number: 1 });
    expect(cell('connection', {})).toBe('Office');
  });

  it('show an unknown status in the service’s words', () => {
    expect(cell('state', { state: 'signed' })).toBe('signed');
    expect(cell('state', { state: 'unknown', nativeState: 'HELD' })).toBe('HELD');
    const perhaps = { state: 'rejected', perhapsExpired: true } as const;
    expect(cell('state', perhaps)).toBe('rejected or expired');
  });

  it('show only the status in its column, which a sheet can then be filtered by', () => {
    expect(cell('state', { state: 'waiting' }, { awaited: ['Åsa Öberg'] })).toBe('waiting');
  });

  it('show each party with its status, and an open party of an ended agreement as not signed', () => {
    const people = [
      { ...person, state: 'signed' as const },
      { ...person, state: 'turn' as const },
    ];
    const open = cell('partyStates', { state: 'waiting' }, { people });
    expect(open).toBe('Åsa: signed, Åsa: to sign');
    const over = cell('partyStates', { state: 'expired' }, { people });
    expect(over).toBe('Åsa: signed, Åsa: not signed');
    const unknown = [{ ...person, state: 'unknown' as const }];
    expect(cell('partyStates', { state: 'waiting' }, { people: unknown })).toBe('Åsa: HELD');
  });

  it('show the contact of each party, the email address first', () => {
    const people = [
      { ...person, state: 'turn' as const, email: 'a@example.com', mobile: '+46701' },
      { ...person, state: 'turn' as const, mobile: '+46702' },
      { ...person, state: 'turn' as const },
    ];
    expect(cell('addresses', {}, { people })).toBe('a@example.com, +46702');
  });

  it('show tags, including tags without a value', () => {
    const tags = { case: 'K-1', urgent: '' };
    expect(cell('tags', {}, { tags })).toBe('case: K-1, urgent');
  });

  it('list the parties that have a name', () => {
    expect(cell('parties', { parties: ['Åsa Öberg', '', 'Ola Nordmann'] })).toBe(
      'Åsa Öberg, Ola Nordmann',
    );
  });

  it('are empty for unknown values', () => {
    const unknown = { parties: null, sentAt: null, closedAt: null, archivedAt: null };
    for (const column of ListColumn.options.slice(ListColumn.options.indexOf('sent'))) {
      expect(cell(column, unknown), column).toBeNull();
      expect(cellOf({ ...listRow('1'), ...unknown }, column, context), column).toBeNull();
    }
    expect(cell('parties', unknown)).toBeNull();
  });
});
