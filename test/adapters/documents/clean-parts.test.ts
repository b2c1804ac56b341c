import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rejectLinkedPackages } from '../../../electron/adapters/documents/word/clean-parts.ts';
import { prepareDocument } from '../../../electron/adapters/documents/word/prepare.ts';
import { openZip } from '../../../electron/adapters/sheets/read/zip.ts';
import { openDocument, run, wordFile, zipOf } from '../../support/documents.ts';

const SECRET = 'file:///home/anna/secret.png';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const picture = (target: string, prefix = 'xlink'): string =>
  `<text:p><draw:frame><draw:image ${prefix}:href="${target}" ${prefix}:type="simple"/></draw:frame></text:p>`;
const RELATION = `<Relationship Id="rId9" Type="${R}/image" Target="${SECRET}" TargetMode="External"/>`;

async function partsOf(data: Uint8Array): Promise<string> {
  const zip = await openZip(data);
  const texts: string[] = [];
  for (const name of zip.names) {
    const part = Buffer.from(await zip.read(name));
    const isZip = part.subarray(0, 2).toString('latin1') === 'PK';
    texts.push(isZip ? await partsOf(part) : part.toString('utf8'));
  }
  return texts.join('\n');
}
const prepared = async (data: Uint8Array): Promise<string> =>
  partsOf((await prepareDocument(data, false)).data);

/** Returns `content.xml` of an OpenDocument text with this body. */
async function contentOf(inner: string): Promise<string> {
  const zip = await openZip(await openDocument(inner));
  return Buffer.from(await zip.read('content.xml')).toString('utf8');
}

