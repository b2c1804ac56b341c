import { PDFDocument } from 'pdf-lib';
import type { BenchRow } from '../../build/bench.ts';
import { createPdfEngine } from '../../electron/adapters/pdf/engine.ts';
import { createPdfForms } from '../../electron/adapters/pdf/forms.ts';
import type { PdfValues } from '../../shared/model/pdf-form.ts';
import { byPdfLib, fittingValues } from '../adapters/pdf/golden.ts';
import { formsThere, MEASURED, placeOfForm, readForm } from '../adapters/pdf/real-forms.ts';
import { median } from './median.ts';
import { type Engine, enginesThere, type Peer, startPeer } from './pdf-peers.ts';

export const name = 'pdf: merging rows into a form, and listing its fields';

/** Number of rows of one batch, which share the cost of compiling the form. */
const ROWS = 500;
const PAIRS = 5;
const KINDS = 20;
/**
 * Time to warm up (ms): the runtimes of other engines become faster for some seconds, then their
 * rows cost the same.
 */
const WARM_UP = 5000;
const RUN = 1500;
/**
 * Number of merges, large enough that a leak of a forty-eighth of a row's size would be noticed.
 */
const MERGES = 5000;
/** Two texts of equal length, so that only the characters differ. */
const UNUSUAL = 'Łukasz Žižek Ελλάδα Дмитрий';
const USUAL = 'Lukasz Zizek Ellada Dmitrij';
const MAX_ADDED = 20;

/** Time for one row (ms), from as many rows as can be done in `time`. */
async function perRow(time: number, row: (at: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let rows = 0;
  do {
    await row(rows);
    rows += 1;
  } while (performance.now() < start + time);
  return (performance.now() - start) / rows;
}

async function samples(data: Uint8Array): Promise<readonly PdfValues[]> {
  const pdf = createPdfForms();
  try {
    return await Promise.all(
      Array.from({ length: KINDS }, (_, at) => fittingValues(pdf, data, at)),
    );
  } finally {
    await pdf.close();
  }
}

type RowOf = (at: number) => PdfValues;

/**
 * Time for a row of a batch, including the compiling of the form (ms), and the bytes of the last
 * row.
 */
async function batch(data: Uint8Array, row: RowOf, letters: readonly string[] = []) {
  const engine = createPdfEngine();
  const start = performance.now();
  const { number } = await engine.compile(data, letters);
  let bytes = 0;
  for (let at = 0; at < ROWS; at += 1) bytes = (await engine.fill(number, row(at))).data.length;
  return { time: (performance.now() - start) / ROWS, bytes };
}

interface Measured {
  readonly file: string;
  readonly ours: number;
  readonly base: number;
  /** Times of the engines that are installed. */
  readonly peers: readonly { readonly name: string; readonly time: number }[];
}

/**
 * Compares compiling the form and filling all rows with loading, filling, flattening and saving
 * each row with pdf-lib and other engines.
 */
async function measure(file: string, engines: readonly Engine[]): Promise<Measured> {
  const data = readForm(file);
  const values = await samples(data);
  const of: RowOf = (at) => values[at % KINDS] ?? {};
  const peers = engines.map((engine) => ({
    peer: startPeer(engine, placeOfForm(file)),
    times: new Array<number>(),
  }));
  const [ours, base]: [number[], number[]] = [[], []];
  await perRow(WARM_UP, (at) => byPdfLib(data, of(at)));
  for (const { peer } of peers) await byPeer(peer, of, WARM_UP);
  for (let pair = 0; pair < PAIRS; pair += 1) {
    base.push(await perRow(RUN, (at) => byPdfLib(data, of(at))));
    ours.push((await batch(data, of)).time);
    for (const { peer, times } of peers) times.push(await byPeer(peer, of, RUN));
  }
  for (const { peer } of peers) peer.close();
  const named = peers.map(({ peer, times }) => ({ name: peer.name, time: median(times) }));
  return { file, ...compared(ours, base), peers: named };
}

/** Time for a row with another engine (ms), from as many rows as can be done in `time`. */
async function byPeer(peer: Peer, row: RowOf, time: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + time;
  do {
    const { milliseconds, left } = await peer.fill(row(times.length));
    // One option of a form has two names; more unfilled fields would be less work than the
    // program's.
    if (left > 1) throw new Error(`${peer.name} left ${left} fields without their value`);
    times.push(milliseconds);
  } while (performance.now() < end);
  return times.reduce((sum, one) => sum + one, 0) / times.length;
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
  await perRow(RUN, plain);
  await perRow(RUN, () => engine.read(data));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    base.push(await perRow(RUN, plain));
    ours.push(await perRow(RUN, () => engine.read(data)));
  }
  return { what: `listing the fields of ${file}`, ...compared(ours, base), goal: 1.1 };
}

