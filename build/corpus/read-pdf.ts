import { validatePdf } from './judge-pdf.ts';
import type { Reading } from './verdicts.ts';
import { createPdfEngine } from '../../electron/adapters/pdf/engine.ts';
import type { TextFit } from '../../shared/errors.ts';
import type { PdfField, PdfValues } from '../../shared/model/pdf-form.ts';

type PdfValue = PdfValues[string];

/** Lists the fields and fills all that take a value, once as a form and once flat. */
export async function readPdf(source: Uint8Array, hasPixels: boolean): Promise<Reading> {
  const engine = createPdfEngine();
  const form = await engine.read(source.slice());
  const given = form.fields
    .filter(({ type }) => type === 'text')
    .map((field, at) => ({ field: field.name, text: shortText(field, at) }));
  const fits = await engine.textFits(source.slice(), given);
  const texts = new Map(
    given
      .map(({ field, text }, at): [string, string] => [field, cutText(text, fits[at] ?? null)])
      .filter(([, text]) => text !== ''),
  );
  const values = Object.fromEntries([...texts, ...form.fields.flatMap(chosenOf)]);
  const filled = { source, form, texts, flat: null, open: null, unfilled: [], hasPixels };
  if (Object.keys(values).length === 0) return { judge: () => validatePdf(filled) };
  const flat = await engine.merge(source.slice(), values, true);
  const open = await engine.merge(source.slice(), values, false);
  const unfilled = flat.unfilled.filter((name) => texts.has(name));
  return { judge: () => validatePdf({ ...filled, flat: flat.data, open: open.data, unfilled }) };
}

/**
 * Returns a unique text for a field, which no page contains by chance, cut to the maximum length of
 * the field.
 */
function shortText({ maxLength }: PdfField, at: number): string {
  return `Qx${at.toString(36)}Z`.slice(0, maxLength ?? undefined);
}

/** Cuts a text to what fits into its box, because the program refuses a longer text. */
function cutText(text: string, fit: TextFit | null): string {
  return fit === null || fit.excess === 0 ? text : fit.fits;
}

/**
 * Returns the value to set, if any: of radio buttons and lists the last option, which is seldom the
 * preselected one.
 */
function chosenOf({ name, type, options = [] }: PdfField): readonly [string, PdfValue][] {
  if (type === 'checkbox') return [[name, true]];
  const last = options.at(-1) ?? '';
  return last !== '' && (type === 'radio' || type === 'choice') ? [[name, last]] : [];
}
