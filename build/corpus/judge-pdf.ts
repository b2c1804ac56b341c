import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  getDocument,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import * as z from 'zod';
import type { PdfForm } from '../../shared/model/pdf-form.ts';
import { type IgnoredArea, differingPages, isSeenByAll } from './judge-pixels.ts';
import type { FileResult } from './verdicts.ts';

export interface FilledPdf {
  readonly source: Uint8Array;
  readonly form: PdfForm;
  readonly texts: ReadonlyMap<string, string>;
  /** Flat copy, without form fields; null if there is nothing to fill. */
  readonly flat: Uint8Array | null;
  readonly open: Uint8Array | null;
  /** Fields of `texts` that the program reported as not filled. */
  readonly unfilled: readonly string[];
  /** Whether both copies are drawn and compared. */
  readonly hasPixels: boolean;
}

/** Flags of an annotation that is invisible on the screen: Hidden and NoView (PDF 1.7, 12.5.3). */
const INVISIBLE_FLAGS = 2 | 32;
/** Exit code of `qpdf --check` when nothing has to be repaired. */
const QPDF_INTACT_EXIT = 0;
const MAX_QPDF_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Compares the fields and texts of the pages with pdf.js, and checks both files with qpdf. */
export async function validatePdf(filled: FilledPdf): Promise<FileResult> {
  const before = await openPdfOrNull(filled.source);
  if (before === null) return { verdict: 'unjudged', why: 'pdf.js cannot open it' };
  // Differences that only one viewer shows: each viewer draws some forms in its own way.
  const alone: string[] = [];
  try {
    const wrong = [
      ...(await differingNames(before, filled)),
      ...(await missingTexts(before, filled)),
      ...brokenFiles(filled),
    ];
    const pixels = await differingPixelPages(before, filled);
    if (isSeenByAll(pixels)) wrong.push(...pixels);
    else alone.push(...pixels);
    if (wrong.length > 0) return { verdict: 'wrong', why: wrong.slice(0, 4).join('; ') };
  } finally {
    await before.loadingTask.destroy();
  }
  const marks: string[] = [...alone, ...filled.form.notices.filter((one) => one !== 'no-fields')];
  if (filled.unfilled.length > 0) marks.push('stray-fields');
  return marks.length > 0
    ? { verdict: 'marked', why: [...new Set(marks)].join(', ') }
    : { verdict: 'same', why: '' };
}

async function openPdfOrNull(data: Uint8Array): Promise<PDFDocumentProxy | null> {
  const task = getDocument({
    // pdf.js transfers the data, and accepts no Buffer.
    data: new Uint8Array(data),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
  });
  return task.promise.catch(() => null);
}

/**
 * Returns the field names that only the program lists, and the names that only the program lacks.
 * If the judges differ about a name, both results are right.
 */
async function differingNames(
  document: PDFDocumentProxy,
  { form, source }: FilledPdf,
): Promise<readonly string[]> {
  // The program has reported that the form does not list its fields correctly.
  if (form.notices.includes('stray-fields')) return [];
  const own = new Set(form.fields.map(({ name }) => name));
  const listed = [...((await document.getFieldObjects()) ?? [])];
  const theirs = new Set(
    listed.filter(([, objects]) => objects.some(isFormFieldObject)).map(([name]) => name),
  );
  const missing = [...theirs].filter((name) => !own.has(name));
  const more = [...own].filter((name) => !theirs.has(name));
  if (missing.length + more.length === 0) return [];
  const others = namesByQpdf(source) ?? theirs;
  return [
    ...missing.filter((name) => others.has(name)).map((name) => `not listed: ${name}`),
    ...more.filter((name) => !others.has(name)).map((name) => `listed by nobody else: ${name}`),
  ];
}

const QpdfListing = z.object({
  acroform: z.object({ fields: z.array(z.object({ fullname: z.string() })) }),
});

/** Returns the field names that qpdf lists; null if qpdf cannot read the fields. */
function namesByQpdf(data: Uint8Array): ReadonlySet<string> | null {
  const said = askQpdf(data, ['--json=2', '--json-key=acroform']);
  if (said === null) return null;
  try {
    const { acroform } = QpdfListing.parse(JSON.parse(said.output));
    return new Set(acroform.fields.map(({ fullname }) => fullname));
  } catch {
    return null;
  }
}

/**
 * Whether an object of qpdf's list is a field. The list also contains groups of fields, which have
 * no type.
 */
function isFormFieldObject(object: unknown): boolean {
  return typeof object === 'object' && object !== null && 'type' in object && object.type !== '';
}

