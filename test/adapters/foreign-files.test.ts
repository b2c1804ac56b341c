// tier: all
import { describe, expect, it } from 'vitest';
import { readCards } from '../../electron/adapters/cards/read.ts';
import { rejectOutside } from '../../electron/adapters/documents/outside/refuse-outside.ts';
import { holdsNumber } from '../../electron/adapters/sheets/read/person-numbers.ts';
import { drawingReadsOutside } from '../../electron/adapters/documents/outside/svg.ts';
import { prepareDocument } from '../../electron/adapters/documents/word/prepare.ts';
import { readSheet } from '../../electron/adapters/sheets/read/sheet.ts';
import { parseDraftFile } from '../../shared/rules/drafts/file.ts';
import { parseIntakeData } from '../../shared/rules/intake/data.ts';
import { AppError } from '../../shared/errors.ts';
import { control, mergeField, openDocument, simpleField, wordFile } from '../support/documents.ts';

/*
 * Readers of foreign files take at most about three times as long for twice the size, for the worst
 * content: their work is linear, not quadratic.
 */

const MEGABYTE = 1024 * 1024;
const SIZES = [1, 2, 4, 8];
/** Maximum growth of the time for twice the size: twice, and a margin for a busy computer. */
const MAX_TIME_GROWTH = 3;
/** Processor time (ms) that is too short to show growth. */
const NOISE = 150;

const card = (lines: string): string => `BEGIN:VCARD\nVERSION:2.1\n${lines}\nEND:VCARD\n`;
const fill = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length));

type Shape = readonly [name: string, make: (size: number) => string];

const cards: readonly Shape[] = [
  ['soft lines', (size) => card(`N;ENCODING=QUOTED-PRINTABLE:${fill('=\n', size)}`)],
  ['soft lines with text', (size) => card(`N;QUOTED-PRINTABLE:${fill('=41=\n', size)}`)],
  ['folded lines', (size) => card(`N:${fill('\n a', size)}`)],
  ['folded spaces', (size) => card(`N:${fill(`\n${' '.repeat(2000)}`, size)}`)],
  ['one name', (size) => card(`N:${fill('a', size)}`)],
  ['many parts', (size) => card(`N:${fill(';', size)}`)],
  ['backslashes', (size) => card(`N:${fill('\\', size)}`)],
  ['parameters', (size) => card(`TEL${fill(';a', size)}:1`)],
  ['parameters without an end', (size) => card(`TEL${fill(';a="', size)}`)],
  ['marks of one telephone', (size) => card(`TEL;TYPE=${fill('a,', size)}:1`)],
  ['spaces', (size) => card(fill(' ', size))],
  ['telephones', (size) => card(fill('TEL:1\n', size))],
  ['cards within each other', (size) => fill('BEGIN:VCARD\nAGENT:\n', size)],
  ['cards that are cut off', (size) => fill('BEGIN:VCARD\n', size)],
  ['whole cards', (size) => fill(card('N:Berg;Anna'), size)],
  ['empty lines', (size) => card(fill('\r\n', size))],
];

const documents: readonly Shape[] = [
  ['groups', (size) => `{\\rtf1 ${fill('{}', size)}}`],
  ['groups within each other', (size) => `{\\rtf1 ${fill('{', size)}`],
  ['objects', (size) => `{\\rtf1 ${fill('{\\objdata 00}', size)}}`],
  ['objects in one group', (size) => `{\\rtf1 {${fill('\\objdata 00', size)}}}`],
  [
    'objects within each other',
    (size) => `{\\rtf1 ${fill('{\\objdata ', 50_000)}${fill('0', size)}`,
  ],
  ['instructions', (size) => `{\\rtf1 ${fill('{{\\fldinst PAGE}}', size)}}`],
  ['instructions in one group', (size) => `{\\rtf1 {${fill('\\fldinst PAGE', size)}}}`],
  ['instructions within each other', (size) => `{\\rtf1 ${fill('{\\fldinst ', size)}`],
  ['one instruction', (size) => `{\\rtf1 {\\fldinst ${fill('a ', size)}}}`],
  ['spaces of an instruction', (size) => `{\\rtf1 {\\fldinst ${fill(' ', size)}}}`],
  ['codes', (size) => `{\\rtf1 ${fill("\\'41\\u65?", size)}}`],
  ['one word', (size) => `{\\rtf1 \\${fill('a', size)}}`],
  ['one number', (size) => `{\\rtf1 \\a${fill('1', size)}}`],
  ['bytes', (size) => `{\\rtf1 ${fill('\\bin1 a', size)}}`],
];

