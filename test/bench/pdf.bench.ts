import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { BenchRow } from '../../build/bench.ts';
import { createPdfEngine } from '../../electron/adapters/pdf/pdf-engine.ts';
import { createPdfForms } from '../../electron/adapters/pdf/pdf-forms.ts';
import type { PdfValues } from '../../shared/contract/pdf-form.ts';
import { byPdfLib, valuesFor } from '../adapters/pdf/golden.ts';
import { formsThere, MEASURED, readForm } from '../adapters/pdf/real-forms.ts';
import { median } from './median.ts';

export const name = 'pdf: merging rows into a form, and listing its fields';

/** Rows of one batch; what compiling costs is shared by them. */
const ROWS = 500;
/** pdf-lib takes seconds for few rows of the largest forms; its rows cost the same each. */
const BASE_ROWS = 8;
const PAIRS = 5;
const KINDS = 20;
/** A forty-eighth of five thousand rows' own size would be seen. */
const MERGES = 5000;
const UNUSUAL = 'Łukasz Žižek Ελλάδα Дмитрий';

/** Milliseconds for one row, of many. */
async function perRow(rows: number, row: (at: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < rows; at += 1) await row(at);
  return (performance.now() - start) / rows;
}

async function samples(data: Uint8Array): Promise<readonly PdfValues[]> {
  return Promise.all(Array.from({ length: KINDS }, (_, at) => valuesFor(data, at)));
}

interface Measured {
  readonly file: string;
  readonly ours: number;
  readonly base: number;
}

/** Compiling, then all rows, against pdf-lib's load, fill, flatten and save of each. */
async function measure(file: string): Promise<Measured> {
  const data = readForm(file);
  const values = await samples(data);
  const of = (at: number) => values[at % KINDS] ?? {};
  const [ours, base]: [number[], number[]] = [[], []];
  await byPdfLib(data, of(0));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    base.push(await perRow(BASE_ROWS, (at) => byPdfLib(data, of(at))));
    const engine = createPdfEngine();
    const start = performance.now();
    const { number } = await engine.compile(data, []);
    for (let at = 0; at < ROWS; at += 1) await engine.fill(number, of(at));
    ours.push((performance.now() - start) / ROWS);
  }
  return { file, ours: median(ours), base: median(base) };
}

async function lists(file: string): Promise<BenchRow> {
  const data = readForm(file);
  const engine = createPdfEngine();
  const plain = async () => {
    const document = await PDFDocument.load(data, { updateMetadata: false });
    return document
      .getForm()
      .getFields()
      .map((field) => field.getName());
  };
  const [ours, base]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    base.push(await perRow(BASE_ROWS, plain));
    ours.push(await perRow(BASE_ROWS, () => engine.read(data)));
  }
  return { what: `listing the fields of ${file}`, ...compared(ours, base), goal: 1.1 };
}

const compared = (ours: readonly number[], base: readonly number[]) => ({
  ours: median(ours),
  base: median(base),
});

/** The same batch with letters outside WinAnsi in one field of each row. */
async function unusualLetters(file: string): Promise<BenchRow> {
  const data = readForm(file);
  const values = await samples(data);
  const field = Object.entries(values[0] ?? {}).find(([, value]) => String(value).length > 8)?.[0];
  const [ours, base]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    for (const [times, word] of [
      [base, 'Lukasz'],
      [ours, UNUSUAL],
    ] as const) {
      const engine = createPdfEngine();
      const start = performance.now();
      const { number } = await engine.compile(data, [word]);
      for (let at = 0; at < ROWS; at += 1) {
        const row = values[at % KINDS] ?? {};
        await engine.fill(number, field === undefined ? row : { ...row, [field]: word });
      }
      times.push((performance.now() - start) / ROWS);
    }
  }
  return { what: `letters outside WinAnsi in ${file}`, ...compared(ours, base), goal: 2.5 };
}

/** Memory of the program after five thousand merges, against that after the first five hundred. */
async function memory(file: string): Promise<BenchRow> {
  const data = readForm(file);
  const pdf = createPdfForms();
  const values = await valuesFor(data, 1);
  const compiled = await pdf.compile(data);
  for (let at = 0; at < ROWS; at += 1) await compiled.fill(values);
  const base = process.memoryUsage.rss();
  for (let at = 0; at < MERGES; at += 1) await compiled.fill(values);
  const ours = process.memoryUsage.rss();
  await pdf.close();
  const what = `memory after ${MERGES} merges of ${file}, in MB`;
  return { what, ours: ours / 1e6, base: base / 1e6, goal: 1.15 };
}