/** Returns the texts that are missing on the page that shows their field. */
async function missingTexts(
  before: PDFDocumentProxy,
  { flat, texts, unfilled }: FilledPdf,
): Promise<readonly string[]> {
  if (flat === null) return [];
  const after = await openPdfOrNull(flat);
  if (after === null) return ['pdf.js cannot open the filled PDF'];
  const missing: string[] = [];
  for (let number = 1; number <= before.numPages; number += 1) {
    const names = await shownFields(before, number);
    const wanted = names.filter((name) => texts.has(name) && !unfilled.includes(name));
    if (wanted.length === 0) continue;
    const seen = await textOf(after, number);
    for (const name of wanted) {
      if (!seen.includes(texts.get(name) ?? ''))
        missing.push(`not on page ${String(number)}: ${name}`);
    }
  }
  await after.loadingTask.destroy();
  return missing;
}

/** Returns the names of the visible text fields on a page that have room for text. */
async function shownFields(document: PDFDocumentProxy, number: number): Promise<readonly string[]> {
  const page = await document.getPage(number);
  const annotations: readonly Annotation[] = await page.getAnnotations();
  return annotations
    .filter(
      ({ fieldType, annotationFlags = 0 }) =>
        fieldType === 'Tx' && !(annotationFlags & INVISIBLE_FLAGS),
    )
    .filter(
      ({ rect: [left = 0, bottom = 0, right = 0, top = 0] = [] }) =>
        left !== right && bottom !== top,
    )
    .flatMap(({ fieldName }) => (fieldName === undefined ? [] : [fieldName]));
}

interface Annotation {
  readonly fieldType?: string;
  readonly fieldName?: string;
  readonly annotationFlags?: number;
  readonly rect?: readonly number[];
}

/**
 * Returns the text of a page without spaces, because a comb field has spaces between its
 * characters.
 */
async function textOf(document: PDFDocumentProxy, number: number): Promise<string> {
  const { items } = await (await document.getPage(number)).getTextContent();
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join('')
    .replaceAll(/\s/g, '');
}

function brokenFiles({ source, flat, open }: FilledPdf): readonly string[] {
  if (flat === null || open === null) return [];
  const files = Object.entries({ source, flat, open });
  const [before, ...after] = files.map(([name, data]) => ({
    name,
    code: askQpdf(data, ['--check'])?.code ?? QPDF_INTACT_EXIT,
  }));
  // If the original file is damaged, damage in the copies is not the program's fault.
  if (before === undefined || before.code !== QPDF_INTACT_EXIT) return [];
  return after
    .filter(({ code }) => code !== QPDF_INTACT_EXIT)
    .map(({ name }) => `qpdf: ${name} is damaged`);
}

async function differingPixelPages(
  before: PDFDocumentProxy,
  { hasPixels, open, flat }: FilledPdf,
): Promise<readonly string[]> {
  if (!hasPixels || open === null || flat === null) return [];
  const pages = Array.from({ length: before.numPages }, (_, at) => at + 1);
  return differingPages(
    open,
    flat,
    await Promise.all(pages.map((page) => ignoredAreasOf(before, page))),
  );
}

/**
 * Returns the areas that are not compared. They are hidden fields, which appear in the flat copy if
 * a user fills them on purpose, and signatures, where MuPDF draws a symbol of its own.
 */
async function ignoredAreasOf(
  document: PDFDocumentProxy,
  number: number,
): Promise<readonly IgnoredArea[]> {
  const page = await document.getPage(number);
  const annotations: readonly Annotation[] = await page.getAnnotations();
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  return annotations
    .filter(
      ({ fieldType, annotationFlags = 0 }) =>
        fieldType === 'Sig' ||
        (fieldType !== undefined && (annotationFlags & INVISIBLE_FLAGS) !== 0),
    )
    .map(({ rect = [] }): IgnoredArea => {
      const [left = 0, bottom = 0, right = 0, top = 0] = rect;
      const corners = [
        viewport.convertToViewportPoint(left, bottom),
        viewport.convertToViewportPoint(right, top),
      ];
      const xs = corners.map(([x = 0]) => x / width);
      const ys = corners.map(([, y = 0]) => y / height);
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });
}

interface QpdfAnswer {
  readonly code: number | null;
  readonly output: string;
}

/** Runs qpdf on a PDF; returns null if qpdf is not installed. */
function askQpdf(data: Uint8Array, options: readonly string[]): QpdfAnswer | null {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-corpus-'));
  try {
    const file = path.join(folder, 'in.pdf');
    writeFileSync(file, data);
    const done = spawnSync('qpdf', [...options, file], {
      encoding: 'utf8',
      maxBuffer: MAX_QPDF_OUTPUT_BYTES,
    });
    return done.error === undefined ? { code: done.status, output: done.stdout } : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