/** A compound file with one stream, in sectors of 512 bytes. */
function compound(name: string, stream: Uint8Array): Uint8Array {
  const sectors = Math.max(8, Math.ceil(stream.length / 512));
  const file = Buffer.alloc((sectors + 3) * 512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt16LE(6, 32);
  file.writeUInt32LE(1, 44);
  file.writeUInt32LE(1, 48);
  file.writeUInt32LE(4096, 56);
  file.fill(0xff, 60, 64);
  file.fill(0xff, 68, 72);
  file.fill(0xff, 76, 512);
  file.writeUInt32LE(0, 76);
  file.fill(0xff, 512, 1024);
  file.writeUInt32LE(0xfffffffd, 512);
  file.writeUInt32LE(0xfffffffe, 516);
  for (let at = 0; at < sectors; at += 1) {
    file.writeUInt32LE(at === sectors - 1 ? 0xfffffffe : at + 3, 520 + at * 4);
  }
  const entry = (at: number, called: string, kind: number, start: number, length: number): void => {
    const place = 1024 + at * 128;
    file.write(called, place, 'utf16le');
    file.writeUInt16LE(called.length * 2 + 2, place + 64);
    file[place + 66] = kind;
    file.writeUInt32LE(start, place + 116);
    file.writeUInt32LE(length, place + 120);
  };
  entry(0, 'Root Entry', 5, 0xfffffffe, 0);
  entry(1, name, 2, 2, Math.max(stream.length, 4096));
  file.set(stream, 1536);
  return file;
}

describe('external references in a document are removed', () => {
  it.each(['Object 1/content.xml', 'a/b/Object 2/styles.xml', 'Object 1/CONTENT.XML', 'other.xml'])(
    'from the part %s of an OpenDocument text (SR-O6)',
    async (name) => {
      const parts = { [name]: await contentOf(picture(SECRET)) };
      const data = await openDocument('<text:p>x</text:p>', { parts });
      expect(await prepared(data)).not.toContain('secret');
    },
  );

  it.each([
    ['with another XML prefix', picture(SECRET, 'q').replace('<text:p>', '<text:p xmlns:q="x">')],
    ['after a space', picture(` ${SECRET}`)],
    ['with ".." after a folder', picture('a/../../../home/anna/secret.png')],
    ['with an encoded ".."', picture('%2e%2e/%2e%2e/home/anna/secret.png')],
    ['in a form button', `<form:button xmlns:form="f" form:image-data="${SECRET}"/>`],
    [
      'as a link to a file that another program has open',
      '<office:dde-source office:dde-application="soffice" office:dde-topic="/secret.odt" office:dde-item="a"/>',
    ],
  ])('when a link is written %s (SR-O6)', async (_, inner) => {
    expect(await prepared(await openDocument(inner))).not.toContain('secret');
  });

  it('from documents embedded in a Word file, at every level (SR-O6)', async () => {
    const word = await wordFile([run('inner')], { relations: RELATION });
    const text = await openDocument(picture(SECRET), { parts: { 'Object 1': word } });
    const parts = { 'word/embeddings/a.docx': word, 'word/embeddings/b.odt': text };
    const found = await prepared(await wordFile([run('outer')], { parts }));
    expect(found).toContain('inner');
    expect(found).not.toContain('secret');
  });

  it('but clickable links and embedded content stay (SR-O6)', async () => {
    const inner = `<text:p><text:a xlink:href="https://a.se">a</text:a></text:p>${picture('Pictures/1.png')}`;
    const found = await prepared(
      await openDocument(inner, { parts: { 'Pictures/1.png': 'x', 'Configurations2/a.xml': '' } }),
    );
    expect(found).toContain('https://a.se');
    expect(found).toContain('Pictures/1.png');
  });
});

describe('a document from which external references cannot be removed is rejected', () => {
  const drawing = (inner: string, head = ''): string =>
    `<?xml version="1.0"?>${head}<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
  const ENTITIES = '<!DOCTYPE svg [<!ENTITY a "<image hr&#101;f=\'file:///secret\'/>">]>';

  it.each<readonly [string, string | Uint8Array]>([
    ['an embedded RTF text', ' {\\rtf1{\\field{\\*\\fldinst INCLUDEPICTURE a.png}}}'],
    ['a drawing with a picture', drawing(`<image xlink:href='${SECRET}'/>`)],
    ['a drawing with a style', drawing(`<rect style="fill:url(${SECRET})"/>`)],
    ['a drawing with entities', drawing('&a;', ENTITIES)],
    ['a compressed drawing', gzipSync(drawing(`<image href="${SECRET}"/>`))],
    ['a drawing in UTF-16', Buffer.from(drawing(`<image href="${SECRET}"/>`), 'utf16le')],
  ])('because of %s (SR-O6)', async (_, part) => {
    const data = await wordFile([run('x')], { parts: { 'word/media/a.bin': part } });
    await expect(prepareDocument(data, false)).rejects.toMatchObject({
      failure: { reason: 'document-outside' },
    });
  });

  it('because of a linked picture in a document that is embedded as an OLE object (SR-O6)', async () => {
    // 4096 bytes or more, so that the compound file stores it in regular sectors.
    const parts = { 'word/media/a.bin': randomBytes(5000) };
    const linked = await wordFile([run('x')], { relations: RELATION, parts });
    const object = compound('Package', linked);
    const embedded = { 'word/embeddings/oleObject1.bin': object };
    const data = await wordFile([run('x')], { parts: embedded });
    const refused = { failure: { reason: 'document-outside' } };
    await expect(prepareDocument(data, false)).rejects.toMatchObject(refused);
    await expect(rejectLinkedPackages(object)).rejects.toMatchObject(refused);
    await rejectLinkedPackages(compound('Package', await wordFile([run('x')], { parts })));
  });

  it('because of documents nested too deeply (SR-O6)', async () => {
    let data = await wordFile([run('x')]);
    for (let depth = 0; depth < 5; depth += 1) data = await zipOf({ 'a.zip': data });
    await expect(
      prepareDocument(await wordFile([run('x')], { parts: { 'a.zip': data } }), false),
    ).rejects.toMatchObject({ failure: { reason: 'document-limit' } });
  });

  it('but not because of drawings that refer to no external file (SR-O6)', async () => {
    const head =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd" [<!ENTITY s "http://a">]>';
    const inner =
      '<a xlink:href="https://a.se"><use href="#b"/></a><rect fill="url(#c)"/><image href="data:image/png;base64,aa"/>';
    const parts = { 'word/media/a.svg': drawing(inner, head), 'word/media/b.emz': gzipSync('x') };
    const data = await wordFile([run('x')], { parts });
    await expect(prepareDocument(data, false)).resolves.toMatchObject({ ending: 'docx' });
  });
});
