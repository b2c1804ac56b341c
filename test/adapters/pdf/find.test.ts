import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { piecesIn } from './alphabets.ts';
import { FLAT } from './flat-pages.ts';
import { realForm, throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();
const flat = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(path.resolve('test/fixtures/flat', `${name}.pdf`)));

describe('places that wait to be filled in', () => {
  it.each(Object.keys(FLAT))('are all found on %s, and no others', async (name) => {
    const found = await pdf.find(flat(name));
    expect(found.map(({ field }) => [field.name, field.kind])).toEqual(FLAT[name]);
  });

  it('can be taken as they are, and are filled where they were found', async () => {
    const data = flat('lease-en');
    const fields = (await pdf.find(data)).map(({ field }) => field);
    const whole = await pdf.place(data, fields);
    const { data: filled } = await pdf.merge(whole, { Tenant: 'Ada', yes: true }, true);
    const { said } = throughTool('pdftotext', filled, ['-bbox', 'in.pdf', '-']);
    const [, left] = /xMin="([\d.]+)"[^>]*>Ada</u.exec(said) ?? [];
    const tenant = fields.find(({ name }) => name === 'Tenant')?.places[0]?.box;
    expect(Math.abs(Number(left) - (tenant?.x ?? 0))).toBeLessThan(4);
    // What stands there is found no more.
    expect(await pdf.find(whole)).toEqual([]);
  });

  it('are where the boxes of a form were that is flat now', async () => {
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

  it('are looked for page by page, and no more once nobody waits for them', async () => {
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
    // What was ended stands in nobody's way.
    expect(await pdf.find(flat('lease-en'))).not.toEqual([]);
    const early = pdf.find(data, stopped.signal, report);
    await expect(early).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  });

  it('have the captions below them one by one, wherever spaces have put these', async () => {
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

  it('are above dots, which would go through a text at their own height', async () => {
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

  it('have guides beside them: lines, their ends, and where texts begin and stand', async () => {
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
    // Letters within a word are none.
    expect(guides?.xs.length).toBeLessThanOrEqual(7);
  });

  it('are none on an empty page', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    expect(await pdf.find(await document.save())).toEqual([]);
  });

  it('are looked for in what is a PDF only', async () => {
    const refused = { failure: { code: 'invalid', reason: 'not-a-pdf' } };
    await expect(pdf.find(new TextEncoder().encode('<p>'))).rejects.toMatchObject(refused);
  });
});