const compared = (ours: readonly number[], base: readonly number[]) => ({
  ours: median(ours),
  base: median(base),
});

/**
 * Compares the same batch with characters outside WinAnsi in every text field that has space for a
 * name.
 */
async function unusualLetters(file: string): Promise<readonly BenchRow[]> {
  const data = readForm(file);
  const values = await samples(data);
  const pdf = createPdfForms();
  const { fields } = await pdf.read(data);
  const texts = fields.filter(({ type }) => type === 'text').map(({ name }) => name);
  const cut = new Set<string>();
  for (const text of [USUAL, UNUSUAL]) {
    const fits = await pdf.textFits(
      data,
      texts.map((field) => ({ field, text })),
    );
    for (const fit of fits) if (fit !== null && fit.excess > 0) cut.add(fit.field);
  }
  await pdf.close();
  const short = new Set(
    fields.filter(({ maxLength = Infinity }) => maxLength < UNUSUAL.length).map(({ name }) => name),
  );
  const names = texts.filter((name) => !cut.has(name) && !short.has(name));
  const holding = (word: string): RowOf => {
    const texts = Object.fromEntries(names.map((field) => [field, word]));
    return (at) => ({ ...values[at % KINDS], ...texts });
  };
  const [ours, base]: [number[], number[]] = [[], []];
  let added = 0;
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const usual = await batch(data, holding(USUAL), [USUAL]);
    const unusual = await batch(data, holding(UNUSUAL), [UNUSUAL]);
    base.push(usual.time);
    ours.push(unusual.time);
    added = (unusual.bytes - usual.bytes) / 1000;
  }
  const what = `letters outside WinAnsi in ${names.length} fields of ${file}`;
  return [
    { what, ...compared(ours, base), goal: 2.5 },
    { what: `${what}, added bytes / allowed`, ours: added, base: MAX_ADDED, goal: 1, unit: 'kB' },
  ];
}

/**
 * Memory of the program after five thousand merges, relative to that after the first five hundred.
 */
async function memory(file: string): Promise<BenchRow> {
  const data = readForm(file);
  const pdf = createPdfForms();
  const values = await fittingValues(pdf, data, 1);
  const compiled = await pdf.compile(data);
  for (let at = 0; at < ROWS; at += 1) await compiled.fill(values);
  const base = process.memoryUsage.rss();
  for (let at = 0; at < MERGES; at += 1) await compiled.fill(values);
  const ours = process.memoryUsage.rss();
  await pdf.close();
  const what = `memory after ${MERGES} merges of ${file}`;
  return { what, ours: ours / 1e6, base: base / 1e6, goal: 1.15, unit: 'MB' };
}

/** Compares the program with the fastest of the other engines that are installed. */
function againstPeers(measured: readonly Measured[]): readonly BenchRow[] {
  const rows = measured.flatMap(({ file, ours, peers }) => {
    const [best] = peers.toSorted((one, other) => one.time - other.time);
    if (best === undefined) return [];
    const all = peers.map((peer) => `${peer.name} ${peer.time.toPrecision(3)} ms`).join(', ');
    const what = `${file} against ${best.name}, the best of ${all}`;
    return [{ what, ours, base: best.time, goal: 1 / 2 }];
  });
  return rows.length === 0 ? [] : [...rows, together('all forms against the best peers', rows, 5)];
}

const product = (ratios: readonly number[]) => ratios.reduce((all, one) => all * one, 1);

/** The geometric mean of the ratios, as a row. */
function together(
  what: string,
  rows: readonly Pick<BenchRow, 'ours' | 'base'>[],
  goal: number,
): BenchRow {
  const mean = product(rows.map(({ ours, base }) => base / ours)) ** (1 / Math.max(1, rows.length));
  return { what, ours: 1, base: mean, goal: 1 / goal };
}

export async function run(): Promise<readonly BenchRow[]> {
  const files = formsThere(MEASURED);
  const engines = enginesThere();
  const measured: Measured[] = [];
  for (const file of files) measured.push(await measure(file, engines));
  const listed: BenchRow[] = [];
  for (const file of files) listed.push(await lists(file));
  const first = files.find((file) => file === 'sample_form.pdf') ?? files[0];
  return [
    ...measured.map(({ file, ours, base }) => ({ what: file, ours, base, goal: 1 / 9 })),
    together('all forms together (geometric mean of the ratios)', measured, 18),
    ...againstPeers(measured),
    ...listed,
    ...(first === undefined ? [] : [...(await unusualLetters(first)), await memory(first)]),
  ];
}