const sheets: readonly Shape[] = [
  ['one cell', (size) => `a;b\n${fill('x', size)};1`],
  ['quotes', (size) => `a;b\n"${fill('""', size)}";1`],
  ['quotes that do not end', (size) => `a;b\n${fill('"', size + 1)}`],
  ['separators', (size) => `a;b\n${fill(';', size)}`],
  ['separators of several kinds', (size) => fill('a;b,c\td|', size)],
  ['short rows', (size) => `a;b\n${fill('1;2\n', size)}`],
  ['line ends', (size) => fill('\r\n', size)],
  ['spaces', (size) => `a;b\n${fill(' ', size)};1`],
  ['digits', (size) => `a;b\n${fill('850709', size)};1`],
  ['digits apart', (size) => `a;b\n${fill('8 - ', size)};1`],
  ['signs of formulas', (size) => `a;b\n${fill("'=", size)};1`],
];

const drafts: readonly Shape[] = [
  ['a long title', (size) => draft(`"${fill('a', size)}"`)],
  ['brackets', (size) => fill('[', size)],
  ['brackets that end', (size) => `${fill('[', size / 2)}${fill(']', size / 2)}`],
  [
    'files',
    (size) => `{"format":"signing-desk-draft","version":1,"files":[${fill('{},', size)}{}]}`,
  ],
  [
    'unknown keys',
    (size) => `{"format":"signing-desk-draft","version":1,"a":[${fill('0,', size)}0]}`,
  ],
];
const draft = (title: string): string =>
  `{"format":"signing-desk-draft","version":1,"api":"v1","body":{"title":${title}},"files":[]}`;

/** Files searched for personal numbers before a handover. */
const searched: readonly Shape[] = [
  ['digits', (size) => fill('850709', size)],
  ['lines of digits', (size) => fill('19850709\n', size)],
  [
    'empty values behind a long text',
    (size) => xml(`<t>${fill('1', size / 2)}</t>${'<v/>'.repeat(size / 8)}`),
  ],
  ['values', (size) => xml('<v>1</v>'.repeat(size / 8))],
  ['elements that do not end', (size) => xml(fill('<t>', size))],
  ['attributes', (size) => xml('<a title="1"/>'.repeat(size / 14))],
];
/** Number elements of OpenDocument files, after and between other elements. */
const numbers: readonly Shape[] = [
  ['texts and empty values', (size) => xml(fill('<t>1</t><v></v>', size))],
  [
    'values behind a long text',
    (size) => xml(`<t>${fill('1', size / 2)}</t>${fill('<v>1.5</v>', size / 2)}`),
  ],
  [
    'values within each other',
    (size) => xml(fill(`${'<v>1'.repeat(50)}${'</v>'.repeat(50)}`, size)),
  ],
];

/** Characters with very many combining marks, which `normalize` sorts. */
const marked: readonly (readonly [
  string,
  (size: number) => Uint8Array,
  (data: Buffer) => unknown,
])[] = [
  ['a card', (size) => Buffer.from(card(`N:a${fill(MARKS, size)}`)), readCards],
  [
    'a sheet',
    (size) => Buffer.from(`a${fill(MARKS, size)};b\n1;2\n`),
    (data) => readSheet(data, {}),
  ],
  ['a text', (size) => Buffer.from(`1234567a${fill(MARKS, size)}`), (data) => holdsNumber(data)],
];
const MARKS = '\u0301\u0327';

/** Codes in the text of a Word file; a fraction of a megabyte is a thousand pages. */
const codes: readonly Shape[] = [
  ['in one run', (size) => fill('<w:r><w:t>{{a}}{{b}}</w:t></w:r>', size)],
  ['in one text', (size) => `<w:r><w:t>${fill('{{a}}', size)}</w:t></w:r>`],
  ['that begin', (size) => `<w:r><w:t>${fill('{{ ', size)}</w:t></w:r>`],
  ['in pieces', (size) => fill('<w:r><w:t>{</w:t></w:r><w:r><w:t>{a}}</w:t></w:r>', size)],
  ['in two pieces of a run', (size) => fill('<w:r><w:t>a</w:t><w:t>{{b}}</w:t></w:r>', size)],
  [
    'of fields with names of their own',
    (size) => many(size, (number) => simpleField(`MERGEFIELD n${String(number)}`)),
  ],
  [
    'of fields with nearly the same name',
    (size) => many(size, (number) => mergeField(`MERGEFIELD n${'-'.repeat(number % 50)}${number}`)),
  ],
  ['of fields', (size) => fill(mergeField('MERGEFIELD a'), size)],
  ['of fields that begin', (size) => fill('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', size)],
  ['of controls', (size) => fill(control('a'), size)],
];
const many = (size: number, make: (number: number) => string): string =>
  Array.from({ length: Math.ceil(size / make(1).length) }, (_, number) => make(number)).join('');

