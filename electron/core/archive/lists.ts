import type { Connection } from '../../../shared/contract/connections.ts';
import type { ArchiveResult } from '../../../shared/contract/archive.ts';
import { sealSentence } from '../../../shared/rules/files/pdf-seal.ts';
import { type IndexRow, renderIndex, tableOf } from './index-files.ts';
import type { ArchivedExtra, PlacedPdf } from './ports.ts';
import { gathered } from '../chunks.ts';
import type { Files, Stores } from '../ports.ts';
import type { ReportWriter } from '../reports/ports.ts';
import { relativeTo } from '../paths.ts';

export const INDEX_CSV = 'index.csv';
export const INDEX_XLSX = 'index.xlsx';
export const MANIFEST = 'manifest-sha256.txt';
const RUN_LOG = 'run-log.csv';

/** What the program itself writes into the folder of an archive, beside what it saves. */
export const ARCHIVE_LISTS: ReadonlySet<string> = new Set([
  INDEX_CSV,
  INDEX_XLSX,
  MANIFEST,
  RUN_LOG,
]);

/** Some years of nights. */
const MOST_LOG_LINES = 2000;

/** What lies in a folder: the PDFs, and what was saved beside them. */
export interface FolderContent {
  readonly root: string;
  readonly pdfs: readonly PlacedPdf[];
  readonly extras: readonly (ArchivedExtra & Pick<PlacedPdf, 'key'>)[];
  readonly relative: (file: string) => string | null;
  readonly connection: (id: string) => Connection | undefined;
}

/** The rows of the index: one for each file, PDFs first. @internal */
export function indexRows(content: FolderContent): readonly IndexRow[] {
  const pdfByText = new Map(content.pdfs.map((pdf) => [textOf(pdf), pdf]));
  const rows: IndexRow[] = [];
  const add = (
    one: PlacedPdf | FolderContent['extras'][number],
    kind: string,
    seal: string,
  ): void => {
    const file = content.relative(one.file);
    if (file === null) return;
    const pdf = pdfByText.get(textOf(one));
    const { sha256, bytes, savedAt, key } = one;
    const known = {
      title: pdf?.title ?? '',
      parties: pdf?.parties ?? [],
      closedAt: pdf?.closedAt ?? null,
    };
    rows.push({
      file,
      sha256,
      bytes,
      savedAt,
      kind,
      seal,
      id: key.id,
      ...known,
      connection: content.connection(key.connectionId),
    });
  };
  for (const pdf of content.pdfs) {
    add(pdf, 'signed PDF', pdf.seal === null ? '' : sealSentence(pdf.seal));
  }
  for (const extra of content.extras) add(extra, kinds[extra.kind], '');
  return rows;
}

const kinds = {
  attachments: 'attachment',
  json: 'answer of the service (JSON)',
  xml: 'answer of the service (XML)',
  evidence: 'evidence statement',
  unsigned: 'unsigned copy',
} as const;

const textOf = ({ key }: Pick<PlacedPdf, 'key'>): string => `${key.connectionId} ${key.id}`;

/** Writes the index and the manifest anew, each as a whole. */
export async function writeLists(
  files: Files,
  reports: ReportWriter,
  content: FolderContent,
): Promise<void> {
  const rows = indexRows(content);
  const manifest = rows.map(({ sha256, file }) => `${sha256}  ${file}\n`).join('');
  await files.replaceText(files.join(content.root, MANIFEST), manifest);
  await files.replaceText(files.join(content.root, INDEX_CSV), renderIndex(rows));
  const xlsx = await gathered(reports.xlsx(tableOf(rows)));
  await files.replaceText(files.join(content.root, INDEX_XLSX), xlsx);
}

/** Adds a line about a run; the log as a whole is replaced, so that a crash cannot cut a line. */
export async function logRun(
  files: Files,
  root: string,
  result: ArchiveResult,
  ending: string,
  at: number,
): Promise<void> {
  const { listed, saved, present, waiting, unsealed, failed, bytes, seconds } = result;
  const file = files.join(root, RUN_LOG);
  const before =
    (await files.statFile(file)) === null ? [] : (await files.readText(file)).split('\n');
  const lines = before
    .filter((line) => line !== '')
    .slice(1)
    .slice(-MOST_LOG_LINES);
  const numbers = [listed, saved, present, waiting, unsealed, failed.length, bytes, seconds];
  const line = [new Date(at).toISOString(), ending, ...numbers].join(',');
  await files.replaceText(file, `${[LOG_HEAD, ...lines, line].join('\n')}\n`);
}

const LOG_HEAD = 'time,ending,listed,saved,present,waiting,unsealed,failed,bytes,seconds';

/** What the program knows of the files in a folder. */
export function folderContent(
  stores: Pick<Stores, 'archive' | 'connections'>,
  root: string,
): FolderContent {
  const connections = new Map<string, Connection>(
    stores.connections.list().map((one) => [one.id, one]),
  );
  return {
    root,
    pdfs: stores.archive.inFolder(root),
    extras: stores.archive.extras(root),
    relative: (file) => relativeTo(root, file),
    connection: (id) => connections.get(id),
  };
}
