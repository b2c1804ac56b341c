import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { place as inRepository } from '../../../build/places.ts';
import { createDocumentConverter } from '../../../electron/adapters/documents/convert.ts';
import { refuseOutside } from '../../../electron/adapters/documents/outside/refuse-outside.ts';
import { AppError } from '../../../shared/errors.ts';
import { wordFile, run } from '../../support/documents.ts';

const rtf = (text: string): Uint8Array =>
  Buffer.from(`{\\rtf1\\ansi Before ${text} After\\par}`, 'latin1');
const field = (instruction: string): Uint8Array =>
  rtf(`{\\field{\\*\\fldinst ${instruction}}{\\fldrslt }}`);

/** As LibreOffice wrote it, with two links to be clicked. */
const oldWord = (): Buffer => readFileSync(inRepository('test/fixtures/documents/hyperlinks.doc'));

/** The same with another number, or another word, for the first of its fields. */
function oldWordWith({ number, word }: { number?: number; word?: string }): Uint8Array {
  const data = oldWord();
  const wide = Buffer.from('HYPERLINK "http://xxxxx', 'utf16le');
  if (word !== undefined) Buffer.from(word, 'utf16le').copy(data, data.indexOf(wide));
  const list = data.indexOf(Buffer.from([0x13, 0x58]));
  if (number !== undefined) data[list + 1] = number;
  return data;
}

/** Its reason; null where it is taken. */
function reasonOf(data: Uint8Array, kind: 'rtf' | 'doc'): string | null {
  try {
    refuseOutside(data, kind);
    return null;
  } catch (error) {
    return error instanceof AppError ? (error.failure.reason ?? error.message) : String(error);
  }
}

describe('a document that names files to be read into it is refused', () => {
  it.each([
    ['a picture', field('INCLUDEPICTURE "/home/anna/card.png" \\\\d')],
    ['a picture in small letters', field(' includepicture "card.png"')],
    ['a text', field('INCLUDETEXT "/etc/passwd"')],
    ['a table of another program', field('LINK Excel.Sheet.8 "C:\\\\rents.xls" "A1"')],
    ['what another program has open', field('DDEAUTO excel rents.xls A1')],
    ['a file in the oldest words', field('IMPORT card.bmp')],
    ['a part of a master document', field('RD chapter.doc')],
    ['a word in codes of one byte', field("\\'49NCLUD\\'45PICTURE card.png")],
    ['a word in codes of Unicode', field('\\u73?NCLUDE\\uc0\\u80 ICTURE card.png')],
    ['a word in pieces', field('{\\b INC}{\\i LUDE\\b0 PIC}\nTU{}RE card.png')],
    ['a word behind many spaces', field(`${' '.repeat(400_000)}INCLUDEPICTURE card.png`)],
    ['a word of wide letters', field('\\u-215?NCLUDEPICTURE card.png')],
    [
      'a field within a field',
      field('IF 1=1 {\\field{\\*\\fldinst {INCLUDEPICTURE card.png}}{\\fldrslt }} ""'),
    ],
    ['a field that is cut off', Buffer.from('{\\rtf1{\\field{\\*\\fldinst INCLUDEPICTURE a.png')],
    ['a field in signs of old text', rtf("\\'13INCLUDEPICTURE card.png\\'15")],
    ['a field behind bytes', rtf('{\\bin3 }}}{\\field{\\*\\fldinst INCLUDETEXT a}}}')],
    ['a linked object', rtf('{\\object\\objautlink{\\*\\objclass Word}{\\*\\objdata 00}}')],
    [
      'a linked picture of a shape',
      rtf('{\\shp{\\*\\shpinst{\\sp{\\sn pibName}{\\sv a.png}}{\\sp{\\sn pibFlags}{\\sv 10}}}}'),
    ],
    [
      'an old Word document as an object of it',
      rtf(
        `{\\object\\objemb{\\*\\objdata 01${Buffer.from(oldWordWith({ number: 0x43 })).toString('hex')}}}`,
      ),
    ],
  ])('in RTF, by %s (SR-M1)', (_, data) => {
    expect(reasonOf(data, 'rtf')).toBe('document-outside');
  });

  it.each([0x24, 0x2d, 0x2e, 0x37, 0x38, 0x43, 0x44])(
    'in old Word, by the field with the number %i, whatever its words say (SR-M1)',
    (number) => {
      expect(reasonOf(oldWordWith({ number }), 'doc')).toBe('document-outside');
    },
  );

  it('in old Word, by the words of a field, whatever its number says (SR-M1)', () => {
    const data = oldWordWith({ word: 'INCLUDEPICTURE "a.png"' });
    expect(reasonOf(data, 'doc')).toBe('document-outside');
  });

  it.each(['Agreement.rtf', 'Agreement.docx'])(
    'by its content, with the name %s, and before LibreOffice sees it (SR-M1)',
    async () => {
      const lock = { take: () => true, free: () => {} };
      const converter = createDocumentConverter({ folder: '/nowhere', lock, find: () => null });
      await expect(
        converter.convert(field('INCLUDEPICTURE a.png'), { codes: true }),
      ).rejects.toMatchObject({ failure: { code: 'invalid', reason: 'document-outside' } });
    },
  );

  it('within a new Word file too (SR-M1)', async () => {
    const lock = { take: () => true, free: () => {} };
    const converter = createDocumentConverter({ folder: '/nowhere', lock, find: () => null });
    const data = await wordFile([run('Text')], {
      parts: { 'word/afchunk.rtf': field('INCLUDEPICTURE a.png') },
    });
    await expect(converter.convert(data, { codes: false })).rejects.toMatchObject({
      failure: { reason: 'document-outside' },
    });
  });
});

describe('a document that names no file is taken', () => {
  it.each([
    ['links to be clicked', field('HYPERLINK "https://example.com/link"')],
    ['words of its text', rtf('Please link, import and include data; the database is the RD.')],
    [
      'pages and days',
      rtf('{\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}{\\field{\\*\\fldinst DATE}}'),
    ],
    ['codes to be merged', field('MERGEFIELD Link')],
    ['the name of a picture that is in it', rtf('{\\sp{\\sn pibFlags}{\\sv 2}}')],
  ])('in RTF with %s', (_, data) => {
    expect(reasonOf(data, 'rtf')).toBeNull();
  });

  it('in old Word with links to be clicked', () => {
    expect(reasonOf(oldWord(), 'doc')).toBeNull();
  });

  it('and one that is cut is refused as damaged', () => {
    expect(reasonOf(oldWord().subarray(0, 3000), 'doc')).toBe('document-damaged');
    expect(reasonOf(oldWord().subarray(0, 100), 'doc')).toBe('document-damaged');
  });
});