/** How much longer the best other engine on this computer takes; none of them is shipped. */
async function peers(measured: readonly Measured[]): Promise<BenchRow[]> {
  const found: BenchRow[] = [];
  for (const { file, ours } of measured) {
    const times = [await byPdftk(file), await byMupdf(file)].filter((time) => time !== null);
    if (times.length === 0) continue;
    found.push({
      what: `${file} against the best peer`,
      ours,
      base: Math.min(...times),
      goal: 1 / 2,
    });
  }
  return found;
}

const PDFTK = process.env['SIGNING_DESK_BENCH_PDFTK'];
const MUPDF = process.env['SIGNING_DESK_BENCH_MUPDF'];

/**
 * A Java class that fills rows with pdftk-java in one warm process: `java -cp CLASSPATH Fill file
 * rows` prints milliseconds per row. Its class path is given by SIGNING_DESK_BENCH_PDFTK.
 */
async function byPdftk(file: string): Promise<number | null> {
  if (PDFTK === undefined) return null;
  return withFile(file, (place) => {
    const { stdout } = spawnSync('java', ['-cp', PDFTK, 'Fill', place, '40'], { encoding: 'utf8' });
    return numberIn(stdout);
  });
}

/** The npm package mupdf, by the folder that SIGNING_DESK_BENCH_MUPDF names. */
async function byMupdf(file: string): Promise<number | null> {
  if (MUPDF === undefined) return null;
  const { href } = new URL(`file://${path.resolve(MUPDF)}/dist/mupdf.js`);
  const script = `
    const mupdf = await import(${JSON.stringify(href)});
    const { readFileSync } = await import('node:fs');
    const data = readFileSync(process.argv[1]);
    const fill = () => {
      const document = mupdf.PDFDocument.openDocument(data, 'application/pdf');
      for (let at = 0; at < document.countPages(); at += 1) {
        for (const widget of document.loadPage(at).getWidgets()) {
          if (widget.isText() || widget.isChoice()) {
            try { widget.setTextValue('Row Åsa'.slice(0, widget.getMaxLen() || 99)); widget.update(); } catch {}
          }
        }
      }
      document.bake();
      return document.saveToBuffer('').asUint8Array().length;
    };
    fill();
    const start = performance.now();
    for (let row = 0; row < 10; row += 1) fill();
    console.log((performance.now() - start) / 10);`;
  return withFile(file, async (place) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, place]);
    let said = '';
    for await (const part of child.stdout) said += String(part);
    return numberIn(said);
  });
}

async function withFile<Value>(
  file: string,
  use: (place: string) => Value | Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-bench-'));
  try {
    const place = path.join(folder, file);
    writeFileSync(place, readForm(file));
    return await use(place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function numberIn(said: string): number | null {
  const number = Number.parseFloat(said);
  return Number.isNaN(number) ? null : number;
}

const product = (ratios: readonly number[]) => ratios.reduce((all, one) => all * one, 1);

/** The geometric mean of the ratios, as a row. */
function together(what: string, rows: readonly Omit<Measured, 'file'>[], goal: number): BenchRow {
  const mean = product(rows.map(({ ours, base }) => base / ours)) ** (1 / Math.max(1, rows.length));
  return { what, ours: 1, base: mean, goal: 1 / goal };
}

export async function run(): Promise<readonly BenchRow[]> {
  const files = formsThere(MEASURED);
  const measured: Measured[] = [];
  for (const file of files) measured.push(await measure(file));
  const rows = measured.map(({ file, ours, base }) => ({ what: file, ours, base, goal: 1 / 9 }));
  const against = await peers(measured);
  if (PDFTK === undefined) console.log('  no pdftk-java: SIGNING_DESK_BENCH_PDFTK is not set');
  if (MUPDF === undefined) console.log('  no mupdf: SIGNING_DESK_BENCH_MUPDF is not set');
  const listed: BenchRow[] = [];
  for (const file of files) listed.push(await lists(file));
  const first = files.find((file) => file === 'sample_form.pdf') ?? files[0];
  return [
    ...rows,
    together('all forms together (geometric mean of the ratios)', measured, 18),
    ...against,
    ...(against.length === 0 ? [] : [together('all forms against the best peer', against, 5)]),
    ...listed,
    ...(first === undefined ? [] : [await unusualLetters(first), await memory(first)]),
  ];
}
