import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { createStatementPrinter } from '../../../electron/adapters/pdf/statement.ts';
import type { Statement } from '../../../electron/core/evidence/ports.ts';

const HASH = '239ab6ef643f35150de5dfacd0895276f54e3835eaa3f483c9f7d74d303eae7e';
const LEAD = 'Made from the log of Signing Desk.';

/** Returns the words of each page, in written order. */
async function pagesOf(statement: Statement): Promise<string[]> {
  const data = await createStatementPrinter().print(statement);
  const task = getDocument({ data, verbosity: 0, useSystemFonts: false });
  const pdf = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  await task.destroy();
  return pages;
}

const partOf = (number: number, rows: number): Statement['parts'][number] => ({
  heading: `Entry number ${number}`,
  rows: Array.from({ length: rows }, (_, row) => [`Row ${row}`, `value ${number}/${row} ${HASH}`]),
});

it('a statement includes every hash, and the letters of every title', async () => {
  const title = 'Hyresavtal Ångström – “Żółć” Ελλάδα Жук';
  const [page = ''] = await pagesOf({ title, lead: [LEAD], parts: [partOf(1, 3)] });
  expect(page).toContain(title);
  expect(page).toContain(LEAD);
  expect(page.match(new RegExp(HASH, 'g'))).toHaveLength(3);
  expect(page).toContain('1 / 1');
});

it('a letter of a statement that is missing from all fonts is written as its code', async () => {
  const [page] = await pagesOf({ title: 'Lease 🖋', lead: [], parts: [] });
  expect(page).toContain('Lease <U+1F58B>');
});

it('an entry of a statement that fits on one page is not split at the end of a page', async () => {
  const parts = Array.from({ length: 9 }, (_, index) => partOf(index, 8));
  const pages = await pagesOf({ title: 'Lease', lead: [LEAD], parts });
  expect(pages.length).toBeGreaterThan(1);
  for (const [number] of parts.entries()) {
    const holding = pages.filter((page) => page.includes(`value ${number}/`));
    expect(holding, `entry ${number}`).toHaveLength(1);
    expect(holding[0]).toContain(`Entry number ${number}`);
  }
});

it('an entry of a statement longer than a page continues on the next page without loss', async () => {
  const pages = await pagesOf({ title: 'Lease', lead: [LEAD], parts: [partOf(1, 120)] });
  expect(pages.length).toBeGreaterThan(2);
  for (let row = 0; row < 120; row += 1) expect(pages.join(' ')).toContain(`value 1/${row} `);
});
