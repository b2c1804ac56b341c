import { describe, expect, it } from 'vitest';
import type { RowProblem } from '../../../../shared/contract/batches.ts';
import { resultOf } from '../../../../renderer/features/batches/check/row-result.ts';
import {
  announcedProgress,
  correctionName,
  sendSummary,
} from '../../../../renderer/features/batches/words.ts';

it('the batch with refused rows has another name than every batch before', () => {
  expect(correctionName('hyror', ['hyror'])).toBe('hyror, correction 1');
  const known = ['hyror', 'hyror, correction 1', 'hyror, correction 2'];
  expect(correctionName('hyror', known)).toBe('hyror, correction 3');
});

it.each([
  [
    { ready: 1, people: 1, emails: 1, sms: 0 },
    '1 agreement: 1 person is notified immediately, by email',
  ],
  [
    { ready: 2, people: 1, emails: 2, sms: 0 },
    '2 agreements: 1 person is notified immediately, by email',
  ],
  [
    { ready: 6, people: 6, emails: 6, sms: 0 },
    '6 agreements: 6 people are notified immediately, by email',
  ],
  [
    { ready: 1, people: 2, emails: 0, sms: 2 },
    '1 agreement: 2 people are notified immediately, by text message',
  ],
  [
    { ready: 6, people: 6, emails: 4, sms: 2 },
    '6 agreements: 6 people are notified immediately, by email and text message',
  ],
  [{ ready: 3, people: 0, emails: 0, sms: 0 }, '3 agreements: the service does not notify anyone'],
])('the review of a batch sums up the agreements and the notified people: %j', (check, text) => {
  expect(sendSummary(check)).toBe(text);
});

describe('the announced progress of a batch', () => {
  const announcedWhile = (rows: number): readonly string[] => [
    ...new Set(
      Array.from({ length: rows + 1 }, (_, over) =>
        announcedProgress({ rows, waiting: rows - over }),
      ),
    ),
  ];

  it('changes only at each finished tenth of the rows (AP-15)', () => {
    const tenths = ['0%', '10%', '20%', '30%', '40%', '50%', '60%', '70%', '80%', '90%', '100%'];
    expect(announcedWhile(500)).toEqual(tenths);
    expect(announcedWhile(24)).toEqual(tenths);
  });

  it('is complete only when no row waits, also for few rows (AP-15)', () => {
    expect(announcedProgress({ rows: 500, waiting: 1 })).toBe('90%');
    expect(announcedWhile(3)).toEqual(['0%', '30%', '60%', '100%']);
    expect(announcedProgress({ rows: 0, waiting: 0 })).toBe('0%');
  });
});

const empty = (column: number | null, field: string): RowProblem => ({
  column,
  code: 'field',
  detail: 'required',
  field,
  message: 'This is empty',
  isError: true,
  repairs: [],
});

describe('the result of a row with empty cells', () => {
  const columns = ['Förnamn', 'Efternamn', 'E-post'];
  const resultWith = (...problems: RowProblem[]): string =>
    resultOf(
      { row: 2, cells: [], isExcluded: false, isEdited: false, problems, outcome: null },
      columns,
    );

  it('names the column of each of them', () => {
    const problems = [empty(0, 'parties.0.firstName'), empty(1, 'parties.0.lastName')];
    expect(resultWith(...problems)).toBe('Fill in “Förnamn”. · Fill in “Efternamn”.');
  });

  it('names the field if no column fills it', () => {
    expect(resultWith(empty(null, 'parties.1.lastName'))).toBe('Fill in “Last name”.');
    expect(resultWith(empty(null, 'webhook.events'))).toBe('Fill in this field.');
  });

  it('keeps the more precise text of its field', () => {
    const title = 'Enter a title for the agreement. The parties see it.';
    expect(resultWith(empty(2, 'title'))).toBe(title);
  });
});
