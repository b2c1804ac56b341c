// tier: quick, 15 s, because a page that is cut short says something else
import { afterAll, describe, expect, it } from 'vitest';
import { differingPages } from '../../../build/corpus/judge-pixels.ts';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import type { PdfValues } from '../../../shared/model/pdf-form.ts';
import { handMade, stream, textField } from './hand-made.ts';
import { throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
afterAll(() => pdf.close());

const BOX = [60, 700, 260, 720] as const;
const NAME = textField('Name', BOX);

const textOf = (data: Uint8Array): string =>
  throughTool('pdftotext', data, ['-layout', 'in.pdf', '-']).said;
const replaced = (data: Uint8Array, from: string, to: string): Uint8Array => {
  const text = Buffer.from(data).toString('latin1');
  if (!text.includes(from)) throw new Error(`There is no ${from}`);
  return new Uint8Array(Buffer.from(text.replace(from, to), 'latin1'));
};
/** Returns the texts of the copy that stays a form, and of the flat copy. */
const textsOf = async (form: Uint8Array, values: PdfValues) => {
  const [open, flat] = [await pdf.merge(form, values, false), await pdf.merge(form, values, true)];
  return [textOf(open.data), textOf(flat.data)];
};

/** Returns the differences between the pages of the open and the flat copy. */
const differing = async (form: Uint8Array, values: PdfValues) => {
  const [open, flat] = [await pdf.merge(form, values, false), await pdf.merge(form, values, true)];
  return differingPages(open.data, flat.data);
};

describe('a page whose length is stored after it, as in Ghostscript and macOS files', () => {
  it.each(['Upstream and downstream', 'Nothing before endstream counts'])(
    'keeps words that are also keywords of the format: %s (IN-Z2)',
    async (words) => {
      const content = `BT /Helv 12 Tf 60 600 Td (${words}) Tj ET`;
      const own = handMade([NAME], '', { content, more: [String(content.length)] });
      const form = replaced(own, `/Length ${content.length} `, '/Length 6 0 R ');
      for (const text of await textsOf(form, { Name: 'Ada' })) {
        expect(text).toContain(words);
        expect(text).toContain('Ada');
      }
    },
  );
});

describe('a list whose export values equal other options', () => {
  it.each([
    ['[(no) (Yes)] [(yes) (No)]', 'yes', 'Yes'],
    ['[(nein) (Ja)] [(ja) (Nein)]', 'no', 'Nein'],
    ['[(ALPHA) (Beta)] [(BETA) (Alpha)]', 'beta', 'Beta'],
  ])('is selected only by its visible text: %s, %s (IN-Z5)', async (pairs, word, shown) => {
    const list = {
      ...textField('Answer', BOX),
      field: `/FT /Ch /Ff 131072 /T (Answer) /Opt [${pairs}]`,
    };
    for (const text of await textsOf(handMade([list]), { Answer: word })) {
      expect(text.trim()).toBe(shown);
    }
  });
});

describe('an appearance or value from another program', () => {
  const picture = (box: string, operators: string) =>
    stream(`/Type /XObject /Subtype /Form /BBox ${box}`, operators);

  it('keeps a value that is a stream in a form with NeedAppearances (IN-Z7)', async () => {
    const note = textField('Note', [60, 640, 260, 660], '/V 6 0 R');
    const form = handMade([NAME, note], '/NeedAppearances true', {
      more: [stream('', 'Kept text')],
    });
    expect((await pdf.read(form)).fields[1]).toMatchObject({ name: 'Note', value: 'Kept text' });
    for (const text of await textsOf(form, { Name: 'Ada' })) expect(text).toContain('Kept text');
  });

  it('has its correct size in the flat copy if it is drawn in millionths of a point (IN-Z7)', async () => {
    const button = {
      field: '/FT /Btn /Ff 65536 /T (Seal)',
      places: ['/Rect [60 600 360 640] /AP << /N 6 0 R >>'],
    };
    const more = [picture('[0 0 20400000 3000000]', '2000000 500000 16000000 2000000 re f')];
    expect(await differing(handMade([NAME, button], '', { more }), { Name: 'Ada' })).toEqual([]);
  });

  it.each([-90, 450, -180])('is turned by %d degrees (IN-Z7)', async (turn) => {
    const name = textField('Name', [60, 500, 90, 700], `/MK << /R ${turn} >>`);
    const usual = textField('Name', [60, 500, 90, 700], `/MK << /R ${(turn + 720) % 360} >>`);
    const values = { Name: 'Ada' };
    expect(await differing(handMade([name]), values)).toEqual([]);
    const [one, other] = [
      await pdf.merge(handMade([name]), values, true),
      await pdf.merge(handMade([usual]), values, true),
    ];
    expect(differingPages(one.data, other.data)).toEqual([]);
  });

  it('covers the appearance below it in the flat copy (IN-Z7)', async () => {
    const square = (rectangle: string, number: number) =>
      `<< /Type /Annot /Subtype /Square /Rect ${rectangle} /F 4 /AP << /N ${number} 0 R >> >>`;
    const more = [
      square('[20 690 120 730]', 8),
      square('[50 690 300 730]', 9),
      picture('[0 0 100 40]', '0 g 0 0 100 40 re f'),
      picture('[0 0 250 40]', '0.9 g 0 0 250 40 re f'),
    ];
    const name = textField('Name', [200, 700, 260, 720]);
    const form = handMade([name], '', { annotations: '6 0 R 7 0 R', more });
    expect(await differing(form, { Name: 'Ada' })).toEqual([]);
  });
});

describe('a field with a symbol or barcode font', () => {
  const fonts =
    '/ZaDb << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> /Code39 << /Type /Font /Subtype /TrueType /BaseFont /Free3of9 >>';
  const inFont = (name: string) => textField('Mark', BOX, `/DA (/${name} 12 Tf 0 g)`);

  it('is written in the symbol font that every viewer has (IN-Z10)', async () => {
    const form = handMade([inFont('ZaDb')], '', { fonts });
    for (const text of await textsOf(form, { Mark: '4' })) expect(text.trim()).toBe('✔');
    expect(await differing(form, { Mark: '4' })).toEqual([]);
  });

  it('is rejected if its barcode font is missing, or if another widget has another font (IN-Z10)', async () => {
    const field = { field: '/FT /Tx /T (Mark)', places: ['/Rect [60 700 260 720]'] };
    const two = { ...field, places: [...field.places, '/Rect [60 600 260 620] /DA (/ZaDb 9 Tf)'] };
    for (const one of [inFont('Code39'), two]) {
      for (const isFlat of [true, false]) {
        const error: unknown = await pdf
          .merge(handMade([one], '', { fonts }), { Mark: '123' }, isFlat)
          .catch((caught: unknown) => caught);
        expect(error).toMatchObject({ failure: { reason: 'pdf-no-such-option' } });
        expect(String(error)).toContain('Mark: The field has its own font');
      }
    }
  });
});

describe('an object missing from the cross-references', () => {
  const content = 'BT /Helv 12 Tf 60 600 Td (The rent is 900) Tj ET';
  const dead = 'BT /Helv 12 Tf 60 600 Td (The rent is 1) Tj ET';
  /** Returns the file with an unused copy of its content before its last cross-references. */
  const withDead = (data: Uint8Array): Uint8Array => {
    const text = Buffer.from(data).toString('latin1');
    const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]);
    const [, number] = /(?<!\d)(\d{1,5}) 0 obj\n<< {0,2}\/Length/.exec(text) ?? [];
    const copy = `${number ?? ''} 0 obj\n${stream('', dead)}\nendobj\n`;
    const longer = text.slice(0, start) + copy + text.slice(start);
    const moved = longer.replace(`startxref\n${start}`, `startxref\n${start + copy.length}`);
    return new Uint8Array(Buffer.from(moved, 'latin1'));
  };

  it.each(['table', 'stream', 'stream behind other bytes'])(
    'is not part of the document, with references in a %s (IN-Z11)',
    async (kind) => {
      const plain = handMade([NAME], '', { content });
      const options = ['--object-streams=generate', 'in.pdf', 'out.pdf'];
      const form = kind === 'table' ? plain : (throughTool('qpdf', plain, options).out ?? plain);
      const front = kind.endsWith('bytes') ? 'A letter-head\n' : '';
      const attacked = new Uint8Array([...Buffer.from(front), ...withDead(form)]);
      expect(textOf(attacked)).toContain('The rent is 900');
      for (const text of await textsOf(attacked, { Name: 'Ada' })) {
        expect(text).toContain('The rent is 900');
        expect(text).not.toContain('The rent is 1');
      }
    },
  );
});

