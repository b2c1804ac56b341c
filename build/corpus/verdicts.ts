/** What became of one file. `same` is said only where a judge read the file too. */
export const VERDICTS = [
  'same',
  'refused',
  'marked',
  'unjudged',
  'wrong',
  'slow',
  'crashed',
] as const;
export type ValidationResult = (typeof VERDICTS)[number];

/** Nobody may be served so: the run ends non-zero. */
export const FAULTS: readonly ValidationResult[] = ['wrong', 'slow', 'crashed'];

/** What tells of messages that came back, or lists addresses. */
const LISTS = ['eml', 'mbox', 'log', 'json', 'jsonl', 'txt'] as const;
const SHEETS = ['xlsx', 'xlsm', 'ods', 'fods', 'csv', 'tsv'] as const;
export const KINDS = [...SHEETS, 'pdf', 'vcf', ...LISTS] as const;
export type Kind = (typeof KINDS)[number];
export const isList = (kind: Kind): boolean => LISTS.some((one) => one === kind);

/** A reader that says no is no fault; its reason is counted. */
export interface Judged {
  readonly verdict: Exclude<ValidationResult, 'slow' | 'crashed'>;
  /** The reason of a refusal, the marks of a person's business, or where it differs. */
  readonly why: string;
}

export interface Row {
  readonly file: string;
  readonly kind: Kind;
  readonly verdict: ValidationResult;
  readonly why: string;
  /** Of the program's own reading; null where it never ended. */
  readonly milliseconds: number | null;
}

/** What the child says: first that the program has read the file, then what a judge thinks of it. */
export type Said =
  | { readonly read: true; readonly milliseconds: number }
  | { readonly judged: Judged };

/** Work of the program on one file, and afterwards that of the judges. */
export interface Reading {
  readonly judge: () => Promise<Judged>;
}

/**
 * What a judge of sheets says of a cell, any of which is right; null where it has no say. Rows and
 * columns count from 0.
 */
export type CellAt = (row: number, column: number) => readonly unknown[] | null;

/** A line for each kind that was met, and below them the reasons of what was refused. */
export function tableOf(rows: readonly Row[]): string {
  const kinds = KINDS.filter((kind) => rows.some((row) => row.kind === kind));
  const head = ['kind', 'files', ...VERDICTS];
  const lines = kinds.map((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    const counts = VERDICTS.map((verdict) => own.filter((row) => row.verdict === verdict).length);
    return [kind, own.length, ...counts].map(String);
  });
  const widths = head.map((_, at) =>
    Math.max(...[head, ...lines].map((line) => (line[at] ?? '').length)),
  );
  const table = [head, ...lines].map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd : cell.padStart).call(cell, widths[at] ?? 0)),
  );
  return [...table.map((line) => line.join('  ')), '', ...reasonsOf(rows)].join('\n');
}

function reasonsOf(rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { kind, verdict, why } of rows) {
    if (verdict !== 'refused') continue;
    const reason = `${kind} refused: ${why.split(':', 1)[0] ?? why}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([why, n]) => `${why} ${n}`);
}
