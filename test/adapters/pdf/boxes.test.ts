import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { createPdfEngine } from '../../../electron/adapters/pdf/engine.ts';
import type { PdfValues } from '../../../shared/model/pdf-form.ts';
import { boxes, type HandMade, handMade, textField } from './hand-made.ts';
import { seenBy } from './golden.ts';

const pdf = createPdfEngine();
afterAll(() => pdf.close(0));

const filled = async (data: Uint8Array, values: PdfValues, isFlat = false) =>
  (await pdf.merge(data, values, isFlat)).data;
/** Returns the displayed state of every widget of the form, in page order. */
const statesIn = async (data: Uint8Array) => {
  const document = await PDFDocument.load(data);
  const annotations = document.getPage(0).node.Annots()?.asArray() ?? [];
  return annotations.map((ref) => {
    const state = document.context.lookup(ref, PDFDict).lookup(PDFName.of('AS'));
    return state instanceof PDFName ? state.decodeText() : '';
  });
};
const after = async (form: readonly HandMade[], values: PdfValues) =>
  statesIn(await filled(handMade(form), values));
const pictureOf = async (data: Uint8Array, values: PdfValues, isFlat: boolean) =>
  seenBy(await filled(data, values, isFlat)).pages[0]?.toString('base64');
const fieldOf = async (form: readonly HandMade[]) => (await pdf.read(handMade(form))).fields[0];
const refusalOf = async (form: readonly HandMade[], values: PdfValues): Promise<unknown> =>
  filled(handMade(form), values).then(
    () => null,
    (error: unknown) => error,
  );
const square = (left: number, bottom: number) =>
  `/Rect [${left} ${bottom} ${left + 14} ${bottom + 14}]`;

describe('a checkbox with another name for its off state', () => {
  it.each([
    ['/off BLANK /on TICK', 'on', 'off'],
    ['/OFF BLANK /Yes TICK', 'Yes', 'OFF'],
    ['/0 BLANK /1 TICK', '1', '0'],
    ['/No BLANK /Ja TICK', 'Ja', 'No'],
    ['/Ja TICK /Nein BLANK', 'Ja', 'Nein'],
    ['/Nein TICK /Off BLANK', 'Nein', 'Off'],
    ['/A TICK /B BLANK', 'A', 'Off'],
  ])('is ticked and cleared by its own states: %s (IN-Z3)', async (states, on, off) => {
    const form = [
      {
        field: '/FT /Btn /T (Agreed)',
        places: [`${square(60, 700)} /AP << /N << ${states} >> >>`],
      },
    ];
    expect(await fieldOf(form)).toMatchObject({ type: 'checkbox', options: [on] });
    expect(await after(form, { Agreed: true })).toEqual([on]);
    expect(await after(form, { Agreed: false })).toEqual([off]);
    const [ticked, cleared, blank] = [
      await pictureOf(handMade(form), { Agreed: true }, true),
      await pictureOf(handMade(form), { Agreed: false }, true),
      await pictureOf(handMade([]), {}, true),
    ];
    expect(ticked).not.toBe(blank);
    expect(cleared).toBe(blank);
  });
});

describe('a checkbox with two states of its own', () => {
  it.each([
    ['/Nao BLANK /Sim TICK', 'Sim'],
    ['/Sim TICK /Nao BLANK', 'Sim'],
    ['/Tom BLANK /Ja TICK', 'Ja'],
    ['/Tom TICK /Ja BLANK', 'Ja'],
    ['/Unchecked BLANK /Checked TICK', 'Checked'],
  ])(
    'shows the tick for the value "yes", whichever state comes first: %s (DL-V2)',
    async (states, on) => {
      const places = [`${square(60, 700)} /AP << /N << ${states} >> >>`];
      const form = [{ field: '/FT /Btn /T (Agreed)', places }];
      expect(await after(form, { Agreed: true })).toEqual([on]);
      expect(await after(form, { Agreed: false })).toEqual(['Off']);
    },
  );
});