describe('a widget listed in an unusual way', () => {
  it('shows the value of the field that it names if two fields list it (IN-Z12)', async () => {
    const kids = {
      field: '/FT /Tx /T (Own)',
      places: ['/Rect [60 700 260 720]', '/Rect [60 600 260 620]'],
    };
    const thief = {
      field: '/FT /Tx /T (Thief)',
      places: ['/Rect [60 500 260 520]', '/Rect [60 400 260 420]'],
    };
    const own = handMade([kids, thief]);
    const [first] = /\/Kids \[\d+ 0 R/.exec(Buffer.from(own).toString('latin1')) ?? [];
    const form = replaced(
      own,
      '/T (Thief) /Kids [',
      `/T (Thief) /Kids [${/\d+/.exec(first ?? '')?.[0] ?? ''} 0 R `,
    );
    const values = { Own: 'Ada', Thief: 'Eve' };
    for (const text of await textsOf(form, values)) {
      expect(text.match(/Ada|Eve/g)).toEqual(['Ada', 'Ada', 'Eve', 'Eve']);
    }
    expect(await differing(form, values)).toEqual([]);
  });

  it('is a field if its dictionary is within the list of the page’s annotations (IN-Z12)', async () => {
    const direct =
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Direct) /F 4 /Rect [60 600 260 620] >>';
    const form = handMade([NAME], '', { annotations: direct });
    expect((await pdf.read(form)).fields.map(({ name }) => name)).toEqual(['Name', 'Direct']);
    for (const text of await textsOf(form, { Direct: 'Here' })) expect(text).toContain('Here');
  });

  it.each([90, 180, 270])(
    'stays upright on a page that is turned by %d degrees (IN-Z12)',
    async (turn) => {
      const upright = textField('Name', BOX, '/F 20');
      const form = replaced(handMade([upright]), '/F 4 /FT', '/FT');
      const turned = replaced(form, '/Type /Page /Parent', `/Type /Page /Rotate ${turn} /Parent`);
      expect(await differing(turned, { Name: 'Ada Ek' })).toEqual([]);
    },
  );
});
