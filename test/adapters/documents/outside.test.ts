import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { place as inRepository } from '../../../build/places.ts';
import { createDocumentConverter } from '../../../electron/adapters/documents/convert.ts';
import { rejectOutside } from '../../../electron/adapters/documents/outside/refuse-outside.ts';
import { AppError } from '../../../shared/errors.ts';
import { wordFile, run } from '../../support/documents.ts';

const rtf = (text: string): Uint8Array =>
  Buffer.from(`{\\rtf1\\ansi Before ${text} After\\par}`, 'latin1');
const field = (instruction: string): Uint8Array =>
  rtf(`{\\field{\\*\\fldinst ${instruction}}{\\fldrslt }}`);

const PICTURE = '{\\field{\\*\\fldinst INCLUDEPICTURE a.png}{\\fldrslt }}';

/** An old Word file written by LibreOffice, with two clickable links. */
const oldWord = (): Buffer => readFileSync(inRepository('test/fixtures/documents/hyperlinks.doc'));

/** Returns the file of `oldWord`, whose first field has another number or another keyword. */
function oldWordWith({ number, word }: { number?: number; word?: string }): Uint8Array {
  const data = oldWord();
  const wide = Buffer.from('HYPERLINK "http://xxxxx', 'utf16le');
  if (word !== undefined) Buffer.from(word, 'utf16le').copy(data, data.indexOf(wide));
  const list = data.indexOf(Buffer.from([0x13, 0x58]));
  if (number !== undefined) data[list + 1] = number;
  return data;
}

/** Returns the reason of the rejection; null if the document is accepted. */
function reasonOf(data: Uint8Array, kind: 'rtf' | 'doc'): string | null {
  try {
    rejectOutside(data, kind);
    return null;
  } catch (error) {
    return error instanceof AppError ? (error.failure.reason ?? error.message) : String(error);
  }
}

