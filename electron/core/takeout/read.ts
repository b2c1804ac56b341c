import type { Draft, DraftFile } from '../../../shared/contract/drafts.ts';
import {
  ExportedArchive,
  ExportedBatch,
  ExportedDraft,
  ExportedEvidenceLog,
  ExportedPeople,
  ExportedTemplate,
  DATA_EXPORT_VERSION,
  type DataExportCounts,
  DataExportKind,
  type DataExportSummary,
  DataExportHeader,
  DataExportManifest,
  type DataExportReading,
} from '../../../shared/contract/takeout.ts';
import { Job } from '../../../shared/contract/jobs.ts';
import type { EvidenceEntry } from '../../../shared/contract/evidence.ts';
import { PersonId } from '../../../shared/contract/people.ts';
import { BatchId, DraftId, TemplateId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { canonicalJson, type Json } from '../../../shared/rules/evidence/canonical-json.ts';
import { walkChain } from '../../../shared/rules/evidence/chain.ts';
import { isSameName } from '../../../shared/rules/text/same-name.ts';
import { placeOfLongText } from '../../../shared/rules/text/too-long.ts';
import { orNull } from '../app-error.ts';
import { collectChunks } from '../chunks.ts';
import { describeFile } from '../drafts/attach.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import { describePdf } from '../templates/library.ts';
import type { RemovedKind } from '../privacy/ports.ts';
import type { TakeoutPorts } from './ports.ts';

const schemaByKind = {
  people: ExportedPeople,
  templates: ExportedTemplate,
  drafts: ExportedDraft,
  batches: ExportedBatch,
  evidence: ExportedEvidenceLog,
  archive: ExportedArchive,
};
type ImportableKind = keyof typeof schemaByKind;
const isTaken = (kind: string): kind is ImportableKind => Object.hasOwn(schemaByKind, kind);
interface Schema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

type ImportedFileEntry = DataExportManifest['files'][number];
type Counts = DataExportCounts[DataExportKind];
/**
 * Result for an exported item. `removed`: skipped, because the item was removed on this computer or
 * in its office.
 */
type ValidationResult = keyof Counts;

function countResult(counts: Counts, verdict: ValidationResult): void {
  counts[verdict] += 1;
  if (verdict === 'removed') counts.passed += 1;
}

/**
 * Maximum size of a file in an export: far above the export of many years, so a larger file was not
 * made by this program.
 */
const MAX_BYTES = 256 * 1024 * 1024;

/** Checks an export and, if `isImport`, adds missing items. Sends nothing. */
export async function readDataExport(
  ports: TakeoutPorts,
  folder: string,
  isImport: boolean,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<DataExportReading>> {
  const reader = new ExportReader(ports, folder, isImport, signal);
  const manifest = await reader.manifest();
  const total = manifest.files.length * 2;
  let done = 0;
  const step = async (): Promise<void> => {
    done += 1;
    report({ done, total });
    if (signal.aborted) throw new AppError('cancelled', 'The import was stopped');
    await ports.scheduler.yield();
  };
  // Check all files first: nothing is imported from an export that was changed or does not match
  // its schemas.
  for (const listed of manifest.files) {
    await reader.check(listed);
    await step();
  }
  const counts = zeroCounts();
  const look: DataExportSummary = {
    program: manifest.program,
    madeAt: manifest.madeAt,
    counts,
    evidence: { entries: 0, firstBroken: null },
    archived: 0,
  };
  // Items that others depend on come first.
  for (const kind of ['people', 'templates', 'drafts', 'batches', 'evidence', 'archive'] as const) {
    for (const { file } of manifest.files.filter((one) => one.kind === kind)) {
      await reader.take(kind, file, look);
      await step();
    }
  }
  report({ done: total, total });
  return { result: { look, isImported: isImport }, failure: null };
}

function zeroCounts(): DataExportCounts {
  const none = () => ({ added: 0, beside: 0, same: 0, passed: 0, removed: 0 });
  return { drafts: none(), templates: none(), people: none(), batches: none() };
}

class ExportReader {
  readonly #ports: TakeoutPorts;
  readonly #folder: string;
  readonly #isImport: boolean;
  readonly #signal: AbortSignal;
  readonly #hashes = new Map<string, string>();

  constructor(ports: TakeoutPorts, folder: string, isImport: boolean, signal: AbortSignal) {
    this.#ports = ports;
    this.#folder = folder;
    this.#isImport = isImport;
    this.#signal = signal;
  }

  async manifest(): Promise<DataExportManifest> {
    const text = this.#ports.encoding.text(await this.#bytes('manifest.json'));
    const manifest = jsonOf(text);
    const head = DataExportHeader.safeParse(manifest);
    if (head.success && head.data.version > DATA_EXPORT_VERSION) {
      throw new AppError(
        'newer-data',
        `The export has version ${head.data.version}, but this program reads only up to ${DATA_EXPORT_VERSION}. Install a newer version`,
      );
    }
    const found = DataExportManifest.safeParse(manifest);
    if (!found.success)
      throw notAnExportError('The file manifest.json was not made by a data export');
    for (const { file, sha256 } of found.data.files) this.#hashes.set(file, sha256);
    return found.data;
  }

  async check({ file, kind, sha256 }: ImportedFileEntry): Promise<void> {
    const found = await this.#ports.files.hash(this.#path(file));
    if (found !== sha256) {
      const what = found === null ? 'is missing' : 'was changed';
      throw new AppError('invalid', `${file} ${what}`, { reason: 'export-changed' });
    }
    const schema: Schema<unknown> | null = isTaken(kind) ? schemaByKind[kind] : null;
    if (schema === null) return;
    const taken = await this.#read(schema, file);
    // Long texts matter only in what is stored: evidence and archive entries are only counted.
    const place = DataExportKind.safeParse(kind).success ? placeOfLongText(taken) : null;
    if (place !== null) throw notAnExportError(`${file} has a text that is too long at ${place}`);
  }

  async take(kind: ImportableKind, file: string, look: DataExportSummary): Promise<void> {
    const { counts } = look;
    switch (kind) {
      case 'people':
        return this.#people(await this.#read(schemaByKind.people, file), counts);
      case 'templates':
        return countResult(
          counts.templates,
          await this.#template(await this.#read(schemaByKind.templates, file)),
        );
      case 'drafts':
        return countResult(
          counts.drafts,
          await this.#draft(await this.#read(schemaByKind.drafts, file)),
        );
      case 'batches':
        return countResult(
          counts.batches,
          await this.#batch(await this.#read(schemaByKind.batches, file)),
        );
      case 'evidence':
        look.evidence = this.#chain((await this.#read(schemaByKind.evidence, file)).entries);
        return;
      case 'archive':
        look.archived += (await this.#read(schemaByKind.archive, file)).files.length;
        return;
    }
  }

  #people({ people, groups }: ExportedPeople, counts: DataExportCounts): void {
    const { stores, emit } = this.#ports;
    const { people: store } = stores;
    /** IDs of the local entries, by the ID of the exported entry. */
    const here = new Map<string, (typeof people)[number]['id']>();
    stores.transaction(() => {
      for (const one of people) {
        const twin = store
          .alike(one.person)
          .find(({ person }) => haveSameFacts(person, one.person));
        const known = twin?.id ?? (isFound(() => store.get(one.id)) ? one.id : null);
        const verdict = this.#verdictOf(one, twin?.id ?? null);
        const id = verdict === 'beside' ? this.#personBeside(one) : one.id;
        here.set(one.id, known ?? id);
        countResult(counts.people, verdict);
        const isTaken = verdict === 'added' || verdict === 'beside';
        if (isTaken && this.#isImport) store.put({ ...one, id });
      }
      if (!this.#isImport) return;
      for (const { id, name, members } of groups) {
        const known = store.groups().find((one) => one.id === id || isSameName(one.name, name));
        if (known !== undefined || this.#isRemoved('group', id)) continue;
        store.addGroup(id, name, this.#ports.clock.now());
        for (const { person, choices } of members) {
          const entry = person === null ? null : (here.get(person) ?? null);
          const isHere = entry !== null && isFound(() => store.get(entry));
          // If a member has no person, or one that is not in the export, only the member's choices
          // are imported.
          if (isHere || (entry === null && choices !== null)) store.addMember(id, entry, choices);
        }
      }
    });
    if (this.#isImport) emit('people.changed', {});
  }

  /**
   * Returns the ID for an item that is added next to a local one with other values. It is identical
   * on every import of the same item, so that the added item is recognized even if it was changed,
   * trashed or removed on this computer.
   */
  #idBeside(kind: RemovedKind, id: string, said: object): string {
    const { sha256, encoding } = this.#ports;
    const text = canonicalJson(toPlainJson({ kind, id, said }));
    const hash = sha256(encoding.utf8(text));
    const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
    return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
  }

  #personBeside({ id, person }: ExportedPeople['people'][number]): PersonId {
    return PersonId.parse(this.#idBeside('person', id, person));
  }

  /**
   * Returns the result for an exported person. `twin`: local entry with identical values; null if
   * there is none.
   */
  #verdictOf(taken: ExportedPeople['people'][number], twin: PersonId | null): ValidationResult {
    const { id, person, changedAt } = taken;
    const { people, privacy } = this.#ports.stores;
    if (twin !== null) return 'same';
    if (!isFound(() => people.get(id))) {
      return this.#isRemoved('person', id) || people.forgottenAt(id) !== null ? 'removed' : 'added';
    }
    const here = people.get(id);
    if (haveSameFacts(here.person, person)) return 'same';
    // The local entry was changed later than the exported one, or at the same time, so it stays.
    if (changedAt <= here.changedAt) return 'passed';
    const beside = this.#personBeside(taken);
    if (isFound(() => people.get(beside))) return 'same';
    return privacy.wasRemoved('person', beside) ? 'removed' : 'beside';
  }

  /**
   * Whether the item was removed on this computer or by another computer of the office: an older
   * copy must not restore it. A draft that is missing in the office may still be kept by its user;
   * if it was removed for everyone, this computer has a record of that.
   */
  #isRemoved(kind: RemovedKind, id: string): boolean {
    const { office, privacy } = this.#ports.stores;
    if (privacy.wasRemoved(kind, id)) return true;
    return kind !== 'batch' && kind !== 'draft' && office.item(kind, id)?.content === null;
  }

  /**
   * Whether the draft is in the trash because another user withdrew it from the office and keeps
   * it.
   */
  #isKeptElsewhere(id: DraftId): boolean {
    const { office, privacy, drafts } = this.#ports.stores;
    const item = office.item('draft', id);
    if (item === null || item.content !== null || privacy.wasRemoved('draft', id)) return false;
    const isOwn = item.seat === office.membership()?.seat;
    return !isOwn && drafts.trashed().some(({ draft }) => draft.id === id);
  }

  async #template(taken: ExportedTemplate): Promise<ValidationResult> {
    const { stores, emit } = this.#ports;
    const { id, file, trashedAt, source, name, ...rest } = taken;
    const all = stores.templates.list();
    const here = all.find((one) => one.id === id) ?? null;
    if (trashedAt !== null) return here === null ? 'passed' : 'same';
    if (here === null && this.#isRemoved('template', id)) return 'removed';
    if (here !== null && here.trashedAt !== null) return 'passed';
    const data = file === null ? null : await this.#document(file);
    // The export's data about the PDF is not trusted: the PDF is examined again.
    const known =
      data === null || source.kind !== 'pdf'
        ? source
        : await describePdf(data, source.fileName, this.#ports);
    if (known.kind === 'pdf' && data === null) return 'passed';
    const said = { source: known, content: rest.content };
    const isSame = ({ source, content, trashedAt: gone }: (typeof all)[number]): boolean =>
      gone === null && haveSameFacts({ source, content }, said);
    // An earlier import may have added the template next to the local one.
    if (here !== null && all.some(isSame)) return 'same';
    const newId = here === null ? id : TemplateId.parse(this.#idBeside('template', id, said));
    const beside = all.find((one) => one.id === newId);
    if (beside !== undefined) return beside.trashedAt === null ? 'same' : 'passed';
    if (stores.privacy.wasRemoved('template', newId)) return 'removed';
    if (stores.templates.list().some((one) => one.id === newId)) return this.#template(taken);
    const verdict = here === null ? 'added' : 'beside';
    if (!this.#isImport) return verdict;
    const names = all.map((one) => one.name);
    stores.templates.insert(
      {
        ...rest,
        id: newId,
        name: freeName(name, names),
        source: known,
        revision: 1,
        trashedAt: null,
      },
      data,
    );
    emit('templates.changed', { id: newId });
    return verdict;
  }

  async #draft(taken: ExportedDraft): Promise<ValidationResult> {
    const { stores, emit } = this.#ports;
    const { id, state, content, files, createdAt, updatedAt } = taken;
    const sent = state === 'sent' ? (taken.sent ?? null) : null;
    const isHere = stores.drafts.holds(id);
    const isOpen = isHere && isFound(() => stores.drafts.get(id));
    if (isHere && !isOpen && !(state === 'open' && this.#isKeptElsewhere(id))) {
      // The draft was sent or trashed on this computer; an import of an older copy must not undo
      // that.
      return state === 'open' ? 'passed' : 'same';
    }
    if (isHere && this.#isDraftHere(taken)) return 'same';
    const newId = isHere ? this.#draftBeside(taken) : id;
    if (isHere && stores.drafts.holds(newId)) {
      return isFound(() => stores.drafts.get(newId)) ? 'same' : 'passed';
    }
    if (isHere && stores.privacy.wasRemoved('draft', newId)) return 'removed';
    if ((!isHere && this.#isRemoved('draft', id)) || this.#wasForgotten(taken)) return 'removed';
    // A draft being sent by the exporting computer belongs to that computer, and must not be sent
    // from this one, too.
    if (state !== 'open' && sent === null) return 'passed';
    const ready: { file: DraftFile; data: Uint8Array; modifiedAt: number | null }[] = [];
    for (const { id: fileId, name, file, modifiedAt } of files) {
      const data = await this.#document(file);
      const described = await describeFile({ id: fileId, name, data }, content.api, this.#ports);
      ready.push({ file: described, data, modifiedAt });
    }
    // A parallel import added the draft while the files were read.
    if (stores.drafts.holds(newId)) return this.#draft(taken);
    const verdict = isHere ? 'beside' : 'added';
    if (!this.#isImport) return verdict;
    const origin = taken.origin ?? (isHere ? id : null);
    const about = { connectionId: null, files: [], revision: 1, sending: null };
    stores.drafts.insert({ id: newId, content, createdAt, updatedAt, ...about }, () => {
      for (const { file, data, modifiedAt } of ready) {
        stores.drafts.addFile(newId, file, data, modifiedAt);
      }
      stores.drafts.setOrigin(newId, origin);
      // A sent draft is never open on this computer, even briefly, because it is already an
      // agreement.
      if (sent !== null) stores.drafts.keepSent(newId, sent.ref, sent.at, sent.agreement);
    });
    emit('drafts.changed', { id: newId });
    return verdict;
  }

  /** Whether the draft, or its origin, contained a person who was erased on this computer. */
  #wasForgotten({ id, origin = null }: ExportedDraft): boolean {
    const { privacy } = this.#ports.stores;
    const ids = origin === null ? [id] : [id, origin];
    return ids.some((one) => privacy.forgottenAt('draft', one) !== null);
  }

  #saidOf({ content, files }: ExportedDraft) {
    return { content, files: files.map(({ name, file }) => [name, this.#hashes.get(file) ?? '']) };
  }

  #draftBeside(taken: ExportedDraft): DraftId {
    return DraftId.parse(this.#idBeside('draft', taken.id, this.#saidOf(taken)));
  }

  /**
   * Whether this computer has the identical draft, or one added next to it by an earlier import.
   */
  #isDraftHere(taken: ExportedDraft): boolean {
    const { drafts } = this.#ports.stores;
    const { id, sent } = taken;
    if (sent) return drafts.sent().some(({ ref }) => ref === sent.ref);
    const said = this.#saidOf(taken);
    const isSame = ({ content: own, files: ownFiles }: Draft): boolean => {
      const named = ownFiles.map(({ name, sha256 }) => [name, sha256]);
      return haveSameFacts({ content: own, files: named }, said);
    };
    const isOpen = isFound(() => drafts.get(id));
    return (isOpen && isSame(drafts.get(id))) || drafts.list().some(isSame);
  }

  /** Imports a batch as unsent; rows that the exporting computer sent are excluded. */
  async #batch(taken: ExportedBatch): Promise<ValidationResult> {
    const { stores, emit, sha256 } = this.#ports;
    const { id, origin = id, file, rows, stage, connection: __, template: ___, ...batch } = taken;
    const isHere = isFound(() => stores.batches.get(id));
    if (isHere && this.#isBatchHere(taken)) return 'same';
    if (!isHere && this.#isRemoved('batch', id)) return 'removed';
    // If the batch is being sent on either computer, a copy of it would be sent a second time.
    if (isHere && (stage !== 'open' || stores.batches.get(id).stage !== 'open')) return 'passed';
    if (file === null) return 'passed';
    const newId = isHere ? this.#batchBeside(taken) : id;
    if (isHere && isFound(() => stores.batches.get(newId))) return 'same';
    if (isHere && stores.privacy.wasRemoved('batch', newId)) return 'removed';
    const data = await this.#document(file);
    if (isFound(() => stores.batches.get(newId))) return this.#batch(taken);
    const verdict = isHere ? 'beside' : 'added';
    if (!this.#isImport) return verdict;
    const { templateId } = batch;
    const template = stores.templates.list().find((one) => one.id === templateId) ?? null;
    const gone = rows.filter(({ result, choice }) => result !== null || choice === true);
    stores.batches.insert({
      batch: {
        ...batch,
        id: newId,
        stage: 'open',
        connectionId: null,
        templateId: template?.id ?? null,
        templateRevision: template?.revision ?? null,
        policy: 'ask',
        schedule: { startAt: null, hours: null, perHour: null },
        revision: 1,
      },
      data,
      sha256: sha256(data),
      origin,
      rows: rows.map(({ row, cells, marks }) => ({ row, cells, marks })),
      choices: new Map(gone.map(({ row }) => [row, true])),
    });
    emit('batches.changed', { id: newId });
    return verdict;
  }

  #batchBeside(taken: ExportedBatch): BatchId {
    return BatchId.parse(this.#idBeside('batch', taken.id, exportedValuesOf(taken)));
  }

  /**
   * Whether this computer has the identical batch, or one added next to it by an earlier import.
   */
  #isBatchHere(taken: ExportedBatch): boolean {
    const { batches } = this.#ports.stores;
    const { name } = taken;
    const said = exportedValuesOf(taken);
    const isSame = (id: BatchId): boolean => {
      const { name: ownName, fileName: file, mapping: map } = batches.get(id);
      const own = batches.rows(id).map(({ cells }) => cells);
      return haveSameFacts({ name: ownName, fileName: file, mapping: map, rows: own }, said);
    };
    const others = batches.list().filter((one) => one.name === name);
    return isSame(taken.id) || others.some(({ id }) => isSame(id));
  }

  #chain(entries: readonly EvidenceEntry[]): DataExportSummary['evidence'] {
    const { sha256, encoding } = this.#ports;
    const log = entries.map(({ hash, ...rest }) => ({
      number: rest.number,
      text: canonicalJson(toPlainJson(rest)),
      hash,
    }));
    const { firstBroken } = walkChain(log, (text) => sha256(encoding.utf8(text)));
    return { entries: entries.length, firstBroken: firstBroken?.number ?? null };
  }

  async #document(file: string): Promise<Uint8Array> {
    const wanted = this.#hashes.get(file);
    if (wanted === undefined) throw notAnExportError(`${file} is not listed in manifest.json`);
    return this.#bytes(file);
  }

  async #read<Value>(schema: Schema<Value>, file: string): Promise<Value> {
    const value = jsonOf(this.#ports.encoding.text(await this.#bytes(file)));
    const found = schema.safeParse(value);
    if (found.success) return found.data;
    throw notAnExportError(`${file} does not have the form of a data export`);
  }

  async #bytes(file: string): Promise<Uint8Array> {
    const path = this.#path(file);
    const found = await this.#ports.files.statFile(path);
    if (found === null) throw notAnExportError(`${file} is missing`);
    if (found.bytes > MAX_BYTES) {
      throw new AppError('invalid', `${file} is too large`, { reason: 'too-large' });
    }
    if (this.#signal.aborted) throw new AppError('cancelled', 'The import was stopped');
    return collectChunks(this.#ports.files.chunks(path));
  }

  /**
   * Returns the path of a file of the export. The schema allows only names that stay within the
   * folder.
   */
  #path(file: string): string {
    const { files } = this.#ports;
    const [first = '', second] = file.split('/');
    return second === undefined
      ? files.join(this.#folder, first)
      : files.join(files.join(this.#folder, first), second);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const JsonValue = Job.shape.result.unwrap();

/** Removes keys with undefined values, which JSON does not have. */
const toPlainJson = (value: object): Json => JsonValue.parse(JSON.parse(JSON.stringify(value)));

const notAnExportError = (message: string): AppError =>
  new AppError('invalid', message, { reason: 'not-an-export' });

const haveSameFacts = (one: object, other: object): boolean =>
  canonicalJson(toPlainJson(one)) === canonicalJson(toPlainJson(other));

const exportedValuesOf = ({ name, fileName, mapping, rows }: ExportedBatch) => ({
  name,
  fileName,
  mapping,
  rows: rows.map(({ cells }) => cells),
});

function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let copy = 2; taken.some((one) => isSameName(one, free)); copy += 1) {
    free = `${name.slice(0, 190)} (${copy})`;
  }
  return free;
}

const isFound = (read: () => object): boolean => orNull(read) !== null;
