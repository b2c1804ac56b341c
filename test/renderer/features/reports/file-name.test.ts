import { describe, expect, it } from 'vitest';
import { formOf, inFolder, withEnding } from '../../../../renderer/features/reports/file-name.ts';

describe('the file name of a report', () => {
  it('changes only its ending when another format is chosen', () => {
    expect(withEnding('/audit/My report.v2.xlsx', 'csv')).toBe('/audit/My report.v2.csv');
    expect(withEnding('/audit/My report.CSV', 'xlsx')).toBe('/audit/My report.xlsx');
    expect(withEnding('/audit/My report 1.2', 'csv')).toBe('/audit/My report 1.2');
  });

  it('belongs to a format, so that no workbook is named .csv', () => {
    expect(['a.csv', 'a.XLSX ', 'a.txt', 'csv'].map(formOf)).toEqual(['csv', 'xlsx', null, null]);
  });

  it('stays when another folder is chosen', () => {
    expect(inFolder('/documents/My report.csv', '/audit', '/')).toBe('/audit/My report.csv');
    expect(inFolder('C:\\documents\\My report.csv', 'D:\\audit', '\\')).toBe(
      'D:\\audit\\My report.csv',
    );
  });
});
