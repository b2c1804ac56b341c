// tier: all
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentConverter } from '../../../electron/adapters/documents/convert.ts';
import { OFFICE_LIMITS } from '../../../electron/adapters/documents/limits.ts';
import { findOffice } from '../../../electron/adapters/documents/office/find.ts';
import { detectIsolation } from '../../../electron/adapters/documents/office/apart.ts';
import {
  createOffice,
  type OfficePorts,
} from '../../../electron/adapters/documents/office/office.ts';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { readAsPdfForm } from '../../../electron/core/documents/as-pdf.ts';
import {
  control,
  mergeField,
  openDocument,
  run,
  simpleField,
  wordFile,
  zipOf,
} from '../../support/documents.ts';

/** A PNG of one red dot. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const lock = { take: () => true, free: () => {} };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'documents-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Creates a converter. Each conversion uses its own folder, and must remove it at its end. */
function converter(more: Partial<OfficePorts> = {}) {
  return createDocumentConverter({ folder: path.join(folder, 'work'), lock, ...more });
}

async function textOf(pdf: Uint8Array): Promise<string> {
  const file = path.join(folder, 'seen.pdf');
  await writeFile(file, pdf);
  await promisify(execFile)('qpdf', ['--check', file]);
  const { stdout } = await promisify(execFile)('pdftotext', ['-layout', file, '-']);
  return stdout;
}

async function made(document: Promise<Uint8Array>, more: Partial<OfficePorts> = {}) {
  const pdf = await converter(more).convert(await document, { codes: false });
  if (pdf === null) throw new Error('It is taken for no document');
  return textOf(pdf.data);
}

const reasonOf = async (work: Promise<unknown>): Promise<unknown> => {
  const failure: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return failure instanceof Error && 'failure' in failure ? failure.failure : failure;
};

const rtf = (text: string): Promise<Uint8Array> =>
  Promise.resolve(Buffer.from(`{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\f0 ${text}\\par}`));

