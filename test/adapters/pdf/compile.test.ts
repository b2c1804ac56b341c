// tier: all
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { byPdfLib, fittingValues, seenBy } from './golden.ts';
import { isThere, MEASURED, readForm } from './real-forms.ts';
import { sampleForm, throughTool } from './sample-pdfs.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const pdf = createPdfForms();
afterAll(() => pdf.close());

const check = (data: Uint8Array): string => {
  const { status, said } = throughTool('qpdf', data, ['--check', 'in.pdf']);
  return status === 0 ? 'sound' : said;
};
const textOf = (data: Uint8Array): string =>
  throughTool('pdftotext', data, ['-layout', 'in.pdf', '-']).said;
const count = (data: Uint8Array, word: string): number =>
  Buffer.from(data).toString('latin1').split(word).length - 1;

describe('a compiled form', () => {
  it.for([...MEASURED, 'create_form.pdf', 'textfields.pdf'])(
    'gives the same result as pdf-lib, in text and in pixels, for %s (TX-30)',
    { timeout: MINUTE },
    async (name, { skip }) => {
      skip(!isThere(name), 'SIGNING_DESK_FORMS does not hold it');
      const data = readForm(name);
      const compiled = await pdf.compile(data);
      for (const row of [1, 2]) {
        const values = await fittingValues(pdf, data, row);
        const ours = (await compiled.fill(values)).data;
        const [mine, theirs] = [seenBy(ours), seenBy(await byPdfLib(data, values))];
        expect(check(ours)).toBe('sound');
        expect(mine.text).toBe(theirs.text);
        expect(mine.pages.length).toBe(theirs.pages.length);
        expect(mine.pages.findIndex((page, at) => !page.equals(theirs.pages[at] ?? page))).toBe(-1);
      }
      compiled.close();
    },
  );

  it('uses the font size that fits one widget for the next widget of the same field', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 200]);
    const field = document.getForm().createTextField('twice');
    field.addToPage(page, { x: 10, y: 10, width: 60, height: 14 });
    field.addToPage(page, { x: 10, y: 60, width: 300, height: 80 });
    field.acroField.dict.set(PDFName.of('DA'), PDFString.of('0 g /Helv 0 Tf'));
    for (const { dict } of field.acroField.getWidgets()) dict.delete(PDFName.of('DA'));
    const data = await document.save({ updateFieldAppearances: false });
    const values = { twice: 'As wide as it may be' };
    const compiled = await pdf.compile(data);
    for (let row = 0; row < 2; row += 1) {
      const mine = seenBy((await compiled.fill(values)).data);
      expect(mine).toEqual(seenBy(await byPdfLib(data, values)));
    }
  });

  it('turns on every button of a group with the chosen value, as pdf-lib does', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([300, 200]);
    const group = document.getForm().createRadioGroup('pay');
    group.disableMutualExclusion();
    for (const [at, option] of ['Card', 'Cash', 'Card'].entries()) {
      group.addOptionToPage(option, page, { x: 20 + at * 60, y: 100, width: 30, height: 30 });
    }
    const data = await document.save();
    const compiled = await pdf.compile(data);
    for (const pay of ['Card', 'Cash', 'Card']) {
      const mine = seenBy((await compiled.fill({ pay })).data);
      expect(mine).toEqual(seenBy(await byPdfLib(data, { pay })));
    }
  });

  it('writes no older value: the file has one revision, and no data of the previous row', async () => {
    const compiled = await pdf.compile(await sampleForm());
    await compiled.fill({ 'party.name': 'Secret of row one' });
    const { data } = await compiled.fill({ 'party.name': 'Row two' });
    expect(count(data, 'Secret')).toBe(0);
    expect([count(data, '%%EOF'), count(data, 'startxref'), count(data, '/Prev')]).toEqual([
      1, 1, 0,
    ]);
    expect(textOf(data)).toContain('Row two');
    expect(await pdf.read(data)).toMatchObject({ fields: [], pages: 2 });
  });

  it('writes the same bytes for the same values', async () => {
    const compiled = await pdf.compile(await sampleForm());
    const [first, second] = [
      await compiled.fill({ unit: 'Days' }),
      await compiled.fill({ unit: 'Days' }),
    ];
    expect(Buffer.from(first.data).equals(second.data)).toBe(true);
  });

  it('embeds one subset of a font for all rows, and a new one for new letters (TX-32)', async () => {
    const form = await sampleForm();
    const narrow = (await (await pdf.compile(form)).fill({ 'party.name': 'Lukasz' })).data.length;
    const compiled = await pdf.compile(form, ['Łukasz Žižek', 'Ελλάδα']);
    for (const name of ['Łukasz Žižek', 'Ελλάδα', 'Дмитрий', 'Õnne', 'Łukasz']) {
      const { data } = await compiled.fill({ 'party.name': name });
      expect(check(data)).toBe('sound');
      expect(textOf(data)).toContain(name);
      expect(data.length - narrow).toBeLessThan(20_000);
    }
    const { data } = await compiled.fill({ 'party.name': 'plain' });
    expect(data.length - narrow).toBeLessThan(100);
  });

  it('writes every letter of the font, whatever the bytes of its code (TX-32)', async () => {
    const letters = Array.from({ length: 0x45f - 0x21 }, (_, at) =>
      String.fromCodePoint(0x21 + at),
    );
    const known = letters.filter((letter) => /[!-~]|[À-ſ]|[Α-ΡΣ-Ωα-ω]|[А-я]/u.test(letter));
    const compiled = await pdf.compile(await sampleForm(), known);
    for (let first = 0; first < known.length; first += 10) {
      const name = `Ω${known.slice(first, first + 10).join('')}`;
      const { data } = await compiled.fill({ 'party.name': name });
      expect(textOf(data)).toContain(name.normalize('NFC'));
    }
  });

  it('rejects a row with an invalid value, and still fills the next row (TX-32)', async () => {
    const compiled = await pdf.compile(await sampleForm());
    const wrong: readonly (readonly [Record<string, string>, string])[] = [
      [{ 'party.country': 'SWE' }, 'pdf-value-too-long'],
      [{ 'party.name': 'a\u0007' }, 'pdf-letters'],
      [{ pay: 'Cash' }, 'pdf-no-such-option'],
      [{ nobody: 'x' }, 'pdf-no-such-field'],
    ];
    for (const [values, reason] of wrong) {
      await expect(compiled.fill(values)).rejects.toMatchObject({
        failure: { reason, fields: { [Object.keys(values)[0] ?? '']: expect.any(String) } },
      });
    }
    const { data } = await compiled.fill({ pay: 'Card', 'party.name': 'Next' });
    expect(textOf(data)).toContain('Next');
  });

  it('does not draw a hidden field, unless it is filled', async () => {
    const document = await PDFDocument.load(await sampleForm());
    const field = document.getForm().getTextField('number');
    for (const { dict } of field.acroField.getWidgets()) {
      dict.set(PDFName.of('F'), document.context.obj(2));
    }
    const compiled = await pdf.compile(await document.save());
    expect(textOf((await compiled.fill({ unit: 'Days' })).data)).not.toContain('A-17');
  });

  it('reports an error if it is used after it was closed', async () => {
    const compiled = await pdf.compile(await sampleForm());
    compiled.close();
    await expect(compiled.fill({})).rejects.toThrow('closed');
  });
});