describe('checkboxes that share a name', () => {
  it('offer every on-state as an option, including words for "no" (IN-P01)', async () => {
    const form = [boxes('Agree', ['Yes', 'No'])];
    expect(await fieldOf(form)).toMatchObject({
      type: 'radio',
      options: ['Yes', 'No'],
      value: '',
    });
    for (const word of ['No', 'no', 'NEJ', 'false']) {
      expect(await after(form, { Agree: word })).toEqual(['Off', 'No']);
    }
    for (const word of ['Yes', 'ja', 'TRUE']) {
      expect(await after(form, { Agree: word })).toEqual(['Yes', 'Off']);
    }
    expect(await after(form, { Agree: '<empty>' })).toEqual(['Off', 'Off']);
  });

  it('have separate texts for each of their widgets (IN-P02)', async () => {
    const form = [boxes('Quarter', ['Q1', 'Q2', 'Q3', 'Q4'])];
    expect(await after(form, { Quarter: 'q3' })).toEqual(['Off', 'Off', 'Q3', 'Off']);
    expect(await refusalOf(form, { Quarter: 'yes' })).toMatchObject({
      failure: {
        reason: 'pdf-no-such-option',
        fields: { Quarter: 'The field offers "Q1", "Q2", "Q3", "Q4"' },
      },
    });
  });

  it('report the ticked box when read, and keep it when filled with its value (IN-X01)', async () => {
    const form = [boxes('Married', ['Ja', 'Nej'])];
    const ticked = await filled(handMade(form), { Married: 'Nej' });
    const { fields } = await pdf.read(ticked);
    expect(fields).toMatchObject([{ value: 'Nej' }]);
    expect(await statesIn(await filled(ticked, { Married: 'Nej' }))).toEqual(['Off', 'Nej']);
  });

  it('are offered by the form’s texts for their states (IN-F1)', async () => {
    const form = [boxes('Kind', ['0', '1', '2'], '/Opt [(Man) (Woman) (Other)]')];
    expect(await fieldOf(form)).toMatchObject({ options: ['Man', 'Woman', 'Other'] });
    expect(await after(form, { Kind: 'Woman' })).toEqual(['Off', '1', 'Off']);
    const one = [boxes('Agreed', ['0'], '/Opt [(Godk\\344nns)]')];
    expect(await fieldOf(one)).toMatchObject({ type: 'checkbox', options: ['Godkänns'] });
    expect(await after(one, { Agreed: 'godkänns' })).toEqual(['0']);
    expect(await after(one, { Agreed: '0' })).toEqual(['Off']);
  });

  it('are all ticked when they have the same on-state (IN-R19)', async () => {
    const form = [boxes('Thrice', ['On', 'On', 'On'])];
    expect(await fieldOf(form)).toMatchObject({ type: 'checkbox', options: ['On'] });
    expect(await after(form, { Thrice: 'ja' })).toEqual(['On', 'On', 'On']);
  });

  it('are one choice even if each box is a separate field (IN-R22)', async () => {
    const form = [boxes('Answer', ['Ja']), boxes('Answer', ['Nej'])];
    expect(await fieldOf(form)).toMatchObject({ type: 'radio', options: ['Ja', 'Nej'] });
    expect(await after(form, { Answer: 'Ja' })).toEqual(['Ja', 'Off']);
    expect(await after(form, { Answer: 'no' })).toEqual(['Off', 'Nej']);
    const twice = [boxes('Copy', ['Yes']), boxes('Copy', ['Yes'])];
    expect(await after(twice, { Copy: 'x' })).toEqual(['Yes', 'Yes']);
  });

  it('look the same in the flat copy as in the open one (IN-P31)', async () => {
    const form = handMade([boxes('Agree', ['Yes', 'No'])]);
    const pictures: unknown[] = [];
    for (const word of ['Yes', 'No', '<empty>']) {
      const shown = await pictureOf(form, { Agree: word }, true);
      expect((await pictureOf(form, { Agree: word }, false)) === shown).toBe(true);
      pictures.push(shown);
    }
    expect(new Set(pictures).size).toBe(3);
  });
});

describe('a checkbox whose on-state is a word for "no"', () => {
  const form = [boxes('Yes', ['Ja']), boxes('No', ['Nej'])];

  it('is ticked by its own word in upper or lower case, and never by the opposite word (IN-Y01)', async () => {
    for (const word of ['Nej', 'nej', 'NEJ']) {
      expect(await after(form, { Yes: word, No: word })).toEqual(['Off', 'Nej']);
    }
    expect(await after(form, { Yes: 'Ja', No: 'JA' })).toEqual(['Ja', 'Off']);
  });

  it('rejects words that could mean ticked or not ticked (IN-F2)', async () => {
    for (const [on, word] of [
      ['Nej', 'no'],
      ['Nej', 'yes'],
      ['0', '0'],
      ['0', '1'],
      ['OFF', 'off'],
    ] as const) {
      expect(await refusalOf([boxes('Box', [on])], { Box: word })).toMatchObject({
        failure: { fields: { Box: expect.stringContaining('"true" ticks it') } },
      });
    }
    expect(await after([boxes('Box', ['0'])], { Box: 'ja' })).toEqual(['0']);
    expect(await after([boxes('Box', ['0'])], { Box: 'nej' })).toEqual(['Off']);
    expect(await after([boxes('Box', ['Nej'])], { Box: true })).toEqual(['Nej']);
  });
});