describe.skipIf(findOffice() === null)('with LibreOffice', () => {
  it.each([
    ['Word', () => wordFile([run('Hyresavtal för lägenhet 12')])],
    ['OpenDocument', () => openDocument('<text:p>Hyresavtal för lägenhet 12</text:p>')],
    ['RTF', () => rtf("Hyresavtal f\\'f6r l\\'e4genhet 12")],
  ])('a %s file becomes a valid PDF, and leaves no temporary files', async (_, document) => {
    expect(await made(document())).toContain('Hyresavtal för lägenhet 12');
    expect(await readdir(folder)).not.toContain('work');
  });

  it('merge codes, typed anchors and content controls of Word become fields at their positions', async () => {
    const document = await wordFile([
      `${run('Tenant: ')}${mergeField('MERGEFIELD "Full name" \\* MERGEFORMAT')}`,
      `${run('Rent: ')}${simpleField('MERGEFIELD Rent')}`,
      // Word splits typed text into arbitrary runs.
      `${run('Moves in on {{mo')}${run('ve_in}}')}${run(' at noon')}`,
      `${run('City: ')}${control('City')}`,
      `${run('Signature: {{signature:tenant}}')}`,
    ]);
    const ports = { documents: converter(), pdf: createPdfForms() };
    const { name, data } = await readAsPdfForm({ name: 'Lease.docx', data: document }, ports);
    expect(name).toBe('Lease.pdf');
    const text = await textOf(data);
    expect(text).toMatch(/Tenant:\s/u);
    expect(text).toMatch(/Moves in on\s+at noon/u);
    expect(text).not.toMatch(/\{\{|«|MERGEFIELD/u);
    const { fields } = await ports.pdf.read(data);
    expect(fields.map((field) => field.name).toSorted()).toEqual(
      ['City', 'Full name', 'Rent', 'move_in', 'tenant signature'].toSorted(),
    );
    expect(fields.find((field) => field.name === 'tenant signature')).toMatchObject({
      type: 'signature',
    });
    const places = fields.flatMap((field) => field.places ?? []);
    expect(places).toHaveLength(5);
    expect(places.every(({ page, box }) => page === 1 && box.width > 20)).toBe(true);
  });

  it.each([
    [
      'OpenDocument',
      'Lease.odt',
      () =>
        openDocument(
          '<text:p>Rent: {{<text:span>rent</text:span>}} of {<text:span>{city}}</text:span></text:p>',
        ),
    ],
    ['RTF', 'Lease.rtf', () => rtf('Rent: \\{\\{rent\\}\\} of {\\{}\\{city\\}\\}')],
    [
      'RTF with escaped letters',
      'Lease.rtf',
      () => rtf("\\'7b\\'7brent\\'7d\\'7d {\\'7b}\\'7bcity\\'7d\\'7d"),
    ],
  ])(
    'names in braces of %s become fields like those of Word (FE-N8)',
    async (_, name, document) => {
      const ports = { documents: converter(), pdf: createPdfForms() };
      const { data } = await readAsPdfForm({ name, data: await document() }, ports);
      const { fields } = await ports.pdf.read(data);
      expect(fields.map((field) => field.name).toSorted()).toEqual(['city', 'rent']);
      expect(await textOf(data)).not.toContain('{{');
    },
  );

  it('fetches no web address and reads no other local file that a document names', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const secret = path.join(folder, 'secret.txt');
    await writeFile(secret, 'what nobody may see');
    const image = `http://127.0.0.1:${port}/picture.png`;
    try {
      const text = await made(
        openDocument(
          `<text:p>Before<draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="${image}"/></draw:frame></text:p>` +
            `<text:section text:name="Other"><text:section-source xlink:href="file://${secret}"/></text:section>` +
            '<text:p>After</text:p>',
        ),
      );
      expect(text).toContain('After');
      expect(text).not.toContain('nobody may see');
      expect(asked).toBe(0);
    } finally {
      server.close();
    }
  });

  it('includes no picture file of the user that a document names (SR-M1)', async () => {
    const place = await mkdtemp(path.join(homedir(), 'canary-'));
    try {
      const picture = path.join(place, 'card.png');
      await writeFile(picture, PICTURE);
      const found = createOffice({ folder: path.join(folder, 'work'), lock });
      const data = Buffer.from(
        `{\\rtf1 {\\field{\\*\\fldinst INCLUDEPICTURE "${picture}" \\\\d}{\\fldrslt }}\\par}`,
      );
      // Bypasses the check for fields with pictures, like a field that the check does not know.
      const pdf = await found.convert({ data, from: 'rtf', to: 'pdf' });
      expect(Buffer.from(pdf).includes('/Subtype/Image')).toBe(
        (await detectIsolation(findOffice() ?? '')) !== 'all',
      );
    } finally {
      await rm(place, { recursive: true });
    }
  });

  it('runs no macro bound to opening a document', async () => {
    const touched = path.join(folder, 'touched');
    const library =
      '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="M" script:language="StarBasic">' +
      `Sub Main\nOpen "${touched}" For Output As #1\nClose #1\nEnd Sub</script:module>`;
    const event =
      '<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" ' +
      'script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"/>' +
      '</office:event-listeners></office:scripts>';
    const text = await made(
      openDocument('<text:p>With a macro</text:p>', {
        before: event,
        parts: {
          'Basic/script-lc.xml':
            '<library:libraries xmlns:library="http://openoffice.org/2000/library"><library:library library:name="Standard" library:link="false"/></library:libraries>',
          'Basic/Standard/script-lb.xml':
            '<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false"><library:element library:name="M"/></library:library>',
          'Basic/Standard/M.xml': library,
        },
        manifest: ['Basic/script-lc.xml', 'Basic/Standard/script-lb.xml', 'Basic/Standard/M.xml']
          .map(
            (name) =>
              `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"/>`,
          )
          .join(''),
      }),
    );
    expect(text).toContain('With a macro');
    expect(await readdir(folder)).not.toContain('touched');
  });

  it('a conversion that takes too long is stopped with all its processes, and leaves no files', async () => {
    const limits = { ...OFFICE_LIMITS, milliseconds: 300 };
    const work = converter({ limits }).convert(await wordFile([run('Slow')]), { codes: false });
    expect(await reasonOf(work)).toMatchObject({ code: 'invalid', reason: 'document-limit' });
    expect(await readdir(folder)).not.toContain('work');
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
    expect(stdout.split('\n').filter((line) => line.includes(path.join(folder, 'work')))).toEqual(
      [],
    );
  });

  it('rejects a damaged document with an explanation', async () => {
    const whole = await wordFile([run('Whole')]);
    const cut = converter().convert(whole.subarray(0, whole.length >> 1), { codes: false });
    expect(await reasonOf(cut)).toMatchObject({ code: 'invalid', reason: 'document-damaged' });
  });
});

describe('without LibreOffice', () => {
  it('a Word file is rejected with advice', async () => {
    const work = converter({ find: () => null }).convert(await wordFile([run('Text')]), {
      codes: false,
    });
    expect(await reasonOf(work)).toMatchObject({
      code: 'invalid',
      reason: 'office-missing',
      message: expect.stringMatching(/Install it .* or save the document as a PDF/) as string,
    });
  });

  it.each([
    [
      'a HEIC picture of a phone',
      Buffer.from('\u0000\u0000\u0000\u0018ftypheic\u0000'),
      'picture-kind',
    ],
    ['a GIF', Buffer.from('GIF89a'), 'picture-kind'],
    [
      'a document with a password',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(1024),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      'document-password',
    ],
  ])('%s is rejected with advice', async (_, data, reason) => {
    const work = converter({ find: () => null }).convert(data, { codes: false });
    expect(await reasonOf(work)).toMatchObject({ code: 'invalid', reason });
  });

  it.each([
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['a plain text', Buffer.from('Just words')],
  ])('%s is not converted', async (_, data) => {
    expect(await converter({ find: () => null }).convert(data, { codes: false })).toBeNull();
  });

  it('a spreadsheet is not accepted as a document', async () => {
    const sheet = await zipOf({
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml': '<workbook/>',
    });
    const work = converter({ find: () => null }).convert(sheet, { codes: false });
    expect(await reasonOf(work)).toMatchObject({ code: 'invalid', reason: 'document-kind' });
  });

  it('temporary files of a killed process are removed', async () => {
    const left = path.join(folder, 'work', 'document-1');
    await mkdir(left, { recursive: true });
    await writeFile(path.join(left, 'document.docx'), 'somebody else’s lease');
    await converter().clean();
    expect(await readdir(folder)).not.toContain('work');
  });
});
