// tier: all
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument, rgb } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import type { PdfField, PdfValues } from '../../../shared/model/pdf-form.ts';
import type { PdfPlace } from '../../../shared/model/pdf-place.ts';
import { BLANK_WORD } from '../../../shared/rules/forms/field-values.ts';
import { piecesIn } from './alphabets.ts';
import { FLAT } from './flat-pages.ts';
import { isThere, MEASURED, readForm } from './real-forms.ts';
import { realForm, throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();

/** Returns values that write one word into each text field and clear each checkbox. */
const emptied = (fields: readonly PdfField[]): PdfValues =>
  Object.fromEntries(
    fields
      .filter(({ type }) => type !== 'button' && type !== 'signature')
      .map(({ name, type }) => [name, type === 'checkbox' ? false : BLANK_WORD]),
  );

/** Whether two places overlap by most of the smaller place. */
function isSame(one: PdfPlace, other: PdfPlace): boolean {
  const [a, b] = [one.box, other.box];
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const least = Math.min(a.width * a.height, b.width * b.height);
  return one.page === other.page && width > 0 && height > 0 && width * height > least * 0.3;
}

const flat = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(path.resolve('test/fixtures/flat', `${name}.pdf`)));

describe('the blank places of a PDF page', () => {
  it.each(Object.keys(FLAT))('are all found on %s, and no others', async (name) => {
    const found = await pdf.find(flat(name));
    expect(found.map(({ field }) => [field.name, field.kind])).toEqual(FLAT[name]);
  });

  it('can be used as fields unchanged, and are filled where they were found', async () => {
    const data = flat('lease-en');
    const fields = (await pdf.find(data)).map(({ field }) => field);
    const whole = await pdf.place(data, fields);
    const { data: filled } = await pdf.merge(whole, { Tenant: 'Ada', yes: true }, true);
    const { said } = throughTool('pdftotext', filled, ['-bbox', 'in.pdf', '-']);
    const [, left] = /xMin="([\d.]+)"[^>]*>Ada</u.exec(said) ?? [];
    const tenant = fields.find(({ name }) => name === 'Tenant')?.places[0]?.box;
    expect(Math.abs(Number(left) - (tenant?.x ?? 0))).toBeLessThan(4);
    // Filled places are no longer found.
    expect(await pdf.find(whole)).toEqual([]);
  });

  it('are found at the boxes of a flattened form', async () => {
    const form = realForm('form_to_flatten.pdf');
    const { fields } = await pdf.read(form);
    const { data } = await pdf.merge(form, {}, true);
    const found = (await pdf.find(data)).flatMap(({ field }) => field.places);
    const boxes = fields.flatMap(({ places = [] }) => places);
    const isOn = (at: (typeof found)[number]) =>
      boxes.some(
        ({ page, box }) =>
          page === at.page && Math.abs(box.x - at.box.x) < 6 && Math.abs(box.y - at.box.y) < 6,
      );
    expect(found.filter(isOn).length).toBeGreaterThanOrEqual(9);
  });

  it('are found in rows with only a number, but not in a form that is crossed out', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 400]);
    const text = (words: string, x: number, y: number) => page.drawText(words, { x, y, size: 8 });
    const frame = { borderWidth: 0.5, borderColor: rgb(0, 0, 0) };
    const cell = (x: number, y: number, width: number, height = 14, color = rgb(1, 1, 1)) =>
      page.drawRectangle({ ...frame, x, y, width, height, color });
    // A margin whose lines are slightly higher than the lines of the rows next to it.
    for (const y of [345, 331, 317]) text('Attach', 10, y);
    text('Wages', 60, 340);
    text('. '.repeat(22), 90, 340);
    text('Fees', 60, 326);
    text('\u00bb', 190, 326);
    for (const [at, y] of [336, 322, 308, 294].entries()) {
      cell(200, y, 16);
      text(String(at + 7), 205, y + 4);
      // The third row has no expected result.
      cell(216, y, 80, 14, at === 2 ? rgb(0.75, 0.75, 0.75) : rgb(1, 1, 1));
    }
    cell(296, 294, 40, 56);
    const places = (await pdf.find(await document.save())).map(({ field, by }) => [
      field.name,
      by,
      Math.round(field.places[0]?.box.y ?? 0),
    ]);
    expect(places).toEqual([
      ['Wages', 'cell', 338],
      ['Fees', 'cell', 324],
      ['10', 'cell', 296],
    ]);
  });

  it('are found next to each other with captions below, and on a coloured background without captions', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 300]);
    for (const [at, name] of ['Street', 'City', 'Postcode'].entries()) {
      const x = 40 + at * 110;
      page.drawLine({ start: { x, y: 200 }, end: { x: x + 100, y: 200 }, thickness: 0.5 });
      page.drawText(name, { x, y: 191, size: 8 });
    }
    page.drawRectangle({ x: 40, y: 100, width: 90, height: 14, color: rgb(0.86, 0.9, 0.95) });
    const found = (await pdf.find(await document.save())).map(({ field, by }) => [field.name, by]);
    expect(found).toEqual([
      ['Street', 'rule'],
      ['City', 'rule'],
      ['Postcode', 'rule'],
      ['Field', 'cell'],
    ]);
  });

  it.runIf(MEASURED.every(isThere))(
    'match nine of ten fields of real forms, and at most one of ten is not a field',
    async () => {
      const sums = { places: 0, found: 0, wrong: 0 };
      for (const name of MEASURED) {
        const form = readForm(name);
        const { fields } = await pdf.read(form);
        const { data } = await pdf.merge(form, emptied(fields), true);
        const found = (await pdf.find(data)).flatMap(({ field }) => field.places);
        const places = fields.flatMap(({ type, places: own = [] }) =>
          type === 'button' ? [] : own,
        );
        sums.places += places.length;
        sums.found += places.filter((one) => found.some((other) => isSame(one, other))).length;
        sums.wrong += found.filter((one) => !places.some((other) => isSame(one, other))).length;
      }
      expect(sums.found / sums.places).toBeGreaterThanOrEqual(0.9);
      expect(sums.wrong / (sums.found + sums.wrong)).toBeLessThanOrEqual(0.1);
    },
  );

  it('are searched page by page, and no longer when the caller has stopped waiting', async () => {
    const document = await PDFDocument.load(flat('lease-en'));
    const pages = await document.copyPages(
      document,
      Array.from({ length: 40 }, () => 0),
    );
    for (const page of pages) document.addPage(page);
    const data = await document.save();
    const heard: number[] = [];
    const stopped = new AbortController();
    const report = ({ done, total }: { done: number; total: number }) => {
      heard.push(done);
      expect(total).toBe(41);
      if (done === 3) stopped.abort();
    };
    const search = pdf.find(data, stopped.signal, report);
    await expect(search).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(heard.slice(0, 3)).toEqual([1, 2, 3]);
    expect(heard.length).toBeLessThan(41);
    // A stopped search blocks no other.
    expect(await pdf.find(flat('lease-en'))).not.toEqual([]);
    const early = pdf.find(data, stopped.signal, report);
    await expect(early).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  });

  it('have their own captions below them, whatever the spaces between the captions', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([500, 300]);
    page.drawText(`${'_'.repeat(30)}      ${'_'.repeat(30)}`, { x: 40, y: 200, size: 11 });
    const captions = 'Signature of the landlord          Signature of the tenant';
    page.drawText(captions, { x: 40, y: 186, size: 11 });
    const found = await pdf.find(await document.save());
    expect(found.map(({ field }) => [field.name, field.kind])).toEqual([
      ['Signature of the landlord', 'signature'],
      ['Signature of the tenant', 'signature'],
    ]);
  });

  it('are placed above dotted lines, which would cross the text', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([500, 300]);
    page.drawText(`Moves in on ${'.'.repeat(60)}`, { x: 40, y: 200, size: 11 });
    const fields = (await pdf.find(await document.save())).map(({ field }) => field);
    expect(fields).toMatchObject([{ name: 'Moves in on', kind: 'date' }]);
    const whole = await pdf.place(await document.save(), fields);
    const { data } = await pdf.merge(whole, { 'Moves in on': '2027-01-01' }, true);
    const { pieces } = await piecesIn(data);
    const day = pieces.find(({ text }) => text === '2027-01-01');
    expect(day?.y).toBeGreaterThan(202);
    expect(day?.y).toBeLessThan(206);
  });

  it('have guides at lines, at ends of lines, and at starts and baselines of texts', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 300]);
    page.drawText('Name', { x: 50, y: 200, size: 10 });
    page.drawText('Date', { x: 250, y: 200, size: 10 });
    page.drawLine({ start: { x: 80, y: 198 }, end: { x: 240, y: 198 } });
    page.drawLine({ start: { x: 30, y: 20 }, end: { x: 30, y: 120 } });
    const [guides] = await pdf.guides(await document.save());
    expect(guides).toMatchObject({ page: 1, box: { width: 400, height: 300 }, rotate: 0 });
    expect(guides?.xs).toEqual(expect.arrayContaining([30, 50, 80, 240, 250]));
    expect(guides?.ys).toEqual(expect.arrayContaining([20, 120, 198, 200]));
    // Letters within a word are not blanks.
    expect(guides?.xs.length).toBeLessThanOrEqual(7);
  });

  it('are not found on an empty page', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    expect(await pdf.find(await document.save())).toEqual([]);
  });

  it('are searched only if the file is a PDF', async () => {
    const refused = { failure: { code: 'invalid', reason: 'not-a-pdf' } };
    await expect(pdf.find(new TextEncoder().encode('<p>'))).rejects.toMatchObject(refused);
  });
});
