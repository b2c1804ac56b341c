import { describe, expect, it } from 'vitest';
import { holdsNumber } from '../../../../electron/adapters/sheets/read/person-numbers.ts';
import { rowsOf, textCell, workbook, zipOf } from '../workbook.ts';

const NUMBER = '19850709-9805';
const HEADER = rowsOf([['Name', 'Ref']]);
const rows = (cell: string): string => `${HEADER}<row r="2">${textCell('Åsa')}${cell}</row>`;
const sheet = (cell: string, more = {}) => workbook({ sheets: { Rows: rows(cell) }, ...more });
const part = (name: string, data: string | Uint8Array) => sheet('', { more: [{ name, data }] });
const word = (inside: string) =>
  zipOf([
    { name: 'word/document.xml', data: `<w:document><w:body>${inside}</w:body></w:document>` },
  ]);
const run = (text: string) =>
  `<w:r><w:rPr><w:b/><w:sz w:val="22"/></w:rPr><w:t>${text}</w:t></w:r>`;
const utf16be = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();

describe('the search of a file for personal numbers', () => {
  it.each<[string, Uint8Array]>([
    ['a text', Buffer.from(`Tenant: Eva Ek, ${NUMBER}\n`)],
    ['a table', Buffer.from(`name;number\nÅsa;${NUMBER}\n`, 'latin1')],
    ['a text in UTF-16', Buffer.from(`\uFEFFEva, ${NUMBER}`, 'utf16le')],
    ['a text in UTF-16 without a byte order mark', Buffer.from(`Eva, ${NUMBER}`, 'utf16le')],
    ['a text in UTF-16, high byte first', utf16be(`Eva, ${NUMBER}`)],
    ['a cell', sheet(textCell(NUMBER))],
    [
      'a cell whose text is in several pieces',
      sheet('', { texts: [`<r><t>850709</t></r><r><t>-9805</t></r>`] }),
    ],
    ['a number that a format hides', sheet('<c s="1"><v>8507099805</v></c>', { formats: [';;;'] })],
    ['a number with an exponent', sheet('<c><v>1.98507099805E11</v></c>')],
    ['a formula', sheet(`<c><f>LEFT("${NUMBER}",4)</f><v>1985</v></c>`)],
    [
      'a note',
      part(
        'xl/comments1.xml',
        `<comments><comment><text><t>${NUMBER}</t></text></comment></comments>`,
      ),
    ],
    ['a property', part('docProps/core.xml', `<cp><dc:title>${NUMBER}</dc:title></cp>`)],
    ['the name of a sheet', workbook({ sheets: { [`Of ${NUMBER}`]: HEADER } })],
    ['a number format', sheet('', { formats: [NUMBER] })],
    [
      'the address of a link',
      part('xl/_rels/x.rels', `<R><R Target="https://example.com/${NUMBER}"/></R>`),
    ],
    ['the name of a part', part(`xl/media/${NUMBER}.png`, 'x')],
    [
      'a drawing that is not valid XML',
      part('xl/drawings/vmlDrawing1.vml', `<xml><br>${NUMBER}</xml>`),
    ],
    ['an embedded workbook', part('xl/embeddings/1.xlsx', sheet(textCell(NUMBER)))],
    ['a paragraph in several pieces', word(`<w:p>${run('850709')}${run('-9805')}</w:p>`)],
    [
      'a text with a non-breaking hyphen',
      word(`<w:p>${run('850709')}<w:r><w:noBreakHyphen/></w:r>${run('9805')}</w:p>`),
    ],
    [
      'a text of an OpenDocument',
      zipOf([
        { name: 'content.xml', data: `<o><text:p>850709<text:span>-9805</text:span></text:p></o>` },
      ]),
    ],
    [
      'a flat OpenDocument',
      Buffer.from(
        `<?xml version="1.0"?><office:document><text:p>850709<text:span>-9805</text:span></text:p></office:document>`,
      ),
    ],
  ])('finds one in %s (DL-U6)', async (_place, data) => {
    expect(await holdsNumber(data)).toBe(true);
  });

  it.each<[string, Uint8Array]>([
    [
      'IDs, sizes and positions',
      word(
        `<w:p w:rsidR="00850709"><wp:posOffset>8507099805</wp:posOffset><w:id w:val="8507099805"/><a:ext cx="8507099805"/>${run('Lease of 4 rooms')}</w:p>`,
      ),
    ],
    [
      'counts next to each other',
      part(
        'docProps/app.xml',
        '<P><Pages>85</Pages><Words>0709</Words><Characters>9805</Characters></P>',
      ),
    ],
    [
      'indexes of shared texts in cells',
      sheet('<c t="s"><v>85</v></c><c t="s"><v>07</v></c><c><v>0.8507099805</v></c>'),
    ],
    [
      'the position of a note',
      part(
        'xl/drawings/vmlDrawing1.vml',
        '<xml><x:Anchor>8, 5, 0, 7, 0, 9, 9, 8, 0, 5</x:Anchor></xml>',
      ),
    ],
    ['a picture', part('xl/media/image1.png', Uint8Array.from([0x89, 0, 1]))],
    ['phone numbers and dates', Buffer.from('Eva;+46701234567;2026-11-28\n')],
  ])('finds none in %s (DL-U6)', async (_place, data) => {
    expect(await holdsNumber(data)).toBe(false);
  });

  it.each<[string, Uint8Array]>([
    ['an old Office document', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0])],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0])],
    ['a truncated ZIP file', sheet('').slice(0, 400)],
    [
      'a document with an embedded document that cannot be searched',
      part('word/embeddings/oleObject1.bin', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0])),
    ],
  ])('rejects %s (DL-U6)', async (_kind, data) => {
    await expect(holdsNumber(data)).rejects.toMatchObject({ failure: { code: 'invalid' } });
  });
});
