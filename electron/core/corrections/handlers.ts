import {
  type Correction,
  MAX_CORRECTION_LIST_LENGTH,
} from '../../../shared/contract/corrections.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { withChangedAddresses } from '../../../shared/rules/corrections/readdress.ts';
import type { RemindPorts } from '../actions/remind.ts';
import { type AgreementCopyPorts, copyAgreement } from '../drafts/from-agreement.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { JobQueue } from '../job-queue.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { Scheduler, Stores } from '../ports.ts';
import type { SheetReader } from '../sheet-ports.ts';
import { applyCorrections } from './correct.ts';
import { preview } from './preview.ts';

interface CorrectionPorts extends RemindPorts, AgreementCopyPorts {
  readonly stores: RemindPorts['stores'] &
    AgreementCopyPorts['stores'] &
    Pick<Stores, 'reminders' | 'corrections'>;
  readonly scheduler: Scheduler;
  readonly jobs: JobQueue;
  readonly worker: OutboxWorker;
  readonly bytes: ByteExchange;
  readonly sheets: { readonly reader: SheetReader };
}

/**
 * Creates the handlers that find a list of addresses in open agreements and correct them one by
 * one.
 */
export function createCorrectionHandlers(ports: CorrectionPorts): HandlersOf<'corrections'> {
  return {
    'corrections.readFile': async ({ bytes, ...choices }) => {
      const { sheets, notices, ...read } = await ports.sheets.reader.readLines(
        ports.bytes.take(bytes),
        choices,
      );
      if (read.text.length > MAX_CORRECTION_LIST_LENGTH) {
        const message = `The list has more than ${MAX_CORRECTION_LIST_LENGTH} characters. Split it into several lists`;
        throw new AppError('invalid', message, { reason: 'sheet-limit' });
      }
      return { ...read, sheets: [...sheets], notices: [...notices] };
    },
    'corrections.preview': ({ text }) => preview(ports, text),
    'corrections.run': async ({ corrections, notify, confirm }) => {
      requireDistinct(corrections, confirm);
      // One job holds the lock throughout, so that no other process sends between its requests.
      const jobId = ports.jobs.start('correct-addresses', async (signal, report) => {
        const result = await ports.worker.holding(() =>
          applyCorrections(ports, { corrections, notify }, signal, report),
        );
        return { result, failure: null };
      });
      return { jobId };
    },
    'corrections.copy': async ({ key, changes }) => {
      if (ports.stores.connections.get(key.connectionId).api !== 'v2') {
        throw new AppError(
          'invalid',
          'With API v1, addresses are corrected in the agreement itself, so no copy was made',
        );
      }
      const jobId = ports.jobs.start('copy-agreement', async (signal, report) => {
        const change = (content: DraftContent) => withChangedAddresses(content, changes);
        const { draft, losses } = await copyAgreement(ports, key, { signal, report }, change);
        return { result: { draft: draft.id, losses }, failure: null };
      });
      return { jobId };
    },
  };
}

function requireDistinct(corrections: readonly Correction[], confirm: number): void {
  const distinct = new Set(
    corrections.map(({ key, partyId }) => JSON.stringify([key.connectionId, key.id, partyId])),
  );
  if (confirm === corrections.length && distinct.size === corrections.length) return;
  const message = `The corrections affect ${distinct.size} parties, but ${confirm} were confirmed. Nothing was changed`;
  throw new AppError('invalid', message, { reason: 'count-differs' });
}
