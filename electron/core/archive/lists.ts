import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveResult, IndexColumn } from '../../../shared/contract/archive.ts';
import { sealSentence } from '../../../shared/rules/files/pdf-seal.ts';
import { optionalPartsFor } from '../../../shared/rules/agreements/columns.ts';
import { agreementKeyText } from './choice.ts';
import {
  indexHead,
  startsWithIndexHead,
  type IndexRow,
  type ForeignIndexRow,
  readIndex,
  renderIndex,
  tableOf,
} from './index-files.ts';
import { toComposedName, DiskNames } from './disk-names.ts';
import { readManifest } from './manifest.ts';
import type { ArchivedExtra, PlacedPdf } from './ports.ts';
import { collectChunks } from '../chunks.ts';
import type { AgreementReader, Encoding, Files, KnownConnection, Stores } from '../ports.ts';
import type { ReportWriter } from '../reports/ports.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';

export const INDEX_CSV = 'index.csv';
export const INDEX_XLSX = 'index.xlsx';
export const MANIFEST = 'manifest-sha256.txt';
export const RUN_LOG = 'run-log.csv';

/** Files that the program itself writes into an archive folder, next to the saved files. */
export const ARCHIVE_LISTS: ReadonlySet<string> = new Set([
  INDEX_CSV,
  INDEX_XLSX,
  MANIFEST,
  RUN_LOG,
]);

/** Maximum number of lines in the run log: several years of nightly runs. */
const MAX_LOG_LINES = 2000;

/** Contents of an archive folder: PDFs and their sidecar files. */
export interface FolderContent {
  readonly root: string;
  readonly pdfs: readonly PlacedPdf[];
  readonly extras: readonly (ArchivedExtra & Pick<PlacedPdf, 'key'>)[];
  readonly relative: (file: string) => string | null;
  readonly connection: (id: string) => KnownConnection | undefined;
  readonly columns: readonly IndexColumn[];
  /** Local copies by the `agreementKeyText` of their keys; empty if no column needs them. */
  readonly agreements: ReadonlyMap<string, Agreement>;
}

/** Returns the rows of the index: one for each file, PDFs first. @internal */
export function indexRows(content: FolderContent): readonly IndexRow[] {
  const pdfByText = new Map(content.pdfs.map((pdf) => [agreementKeyText(pdf.key), pdf]));
  const rows: IndexRow[] = [];
  const add = (
    one: PlacedPdf | FolderContent['extras'][number],
    kind: string,
    seal: string,
  ): void => {
    const file = content.relative(one.file);
    if (file === null) return;
    const pdf = pdfByText.get(agreementKeyText(one.key));
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
      agreement: content.agreements.get(agreementKeyText(key)),
    });
  };
  for (const pdf of content.pdfs) {
    add(pdf, 'signed PDF', pdf.seal === null ? '' : sealSentence(pdf.seal));
  }
  for (const extra of content.extras) add(extra, extraKindTexts[extra.kind], '');
  return rows;
}

const extraKindTexts = {
  attachments: 'attachment',
  json: 'answer of the service (JSON)',
  xml: 'answer of the service (XML)',
  evidence: 'evidence statement',
  unsigned: 'unsigned copy',
} as const;

export interface ListPorts {
  readonly files: Files;
  readonly reports: ReportWriter;
  readonly encoding: Encoding;
}

/**
 * Rewrites the index and the manifest, each as a whole. Keeps the entries for files that other
 * computers saved, because only those computers have records of them.
 */
export async function writeLists(ports: ListPorts, content: FolderContent): Promise<void> {
  const { files, reports } = ports;
  const { root, columns } = content;
  const rows = indexRows(content);
  const others = await findForeignFiles(ports, root, new Set(rows.map(({ file }) => file)));
  const sums = [...rows, ...others].map(({ sha256, file }) => `${sha256}  ${file}\n`);
  const kept = others.map(({ row }) => row);
  await files.replaceText(files.join(root, MANIFEST), sums.join(''));
  await files.replaceText(files.join(root, INDEX_CSV), renderIndex(rows, columns, kept));
  const xlsx = await collectChunks(reports.xlsx(tableOf(rows, columns, kept)));
  await files.replaceText(files.join(root, INDEX_XLSX), xlsx);
}

interface ForeignFile {
  readonly file: string;
  readonly sha256: string;
  readonly row: ForeignIndexRow;
}

/** Returns the existing files that the lists name, but that this computer did not save. */
async function findForeignFiles(
  ports: Pick<ListPorts, 'files' | 'encoding'>,
  root: string,
  own: ReadonlySet<string>,
): Promise<readonly ForeignFile[]> {
  const { files, encoding } = ports;
  const listed = await readManifest(ports, files.join(root, MANIFEST));
  const ours = new Set([...own].map(toComposedName));
  const foreign = [...listed].filter(([file]) => !ours.has(toComposedName(file)));
  if (foreign.length === 0) return [];
  const names = await DiskNames.below(files, root);
  const others = foreign.flatMap(([listedAs, sha256]) => {
    const file = names.find(listedAs);
    return file === null ? [] : [{ file, sha256 }];
  });
  if (others.length === 0) return [];
  const index = files.join(root, INDEX_CSV);
  const isThere = (await files.statFile(index)) !== null;
  const text = isThere ? encoding.text(await collectChunks(files.chunks(index))) : '';
  const rows = new Map(readIndex(text).map((row) => [toComposedName(row.get('file') ?? ''), row]));
  return others.map(({ file, sha256 }) => {
    const row = rows.get(toComposedName(file)) ?? new Map([['sha256', sha256]]);
    return { file, sha256, row: new Map([...row, ['file', file]]) };
  });
}