describe('radio buttons', () => {
  const radios = (onStates: readonly string[], more: string) => [
    boxes('Choice', onStates, `/Ff 49152 ${more}`),
  ];

  it('with the same text are distinguished, and never guessed (IN-P30)', async () => {
    const form = radios(['0', '1', '2'], '/Opt [(Ja) (Nej) (Ja)]');
    expect(await fieldOf(form)).toMatchObject({ options: ['Ja (1)', 'Nej', 'Ja (3)'] });
    expect(await refusalOf(form, { Choice: 'Ja' })).toMatchObject({
      failure: { fields: { Choice: 'The field offers "Ja (1)", "Nej", "Ja (3)"' } },
    });
    expect(await after(form, { Choice: 'Ja (3)' })).toEqual(['Off', 'Off', '2']);
  });

  it('have names in UTF-8, or as Acrobat writes them (IN-P03)', async () => {
    const form = radios(['M#C3#A4n', 'Kvinnor#20och#20m#E4n'], '');
    expect(await fieldOf(form)).toMatchObject({ options: ['Män', 'Kvinnor och män'] });
    const open = await filled(handMade(form), { Choice: 'män' });
    expect((await pdf.read(open)).fields).toMatchObject([{ value: 'Män' }]);
    const decomposed = radios(['Ma#CC#88n', 'B'], '');
    expect((await after(decomposed, { Choice: 'Män' }))[1]).toBe('Off');
  });
});

describe('fields of several kinds that share a name', () => {
  it('accept a value that every one of them accepts: a box and a text (IN-R20)', async () => {
    const form = [textField('Both', [60, 600, 200, 620]), boxes('Both', ['Ja'])];
    expect(await after(form, { Both: 'Ja' })).toEqual(['', 'Ja']);
    expect(await after(form, { Both: 'Later' })).toEqual(['', 'Off']);
    const turned = await filled(handMade([...form].toReversed()), { Both: 'x' });
    expect((await PDFDocument.load(turned)).getPageCount()).toBe(1);
    const document = await PDFDocument.load(turned);
    const shown = document.getPage(0).node.Annots()?.lookup(1, PDFDict).lookup(PDFName.of('V'));
    expect(String(shown)).toContain('004A0061');
  });

  it('offer only options that are in each of two lists (IN-R23)', async () => {
    const list = (options: string, bottom: number): HandMade => ({
      field: `/FT /Ch /Ff 131072 /T (Month) /Opt [${options}]`,
      places: [`/Rect [60 ${bottom} 200 ${bottom + 20}]`],
    });
    const form = [list('(May) (June)', 600), list('(June) (July)', 500)];
    expect(await fieldOf(form)).toMatchObject({ options: ['June'] });
    expect(await refusalOf(form, { Month: 'May' })).not.toBeNull();
    expect(await refusalOf(form, { Month: 'June' })).toBeNull();
  });

  it('are limited to the length of the shortest field (IN-R21)', async () => {
    const form = [
      textField('Code', [60, 600, 200, 620], '/MaxLen 12'),
      textField('Code', [60, 500, 200, 520], '/MaxLen 4'),
    ];
    for (const isFlat of [true, false]) {
      await expect(filled(handMade(form), { Code: 'ABCDEF' }, isFlat)).rejects.toMatchObject({
        failure: {
          reason: 'pdf-value-too-long',
          fields: { Code: 'The field accepts at most 4 characters' },
        },
      });
    }
  });
});

describe('the drawing of a checkbox', () => {
  it('has a tick in the flat copy even if the form draws only the empty box (IN-P32)', async () => {
    const bare: HandMade = {
      field: '/FT /Btn /T (ok)',
      places: [`${square(60, 700)} /AS /Off /AP << /N << /Off BLANK >> >>`],
    };
    const form = handMade([bare]);
    expect(await statesIn(await filled(form, { ok: 'yes' }))).toEqual(['Yes']);
    const ticked = await pictureOf(form, { ok: 'yes' }, true);
    expect((await pictureOf(form, { ok: 'no' }, true)) === ticked).toBe(false);
    expect((await pictureOf(form, { ok: 'yes' }, false)) === ticked).toBe(true);
  });

  it('shows the current state of an unfilled box, not its value (IN-W07)', async () => {
    const pictures = '/AP << /N << /Yes TICK /Off BLANK >> >>';
    const untouched: readonly HandMade[] = [
      { field: '/FT /Btn /T (a) /V /Yes', places: [`${square(60, 700)} ${pictures}`] },
      { field: '/FT /Btn /T (b) /V (Yes)', places: [`${square(60, 600)} /AS /Yes ${pictures}`] },
    ];
    const form = handMade([...untouched, textField('c', [60, 500, 200, 520])]);
    expect((await pdf.read(form)).fields).toMatchObject([
      { value: 'false' },
      { value: 'true' },
      {},
    ]);
    const [open, flat] = [
      await pictureOf(form, { c: 'x' }, false),
      await pictureOf(form, { c: 'x' }, true),
    ];
    expect(open === flat).toBe(true);
    const drawn = (await PDFDocument.load(await filled(form, { c: 'x' }, true))).context
      .enumerateIndirectObjects()
      .filter(([, one]) => one instanceof PDFRawStream)
      .filter(([, one]) => String(one).includes('0 0 14 14 re f'));
    expect(drawn.length).toBe(1);
  });
});
