import { describe, expect, it } from 'vitest';
import { cells, noticed, read, refusal } from '../refusal.ts';
import { rowsOf, workbook } from '../workbook.ts';

const people = [
  ['Förnamn', 'Efternamn', 'E-post'],
  ['Åsa', 'Öberg', 'asa@example.com'],
];
const sheetOf = (sheets: Readonly<Record<string, readonly (readonly string[])[]>>) =>
  workbook({
    sheets: Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, rowsOf(rows)])),
  });

describe('a workbook whose first sheet is not a table', () => {
  it.each([
    ['one title', [['Leases of 2026']]],
    ['notes in one column', [['How to fill it in'], ['Write one row for each tenant'], ['Thanks']]],
    [
      'a small table',
      [
        ['Version', 'Day'],
        ['2', '2026-11-01'],
      ],
    ],
    ['nothing', []],
  ])(
    'opens at the sheet with the best matching header, after a sheet with %s (SC-4)',
    async (_, cover) => {
      const sheet = await read(sheetOf({ Cover: cover, Notes: [['a'], ['b']], People: people }));
      expect(sheet.shape).toMatchObject({ sheet: 'People', headerRow: 1, rows: 1 });
      expect(sheet.shape.sheets.map(({ name }) => name)).toEqual(['Cover', 'Notes', 'People']);
      expect(cells(sheet)).toEqual([people[1]]);
      expect(noticed(sheet)).toMatchObject({ 'other-sheets': 2 });
    },
  );

  it('opens at a table without known headers if the cover sheet has no rows (SC-4)', async () => {
    const table = [
      ['Objekt', 'Kod'],
      ['A1', '7'],
    ];
    const sheet = await read(sheetOf({ Cover: [['Leases']], Data: table }));
    expect(sheet.shape).toMatchObject({ sheet: 'Data' });
  });

  it('opens at its first table, or at the sheet that the user chose', async () => {
    const more = [
      [...(people[0] ?? []), 'Mobil'],
      ['Bo', 'Ek', 'bo@example.com', '070-123 45 67'],
    ];
    const both = sheetOf({ First: people, Second: more });
    expect((await read(both)).shape.sheet).toBe('First');
    const covered = sheetOf({ Cover: [['Leases'], ['of 2026']], People: people });
    expect((await read(covered, { sheet: 'Cover' })).shape.sheet).toBe('Cover');
    const bare = sheetOf({ Cover: [['Leases']], Other: [['x']] });
    expect(await refusal(bare)).toMatchObject({ reason: 'sheet-empty' });
  });
});
