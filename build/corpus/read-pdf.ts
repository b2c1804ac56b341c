import { judgePdf } from './judge-pdf.ts';
import type { Reading } from './verdicts.ts';
import { createPdfEngine } from '../../electron/adapters/pdf/engine.ts';
import type { PdfField } from '../../shared/model/pdf-form.ts';

/** Lists the fields, and fills every text field: the form stays a form once, and is flattened once. */
export async function readPdf(source: Uint8Array): Promise<Reading> {
  const engine = createPdfEngine();
  const form = await engine.read(source.slice());
  const texts = new Map(
    form.fields
      .filter(({ type }) => type === 'text')
      .map((field, at): [string, string] => [field.name, shortText(field, at)]),
  );
  const filled = { source, form, texts, flat: null, open: null, unfilled: [] };
  if (texts.size === 0) return { judge: () => judgePdf(filled) };
  const values = Object.fromEntries(texts);
  const flat = await engine.merge(source.slice(), values, true);
  const open = await engine.merge(source.slice(), values, false);
  const unfilled = flat.unfilled.filter((name) => texts.has(name));
  return { judge: () => judgePdf({ ...filled, flat: flat.data, open: open.data, unfilled }) };
}

/** Another one in each field, of letters that no page has by chance, as far as the field has room. */
function shortText({ maxLength }: PdfField, at: number): string {
  return `Qx${at.toString(36)}Z`.slice(0, maxLength ?? undefined);
}
