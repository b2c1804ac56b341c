import type { Agreement } from '../../shared/contract/agreements.ts';
import type { ArchiveResult, ArchiveRun } from '../../shared/contract/archive.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { AgreementKey, ConnectionId } from '../../shared/contract/ids.ts';
import type { Failure } from '../../shared/errors.ts';
import { fileName, foldName } from '../../shared/rules/file-name.ts';
import { acceptPdf } from '../../shared/rules/pdf-shape.ts';
import type { ToFailure } from '../../shared/wire.ts';
import { isAbort } from './app-error.ts';
import { type IndexRow, renderIndex } from './archive-index.ts';
import type { JobOutcome, Progress } from './job-queue.ts';
import type { Clock, Files, Stores } from './ports.ts';
import type { Services } from './services.ts';

export interface ArchivePorts {
  readonly stores: Stores;
  readonly services: Services;
  readonly files: Files;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

const INDEX = 'index.csv';
/** Nothing more can be saved, or asked for, after one of these. */
const ENDING: ReadonlySet<string> = new Set(['storage', 'vault']);

/** Files of agreements that count less must not lie among those that count. */
const subfolders = { production: null, test: 'TEST', demo: 'DEMO' } as const;

/** A folder files go to, with the names that are taken in it. */
interface Shelf {
  readonly folder: string;
  readonly taken: Set<string>;
}

/** One run: what is there by content stays, the rest is fetched, and the index is written anew. */
export class ArchiveRunner {
  readonly #ports: ArchivePorts;
  readonly #run: ArchiveRun;
  readonly #pattern: string;
  readonly #shelves = new Map<string, Shelf>();
  readonly #connections: ReadonlyMap<ConnectionId, Connection>;
  readonly #result: ArchiveResult;
  readonly #signedOut = new Map<ConnectionId, Failure>();
  #failure: Failure | null = null;

  constructor(ports: ArchivePorts, run: ArchiveRun) {
    this.#ports = ports;
    this.#run = run;
    this.#pattern = run.pattern ?? ports.stores.settings.read().archivePattern;
    this.#connections = new Map(ports.stores.connections.list().map((one) => [one.id, one]));
    const counts = { listed: 0, saved: 0, present: 0, bytes: 0, seconds: 0 };
    this.#result = { ...counts, failed: [], folder: run.folder };
  }

  async run(
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> {
    const { stores, clock } = this.#ports;
    const { connectionId, since, until, limit, folder, only } = this.#run;
    const startedAt = clock.now();
    await this.#shelf(folder);
    const listed = stores.agreements
      .concluded(connectionId, since, until)
      .filter(({ state, gone }) => state === 'signed' && gone === null)
      .filter((one) => only === undefined || only.some(names(one)));
    this.#result.listed = listed.length;
    const missing = await this.#missing(listed, signal);
    const wanted = missing.slice(0, limit ?? missing.length);
    report({ done: 0, total: wanted.length });
    await this.#fetchAll(wanted, signal, report);
    await this.#writeIndex();
    this.#result.seconds = (clock.now() - startedAt) / 1000;
    return { result: this.#result, failure: this.#failure };
  }

  async #shelf(folder: string): Promise<Shelf> {
    const known = this.#shelves.get(folder);
    if (known !== undefined) return known;
    const names = await this.#ports.files.prepareFolder(folder);
    const shelf = { folder, taken: new Set(names.map(foldName)) };
    this.#shelves.set(folder, shelf);
    return shelf;
  }

  #folderFor({ connectionId }: Agreement): string {
    const environment = this.#connections.get(connectionId)?.environment ?? 'production';
    const sub = subfolders[environment];
    return sub === null ? this.#run.folder : this.#ports.files.join(this.#run.folder, sub);
  }

  /** Those whose recorded file is not there with its recorded content. */
  async #missing(listed: readonly Agreement[], signal: AbortSignal): Promise<readonly Agreement[]> {
    const missing: Agreement[] = [];
    for (const agreement of listed) {
      if (signal.aborted) break;
      if (await this.#isPresent(agreement)) this.#result.present += 1;
      else missing.push(agreement);
    }
    return missing;
  }

  async #isPresent(agreement: Agreement): Promise<boolean> {
    const { stores, files, clock } = this.#ports;
    const saved = stores.archive.saved(agreement);
    if (saved === null) return false;
    const folder = this.#folderFor(agreement);
    const here = files.join(folder, baseName(saved.file, files));
    if ((await files.hash(here)) !== saved.sha256) return false;
    // The folder was moved, or this is a copy of it: the file is what was fetched once.
    const { connectionId, id } = agreement;
    if (here !== saved.file) {
      stores.archive.record({ connectionId, id }, { ...saved, file: here }, clock.now());
    }
    return true;
  }