/**
 * Appends a line about a run to the run log. Replaces the whole file, so that a crash cannot cut a
 * line.
 */
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
    .slice(-MAX_LOG_LINES);
  const numbers = [listed, saved, present, waiting, unsealed, failed.length, bytes, seconds];
  const line = [new Date(at).toISOString(), ending, ...numbers].join(',');
  await files.replaceText(file, `${[RUN_LOG_HEADER, ...lines, line].join('\n')}\n`);
}

const RUN_LOG_HEADER = 'time,ending,listed,saved,present,waiting,unsealed,failed,bytes,seconds';

/**
 * Returns the names of the files in a folder that have the names of lists, but that this program
 * did not write. The formats of the manifest and of the workbook are common, so these belong to the
 * program if the index or the run log does.
 */
export async function findForeignLists(
  { files, encoding }: Pick<ListPorts, 'files' | 'encoding'>,
  root: string,
): Promise<readonly string[]> {
  const startOf = async (name: string): Promise<Uint8Array | null> => {
    const file = files.join(root, name);
    if ((await files.hash(file)) === null) return null;
    for await (const chunk of files.chunks(file)) return chunk;
    return new Uint8Array();
  };
  const index = await startOf(INDEX_CSV);
  const log = await startOf(RUN_LOG);
  const isOwnIndex = index !== null && startsWithIndexHead(index, encoding);
  const isOwnLog = log !== null && encoding.text(log).startsWith(`${RUN_LOG_HEADER}\n`);
  const foreign: string[] = [];
  if (index !== null && !isOwnIndex) foreign.push(INDEX_CSV);
  if (log !== null && !isOwnLog) foreign.push(RUN_LOG);
  if (isOwnIndex || isOwnLog) return foreign;
  for (const name of [MANIFEST, INDEX_XLSX]) {
    if ((await files.hash(files.join(root, name))) !== null) foreign.push(name);
  }
  return foreign;
}

/** Whether the index of a folder is missing or has other columns than `columns`. */
export async function hasOtherColumns(
  { files, encoding }: Pick<ListPorts, 'files' | 'encoding'>,
  root: string,
  columns: readonly IndexColumn[],
): Promise<boolean> {
  const file = files.join(root, INDEX_CSV);
  if ((await files.statFile(file)) === null) return true;
  const head = encoding.utf8(`${indexHead(columns)}\r\n`);
  // Read only the first chunk, because an index may be too large to read as a whole.
  for await (const chunk of files.chunks(file)) {
    return head.some((byte, at) => byte !== chunk[at]);
  }
  return true;
}

const NAMED_ROWS_PER_READ = 200;

interface ContentPorts {
  readonly stores: Pick<Stores, 'archive' | 'connections' | 'settings'>;
  readonly lists: Pick<AgreementReader, 'named'>;
}

/** Returns the recorded files of an archive folder, with the data for its index. */
export async function folderContent(ports: ContentPorts, root: string): Promise<FolderContent> {
  const { stores } = ports;
  const connections = new Map<string, KnownConnection>(
    stores.connections.ever().map((one) => [one.id, one]),
  );
  const pdfs = stores.archive.inFolder(root);
  const extras = stores.archive.extras(root);
  const columns = stores.settings.read().archiveIndex;
  return {
    root,
    pdfs,
    extras,
    relative: (file) => relativeTo(root, file),
    connection: (id) => connections.get(id),
    columns,
    agreements: await copiesOf(ports, [...pdfs, ...extras], columns),
  };
}

/**
 * Returns the local copies of the saved agreements, if a column needs them and they still exist.
 */
async function copiesOf(
  { lists }: ContentPorts,
  saved: readonly Pick<PlacedPdf, 'key'>[],
  columns: readonly IndexColumn[],
): Promise<ReadonlyMap<string, Agreement>> {
  const found = new Map<string, Agreement>();
  const asked = columns.flatMap((column) => COPY_COLUMNS.find((one) => one === column) ?? []);
  if (asked.length === 0) return found;
  const more = optionalPartsFor(asked);
  const keys = [...new Map(saved.map(({ key }) => [agreementKeyText(key), key])).values()];
  for (let from = 0; from < keys.length; from += NAMED_ROWS_PER_READ) {
    const rows = await lists.named(keys.slice(from, from + NAMED_ROWS_PER_READ), more);
    for (const row of rows) found.set(agreementKeyText(row), row);
  }
  return found;
}

/** Columns whose values come from the local copies, not from the files. */
const COPY_COLUMNS = [
  'sent',
  'sentBy',
  'partyStates',
  'addresses',
  'tags',
  'template',
  'batch',
  'batchRow',
] as const;
