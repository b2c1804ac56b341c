/*
 * Reads every spreadsheet, CSV file, PDF, vCard and bounce list in a folder with the program's own
 * readers, each in a child process with a time limit, and reports the results: `npm run corpus --
 * FOLDER [--json FILE] [--pixels]`. With `--pixels`, MuPDF and Poppler draw every filled PDF, as a
 * form and flat, and the drawings are compared. Ends non-zero if a file is wrong or slow, or
 * crashed its reader.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findProgram } from '../../electron/hosts/find-browser.ts';
import type { ReadRequest } from './child.ts';
import { FAULTS, type Kind, KINDS, type Row, type ChildMessage, tableOf } from './verdicts.ts';

/**
 * Milliseconds after which the reading of a file is slow: longer than a user waits for one file.
 */
const SLOW_READ_MS = 5_000;
/**
 * Time limit of one reading, in milliseconds of wall-clock time. On a busy computer, this is far
 * more than a child's processor time.
 */
const MAX_READING_MS = 120_000;
const MAX_COMPARING_MS = 120_000;
/** Maximum heap of a child in megabytes, as in the program's own threads. */
const MAX_HEAP_MB = 768;
const VIEWER_PROGRAMS = ['mutool', 'pdftoppm'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, jobs: { type: 'string' }, pixels: { type: 'boolean' } },
});
const [folder] = positionals;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

if (folder === undefined || !existsSync(folder)) {
  printLine(
    'Name a folder with workbooks, PDFs, vCards or bounces: npm run corpus -- FOLDER [--json FILE] [--jobs N] [--pixels]',
  );
  process.exitCode = 2;
} else {
  process.exitCode = await runAll(folder);
}

async function runAll(from: string): Promise<number> {
  if (findProgram('qpdf') === undefined)
    printLine('qpdf is not here: filled PDFs are not checked by it');
  const viewers = values.pixels === true ? VIEWER_PROGRAMS : [];
  const absent = viewers.filter((viewer) => findProgram(viewer) === undefined);
  if (absent.length > 0) {
    printLine(`--pixels needs ${absent.join(' and ')}`);
    return 2;
  }
  const files = await findCorpusFiles(from);
  const rows: Row[] = [];
  const next = files.values();
  const jobs = Number(values.jobs ?? os.availableParallelism());
  await Promise.all(Array.from({ length: jobs }, () => serveFrom(from, next, rows)));
  const sorted = rows.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify(sorted, null, 1)}\n`);
  const faults = sorted.filter(({ verdict }) => FAULTS.includes(verdict));
  for (const { file, verdict, why } of faults) printLine(`${verdict}: ${file}: ${why}`);
  printLine(`\n${tableOf(sorted)}`);
  return faults.length === 0 ? 0 : 1;
}

interface CorpusFile {
  readonly file: string;
  readonly kind: Kind;
}

async function findCorpusFiles(from: string): Promise<readonly CorpusFile[]> {
  const names = await readdir(from, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)))
    .toSorted()
    .flatMap((file) => {
      const kind = KINDS.find((one) => file.toLowerCase().endsWith(`.${one}`));
      return kind === undefined ? [] : [{ file, kind }];
    });
}

/** Runs one child process at a time; starts a new one only if a file ended the previous one. */
async function serveFrom(from: string, next: Iterator<CorpusFile>, rows: Row[]): Promise<void> {
  let child = startChild();
  for (let one = next.next(); one.done !== true; one = next.next()) {
    const { file: name, kind } = one.value;
    const file = path.join(from, name);
    const end = await askChild(child, { file, kind, hasPixels: values.pixels === true });
    rows.push({ file: name, kind, ...end });
    if (!child.connected || child.exitCode !== null) child = startChild();
  }
  child.kill();
}

function startChild(): ChildProcess {
  return fork(path.join(import.meta.dirname, 'child.ts'), {
    execArgv: [`--max-old-space-size=${String(MAX_HEAP_MB)}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

type FileOutcome = Pick<Row, 'verdict' | 'why' | 'milliseconds'>;

function askChild(child: ChildProcess, ask: ReadRequest): Promise<FileOutcome> {
  return new Promise((resolve) => {
    let milliseconds: number | null = null;
    let words = '';
    const end = (how: FileOutcome): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.stderr?.removeAllListeners();
      resolve(how);
    };
    const stop = (how: FileOutcome): void => {
      if (child.connected) child.disconnect();
      child.kill('SIGKILL');
      end(how);
    };
    let timer = setTimeout(
      () => stop({ verdict: 'slow', why: 'never ended', milliseconds }),
      MAX_READING_MS,
    );
    child.on('message', (said: ChildMessage) => {
      if ('judged' in said) {
        const isSlow = milliseconds !== null && milliseconds > SLOW_READ_MS;
        const { verdict, why } = said.judged;
        end({ verdict: isSlow ? 'slow' : verdict, why, milliseconds });
        return;
      }
      milliseconds = said.milliseconds;
      clearTimeout(timer);
      const why = 'the judge never ended';
      const isSlow = milliseconds > SLOW_READ_MS;
      timer = setTimeout(
        () => stop({ verdict: isSlow ? 'slow' : 'unjudged', why, milliseconds }),
        MAX_COMPARING_MS,
      );
    });
    child.stderr?.on('data', (piece: Buffer) => {
      words = (words + piece.toString()).slice(-2000);
    });
    child.once('exit', () => {
      const isRead = milliseconds !== null;
      const why = isRead ? 'the judge crashed' : childErrorSentence(words);
      end({ verdict: isRead ? 'unjudged' : 'crashed', why, milliseconds });
    });
    child.send(ask);
  });
}

/** Returns the sentence of the error that ended the child. */
function childErrorSentence(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /\b\w*Error\b/.test(line)) ?? lines.at(-1) ?? 'ended without a word';
}