  async #fetchAll(
    wanted: readonly Agreement[],
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<void> {
    const queue = wanted.values();
    let done = 0;
    const work = async () => {
      for (const agreement of queue) {
        if (signal.aborted || this.#failure !== null) return;
        await this.#fetchOne(agreement, signal);
        done += 1;
        report({ done, failed: this.#result.failed.length, bytes: this.#result.bytes });
      }
    };
    await Promise.all(Array.from({ length: this.#run.parallel }, work));
  }

  async #fetchOne(agreement: Agreement, signal: AbortSignal): Promise<void> {
    const { connectionId, id, title } = agreement;
    const signedOut = this.#signedOut.get(connectionId);
    if (signedOut !== undefined) {
      this.#result.failed.push({ connectionId, id, title, failure: signedOut });
      return;
    }
    try {
      await this.#save(agreement, signal);
    } catch (error) {
      const failure = this.#ports.toFailure(error, 'archive.run');
      if (signal.aborted && (isAbort(error) || failure.code === 'cancelled')) return;
      // Told to be signed but not yet bound together: the next run fetches it.
      if (failure.reason === 'not-concluded') return;
      if (failure.code === 'not-found') {
        this.#ports.stores.agreements.markGone({ connectionId, id }, 'deleted');
      }
      this.#result.failed.push({ connectionId, id, title, failure });
      // The same refusal a thousand times over helps nobody.
      if (failure.code === 'signed-out') this.#signedOut.set(connectionId, failure);
      if (ENDING.has(failure.code)) this.#failure ??= failure;
    }
  }

  async #save(agreement: Agreement, signal: AbortSignal): Promise<void> {
    const { stores, services, files, clock } = this.#ports;
    const { connectionId, id, title, parties, closedAt } = agreement;
    const shelf = await this.#shelf(this.#folderFor(agreement));
    const download = await services.use(connectionId, (service) => service.download(id, signal));
    const connection = this.#connections.get(connectionId)?.name ?? '';
    const tokens = { id, title, parties: parties ?? [], connection, closedAt };
    const name = fileName(this.#pattern, tokens, shelf.taken);
    // Taken before the first byte, since others are choosing names meanwhile.
    shelf.taken.add(foldName(name));
    const file = files.join(shelf.folder, name);
    const saved = await files.saveNew(file, download, acceptPdf, signal);
    stores.archive.record({ connectionId, id }, saved, clock.now());
    this.#result.saved += 1;
    this.#result.bytes += saved.bytes;
  }

  /** Written after every run, also one that ended early: it lists what lies there now. */
  async #writeIndex(): Promise<void> {
    const { stores, files, toFailure } = this.#ports;
    const { folder } = this.#run;
    const rows = stores.archive.list(undefined).flatMap((item): IndexRow[] => {
      const saved = stores.archive.saved(item);
      const file = saved === null ? null : relative(saved.file, folder, files);
      if (saved === null || file === null) return [];
      return [
        { item, file, bytes: saved.bytes, connection: this.#connections.get(item.connectionId) },
      ];
    });
    try {
      await files.replaceText(files.join(folder, INDEX), renderIndex(rows));
    } catch (error) {
      // What ended the run, a full disk say, tells more than what it broke last.
      this.#failure ??= toFailure(error, 'archive.run');
    }
  }
}

/** Whether a key names this agreement. */
function names(one: AgreementKey): (key: AgreementKey) => boolean {
  return ({ connectionId, id }) => connectionId === one.connectionId && id === one.id;
}

function baseName(file: string, files: Files): string {
  return file.slice(files.folderOf(file).length).replace(/^[\\/]+/, '');
}

/** The path inside an archive folder, at most one subfolder deep; null when it lies elsewhere. */
function relative(file: string, folder: string, files: Files): string | null {
  const parent = files.folderOf(file);
  const name = baseName(file, files);
  // A sentinel name makes both sides normal in the system's own way.
  const isSame = (one: string) => files.folderOf(files.join(one, INDEX)) === parent;
  if (isSame(folder)) return name;
  const sub = [subfolders.test, subfolders.demo].find((one) => isSame(files.join(folder, one)));
  return sub === undefined ? null : `${sub}/${name}`;
}
