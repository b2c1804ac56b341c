// tier: all
import {
  decodePDFRawStream,
  PDFContext,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { openSecurity } from '../../../electron/adapters/pdf/encryption/standard-security.ts';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { openPdf } from '../../../electron/adapters/pdf/open-pdf.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import { sampleForm, throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
const failsWith = (reason: string) => ({ failure: { code: 'invalid', reason } });
const VALUES = { 'party.name': 'Åsa (Lund) \\ Berg', accepted: true };

afterAll(() => pdf.close());

function encrypted(data: Uint8Array, ...options: readonly string[]): Uint8Array {
  const args = ['--allow-weak-crypto', ...options, '--', 'in.pdf', 'out.pdf'];
  const { out, said } = throughTool('qpdf', data, args);
  if (out === null) throw new Error(said);
  return out;
}

const openTo = (...options: readonly string[]) => ['--encrypt', '', 'owner', ...options];

/** Ways to encrypt a PDF that opens without a password and may be changed, but not printed. */
const changeable: readonly (readonly [string, readonly string[]])[] = [
  ['RC4 with 40 bits', openTo('40', '--print=n')],
  ['RC4 with 128 bits', openTo('128', '--print=none')],
  ['RC4 with crypt filters', openTo('128', '--force-V4', '--print=none')],
  ['AES with 128 bits', openTo('128', '--use-aes=y', '--print=none')],
  ['AES but plain metadata', openTo('128', '--use-aes=y', '--cleartext-metadata', '--print=none')],
  ['AES with 256 bits, revision 5', openTo('256', '--force-R5', '--print=none')],
  ['AES with 256 bits, revision 6', openTo('256', '--print=none')],
];

describe('an encrypted PDF that opens without a password', () => {
  it.each(
    changeable.flatMap(([name, options]) =>
      ['disable', 'generate'].map((streams) => [name, streams, options] as const),
    ),
  )(
    'is read and filled if its encryption allows changes: %s, with object streams: %s (IN-Q15)',
    async (_, streams, options) => {
      const plain = await sampleForm();
      const locked = encrypted(plain, `--object-streams=${streams}`, ...options);
      const { fields, notices, pages } = await pdf.read(plain);
      expect(await pdf.read(locked)).toEqual({
        fields,
        pages,
        notices: [...notices, 'owner-locked'],
      });
      const { data } = await pdf.merge(locked, VALUES, false);
      expect(throughTool('qpdf', data, ['--is-encrypted', 'in.pdf']).status).toBe(2);
      expect(throughTool('qpdf', data, ['--check', 'in.pdf']).status).toBe(0);
      const values = (await pdf.read(data)).fields.map(({ name, value }) => [name, value]);
      expect(values).toContainEqual(['party.name', VALUES['party.name']]);
      const flat = await pdf.merge(locked, VALUES, true);
      const { said } = throughTool('pdftotext', flat.data, ['-layout', 'in.pdf', '-']);
      expect(said).toContain('Åsa (Lund) \\ Berg');
    },
  );

  it.each([
    ['nothing may be changed', openTo('256', '--modify=none')],
    ['only filling is allowed', openTo('256', '--modify=form')],
    ['only comments and filling are allowed', openTo('256', '--modify=annotate')],
    ['nothing may be changed, with 40 bits', openTo('40', '--modify=n')],
    ['changes are allowed but not filling, with 40 bits', openTo('40', '--annotate=n')],
  ])('is rejected with a specific reason if %s (IN-Q15)', async (_, options) => {
    const locked = encrypted(await sampleForm(), ...options);
    await expect(pdf.read(locked)).rejects.toMatchObject(failsWith('pdf-restricted'));
    await expect(pdf.merge(locked, VALUES, false)).rejects.toMatchObject(
      failsWith('pdf-restricted'),
    );
    await expect(pdf.compile(locked)).rejects.toMatchObject(failsWith('pdf-restricted'));
  });

  it.each([openTo('128', '--print=none'), openTo('256', '--print=none')])(
    'keeps backslashes, brackets and line ends in its strings: %j (IN-Q15)',
    async (...options) => {
      const made = await PDFDocument.create();
      made.addPage();
      const text = 'A \\ b ( c\r\n) 尨 \\( Ü';
      made.context.trailerInfo.Info = made.context.register(
        made.context.obj({ Title: PDFHexString.fromText(text), Author: PDFString.of('\\\\ \\(') }),
      );
      const plain = await made.save({ useObjectStreams: false });
      const locked = asLiterals(encrypted(plain, '--object-streams=disable', ...options));
      const { document } = await openPdf(locked);
      expect([document.getTitle(), document.getAuthor()]).toEqual([text, '\\ (']);
      const saved = await PDFDocument.load(await document.save(), { updateMetadata: false });
      expect([saved.getTitle(), saved.getAuthor()]).toEqual([text, '\\ (']);
    },
  );

  it('keeps the end of every stream whose length is stored after it (IN-Z2)', async () => {
    const made = await PDFDocument.create();
    made.addPage();
    // One stream in 256 ends with a carriage return after encryption.
    const texts = Array.from({ length: 1500 }, (_, at) => `stream number ${at} ends here`);
    const streams = texts.map((text) => made.context.register(made.context.stream(text)));
    made.catalog.set(PDFName.of('Streams'), made.context.obj(streams));
    const plain = await made.save({ useObjectStreams: false });
    const options = ['--static-aes-iv', '--stream-data=preserve', '--object-streams=disable'];
    const locked = encrypted(plain, ...options, ...openTo('128', '--use-aes=y'));
    const { document } = await openPdf(withLengthsBehind(locked));
    const read = document.context
      .enumerateIndirectObjects()
      .flatMap(([, one]) => (one instanceof PDFRawStream ? [latin(one.contents)] : []))
      .filter((text) => text.startsWith('stream'));
    expect(read.toSorted()).toEqual(texts.toSorted());
  });

  it.each(['StdCF', 'Identity'])(
    'is read if a stream names its own crypt filter: %s (IN-Z6)',
    async (filter) => {
      const made = await PDFDocument.create();
      made.addPage();
      made.catalog.set(PDFName.of('Own'), made.context.register(made.context.flateStream('Own')));
      const options = ['--stream-data=preserve', '--object-streams=disable'];
      const plain = await made.save({ useObjectStreams: false });
      const locked = encrypted(plain, ...options, ...openTo('128', '--use-aes=y'));
      const parameters = `/Filter [/Crypt /FlateDecode] /DecodeParms [<</Name /${filter}>> null]`;
      const text = latin(locked).replace('/Filter /FlateDecode', parameters);
      const { document } = await openPdf(new Uint8Array(Buffer.from(text, 'latin1')));
      const own = document.catalog.lookup(PDFName.of('Own'));
      if (!(own instanceof PDFRawStream)) throw new Error('The stream is gone');
      // Strings and streams with the `Identity` filter are unencrypted.
      if (filter === 'Identity') expect(text).toContain(latin(own.contents));
      else expect(latin(decodePDFRawStream(own).decode())).toBe('Own');
      expect(String(own.dict)).not.toContain('Crypt');
    },
  );

  it('is read if its crypt filters have a key of 40 bits (IN-Z6)', () => {
    const bytes = (text: string) => PDFHexString.of(text);
    const context = PDFContext.create();
    const dict = context.obj({
      Filter: 'Standard',
      V: 4,
      R: 4,
      Length: 40,
      P: -4,
      StmF: 'StdCF',
      StrF: 'StdCF',
      CF: { StdCF: { CFM: 'V2', Length: 5 } },
    });
    dict.set(PDFName.of('O'), bytes('5a'.repeat(32)));
    dict.set(
      PDFName.of('U'),
      bytes('440027fcf6a5f4a13e068ea2a28ba71d00000000000000000000000000000000'),
    );
    const id = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
    expect(openSecurity(dict, id)).toMatchObject({ canFill: true, canChange: true });
  });

  it('is read by its cross-references, without an unused object after them (IN-Z11)', async () => {
    const made = await PDFDocument.create();
    made.addPage();
    made.catalog.set(
      PDFName.of('Own'),
      made.context.register(made.context.stream('The rent is 900')),
    );
    const plain = await made.save({ useObjectStreams: false });
    const options = ['--stream-data=preserve', '--object-streams=disable'];
    const text = latin(encrypted(plain, ...options, ...openTo('128', '--use-aes=y')));
    const [, number = ''] = /\/Own (\d{1,5}) 0 R/.exec(text) ?? [];
    const dead = `${number} 0 obj\n<< /Length 4 >>\nstream\ndead\nendstream\nendobj\n`;
    const at = text.lastIndexOf('\nxref\n') + 1;
    const longer = `${text.slice(0, at)}${dead}${text.slice(at)}`;
    const moved = longer.replace(`startxref\n${at}`, `startxref\n${at + dead.length}`);
    expect(moved).not.toBe(longer);
    const { document } = await openPdf(new Uint8Array(Buffer.from(moved, 'latin1')));
    const own = document.catalog.lookup(PDFName.of('Own'));
    expect(own instanceof PDFRawStream && latin(own.contents)).toBe('The rent is 900');
  });

  it('rejects fields that the user draws on it, which would have to be encrypted (IN-Q15)', async () => {
    const locked = encrypted(await sampleForm(), ...openTo('256', '--print=none'));
    const own: PlacedField = {
      name: 'Own',
      kind: 'text',
      label: '',
      required: false,
      maxLength: null,
      fontSize: null,
      align: 'left',
      options: [],
      value: '',
      places: [{ page: 1, box: { x: 80, y: 700, width: 160, height: 20 } }],
    };
    await expect(pdf.place(locked, [own])).rejects.toMatchObject(failsWith('pdf-restricted'));
  });
});

it.each(['40', '128', '256'])(
  'a PDF with a user password is rejected because of the password, with %s bits (IN-Q15)',
  async (bits) => {
    for (const streams of ['disable', 'generate']) {
      const options = [`--object-streams=${streams}`, '--encrypt', 'user', 'owner', bits];
      const locked = encrypted(await sampleForm(), ...options);
      await expect(pdf.read(locked)).rejects.toMatchObject(failsWith('pdf-encrypted'));
    }
  },
);

const latin = (data: Uint8Array): string => Buffer.from(data).toString('latin1');

/**
 * Returns the PDF with the length of each stream as a separate object after it, as programs write
 * that do not know the length in advance.
 */
function withLengthsBehind(data: Uint8Array): Uint8Array {
  let number = 100_000;
  const lengths: string[] = [];
  const text = latin(data).replaceAll(
    /\/Length (\d+)(?= [^>]*>>\nstream)/g,
    (_, length: string) => {
      number += 1;
      lengths.push(`${number} 0 obj\n${length}\nendobj\n`);
      return `/Length ${number} 0 R`;
    },
  );
  if (lengths.length === 0) throw new Error('qpdf writes lengths in another way');
  return new Uint8Array(Buffer.from(text.replace('xref\n', `${lengths.join('')}xref\n`), 'latin1'));
}

/** Returns the PDF with its encrypted strings as literals, as other programs write them. */
function asLiterals(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data).toString('latin1');
  const written = text.replaceAll(/\/(Title|Author) <([0-9a-f]+)>/g, (_, name, hex) => {
    const bytes = Buffer.from(hex, 'hex').toString('latin1');
    const literal = bytes
      .replaceAll(/[\\()]/g, String.raw`\$&`)
      .replaceAll('\r', String.raw`\r`)
      .replaceAll('\n', String.raw`\n`);
    return `/${name} (${literal})`;
  });
  if (written === text) throw new Error('qpdf writes strings in another way');
  return new Uint8Array(Buffer.from(written, 'latin1'));
}
