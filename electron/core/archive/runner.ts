import type { Agreement } from '../../../shared/contract/agreements.ts';
import type {
  ArchiveFinding,
  ArchiveResult,
  ArchiveRun,
} from '../../../shared/contract/archive.ts';
import type { ConnectionId, AgreementKey } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { sealKind } from '../../../shared/rules/files/pdf-seal.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { isAbort } from '../app-error.ts';
import { type ChoicePorts, agreementKeyText, agreementsChosenBy } from './choice.ts';
import { agreementsOnlyInCopies, recordedCopies } from './copies.ts';
import {
  findForeignLists,
  folderContent,
  hasOtherColumns,
  INDEX_CSV,
  INDEX_XLSX,
  logRun,
  MANIFEST,
  RUN_LOG,
  writeLists,
} from './lists.ts';
import { ArchiveFolders, baseName, type FilePlace } from './folders.ts';
import { requireTokens } from './names.ts';
import { NamingQueue } from './naming.ts';
import {
  findAnomalies,
  type OnePorts,
  type ArchiveRunContext,
  placeOf,
  type PlannedPdf,
  type ReceivedPdf,
  receivePdf,
  savedPdf,
  saveExtras,
} from './one.ts';
import { alignFolder } from './disk-names.ts';
import { findAlteredLists, adoptMovedListHashes, writeListsWithHashes } from './list-marks.ts';
import { ArchivePace } from './pace.ts';
import { isPresent } from './present.ts';
import { resumeWork } from './resume.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { FolderTurn } from '../turn-ports.ts';
import type { ReportWriter } from '../reports/ports.ts';
import { nullWhenGone } from '../services/fresh-copy.ts';
import type { ArchiveStore, RecordedPdf } from './ports.ts';

export interface ArchivePorts extends OnePorts, Pick<ChoicePorts, 'lists'> {
  readonly reports: ReportWriter;
  readonly toFailure: ToFailure;
}

/** Files written by `writeLists`. */
const INDEX_LISTS = [MANIFEST, INDEX_CSV, INDEX_XLSX];
/** Reasons of failures after which nothing more can be saved. */
const FATAL_REASONS: ReadonlySet<string> = new Set([
  'disk-full',
  'folder-missing',
  'folder-read-only',
  'lease-lost',
]);
/**
 * Number of consecutive failures that end a run: trying the next agreement does not bring back the
 * service or the disk.
 */
const MAX_CONSECUTIVE_FAILURES = 10;
/** Number of agreements whose work is recorded together, before the first of them is fetched. */
const PLANNED_PER_STEP = 16;
/** Number of files checked in parallel: enough to keep a disk busy. */
const PARALLEL_FILE_CHECKS = 32;

/**
 * One archive run: keeps files with the right content, fetches the others, and rewrites the lists.
 */
export class ArchiveRunner {
  readonly #ports: ArchivePorts;
  readonly #run: ArchiveRun;
  readonly #shared: ArchiveRunContext;
  readonly #book: SavedFileBuffer;
  readonly #result: ArchiveResult;
  readonly #signedOut = new Map<ConnectionId, Failure>();
  #failure: Failure | null = null;
  #lostInARow = 0;
  readonly #names: NamingQueue;
  /** Promises of the complete PDFs whose naming is still in progress. */
  readonly #naming = new Set<Promise<void>>();
  #done = 0;
  #bytes = 0;
  #extras = 0;
  #turn: FolderTurn | null = null;
  /** Number of files whose recorded names were spelled differently on the disk. */
  #renamed = 0;
  #report: (progress: Progress) => void = () => {};

  constructor(ports: ArchivePorts, run: ArchiveRun) {
    this.#ports = ports;
    this.#run = run;
    const { stores, files, clock } = ports;
    // Agreements of removed connections are copied from other folders.
    const connections = new Map(stores.connections.ever().map((one) => [one.id, one]));
    const folders = new ArchiveFolders(files, stores.archive, run, connections);
    const pattern = run.pattern ?? stores.settings.read().archivePattern;
    const pace = new ArchivePace(clock, run.parallel);
    const onBytes = (bytes: number): void => this.#onBytes(bytes);
    this.#shared = { run, pattern, folders, pace, connections, onBytes };
    this.#names = new NamingQueue(ports);
    this.#book = new SavedFileBuffer(stores.archive, folders.root, (run.beside ?? []).length > 0);
    const counts = { listed: 0, saved: 0, present: 0, waiting: 0, unsealed: 0 };
    const rest = { failed: [], doubtful: [], folder: run.folder };
    this.#result = { ...counts, ...rest, bytes: 0, seconds: 0 };
  }

