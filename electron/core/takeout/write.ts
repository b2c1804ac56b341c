import type { Draft } from '../../../shared/contract/drafts.ts';
import {
  DATA_EXPORT_VERSION,
  ExportedArchive,
  ExportedBatch,
  ExportedDraft,
  ExportedEvidenceLog,
  ExportedPeople,
  ExportedTemplate,
  DataExportManifest,
  type WrittenDataExport,
} from '../../../shared/contract/takeout.ts';
import { AppError } from '../../../shared/errors.ts';
import { jsonSchemaOf } from '../../../shared/json-schema.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import { acceptAllBytes } from '../bytes/accept.ts';
import { downloadOf, asSingleChunk } from '../chunks.ts';
import type { Download } from '../file-ports.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { ReportCell } from '../../../shared/contract/reports.ts';
import type { TakeoutPorts } from './ports.ts';

type ExportedFileEntry = DataExportManifest['files'][number];
type ExportRows = readonly (readonly ReportCell[])[];

/** Number of entries read per step; other work runs between steps. */
const EXPORT_ENTRIES_PER_STEP = 200;
const EXTENSION_AT_END = /\.([a-z0-9]{1,8})$/i;

const EXPORT_README = `This folder was exported from Signing Desk, in open formats.

manifest.json      list of all files, with the SHA-256 of each
drafts/            drafts not sent yet, sent drafts as they were sent, and drafts in the trash;
                   one JSON file each
templates/         templates; one JSON file each
people.json, .csv  the address book; groups and the settings of their members are in the JSON file
batches/           batches with the result of each row; one JSON file and one table each
evidence.json      the log of reviews and signatures, entry by entry, as it is hashed
archive.json, .csv list of the signed PDFs in the archive folders; the PDFs are not included
files/             PDFs and spreadsheets, named by their SHA-256
schemas/           JSON Schema (2020-12) of each kind of JSON file

Times are milliseconds since 1970-01-01 UTC. Personal numbers are not masked. API keys, copies of
agreements on the service, and the outbox are not included.
`;

const exportSchemaByKind = {
  manifest: DataExportManifest,
  draft: ExportedDraft,
  template: ExportedTemplate,
  people: ExportedPeople,
  batch: ExportedBatch,
  evidence: ExportedEvidenceLog,
  archive: ExportedArchive,
} as const;

/**
 * Exports all data into a new folder in the folder `within`. If the export is stopped, the files
 * written so far remain.
 */
