// tier: quick, 20 s, because it proves many traps of hostile PDFs
import { createHash } from 'node:crypto';
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { checkDraft } from '../../../shared/rules/drafts/check.ts';
import { AppError } from '../../../shared/errors.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import {
  addAction,
  altered,
  bomb,
  circularPages,
  damagedFiles,
  deepNesting,
  latin,
  manyObjects,
  manyPages,
  mixedPages,
  noPages,
  withRevisions,
} from './hostile.ts';
import { formsThere, listing, readForm } from './real-forms.ts';
import { sampleForm, signedForm, throughTool } from './sample-pdfs.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const pdf = createPdfForms();
/** PDF reader with lower limits, so that a test need not wait for the real limits. */
const short = createPdfForms({ milliseconds: 8000, megabytes: 160 });
afterAll(async () => {
  await pdf.close();
  await short.close();
});

const bytes = (words: string) => new Uint8Array(Buffer.from(words, 'latin1'));
const reasonOf = async (reading: Promise<unknown>): Promise<string> => {
  try {
    await reading;
    return 'read';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.failure.reason ?? error.failure.code;
  }
};
const refusals = [
  'file-empty',
  'not-a-pdf',
  'pdf-damaged',
  'pdf-encrypted',
  'pdf-restricted',
  'pdf-limit',
];

describe('twenty damaged files', () => {
  it('are each rejected with a reason, or read, and the next file is read normally', async () => {
    const files = await damagedFiles();
    expect(files).toHaveLength(20);
    for (const [name, data] of files) {
      expect([...refusals, 'read'], name).toContain(await reasonOf(pdf.read(data)));
      const merging = reasonOf(pdf.merge(data, { 'party.name': 'x' }, true));
      expect([...refusals, 'pdf-no-such-field', 'read'], name).toContain(await merging);
    }
    expect(await pdf.read(await sampleForm())).toMatchObject({ pages: 2 });
  }, 90_000);
});

describe('real forms of many makers', () => {
  const named = Object.entries(listing());
  it.runIf(named.length > 0)(
    'exist, each with a list of the fields that another reader finds',
    () => {
      expect(formsThere(named.map(([name]) => name))).toHaveLength(named.length);
    },
  );
  it.each(named)(
    '%s has the fields that another reader finds, or is rejected with a reason (TX-30)',
    async (name, { fields, encrypted }) => {
      const [there] = formsThere([name]);
      if (there === undefined) return;
      const data = readForm(there);
      const reason = await reasonOf(pdf.read(data));
      // Some encrypted files open without a password.
      if (encrypted === true && reason !== 'read')
        expect(reason).toMatch(/^pdf-(encrypted|restricted)$/);
      if (reason !== 'read') return expect(refusals).toContain(reason);
      const ours = (await pdf.read(data)).fields.map((field) => field.name);
      const theirs = (fields ?? []).filter(({ type }) => type !== '').map((field) => field.name);
      expect(ours).toEqual(expect.arrayContaining([...new Set(theirs)]));
    },
    MINUTE,
  );
});

