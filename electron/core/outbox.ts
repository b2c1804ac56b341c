import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import type { AgreementId } from '../../shared/contract/ids.ts';
import type { OutboxItem, OutboxState } from '../../shared/contract/outbox.ts';
import { AppError, type ErrorReason } from '../../shared/errors.ts';
import type { OutboxBook } from './outbox-book.ts';
import { lookForCreate, mismatch } from './outbox-create.ts';
import { lookForSign } from './outbox-sign.ts';
import type { OutboxWorker } from './outbox-worker.ts';
import type { Clock, PdfForms, Stores } from './ports.ts';
import type { Services } from './services.ts';

/** What a person may still want to look back on. */
const LISTED = 30 * 86_400_000;
/** What still waits for something. */
export const openStates: readonly OutboxState[] = ['queued', 'sending', 'unknown', 'rejected'];

interface OutboxPorts {
  readonly stores: Stores;
  readonly services: Services;
  readonly pdf: PdfForms;
  readonly book: OutboxBook;
  readonly worker: OutboxWorker;
  readonly clock: Clock;
  readonly emit: Emit;
}

export function createOutbox(ports: OutboxPorts): HandlersOf<'outbox'> {
  const { outbox } = ports.stores;
  const list = () =>
    outbox.list(ports.clock.now() - LISTED).toSorted((a, b) => {
      const byState = Number(openStates.includes(b.state)) - Number(openStates.includes(a.state));
      return byState === 0 ? b.createdAt - a.createdAt : byState;
    });

  return {
    'outbox.list': async () => list(),
    'outbox.show': async ({ ref }) => outbox.get(ref),
    'outbox.undo': async ({ ref }) => {
      const item = outbox.get(ref);
      if (!ports.book.takeBack(item, ['queued', 'rejected'])) throw tooLate(outbox.get(ref));
      return { draftId: item.draftId };
    },
    'outbox.sendNow': async ({ ref }) => sendNow(ports, outbox.get(ref)),
    'outbox.look': async ({ ref }) => {
      const item = outbox.get(ref);
      if (item.state !== 'unknown') return item;
      if (item.kind === 'create') await lookForCreate(ports, item);
      else await lookForSign(ports, item);
      ports.emit('agreements.changed', { connectionId: item.connectionId });
      return outbox.get(ref);
    },
    'outbox.settle': async ({ ref, decision }) => {
      const item = outbox.get(ref);
      if (item.state !== 'unknown') throw tooLate(item);
      if (decision.as === 'sent') await settleAsSent(ports, item, decision.remoteId);
      else if (!ports.book.takeBack(item, ['unknown'])) throw tooLate(outbox.get(ref));
      return outbox.get(ref);
    },
    'outbox.run': async () => {
      if (!ports.worker.hold()) throw busy();
      await ports.worker.drain();
      return list();
    },
  };
}

/** Another process of the same data folder is sending. */
export function busy(): AppError {
  const message = 'Another window or command of this program is sending now';
  return new AppError('conflict', message, { reason: 'desk-busy' });
}

/** Lets a waiting row go out at once; a person says so. It leaves through the worker. */
function sendNow(ports: OutboxPorts, item: OutboxItem): OutboxItem {
  const { ref, connectionId } = item;
  ports.worker.own(ref);
  ports.worker.hold();
  const go = { to: 'queued', cause: 'person', reason: null, nextAt: ports.clock.now() } as const;
  if (!ports.book.move(ref, ['queued'], go)) throw tooLate(ports.stores.outbox.get(ref));
  ports.services.forget(connectionId);
  ports.worker.endPause(connectionId);
  ports.worker.wake();
  return ports.stores.outbox.get(ref);
}

/** Takes a person's word for it only when the service has such an agreement. */
async function settleAsSent(ports: OutboxPorts, item: OutboxItem, id: AgreementId): Promise<void> {
  const { connectionId } = item;
  const remote = await ports.services.use(connectionId, (service) =>
    service.read(id, new AbortController().signal),
  );
  const wrong = mismatch(ports.stores, item, remote, id);
  if (wrong !== null) throw new AppError('invalid', wrong, { reason: 'answer-mismatch' });
  const { api } = ports.stores.connections.get(connectionId);
  ports.stores.agreements.put(connectionId, api, [remote], ports.clock.now());
  ports.book.settleSent(item, id, 'person');
  ports.emit('agreements.changed', { connectionId });
}

const reasons: Readonly<Partial<Record<OutboxState, ErrorReason>>> = {
  sending: 'already-under-way',
  unknown: 'outcome-unknown',
};

function tooLate({ state }: Pick<OutboxItem, 'state' | 'ref'>): AppError {
  const reason = reasons[state];
  const message = `It is ${state} now`;
  return new AppError('conflict', message, reason === undefined ? {} : { reason });
}
