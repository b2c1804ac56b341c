// tier: all
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { degrees, PDFDocument } from 'pdf-lib';
import { afterAll, expect, it } from 'vitest';
import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { throughTool } from './sample-pdfs.ts';

const pdf = createPdfForms();

afterAll(() => pdf.close());

const lease = new Uint8Array(readFileSync(path.resolve('test/fixtures/flat/lease-en.pdf')));

/** Returns the first page, stored rotated and displayed rotated back, like landscape forms. */
async function storedTurned(turn: number, isShownBack = true): Promise<Uint8Array> {
  const made = await PDFDocument.create();
  const [drawn] = await made.embedPdf(lease, [0]);
  if (drawn === undefined) throw new Error('The lease has a page');
  const { width, height } = drawn;
  const page = made.addPage(turn % 180 === 0 ? [width, height] : [height, width]);
  const corners = new Map([
    [90, { x: height, y: 0 }],
    [180, { x: width, y: height }],
    [270, { x: 0, y: width }],
  ]);
  page.drawPage(drawn, { ...corners.get(turn), rotate: degrees(turn) });
  if (isShownBack) page.setRotation(degrees(turn));
  return made.save();
}

it.each([90, 180, 270])(
  'blanks are found at their visible position on a page stored rotated by %i degrees (IN-U06)',
  async (turn) => {
    const plain = (await pdf.find(await firstPage())).map(({ field }) => field);
    expect(plain.length).toBeGreaterThan(3);
    const data = await storedTurned(turn);
    const found = (await pdf.find(data)).map(({ field }) => field);
    expect(found.map(({ name, kind }) => [name, kind])).toEqual(
      plain.map(({ name, kind }) => [name, kind]),
    );
    const whole = await pdf.place(data, found);
    const { data: filled } = await pdf.merge(whole, { Tenant: 'Ada' }, true);
    const { said } = throughTool('pdftotext', filled, ['-bbox', 'in.pdf', '-']);
    const [, left, bottom] = /xMin="([\d.]+)"[^>]*yMax="([\d.]+)">Ada</u.exec(said) ?? [];
    const straight = await pdf.merge(
      await pdf.place(await firstPage(), plain),
      { Tenant: 'Ada' },
      true,
    );
    const wanted = throughTool('pdftotext', straight.data, ['-bbox', 'in.pdf', '-']).said;
    const [, x, y] = /xMin="([\d.]+)"[^>]*yMax="([\d.]+)">Ada</u.exec(wanted) ?? [];
    expect(Math.abs(Number(left) - Number(x))).toBeLessThan(1);
    expect(Math.abs(Number(bottom) - Number(y))).toBeLessThan(1);
    // Filled places are no longer found.
    expect(await pdf.find(whole)).toEqual([]);
  },
);

it('blanks are found at their stored position on a page whose texts only appear rotated (IN-U06)', async () => {
  const document = await PDFDocument.load(await firstPage());
  document.getPage(0).setRotation(degrees(90));
  const shown = await pdf.find(await document.save());
  expect(shown).toEqual(await pdf.find(await firstPage()));
});

async function firstPage(): Promise<Uint8Array> {
  const made = await PDFDocument.create();
  const [page] = await made.copyPages(await PDFDocument.load(lease), [0]);
  if (page === undefined) throw new Error('The lease has a page');
  made.addPage(page);
  return made.save();
}