describe('a PDF that is to be sent', () => {
  it.each(['', '%', '%PDF-'])('1: is rejected when it is empty: %j', async (content) => {
    expect(['file-empty', 'not-a-pdf', 'pdf-damaged']).toContain(
      await reasonOf(pdf.read(bytes(content))),
    );
  });

  it.each([
    '<!doctype html><p>Log in</p>',
    '\u00ff\u00d8\u00ff\u00e0 JFIF',
    'PK\u0003\u0004 docx',
    'MZ exe',
  ])('2: is rejected by its content, whatever its name: %j', async (content) => {
    expect(await reasonOf(pdf.read(bytes(content)))).toBe('not-a-pdf');
  });

  it('3: is reported if it has data before its start, and rejected if that data is long', async () => {
    const junk = (length: number) => bytes(`${'x'.repeat(length)}\n`);
    const whole = await (
      await PDFDocument.load(await sampleForm())
    ).save({ useObjectStreams: false });
    const behind = (length: number) => new Uint8Array([...junk(length), ...whole]);
    expect((await pdf.read(behind(20))).notices).toContain('late-start');
    expect(await reasonOf(pdf.read(behind(2000)))).toBe('not-a-pdf');
  });

  it('4: is rejected when truncated, and not repaired silently', async () => {
    const whole = await sampleForm();
    expect(await reasonOf(pdf.read(whole.slice(0, -20)))).toBe('pdf-damaged');
    const lost = bytes(latin(whole).replace(/startxref\s+\d+/, 'startxref\n99999999'));
    expect(await reasonOf(pdf.read(lost))).toBe('pdf-damaged');
  });

  it.each([
    ['NULs', '\0'.repeat(20_000)],
    ['blanks and lines', ' \r\n'.repeat(3000)],
    ['a web page', `\n<!doctype html><p>${'Error (500) << / [ % '.repeat(1000)}</p>`],
  ])('4b: is read, filled and extended with %s after its end (IN-F7)', async (_, behind) => {
    const data = new Uint8Array([...(await sampleForm()), ...bytes(behind)]);
    const { fields } = await pdf.read(data);
    expect(fields).toEqual((await pdf.read(await sampleForm())).fields);
    for (const isFlat of [false, true]) {
      const { data: filled } = await pdf.merge(data, { 'party.name': 'Åsa' }, isFlat);
      expect(await reasonOf(pdf.read(filled))).toBe('read');
    }
    const place = { page: 1, box: { x: 80, y: 700, width: 160, height: 20 } };
    const drawn: PlacedField = {
      name: 'Own',
      kind: 'text',
      label: '',
      required: false,
      maxLength: null,
      fontSize: null,
      align: 'left',
      options: [],
      value: '',
      places: [place],
    };
    const flat = new Uint8Array([...(await mixedPages()), ...bytes(behind)]);
    const placed = await pdf.place(flat, [drawn]);
    expect((await pdf.read(placed)).fields.map(({ name }) => name)).toEqual(['Own']);
    expect(latin(placed).startsWith(latin(flat))).toBe(true);
  });

  it('5: is rejected as encrypted if it needs a password (TX-31)', async () => {
    const reasons = [
      ['user', '--modify=all', 'pdf-encrypted'],
      ['', '--modify=none', 'pdf-restricted'],
    ] as const;
    for (const [user, modify, reason] of reasons) {
      const options = ['--encrypt', user, 'owner', '256', modify, '--', 'in.pdf', 'out.pdf'];
      const { out } = throughTool('qpdf', await sampleForm(), options);
      expect(await reasonOf(pdf.read(out ?? bytes('')))).toBe(reason);
    }
  });

  it('6: is never filled when its form is XFA (TX-31)', async () => {
    const xfa = await altered((document) => {
      const form = document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
      form.set(PDFName.of('XFA'), document.context.obj([]));
    });
    expect((await pdf.read(xfa)).notices).toContain('xfa');
    expect(await reasonOf(pdf.merge(xfa, {}, true))).toBe('pdf-xfa');
    expect(await reasonOf(pdf.compile(xfa))).toBe('pdf-xfa');
  });

  it('7: names the field that rejects a value, for each row', async () => {
    const compiled = await pdf.compile(await sampleForm());
    const wrong = [
      { gone: 'x' },
      { accepted: 'kanske' },
      { unit: 'Weeks' },
      // A private-use character, which no font has.
      { 'party.name': '\uE000' },
    ];
    for (const values of wrong) {
      await expect(compiled.fill(values)).rejects.toHaveProperty([
        'failure',
        'fields',
        Object.keys(values)[0] ?? '',
      ]);
    }
  });

  it('8: is reported as signed, and never saved again (TX-31)', async () => {
    const signed = await signedForm();
    expect((await pdf.read(signed)).notices).toContain('already-signed');
    for (const flatten of [true, false]) {
      expect(await reasonOf(pdf.merge(signed, {}, flatten))).toBe('pdf-signed');
    }
  });

  it.each([
    [{ S: 'JavaScript', JS: 'app.alert(1)' }, 'active-content'],
    [{ S: 'Launch', F: 'cmd.exe' }, 'active-content'],
    [{ S: 'URI', URI: 'file:///etc/passwd' }, 'active-content'],
  ] as const)('9: is reported with active content: %j', async (action, notice) => {
    const active = await altered((document) => addAction(document, action));
    expect((await pdf.read(active)).notices).toContain(notice);
  });

  it('9: is reported with embedded files', async () => {
    const document = await PDFDocument.load(await sampleForm());
    await document.attach(new Uint8Array([1, 2, 3]), 'inside.exe', {});
    expect((await pdf.read(await document.save())).notices).toContain('embedded-files');
  });

  it('10: is read with the number and sizes of its pages, and rejected if it has too many', async () => {
    const mixed = await pdf.read(await mixedPages());
    expect(mixed).toMatchObject({ pages: 4 });
    expect(mixed.notices).toContain('unusual-size');
    expect(await reasonOf(pdf.read(noPages()))).toBe('pdf-damaged');
    expect(await reasonOf(pdf.read(await manyPages(5000)))).toBe('pdf-limit');
  });

  it(
    '11: is rejected when it is huge, or unpacks endlessly',
    async () => {
      const huge = new Uint8Array(65 * 1024 * 1024);
      expect(await reasonOf(pdf.read(huge))).toBe('too-large');
      expect(refusals).toContain(await reasonOf(short.read(bomb(400))));
      expect(await short.read(await sampleForm())).toMatchObject({ pages: 2 });
    },
    MINUTE,
  );

  it(
    '12: is stopped when it is nested, circular or endless, and the program continues',
    async () => {
      for (const data of [deepNesting(), circularPages(), manyObjects(200_000)]) {
        expect([...refusals, 'read']).toContain(await reasonOf(short.read(data)));
      }
      expect(await short.read(await sampleForm())).toMatchObject({ pages: 2 });
    },
    MINUTE,
  );

  it('13: is reported when it lacks fonts', async () => {
    const lacking = await altered((document) => {
      const font = { Type: 'Font', Subtype: 'TrueType', BaseFont: 'Frutiger-Roman' };
      document.catalog.set(PDFName.of('X'), document.context.register(document.context.obj(font)));
    });
    expect((await pdf.read(lacking)).notices).toContain('fonts-missing');
  });

  it('14: is read in every file structure that the format allows', async () => {
    const streams = await sampleForm();
    const tables = await (await PDFDocument.load(streams)).save({ useObjectStreams: false });
    const linear = throughTool('qpdf', streams, ['--linearize', 'in.pdf', 'out.pdf']).out;
    const newer = bytes(latin(tables).replace('%PDF-1.7', '%PDF-2.0'));
    for (const data of [streams, tables, linear ?? bytes(''), newer, withRevisions(tables, 50)]) {
      const { fields } = await pdf.read(data);
      expect(fields).toHaveLength(8);
      expect((await pdf.merge(data, { unit: 'Days' }, true)).filled).toBe(1);
    }
  });

  it('15: is reported when readers show different content', async () => {
    const layers = await altered((document) => {
      document.catalog.set(PDFName.of('OCProperties'), document.context.obj({ OCGs: [] }));
    });
    expect((await pdf.read(layers)).notices).toContain('hidden-parts');
    const outside = await altered((document) => document.getPage(0).setCropBox(0, 0, 5, 5));
    expect((await pdf.read(outside)).notices).toContain('hidden-parts');
  });

  it('16: is identified by its hash, not by its name', async () => {
    const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    const data = await sampleForm();
    const [first, again] = [
      await pdf.merge(data, {}, true),
      await pdf.merge(data.slice(), {}, true),
    ];
    expect(hash(first.data)).toBe(hash(again.data));
  });

  it('17: stays as compiled, even when the file changes', async () => {
    const data = await sampleForm();
    const compiled = await pdf.compile(data);
    const before = (await compiled.fill({ unit: 'Days' })).data;
    data.fill(0);
    expect(Buffer.from((await compiled.fill({ unit: 'Days' })).data).equals(before)).toBe(true);
  });

  it('18: must be given as a file, and not only as a reference (T1-30)', () => {
    const attachments = [{ type: 'TOKEN' as const, category: 'REF_DOC' as const, token: 'x' }];
    const content = { api: 'v1' as const, body: { title: 'x', parties: [], attachments } };
    const { errors } = checkDraft(content, { files: [], forms: new Map() }, 0);
    expect(errors.map(({ code }) => code)).toContain('no-agreement-document');
  });
});

describe('the thread that reads PDFs', () => {
  it(
    'is ended if a file takes too long, and a compiled form is then compiled again',
    async () => {
      const compiled = await short.compile(await sampleForm());
      const before = (await compiled.fill({ unit: 'Days' })).data;
      const endless = createPdfForms({ milliseconds: 1, megabytes: 160 });
      expect(await reasonOf(endless.read(manyObjects(50_000)))).toBe('pdf-limit');
      await endless.close();
      await short.read(bomb(400)).catch(() => undefined);
      expect(Buffer.from((await compiled.fill({ unit: 'Days' })).data).equals(before)).toBe(true);
    },
    MINUTE,
  );
});
