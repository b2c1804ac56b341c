import type { AgreementDetails, SavedCopies } from '../../../shared/contract/agreements.ts';
import { DEFAULT_PARALLEL_DOWNLOADS } from '../../../shared/contract/archive.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { fileName, foldName } from '../../../shared/rules/files/file-name.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { isAbort } from '../app-error.ts';
import { tokensOf } from '../archive/names.ts';
import { ArchivePace } from '../archive/pace.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { Clock, Files, Stores } from '../ports.ts';
import type { Services } from '../services/services.ts';

export interface CopyPorts {
  readonly stores: Pick<Stores, 'agreements' | 'connections' | 'settings' | 'outbox' | 'batches'>;
  readonly services: Services;
  readonly files: Files;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * Codes of errors that trying the next agreement cannot resolve: the disk or the credential store
 * failed.
 */
const FATAL_CODES: ReadonlySet<string> = new Set(['storage', 'vault']);

/** Saves signed PDFs outside the archive; nothing is recorded about them. */
export class CopySaver {
  readonly #ports: CopyPorts;
  readonly #pattern: string;
  readonly #connections: ReadonlyMap<ConnectionId, Connection>;
  readonly #taken = new Set<string>();
  readonly #result: SavedCopies;
  readonly #signedOut = new Map<ConnectionId, Failure>();
  readonly #pace: ArchivePace;
  #failure: Failure | null = null;

  constructor(ports: CopyPorts, folder: string) {
    this.#ports = ports;
    this.#pattern = ports.stores.settings.read().archivePattern;
    this.#connections = new Map(ports.stores.connections.list().map((one) => [one.id, one]));
    this.#pace = new ArchivePace(ports.clock, DEFAULT_PARALLEL_DOWNLOADS);
    this.#result = { folder, saved: 0, bytes: 0, withoutPdf: 0, failed: [], left: [] };
  }

  async run(
    keys: readonly AgreementKey[],
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<SavedCopies>> {
    const result = this.#result;
    for (const name of await this.#ports.files.prepareFolder(result.folder)) {
      this.#taken.add(foldName(name));
    }
    report({ done: 0, total: keys.length });
    const queue = keys.values();
    let done = 0;
    const work = async (): Promise<void> => {
      for (const key of queue) {
        await this.#saveOne(key, signal);
        done += 1;
        report({ done, failed: result.failed.length, bytes: result.bytes });
      }
    };
    await Promise.all(Array.from({ length: DEFAULT_PARALLEL_DOWNLOADS }, work));
    return { result, failure: this.#failure };
  }

  async #saveOne(key: AgreementKey, signal: AbortSignal): Promise<void> {
    const { stores, toFailure } = this.#ports;
    if (signal.aborted || this.#failure !== null) {
      this.#result.left.push(key);
      return;
    }
    let title = '';
    try {
      const agreement = stores.agreements.details(key);
      ({ title } = agreement);
      if (agreement.state !== 'signed' || agreement.gone !== null) this.#result.withoutPdf += 1;
      else await this.#pace.inTurn(signal, () => this.#fetch(agreement, signal));
    } catch (error) {
      const failure = toFailure(error, 'agreements.saveCopies');
      if (signal.aborted && (isAbort(error) || failure.code === 'cancelled')) {
        this.#result.left.push(key);
      } else this.#refuse(key, title, failure);
    }
  }

  async #fetch(agreement: AgreementDetails, signal: AbortSignal): Promise<void> {
    const { stores, services, files } = this.#ports;
    const { connectionId, id, title } = agreement;
    const signedOut = this.#signedOut.get(connectionId);
    if (signedOut !== undefined) return this.#refuse(agreement, title, signedOut);
    const download = await services.use(connectionId, (service) => service.download(id, signal));
    const parties = agreement.parties?.map(({ name }) => name) ?? null;
    const row = { ...agreement, parties };
    const tokens = tokensOf(stores, this.#connections, row, this.#pattern);
    const counter = this.#taken.size + 1;
    const name = fileName(this.#pattern, { ...tokens, counter }, this.#taken);
    // The name is reserved before the first byte, because other saves choose names at the same
    // time.
    this.#taken.add(foldName(name));
    const file = files.join(this.#result.folder, name);
    const { bytes } = await files.saveNew(file, download, assertWholePdf, signal);
    this.#result.saved += 1;
    this.#result.bytes += bytes;
  }

  #refuse({ connectionId, id }: AgreementKey, title: string, failure: Failure): void {
    if (failure.reason === 'not-concluded') {
      this.#result.withoutPdf += 1;
      return;
    }
    this.#result.failed.push({ connectionId, id, title, failure });
    // Report a repeated refusal only once per connection.
    if (failure.code === 'signed-out') this.#signedOut.set(connectionId, failure);
    if (failure.code === 'limited') this.#pace.slow(failure.retryAt);
    if (FATAL_CODES.has(failure.code)) this.#failure ??= failure;
  }
}
