import { CoalescedTask } from '../../../shared/coalesced.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ReceivedPdf } from './one.ts';
import type { Files, NamedFile, Stores } from '../ports.ts';

interface NamingPorts {
  readonly files: Files;
  readonly stores: Pick<Stores, 'archive'>;
}

interface PendingName {
  readonly pdf: ReceivedPdf;
  readonly resolve: (changedAt: number | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gives complete PDFs their final names in groups. A PDF that arrives while a group is being named
 * joins the next group. For each group, one commit first records the agreement of each part, so
 * that the PDFs are not fetched again if the run is killed. Then the parts are renamed, and each
 * folder is flushed once.
 */
export class NamingQueue {
  readonly #ports: NamingPorts;
  readonly #groups = new CoalescedTask(() => this.#nameAll());
  #waiting: PendingName[] = [];

  constructor(ports: NamingPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves once the PDF has its final name on the disk, with the change time of the file by the
   * system.
   */
  add(pdf: ReceivedPdf): Promise<number | null> {
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    this.#waiting.push({ pdf, resolve, reject });
    void this.#groups.run();
    return promise;
  }

  async #nameAll(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    const { archive } = this.#ports.stores;
    const paths = group.map(({ pdf }) => pdf.file);
    try {
      // An unsigned copy is not recorded: if the run is killed, the next run fetches it again.
      const signed = group.filter(({ pdf }) => pdf.agreement.state === 'signed');
      archive.work.whole(signed.map(({ pdf: { file, written } }) => ({ file, ...written })));
    } catch (error) {
      // The agreements of these parts are not recorded, so the next run fetches the PDFs again.
      await Promise.allSettled(paths.map((file) => this.#ports.files.dropPart(file)));
      for (const { reject } of group) reject(error);
      return;
    }
    try {
      const named = await this.#ports.files.nameParts(paths);
      const lost = paths.filter((_, at) => named[at]?.failure?.code === 'conflict');
      if (lost.length > 0) archive.work.end(lost);
      for (const [at, one] of group.entries()) settlePendingName(one, named[at]);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

function settlePendingName({ resolve, reject }: PendingName, named: NamedFile | undefined): void {
  if (named === undefined) reject(new Error('A file has no result'));
  else if (named.failure === null) resolve(named.changedAt);
  else reject(AppError.from(named.failure));
}
