/** Possible results for one file. `same` means that a judge also read the file, and agrees. */
export const CORPUS_RESULTS = [
  'same',
  'refused',
  'marked',
  'unjudged',
  'wrong',
  'slow',
  'crashed',
] as const;
export type ValidationResult = (typeof CORPUS_RESULTS)[number];

/** Results that must not occur: the run ends non-zero. */
export const FAULTS: readonly ValidationResult[] = ['wrong', 'slow', 'crashed'];

/** Extensions of bounce messages and address lists. */
const LIST_EXTENSIONS = ['eml', 'mbox', 'log', 'json', 'jsonl', 'txt'] as const;
const SHEET_EXTENSIONS = ['xlsx', 'xlsm', 'ods', 'fods', 'csv', 'tsv'] as const;
export const KINDS = [...SHEET_EXTENSIONS, 'pdf', 'vcf', ...LIST_EXTENSIONS] as const;
export type Kind = (typeof KINDS)[number];
export const isList = (kind: Kind): boolean => LIST_EXTENSIONS.some((one) => one === kind);

/**
 * Result of one file. If the reader refuses the file, this is not a fault; the reason is counted.
 */
export interface FileResult {
  readonly verdict: Exclude<ValidationResult, 'slow' | 'crashed'>;
  /** The reason of a refusal, the marks that need a decision, or the position of a difference. */
  readonly why: string;
}

export interface Row {
  readonly file: string;
  readonly kind: Kind;
  readonly verdict: ValidationResult;
  readonly why: string;
  /** Time that the program took to read the file; null if the reading did not end. */
  readonly milliseconds: number | null;
}

/**
 * Messages of the child process: first that the program has read the file, then a judge's result.
 */
export type ChildMessage =
  | { readonly read: true; readonly milliseconds: number }
  | { readonly judged: FileResult };

/** A file that the program has read; `judge` compares the result with that of the judges. */
export interface Reading {
  readonly judge: () => Promise<FileResult>;
}

/**
 * Returns a judge's values for a cell of a sheet, any of which is right; null if the judge cannot
 * decide. Rows and columns count from 0.
 */
export type CellAt = (row: number, column: number) => readonly unknown[] | null;

/** Returns a line for each kind of file, followed by the reasons of refusals. */
export function tableOf(rows: readonly Row[]): string {
  const kinds = KINDS.filter((kind) => rows.some((row) => row.kind === kind));
  const head = ['kind', 'files', ...CORPUS_RESULTS];
  const lines = kinds.map((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    const counts = CORPUS_RESULTS.map(
      (verdict) => own.filter((row) => row.verdict === verdict).length,
    );
    return [kind, own.length, ...counts].map(String);
  });
  const widths = head.map((_, at) =>
    Math.max(...[head, ...lines].map((line) => (line[at] ?? '').length)),
  );
  const table = [head, ...lines].map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd : cell.padStart).call(cell, widths[at] ?? 0)),
  );
  return [...table.map((line) => line.join('  ')), '', ...refusalReasonLines(rows)].join('\n');
}

function refusalReasonLines(rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { kind, verdict, why } of rows) {
    if (verdict !== 'refused') continue;
    const reason = `${kind} refused: ${why.split(':', 1)[0] ?? why}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([why, n]) => `${why} ${n}`);
}