describe('a document that includes external files is rejected', () => {
  it.each([
    ['a picture field', field('INCLUDEPICTURE "/home/anna/card.png" \\\\d')],
    ['a picture field in lower case', field(' includepicture "card.png"')],
    ['a text field', field('INCLUDETEXT "/etc/passwd"')],
    ['a link to a table of another program', field('LINK Excel.Sheet.8 "C:\\\\rents.xls" "A1"')],
    ['a link to a file that another program has open', field('DDEAUTO excel rents.xls A1')],
    ['a field with the oldest keyword', field('IMPORT card.bmp')],
    ['a reference to a part of a master document', field('RD chapter.doc')],
    ['a keyword in one-byte escapes', field("\\'49NCLUD\\'45PICTURE card.png")],
    ['a keyword in Unicode escapes', field('\\u73?NCLUDE\\uc0\\u80 ICTURE card.png')],
    ['a keyword in several pieces', field('{\\b INC}{\\i LUDE\\b0 PIC}\nTU{}RE card.png')],
    ['a keyword after many spaces', field(`${' '.repeat(400_000)}INCLUDEPICTURE card.png`)],
    ['a keyword in full-width letters', field('\\u-215?NCLUDEPICTURE card.png')],
    [
      'a field within a field',
      field('IF 1=1 {\\field{\\*\\fldinst {INCLUDEPICTURE card.png}}{\\fldrslt }} ""'),
    ],
    ['a truncated field', Buffer.from('{\\rtf1{\\field{\\*\\fldinst INCLUDEPICTURE a.png')],
    ['a field in the control characters of old Word', rtf("\\'13INCLUDEPICTURE card.png\\'15")],
    ['a field after binary data', rtf('{\\bin3 }}}{\\field{\\*\\fldinst INCLUDETEXT a}}}')],
    ['a linked object', rtf('{\\object\\objautlink{\\*\\objclass Word}{\\*\\objdata 00}}')],
    [
      'a linked picture of a shape',
      rtf('{\\shp{\\*\\shpinst{\\sp{\\sn pibName}{\\sv a.png}}{\\sp{\\sn pibFlags}{\\sv 10}}}}'),
    ],
    [
      'an embedded old Word document',
      rtf(
        `{\\object\\objemb{\\*\\objdata 01${Buffer.from(oldWordWith({ number: 0x43 })).toString('hex')}}}`,
      ),
    ],
  ])('in RTF, by %s (SR-M1)', (_, data) => {
    expect(reasonOf(data, 'rtf')).toBe('document-outside');
  });

  it.each([
    ['a keyword for binary data in capital letters', rtf(`\\BIN900 ${PICTURE}`)],
    ['a keyword for binary data with one capital letter', rtf(`{\\*\\foo \\Bin900 x}${PICTURE}`)],
    ['binary data that is read as text', rtf(`{\\*\\foo \\bin160 }${PICTURE}${' '.repeat(200)}`)],
    ['a field keyword in capital letters', rtf('{\\field{\\*\\FLDINST INCLUDEPICTURE a.png}}')],
    ['a field followed by a value', field('INCLUDEPICTURE "a.png" \\\\d \\sv 0')],
    ['a field followed by an object', field('INCLUDEPICTURE "a.png" \\\\d \\objdata')],
    ['a field followed by another instruction', field('INCLUDEPICTURE "a.png" \\fldinst PAGE')],
    ['two values of a shape', rtf('{\\sp{\\sn pibFlags}{\\sv 10\\sv 0}}')],
    [
      'field text after its group',
      rtf('{\\field{\\*\\fldinst INCLUDE}{PICTURE a.png}{\\fldrslt }}'),
    ],
    [
      'more replacement characters than usual',
      field('\\uc20\\u73 xxxxxxxxxxxxxxxxxxxxNCLUDEPICTURE a.png'),
    ],
    ['replacement characters that are missing', field('\\u73 {X}NCLUDEPICTURE a.png')],
    ['a long number', field(`\\u${'0'.repeat(20)}73 ?NCLUDEPICTURE a.png`)],
    ['an unknown group in the keyword', field('INC{\\*\\foo XX}LUDEPICTURE a.png')],
    ['a font table in the keyword', field('INC{\\fonttbl{\\f5 XX;}}LUDEPICTURE a.png')],
    ['a text in two encodings', field('INC{\\upr{XX}{\\*\\ud LUDE}}PICTURE a.png')],
    ['an invalid escape', field("INC\\'zzLUDEPICTURE a.png")],
    ['an escape on two lines', field("\\'4\n9NCLUDEPICTURE a.png")],
    ['a keyword that resembles that of a link', field('HYPERLINKS "a" INCLUDEPICTURE a.png')],
    [
      'the quotes of a link in font tables',
      field('{\\fonttbl HYPERLINK "}INCLUDEPICTURE "a.png" {\\fonttbl "}'),
    ],
    [
      'a code page without plain letters',
      Buffer.from('{\\rtf1\\ansi\\ansicpg65000{\\field{\\*\\fldinst +AEkATgBD-LUDEPICTURE}}}'),
    ],
    [
      'a linked object declared as embedded',
      rtf('{\\object\\objemb{\\*\\objdata 0105000001000000}}'),
    ],
    [
      'control words between the digits of a linked object',
      rtf('{\\*\\objdata 010\\b 5000001000000}'),
    ],
  ])('in RTF, even when disguised: %s (SR-O5)', (_, data) => {
    expect(reasonOf(data, 'rtf')).toBe('document-outside');
  });

  it.each(['99999999999', '4294967297', '2147483648', '900', '-5'])(
    'as damaged if it is RTF with an ambiguous number of bytes, %s (SR-O5)',
    (count) => {
      const data = rtf(`{\\*\\foo \\bin${count} }${PICTURE}`);
      expect(reasonOf(data, 'rtf')).toBe('document-damaged');
    },
  );

  it.each([0x24, 0x2d, 0x2e, 0x37, 0x38, 0x43, 0x44])(
    'in old Word, if a field has the number %i, whatever its text (SR-M1)',
    (number) => {
      expect(reasonOf(oldWordWith({ number }), 'doc')).toBe('document-outside');
    },
  );

  it('in old Word, if the text of a field includes a file, whatever its number (SR-M1)', () => {
    const data = oldWordWith({ word: 'INCLUDEPICTURE "a.png"' });
    expect(reasonOf(data, 'doc')).toBe('document-outside');
  });

  it.each(['Agreement.rtf', 'Agreement.docx'])(
    'by its content, whatever its name, before LibreOffice opens it: %s (SR-M1)',
    async () => {
      const lock = { take: () => true, free: () => {} };
      const converter = createDocumentConverter({ folder: '/nowhere', lock, find: () => null });
      await expect(
        converter.convert(field('INCLUDEPICTURE a.png'), { codes: true }),
      ).rejects.toMatchObject({ failure: { code: 'invalid', reason: 'document-outside' } });
    },
  );

  it('if it is a part of a new Word file (SR-M1)', async () => {
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

describe('a document without external files is accepted', () => {
  it.each([
    ['clickable links', field('HYPERLINK "https://example.com/link"')],
    [
      'words like field names in its text',
      rtf('Please link, import and include data; the database is the RD.'),
    ],
    [
      'page numbers and dates',
      rtf('{\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}{\\field{\\*\\fldinst DATE}}'),
    ],
    ['merge fields', field('MERGEFIELD Link')],
    ['an embedded picture', rtf('{\\sp{\\sn pibFlags}{\\sv 2}}')],
  ])('in RTF with %s', (_, data) => {
    expect(reasonOf(data, 'rtf')).toBeNull();
  });

  it.each([
    ['a link to a page about INCLUDETEXT', field('HYPERLINK "https://a.se/includetext"')],
    [
      'a link to a service named include-picture',
      field('{\\b  HYPERLINK "https://include-picture.se" }'),
    ],
    ['a link with escaped letters', field('HYPERLINK "https://a.se/\\u229?" \\\\l "Data"')],
    ['the name of a bookmark', field('Data')],
    ['the name of a bookmark with switches', field(' Data \\\\h  \\\\* MERGEFORMAT ')],
    ['binary data of a picture', rtf(`{\\pict\\pngblip\\bin24 {{{\x13\\bin9 \\bin-5 {x \\'1}`)],
    ['a Windows code page', rtf('\\ansicpg1252{\\fonttbl{\\f0\\cpg1253 Arial;}}')],
    ['many fields', rtf('{\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}'.repeat(100))],
    [
      'a link whose address is also stored as data',
      field('{HYPERLINK "https://a.se"}{{\\*\\datafield 00d0c9ea79f9bace118c8200aa}}'),
    ],
  ])('in RTF with %s (SR-O13)', (_, data) => {
    expect(reasonOf(data, 'rtf')).toBeNull();
  });

  it('in old Word if its text mentions INCLUDETEXT or a similar field (SR-O13)', () => {
    const data = oldWord();
    const text = Buffer.from('Before ', 'utf16le');
    Buffer.from('DDEAUTO', 'utf16le').copy(data, data.indexOf(text));
    expect(data.includes(Buffer.from('DDEAUTO\x13', 'utf16le'))).toBe(true);
    expect(reasonOf(data, 'doc')).toBeNull();
  });

  it('in old Word with clickable links', () => {
    expect(reasonOf(oldWord(), 'doc')).toBeNull();
  });

  it('unless it is truncated and therefore damaged', () => {
    expect(reasonOf(oldWord().subarray(0, 3000), 'doc')).toBe('document-damaged');
    expect(reasonOf(oldWord().subarray(0, 100), 'doc')).toBe('document-damaged');
  });
});
