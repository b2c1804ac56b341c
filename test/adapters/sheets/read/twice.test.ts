import { expect, it } from 'vitest';
import { readSheet } from '../../../../electron/adapters/sheets/read/sheet.ts';
import { rowsOf, workbook } from '../workbook.ts';

const cell = (place: string, text: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;

it('a workbook with two cells at one address, which programs read differently, is rejected with the row (SR-I13)', async () => {
  const row = `<row r="2">${cell('A2', 'Anna')}${cell('B2', 'seen')}${cell('B2', 'unseen')}</row>`;
  const data = workbook({ sheets: { People: rowsOf([['Name', 'Address']]) + row } });
  await expect(readSheet(data, {})).rejects.toThrow('Row 2 of the sheet has the same cell twice');
});
