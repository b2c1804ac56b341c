import type { JobQueue } from '../job-queue.ts';
import type {
  Chance,
  Clock,
  Encoding,
  Files,
  PdfForms,
  Scheduler,
  Sha256,
  Stores,
} from '../ports.ts';
import type { ReportWriter } from '../reports/ports.ts';
import type { Emit } from '../../../shared/contract/index.ts';

export interface TakeoutPorts {
  readonly stores: Stores;
  readonly files: Files;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly encoding: Encoding;
  readonly scheduler: Scheduler;
  readonly reports: ReportWriter;
  readonly pdf: PdfForms;
  readonly sha256: Sha256;
  readonly emit: Emit;
  /** Version of the running program. */
  readonly version: string;
}