/** Links of an OpenDocument text. */
const links: readonly Shape[] = [
  ['to files', (size) => fill('<text:p><draw:image xlink:href="file:///a"/></text:p>', size)],
  ['upwards', (size) => `<draw:image xlink:href="${fill('../', size)}"/>`],
  ['with many spaces', (size) => `<draw:image xlink:href="${fill(' ', size)}:"/>`],
];

/** Drawings within a document. */
const drawings: readonly Shape[] = [
  ['of links', (size) => `<svg>${fill('<a ', size)}`],
  ['of addresses', (size) => `<svg a="${fill('href="', size)}`],
  ['of spaces', (size) => `<svg a="${fill('url( ', size)}${fill(' ', size)}`],
  ['of declarations', (size) => `<!DOCTYPE svg [${fill('<!ENTITY ', size)}`],
  ['of comments', (size) => fill('<!--', size)],
];

const xml = (text: string): string => `<?xml version="1.0"?><a>${text}</a>`;

/** Waits for the work, and ignores its result or rejection. */
async function settled(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Returns the processor time of the work (ms). */
async function taken(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await settled(work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Maximum number of tries: garbage collection slows some of them, a slow reader all of them. */
const MAX_TRIES = 4;

/** Returns the shortest time of several tries; stops at the first one that is short enough. */
async function shortest(isEnough: (time: number) => boolean, work: () => unknown): Promise<number> {
  let time = await taken(work);
  for (let tries = 1; tries < MAX_TRIES && !isEnough(time); tries += 1) {
    time = Math.min(time, await taken(work));
  }
  return time;
}

/** Asserts that the time grows at most linearly with the size; creating `made` is not measured. */
async function expectLinear<Made>(
  make: (size: number) => Made | Promise<Made>,
  work: (made: Made) => unknown,
): Promise<void> {
  const times: number[] = [];
  for (const size of SIZES) {
    const made = await make(size * MEGABYTE);
    const before = times.at(-1);
    const most =
      before === undefined ? Infinity : Math.max(before, NOISE) * MAX_TIME_GROWTH + NOISE;
    times.push(
      Math.round(
        await shortest(
          (time) => time < most,
          () => work(made),
        ),
      ),
    );
    expect(times.at(-1), `milliseconds for 1, 2, 4 and 8 MB: ${times.join(', ')}`).toBeLessThan(
      most,
    );
  }
}

const bytes = (make: Shape[1]) => (size: number) => Buffer.from(make(size), 'latin1');
const TODAY = '2026-11-29';

describe('twice the size takes about twice the time', () => {
  it.each(cards)('for vCards with %s (SR-M7)', (_, make) => expectLinear(bytes(make), readCards));

  it.each(documents)('for RTF with %s (SR-M7)', (_, make) =>
    expectLinear(bytes(make), (data) => rejectOutside(data, 'rtf')),
  );

  it.each(sheets)('for CSV files with %s (SR-M7)', (_, make) =>
    expectLinear(bytes(make), (data) => readSheet(data, {})),
  );

  it.each(searched)('for a search for personal numbers with %s (SR-M7)', (_, make) =>
    expectLinear(bytes(make), (data) => holdsNumber(data)),
  );

  it.each(numbers)('for a search for personal numbers with %s (SR-O11)', (_, make) =>
    expectLinear(bytes(make), (data) => holdsNumber(data)),
  );

  it.each(marked)('for %s with many combining marks (SR-O10)', (_, make, work) =>
    expectLinear((size) => Buffer.from(make(size)), work),
  );

  it('for an RTF instruction with many combining marks (SR-O10)', () =>
    expectLinear(
      (size) => Buffer.from(`{\\rtf1{\\fldinst a${fill('\\u769 ?\\u807 ?', size / 32)}}}`),
      (data) => rejectOutside(data, 'rtf'),
    ));

  it.each(codes)(
    'for Word files with codes %s (SR-O12)',
    (_, make) =>
      expectLinear(
        (size) => wordFile([make(size / 8)]),
        (data) => prepareDocument(data, true),
      ),
    60_000,
  );

  it.each(links)(
    'for OpenDocument texts with links %s (SR-O12)',
    (_, make) =>
      expectLinear(
        (size) => openDocument(make(size / 4)),
        (data) => prepareDocument(data, true),
      ),
    60_000,
  );

  it.each(drawings)('for drawings in a document, %s (SR-O12)', (_, make) =>
    expectLinear(bytes(make), drawingReadsOutside),
  );

  it.each(drafts)('for draft files with %s (SR-M7)', (_, make) =>
    expectLinear(make, parseDraftFile),
  );

  it.each(drafts)('for sidecar files with %s (SR-M7)', (_, make) =>
    expectLinear(make, (text) => parseIntakeData(text, TODAY)),
  );
});
