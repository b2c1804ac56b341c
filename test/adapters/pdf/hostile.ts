import { deflateSync } from 'node:zlib';
import { PDFArray, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { sampleForm } from './sample-pdfs.ts';

const text = (words: string): Uint8Array => new Uint8Array(Buffer.from(words, 'latin1'));

export const latin = (data: Uint8Array): string => Buffer.from(data).toString('latin1');

/** Returns a document of these raw objects, with a cross-reference table and this trailer. */
export function rawPdf(objects: readonly string[], trailer = '/Root 1 0 R'): Uint8Array {
  let body = '%PDF-1.7\n';
  const places = objects.map((object, at) => {
    const place = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<</Size ${size}${trailer}>>\nstartxref\n${body.length}\n%%EOF\n`;
  return text(body + table + end);
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';

/** Returns a document whose pages are each other's parents. */
export const circularPages = (): Uint8Array =>
  rawPdf([CATALOG, '<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Pages/Count 1/Kids[2 0 R]>>']);

export const noPages = (): Uint8Array => rawPdf([CATALOG, '<</Type/Pages/Count 0/Kids[]>>']);

/** Returns a document with nested arrays, deeper than any reader's stack. */
export const deepNesting = (): Uint8Array =>
  rawPdf([
    CATALOG,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/X ${'['.repeat(100_000)}${']'.repeat(100_000)}>>`,
  ]);

/** Returns a document with an object stream that unpacks from megabytes to gigabytes. */
export function bomb(megabytes: number): Uint8Array {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, 0x20), { level: 1 });
  // Compressed twice, since a single compression reaches only a factor of a thousand.
  const twice = deflateSync(packed, { level: 9 });
  const stream =
    `<</Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]/Length ${twice.length}>>` +
    `\nstream\n${twice.toString('latin1')}\nendstream`;
  return rawPdf([CATALOG, '<</Type/Pages/Count 0/Kids[]>>', stream]);
}

/** Returns a document with this number of empty objects. */
export function manyObjects(count: number): Uint8Array {
  const objects = Array.from({ length: count }, () => '<</A[1 2 3]/B(x)>>');
  return rawPdf([CATALOG, '<</Type/Pages/Count 0/Kids[]>>', ...objects]);
}

/** Returns the sample form with a change. */
export async function altered(change: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.load(await sampleForm());
  change(document);
  return document.save({ updateFieldAppearances: false });
}

export function addAction(document: PDFDocument, action: Record<string, string>): void {
  const entries = Object.entries(action).map(([key, value]) => [
    key,
    key === 'S' ? PDFName.of(value) : PDFString.of(value),
  ]);
  document.catalog.set(PDFName.of('OpenAction'), document.context.obj(Object.fromEntries(entries)));
}

/** Returns twenty kinds of damaged file, with their names. */
export async function damagedFiles(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const whole = await sampleForm();
  const plain = await (await PDFDocument.load(whole)).save({ useObjectStreams: false });
  const cut = (share: number) => whole.slice(0, Math.floor(whole.length * share));
  const replaced = (from: string, to: string) => text(latin(plain).replaceAll(from, to));
  const noise = (every: number) =>
    whole.map((byte, at) => (at % every === every - 1 ? byte ^ 255 : byte));
  return [
    ['empty', new Uint8Array()],
    ['one byte', text('%')],
    ['only its first line', text('%PDF-1.7\n')],
    ['cut at a tenth', cut(0.1)],
    ['cut in the middle', cut(0.5)],
    ['cut at nine tenths', cut(0.9)],
    ['without its last byte but five', whole.slice(0, -6)],
    ['without its end', text(latin(whole).replaceAll('%%EOF', ''))],
    ['with an end far away', text(latin(whole).replace(/startxref\s+\d+/, 'startxref\n99999999'))],
    ['with every tenth byte turned', noise(10)],
    ['with every hundredth byte turned', noise(100)],
    ['all zeros behind its first line', text(`%PDF-1.7\n${'\0'.repeat(5000)}`)],
    ['with no catalog', rawPdf(['<</Type/Page>>'], '/Root 9 0 R')],
    ['with no pages', noPages()],
    ['with pages in a circle', circularPages()],
    ['nested without end', deepNesting()],
    ['with its catalog renamed', replaced('/Catalog', '/Catalig')],
    ['with its pages renamed', replaced('/Kids', '/Kuds')],
    ['with dictionaries left open', replaced('>>', '> ')],
    [
      'with a form that is a number',
      await altered((document) => {
        document.catalog.set(PDFName.of('AcroForm'), document.context.obj(7));
      }),
    ],
  ];
}

/** Returns a document of several pages with different sizes and rotations. */
export async function mixedPages(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]);
  document.addPage([842, 595]);
  document.addPage([40_000, 40_000]);
  const turned = document.addPage([200, 400]);
  turned.node.set(PDFName.of('Rotate'), document.context.obj(90));
  return document.save();
}

export async function manyPages(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context } = document;
  const leaf = context.register(context.obj({ Type: 'Page', MediaBox: [0, 0, 9, 9] }));
  const kids = PDFArray.withContext(context);
  for (let at = 0; at < count; at += 1) kids.push(leaf);
  const pages = context.register(context.obj({ Type: 'Pages', Count: count, Kids: kids }));
  document.catalog.set(PDFName.of('Pages'), pages);
  return document.save({ addDefaultPage: false });
}

/** Adds this number of empty revisions, as programs do that save often. */
export function withRevisions(data: Uint8Array, count: number): Uint8Array {
  let body = latin(data);
  for (let at = 0; at < count; at += 1) {
    const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(body)?.[1] ?? '0';
    const number = 9000 + at;
    const place = body.length;
    body += `${number} 0 obj\n<</Saved ${at}>>\nendobj\n`;
    const table = body.length;
    body += `xref\n${number} 1\n${String(place).padStart(10, '0')} 00000 n \n`;
    const root = /\/Root\s+(\d+ \d+ R)/.exec(body)?.[1] ?? '1 0 R';
    body += `trailer\n<</Size ${number + 1}/Root ${root}/Prev ${before}>>\n`;
    body += `startxref\n${table}\n%%EOF\n`;
  }
  return text(body);
}