export async function writeDataExport(
  ports: TakeoutPorts,
  within: string,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<WrittenDataExport>> {
  const writer = await ExportWriter.begin(ports, within, signal, report);
  const { stores } = ports;
  const drafts = draftsOf(stores);
  const templates = stores.templates.list();
  const batches = stores.batches.list();
  writer.total =
    drafts.length + templates.length + batches.length + Object.keys(exportSchemaByKind).length;
  for (const [name, schema] of Object.entries(exportSchemaByKind)) {
    const text = jsonSchemaOf(schema, `${name}.json`);
    await writer.text(`schemas/${name}.schema.json`, 'schema', text);
    writer.step();
  }
  for (const draft of drafts) await writeDraft(ports, writer, draft);
  for (const { id } of templates) await writeTemplate(ports, writer, id);
  const people = await writePeople(ports, writer);
  for (const { id } of batches) await writeBatch(ports, writer, id);
  const evidence = await writeEvidence(ports, writer);
  const archived = await writeArchive(ports, writer);
  await writer.text('readme.txt', 'about', EXPORT_README);
  const counts = {
    drafts: drafts.length,
    templates: templates.length,
    people,
    batches: batches.length,
  };
  const { folder, files, bytes } = await writer.end();
  return { result: { folder, files, bytes, counts, evidence, archived }, failure: null };
}

interface DraftWithState extends Pick<ExportedDraft, 'state'> {
  readonly draft: Draft;
  readonly sent: ExportedDraft['sent'];
}

function draftsOf({ drafts }: TakeoutPorts['stores']): readonly DraftWithState[] {
  const written = drafts.list().map((draft): DraftWithState => {
    return { draft, state: draft.sending === null ? 'open' : 'sending', sent: null };
  });
  const sent = drafts.sent().map(({ draft, ref, agreement, at }): DraftWithState => {
    return { draft, state: 'sent', sent: { ref, agreement, at } };
  });
  const trashed = drafts.trashed().map(({ draft }): DraftWithState => {
    return { draft, state: 'trashed', sent: null };
  });
  return [...written, ...sent, ...trashed];
}

async function writeDraft(
  { stores }: TakeoutPorts,
  writer: ExportWriter,
  { draft, state, sent }: DraftWithState,
): Promise<void> {
  const { id, content, files, createdAt, updatedAt, connectionId } = draft;
  const kept: ExportedDraft['files'] = [];
  // The same method reads the files of open, sent and trashed drafts.
  for (const { id: fileId, name } of files) {
    const data = stores.people.draftFile(id, fileId);
    if (data === null) continue;
    const { modifiedAt } = stores.drafts.fileData(id, fileId);
    kept.push({ id: fileId, name, file: await writer.document(data, name), modifiedAt });
  }
  const connection = nameOf(stores, connectionId);
  const about = { id, state, sent, origin: stores.drafts.origin(id), connection, content };
  const taken: ExportedDraft = { ...about, files: kept, createdAt, updatedAt };
  await writer.json(`drafts/${id}.json`, 'drafts', taken);
  writer.step();
}

function nameOf(stores: TakeoutPorts['stores'], id: Draft['connectionId']): string | null {
  return stores.connections.list().find((one) => one.id === id)?.name ?? null;
}

async function writeTemplate(
  { stores }: TakeoutPorts,
  writer: ExportWriter,
  id: ExportedTemplate['id'],
): Promise<void> {
  const { revision: _, ...template } = stores.templates.get(id);
  const { source } = template;
  const file =
    source.kind === 'pdf' ? await writer.document(stores.templates.pdf(id), source.fileName) : null;
  await writer.json(`templates/${id}.json`, 'templates', { ...template, file });
  writer.step();
}

async function writePeople(ports: TakeoutPorts, writer: ExportWriter): Promise<number> {
  const { people: store } = ports.stores;
  const people: ExportedPeople['people'] = [];
  for (let after = -1; ;) {
    const portion = store.portion(null, after, EXPORT_ENTRIES_PER_STEP);
    if (portion.rows.length === 0) break;
    people.push(...portion.rows);
    ({ after } = portion);
    await writer.yield();
  }
  const groups = store.groups().map(({ id, name }) => ({
    id,
    name,
    members: store.members(id).map(({ id: person, choices }) => ({ person, choices })),
  }));
  await writer.json('people.json', 'people', { people, groups });
  const heads = ['Type', 'First name', 'Last name', 'Company', 'E-mail', 'Mobile', 'Country'];
  const rows = people.map(({ person }) => [
    ...[person.kind, person.firstName, person.lastName, person.name, person.email, person.mobile],
    ...[person.country, person.companyNumber, person.personNumber],
  ]);
  const numbers = ['Organisation number', 'Personal number'];
  await writer.table(
    'people.csv',
    [...heads, ...numbers],
    rows.map((row) => row.map((cell) => cell ?? '')),
  );
  return people.length;
}

async function writeBatch(
  { stores }: TakeoutPorts,
  writer: ExportWriter,
  id: ExportedBatch['id'],
): Promise<void> {
  const { templateRevision: _, revision: __, connectionId, ...batch } = stores.batches.get(id);
  const { data } = stores.batches.file(id);
  const items = new Map(stores.outbox.inBatch(id).map((item) => [item.ref, item]));
  const template = stores.templates.list().find((one) => one.id === batch.templateId)?.name ?? null;
  const rows = stores.batches.rows(id).map(({ row, cells, marks, choice, ref }) => {
    const item = ref === null ? undefined : items.get(ref);
    const result =
      item === undefined
        ? null
        : { state: item.state, agreement: item.remoteId, at: item.updatedAt };
    return { row, cells: [...cells], marks: [...marks], choice, result };
  });
  const taken: ExportedBatch = {
    ...batch,
    origin: stores.batches.origin(id),
    connection: nameOf(stores, connectionId),
    template,
    file: data.length === 0 ? null : await writer.document(data, batch.fileName),
    rows,
  };
  await writer.json(`batches/${id}.json`, 'batches', taken);
  const heads = batch.sheet.columns.map(({ name }) => name);
  await writer.table(
    `batches/${id}.csv`,
    [...heads, 'row', 'state', 'id', 'time'],
    rows.map(({ row, cells, result }) => [
      ...[...cells, String(row), result?.state ?? 'not sent', result?.agreement ?? ''],
      result === null ? null : { at: result.at },
    ]),
  );
  writer.step();
}

async function writeEvidence({ stores }: TakeoutPorts, writer: ExportWriter): Promise<number> {
  let number = 0;
  async function* parts(): AsyncIterable<string> {
    yield '{"format":"signing-desk-evidence","entries":[';
    for (const { text, hash } of stores.evidence.walk()) {
      // The text of an entry is a JSON object: the hash of the entry is added as its last member.
      yield `${number === 0 ? '' : ','}\n${text.slice(0, -1)},"hash":${JSON.stringify(hash)}}`;
      number += 1;
      if (number % EXPORT_ENTRIES_PER_STEP === 0) await writer.yield();
    }
    yield '\n]}\n';
  }
  await writer.stream('evidence.json', 'evidence', parts());
  return number;
}

async function writeArchive({ stores }: TakeoutPorts, writer: ExportWriter): Promise<number> {
  const files = stores.archive.heldFolders().flatMap((folder) =>
    stores.archive.inFolder(folder).map((one) => ({
      folder,
      file: one.file,
      bytes: one.bytes,
      sha256: one.sha256,
      connectionId: one.key.connectionId,
      id: one.key.id,
      title: one.title,
      parties: one.parties === null ? null : [...one.parties],
      closedAt: one.closedAt,
      savedAt: one.savedAt,
    })),
  );
  await writer.json('archive.json', 'archive', { files });
  const heads = ['folder', 'file', 'bytes', 'sha256', 'id', 'title', 'parties', 'closed', 'saved'];
  await writer.table(
    'archive.csv',
    heads,
    files.map((one) => [
      ...[one.folder, one.file, String(one.bytes), one.sha256, one.id, one.title],
      one.parties?.join('; ') ?? '',
      one.closedAt === null ? null : { at: one.closedAt },
      { at: one.savedAt },
    ]),
  );
  return files.length;
}

/** Writes the files of one export, and lists each with its hash. */
class ExportWriter {
  readonly #ports: TakeoutPorts;
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #report: (progress: Progress) => void;
  readonly #files: ExportedFileEntry[] = [];
  readonly #made = new Set<string>();
  #bytes = 0;
  #done = 0;
  total = 0;

  private constructor(
    ports: TakeoutPorts,
    folder: string,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ) {
    this.#ports = ports;
    this.#folder = folder;
    this.#signal = signal;
    this.#report = report;
  }

  static async begin(
    ports: TakeoutPorts,
    within: string,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<ExportWriter> {
    const day = new Date(ports.clock.now()).toISOString().slice(0, 10);
    const name = `signing-desk-export-${day}-${ports.chance.uuid().slice(0, 8)}`;
    await ports.files.prepareFolder(within, false);
    const folder = ports.files.join(within, name);
    await ports.files.prepareFolder(folder);
    return new ExportWriter(ports, folder, signal, report);
  }

  step(): void {
    this.#done += 1;
    this.#report({ done: this.#done, total: this.total, bytes: this.#bytes });
  }

  /** Lets other work run. Throws 'cancelled' if the export was stopped. */
  async yield(): Promise<void> {
    if (this.#signal.aborted) throw new AppError('cancelled', 'The export was stopped');
    await this.#ports.scheduler.yield();
  }

  async text(file: string, kind: ExportedFileEntry['kind'], text: string): Promise<void> {
    await this.#save(file, kind, downloadOf(this.#ports.encoding.utf8(text)));
  }

  async json(file: string, kind: ExportedFileEntry['kind'], value: object): Promise<void> {
    await this.text(file, kind, `${JSON.stringify(value, null, 2)}\n`);
  }

  async stream(
    file: string,
    kind: ExportedFileEntry['kind'],
    parts: AsyncIterable<string>,
  ): Promise<void> {
    const { encoding } = this.#ports;
    async function* chunks(): AsyncIterable<Uint8Array> {
      for await (const part of parts) yield encoding.utf8(part);
    }
    await this.#save(file, kind, { chunks: chunks(), bytes: null });
  }

  async table(file: string, headings: readonly string[], rows: ExportRows): Promise<void> {
    const whole = { title: 'Export', headings, rows: asSingleChunk(rows) };
    const chunks = this.#ports.reports.csv(whole, listSeparator());
    await this.#save(file, 'table', { chunks, bytes: null });
  }

  /**
   * Writes a document, and returns its path. It is named by its content, so that identical
   * documents are written once.
   */
  async document(data: Uint8Array, name: string): Promise<string> {
    const ending = EXTENSION_AT_END.exec(name)?.[1]?.toLowerCase() ?? 'bin';
    const file = `files/${this.#ports.sha256(data)}.${ending}`;
    if (!this.#made.has(file)) await this.#save(file, 'document', downloadOf(data));
    return file;
  }

  /** Writes the list of files last: an export without that list was stopped. */
  async end(): Promise<{ folder: string; files: number; bytes: number }> {
    const { clock, version } = this.#ports;
    const files = [...this.#files];
    const manifest: DataExportManifest = {
      format: 'signing-desk-export',
      version: DATA_EXPORT_VERSION,
      program: version,
      madeAt: clock.now(),
      files,
    };
    await this.json('manifest.json', 'about', manifest);
    return { folder: this.#folder, files: files.length + 1, bytes: this.#bytes };
  }

  async #save(file: string, kind: ExportedFileEntry['kind'], download: Download): Promise<void> {
    await this.yield();
    const { files } = this.#ports;
    const [first = '', second] = file.split('/');
    const folder = second === undefined ? this.#folder : files.join(this.#folder, first);
    if (second !== undefined && !this.#made.has(first)) await files.prepareFolder(folder);
    this.#made.add(first);
    const path = files.join(folder, second ?? first);
    const { bytes, sha256 } = await files.saveNew(path, download, acceptAllBytes, this.#signal);
    this.#made.add(file);
    this.#bytes += bytes;
    this.#files.push({ file, kind, bytes, sha256 });
  }
}
