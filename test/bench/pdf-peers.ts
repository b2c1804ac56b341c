import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { PdfValues } from '../../shared/model/pdf-form.ts';

/**
 * Other engines that fill forms, each in a process that stays warm. They are run by the benchmark
 * only and never shipped: `apt-get install libpdfbox2-java pdftk-java`, and the npm package mupdf in
 * a folder that SIGNING_DESK_BENCH_MUPDF names.
 *
 * A process is asked for a row by lines of `name TAB value` and an empty line; it answers with the
 * milliseconds that loading, filling, flattening and saving took, and how many fields took no value.
 */
export interface Peer {
  readonly name: string;
  fill(values: PdfValues): Promise<Filled>;
  close(): void;
}

export interface Filled {
  readonly milliseconds: number;
  readonly left: number;
}

export interface Engine {
  readonly name: string;
  /** Files without which the engine cannot start. */
  readonly needs: readonly string[];
  readonly command: readonly string[];
}

const JARS = '/usr/share/java';
const JAVA = '/usr/bin/java';
const MUPDF = process.env['SIGNING_DESK_BENCH_MUPDF'] ?? 'SIGNING_DESK_BENCH_MUPDF';
const source = (file: string) => path.join(import.meta.dirname, 'peers', file);

const ENGINES: readonly Engine[] = [
  {
    name: 'mupdf',
    needs: [path.join(MUPDF, 'dist/mupdf.js')],
    command: [process.execPath, source('mupdf-fill.ts'), MUPDF],
  },
  inJava('PDFBox'),
  inJava('pdftk-java'),
];

/**
 * An engine in Java. Both are in one source file, which is compiled at its start, so either needs
 * the libraries of both.
 */
function inJava(name: string): Engine {
  const jars = [
    ...['pdfbox2', 'fontbox2', 'commons-logging', 'bcprov', 'commons-lang3'].map(
      (jar) => `${JARS}/${jar}.jar`,
    ),
    '/usr/share/pdftk/pdftk.jar',
  ];
  // Otherwise PDFBox reports every unusual font, in every row.
  const quiet = '-Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.NoOpLog';
  const command = [JAVA, quiet, '-cp', jars.join(':'), source('Fill.java'), name];
  return { name, needs: [JAVA, ...jars], command };
}

/** Engines that are installed; prints what is missing for the others. */
export function enginesThere(): readonly Engine[] {
  return ENGINES.filter(({ name, needs }) => {
    const missing = needs.find((file) => !existsSync(file));
    if (missing !== undefined) console.log(`  no ${name}: ${missing} is not there`);
    return missing === undefined;
  });
}

export function startPeer({ name, command: [program = '', ...args] }: Engine, form: string): Peer {
  const child = spawn(program, [...args, form], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    name,
    async fill(values) {
      const lines = Object.entries(values).map(([field, value]) => `${field}\t${value}\n`);
      child.stdin.write(`${lines.join('')}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`${name} ended`);
      const [milliseconds = Number.NaN, left = Number.NaN] = value.split(' ').map(Number);
      return { milliseconds, left };
    },
    close: () => child.stdin.end(),
  };
}