  /** Result so far; it still grows during the run. */
  get result(): ArchiveResult {
    return this.#result;
  }

  /**
   * Opens the folder and returns its path as the system spells it. Throws like
   * `ArchiveFolders.open`, and 'invalid' for a stored pattern of an earlier version with an unknown
   * token.
   */
  async open(): Promise<string> {
    requireTokens({ pattern: this.#shared.pattern, subfolder: this.#run.subfolder });
    await this.#shared.folders.open();
    return this.#shared.folders.root;
  }

  /**
   * Runs the archive, after `open`. `turn`: turn of this computer in a shared folder of the office.
   */
  async run(
    signal: AbortSignal,
    report: (progress: Progress) => void,
    turn: FolderTurn | null = null,
  ): Promise<JobOutcome<ArchiveResult>> {
    const { clock } = this.#ports;
    const { root } = this.#shared.folders;
    const startedAt = clock.now();
    this.#report = report;
    this.#turn = turn;
    const resumed = await resumeWork(this.#ports, root);
    this.#renamed = await alignFolder(this.#ports, root);
    await adoptMovedListHashes(this.#ports, root);
    await this.#keepForeignLists(root);
    const missing = await this.#missing(signal);
    this.#result.saved += resumed;
    this.#result.present = Math.max(0, this.#result.present - resumed);
    const wanted = missing.slice(0, this.#run.limit ?? missing.length);
    report({ done: 0, total: wanted.length });
    if (wanted.length > 0) await this.#begin();
    await this.#fetchAll(wanted, signal);
    this.#result.seconds = (clock.now() - startedAt) / 1000;
    await this.#close(signal.aborted);
    const { failed, waiting } = this.#result;
    if (!signal.aborted && this.#failure === null && failed.length + waiting === 0) {
      await turn?.done();
    }
    return { result: this.#result, failure: this.#failure };
  }

  async #missing(signal: AbortSignal): Promise<readonly Agreement[]> {
    const missing: Agreement[] = [];
    for await (const listed of this.#chosen()) {
      if (signal.aborted) break;
      this.#result.listed += listed.length;
      for (let from = 0; from < listed.length && !signal.aborted; from += PARALLEL_FILE_CHECKS) {
        missing.push(
          ...(await this.#missingOf(listed.slice(from, from + PARALLEL_FILE_CHECKS), signal)),
        );
      }
    }
    return this.#copiesFirst(missing);
  }

  /**
   * Puts agreements with recorded copies first: they can be saved even if the service cannot be
   * reached, which ends the run after some failures.
   */
  #copiesFirst(missing: readonly Agreement[]): readonly Agreement[] {
    const { only, alsoDeleted } = this.#run;
    if (only === undefined && alsoDeleted !== true) return missing;
    const { stores } = this.#ports;
    const isCopied = missing.map((one) => recordedCopies(stores, keyOf(one)).length > 0);
    return [true, false].flatMap((wanted) => missing.filter((_, at) => isCopied[at] === wanted));
  }

  /** Yields the agreements of the run, and agreements that only copies in other folders contain. */
  async *#chosen(): AsyncGenerator<readonly Agreement[], void> {
    const { only, alsoDeleted } = this.#run;
    const found = new Set<string>();
    for await (const listed of agreementsChosenBy(this.#ports, this.#run)) {
      for (const one of only === undefined ? [] : listed) found.add(agreementKeyText(one));
      yield listed;
    }
    const others = only?.filter((key) => !found.has(agreementKeyText(key)));
    if (others === undefined ? alsoDeleted === true : others.length > 0) {
      yield agreementsOnlyInCopies(this.#ports, this.#run, others);
    }
  }

  async #missingOf(some: readonly Agreement[], signal: AbortSignal) {
    const there = await Promise.all(some.map((one) => isPresent(this.#ports, this.#shared, one)));
    await this.#noteDamage(some.filter((_, index) => there[index] === false));
    const present = some.filter((_, index) => there[index] === true);
    this.#result.present += present.length;
    if ((this.#run.beside ?? []).length > 0) {
      for (const one of present) await this.#saveExtras(one, signal);
    }
    return some.filter((_, index) => there[index] !== true);
  }

  /**
   * Records which archived files are missing or changed. Saving a new file removes this record; it
   * stays if the service no longer has the agreement.
   */
  async #noteDamage(missing: readonly Agreement[]): Promise<void> {
    const { stores, files, clock } = this.#ports;
    const { root } = this.#shared.folders;
    const findings: { key: AgreementKey; file: string; finding: ArchiveFinding }[] = [];
    for (const agreement of missing) {
      const key = keyOf(agreement);
      const file =
        agreement.state === 'signed' ? stores.archive.placed(root, key)?.file : undefined;
      if (file === undefined) continue;
      const isThere = (await files.statFile(file)) !== null;
      findings.push({ key, file, finding: isThere ? 'changed' : 'missing' });
    }
    if (findings.length > 0) stores.archive.noteFindings(root, findings, clock.now());
  }

  /**
   * Before the first file is saved, writes the lists and records that the folder holds an archive.
   * If the drive of the folder is then disconnected, the next run does not create the folder again.
   */
  async #begin(): Promise<void> {
    const { clock, stores } = this.#ports;
    const { folders } = this.#shared;
    if (folders.wasHeld()) return;
    const content = await folderContent(this.#ports, folders.root);
    await writeLists(this.#ports, content);
    stores.archive.holds(folders.root, clock.now());
    await writeListsWithHashes(this.#ports, folders.root, INDEX_LISTS, async () => {});
  }

  async #writeLists(): Promise<void> {
    const { root } = this.#shared.folders;
    const content = await folderContent(this.#ports, root);
    await writeListsWithHashes(this.#ports, root, INDEX_LISTS, () =>
      writeLists(this.#ports, content),
    );
  }

  /**
   * Renames a list that another program wrote or altered, to keep it. Does nothing if the list is
   * missing.
   */
  async #keepAside(file: string): Promise<void> {
    const { files } = this.#ports;
    if ((await files.hash(file)) === null) return;
    const kept = baseName(await files.setAside(file), files);
    this.#result.setAside = [...(this.#result.setAside ?? []), kept];
  }

  /**
   * Keeps the user's own files with the names of the lists, before this folder is used for the
   * first time.
   */
  async #keepForeignLists(root: string): Promise<void> {
    if (this.#shared.folders.wasHeld()) return;
    await this.#turn?.require();
    const { files } = this.#ports;
    for (const name of await findForeignLists(this.#ports, root)) {
      await this.#keepAside(files.join(root, name));
    }
  }

  async #fetchAll(wanted: readonly Agreement[], signal: AbortSignal): Promise<void> {
    const plan = this.#planned(wanted, signal);
    const work = async () => {
      for await (const { agreement, place } of plan) {
        if (place !== null) await this.#fetchOne({ agreement, place }, signal);
        if (signal.aborted || this.#failure !== null) return;
      }
    };
    await Promise.all(Array.from({ length: this.#run.parallel }, work));
    await Promise.all(this.#naming);
  }

  /**
   * Yields each agreement with the location of its PDF. Records the work for several agreements
   * together, and removes the record for agreements that are not fetched.
   */
  async *#planned(wanted: readonly Agreement[], signal: AbortSignal) {
    const { work } = this.#ports.stores.archive;
    for (let from = 0; from < wanted.length;) {
      const some = await this.#placesOf(wanted.slice(from, from + PLANNED_PER_STEP), signal);
      from += some.length;
      const begun = new Map<string, AgreementKey>();
      for (const { agreement, place } of some) {
        if (place !== null) begun.set(place.file, keyOf(agreement));
      }
      work.begin([...begun].map(([file, key]) => ({ file, key })));
      try {
        for (const planned of some) {
          if (signal.aborted || this.#failure !== null) return;
          if (planned.place !== null) begun.delete(planned.place.file);
          yield planned;
        }
      } finally {
        if (begun.size > 0) work.end([...begun.keys()]);
      }
    }
  }

  /**
   * Returns the locations of the next PDFs. Stops after the first PDF that may already exist on the
   * disk, because the name of the next PDF depends on it.
   */
  async #placesOf(wanted: readonly Agreement[], signal: AbortSignal) {
    const places: { readonly agreement: Agreement; readonly place: FilePlace | null }[] = [];
    for (const agreement of wanted) {
      const place = await this.#placeOf(agreement, signal);
      places.push({ agreement, place });
      if (place !== null && place.twin !== null) break;
    }
    return places;
  }

  /** Returns the location of a PDF; null if that failed, with the failure in the result. */
  async #placeOf(agreement: Agreement, signal: AbortSignal): Promise<FilePlace | null> {
    try {
      return await placeOf(this.#ports, this.#shared, agreement);
    } catch (error) {
      this.#refuse(agreement, error, signal);
      this.#progress();
      return null;
    }
  }

  async #fetchOne(planned: PlannedPdf, signal: AbortSignal): Promise<void> {
    const { agreement } = planned;
    const signedOut = this.#signedOut.get(agreement.connectionId);
    try {
      const received = await receivePdf(this.#ports, this.#shared, planned, signal, signedOut);
      const naming = this.#nameOne(received, planned, signal);
      if ((this.#run.beside ?? []).length > 0) await naming;
      else this.#follow(naming);
    } catch (error) {
      const failure = this.#refuse(agreement, error, signal);
      if (failure?.code === 'not-found') await this.#markIfGone(agreement, signal);
      this.#progress();
    }
  }

  /**
   * Marks an agreement whose PDF the service does not find as deleted, if a read of the agreement
   * shows that. Otherwise only the PDF is missing now, and the next run tries again.
   */
  async #markIfGone(agreement: Agreement, signal: AbortSignal): Promise<void> {
    const { services, stores } = this.#ports;
    const { connectionId, id } = agreement;
    const reading = services.use(connectionId, (service) => nullWhenGone(service.read(id, signal)));
    // After a failed read, it is not known whether the agreement was deleted.
    const isGone = await reading.then(
      (remote) => remote === null,
      () => false,
    );
    if (isGone) stores.agreements.markGone(keyOf(agreement), 'deleted');
  }

  /** Lets the naming of a PDF continue in parallel: only the end of the run waits for it. */
  #follow(naming: Promise<void>): void {
    this.#naming.add(naming);
    void naming.then(() => this.#naming.delete(naming));
  }

  /**
   * Gives a complete PDF its final name and records it, then saves its sidecar files. Never throws:
   * a failure is added to the result.
   */
  async #nameOne(
    received: ReceivedPdf,
    { agreement, place }: PlannedPdf,
    signal: AbortSignal,
  ): Promise<void> {
    const { files, stores } = this.#ports;
    try {
      await this.#turn?.require();
      const changedAt = received.isNamed
        ? ((await files.statFile(received.file))?.changedAt ?? null)
        : await this.#names.add(received);
      if (received.isNamed) stores.archive.work.end([place.file]);
      const pdf = savedPdf(this.#ports, this.#shared, received, changedAt);
      this.#result.saved += 1;
      this.#result.bytes += pdf.bytes;
      if (received.isCopy) this.#result.copied = (this.#result.copied ?? 0) + 1;
      if (sealKind(pdf.seal ?? 'none') !== 'covers') this.#result.unsealed += 1;
      if (agreement.state === 'signed') this.#noted(this.#book.add({ agreement, pdf }));
      this.#lostInARow = 0;
    } catch (error) {
      this.#refuse(agreement, error, signal);
      this.#progress();
      return;
    }
    await this.#saveExtras(agreement, signal);
    this.#progress();
  }

  #progress(): void {
    this.#done += 1;
    this.#report({ done: this.#done, failed: this.#result.failed.length, bytes: this.#bytes });
  }

  async #saveExtras(agreement: Agreement, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#failure !== null) return;
    try {
      this.#extras += await saveExtras(this.#ports, this.#shared, agreement, signal);
    } catch (error) {
      this.#refuse(agreement, error, signal);
    }
  }

  #noted(noted: ReturnType<SavedFileBuffer['note']>): void {
    for (const { agreement, pdf, isKnown } of noted) {
      if (isKnown) {
        const doubts = findAnomalies(this.#ports.stores, this.#shared, agreement, pdf);
        this.#result.doubtful.push(...doubts);
      } else {
        // The local copy of the agreement was deleted while its PDF was fetched: the next run
        // decides about the PDF.
        this.#result.saved -= 1;
        this.#fail(agreement, {
          code: 'not-found',
          message: 'The service no longer has the agreement',
        });
      }
    }
  }

  /**
   * Adds an error to the result and returns its failure; null if the run was stopped, or if the PDF
   * is not ready yet.
   */
  #refuse(agreement: Agreement, error: unknown, signal: AbortSignal): Failure | null {
    const failure = this.#ports.toFailure(error, 'archive.run');
    if (signal.aborted && (isAbort(error) || failure.code === 'cancelled')) return null;
    // The agreement is listed as signed, but its PDF is not ready yet: the next run fetches it.
    if (failure.reason === 'not-concluded') {
      this.#result.waiting += 1;
      return null;
    }
    this.#fail(agreement, failure);
    // The other agreements of this connection fail without another request.
    if (failure.code === 'signed-out') this.#signedOut.set(agreement.connectionId, failure);
    const isLost = failure.code === 'offline' || failure.code === 'storage';
    this.#lostInARow = isLost ? this.#lostInARow + 1 : 0;
    const ends = failure.code === 'vault' || FATAL_REASONS.has(failure.reason ?? '');
    if (ends || this.#lostInARow >= MAX_CONSECUTIVE_FAILURES) this.#failure ??= failure;
    return failure;
  }

  #fail({ connectionId, id, title }: Agreement, failure: Failure): void {
    this.#result.failed.push({ connectionId, id, title, failure });
  }

  #onBytes(bytes: number): void {
    this.#bytes += bytes;
    this.#report({ bytes: this.#bytes });
  }

  /** Writes the lists after every run, even one that ended early, so that they match the folder. */
  async #close(isStopped: boolean): Promise<void> {
    const { files, toFailure, clock, stores } = this.#ports;
    const { root } = this.#shared.folders;
    const ending = isStopped ? 'stopped' : (this.#failure?.code ?? 'done');
    try {
      this.#noted(this.#book.note());
      await this.#turn?.require();
      const altered = await findAlteredLists(this.#ports, root);
      for (const name of altered) await this.#keepAside(files.join(root, name));
      const isNew = this.#result.saved + this.#extras + this.#renamed + altered.length > 0;
      const { archiveIndex } = stores.settings.read();
      if (
        isNew ||
        (await files.statFile(files.join(root, MANIFEST))) === null ||
        (await hasOtherColumns(this.#ports, root, archiveIndex))
      ) {
        await this.#writeLists();
      }
      await writeListsWithHashes(this.#ports, root, [RUN_LOG], () =>
        logRun(files, root, this.#result, ending, clock.now()),
      );
    } catch (error) {
      // The cause that ended the run, such as a full disk, matters more than a later error.
      this.#failure ??= toFailure(error, 'archive.run');
    }
  }
}

/**
 * Number of files per commit. If the run is killed, its recorded work shows the files that were not
 * committed.
 */
const FILES_PER_COMMIT = 32;

/** A PDF that has its final name, but is not recorded yet. */
export interface SavedPdf {
  readonly agreement: Agreement;
  readonly pdf: RecordedPdf;
}

/** Records saved files in groups: a commit costs more than a small file. */
export class SavedFileBuffer {
  readonly #archive: ArchiveStore;
  readonly #folder: string;
  readonly #atOnce: number;
  #waiting: SavedPdf[] = [];

  /** `isPrompt`: each file is recorded immediately, because later steps need its record. */
  constructor(archive: ArchiveStore, folder: string, isPrompt: boolean) {
    this.#archive = archive;
    this.#folder = folder;
    this.#atOnce = isPrompt ? 1 : FILES_PER_COMMIT;
  }

  /** Returns the files recorded by this call, each with whether its agreement still exists. */
  add(saved: SavedPdf): readonly (SavedPdf & { readonly isKnown: boolean })[] {
    this.#waiting.push(saved);
    return this.#waiting.length < this.#atOnce ? [] : this.note();
  }

  note(): readonly (SavedPdf & { readonly isKnown: boolean })[] {
    const now = this.#waiting;
    this.#waiting = [];
    if (now.length === 0) return [];
    const files = now.map(({ agreement, pdf }) => ({ key: keyOf(agreement), ...pdf }));
    const lost = this.#archive.recordAll(files, this.#folder);
    const isLost = ({ connectionId, id }: AgreementKey): boolean =>
      lost.some((key) => key.connectionId === connectionId && key.id === id);
    return now.map((saved) => ({ ...saved, isKnown: !isLost(saved.agreement) }));
  }
}

const keyOf = ({ connectionId, id }: Agreement): AgreementKey => ({ connectionId, id });
