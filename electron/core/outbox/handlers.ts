import type { AgreementId, BatchId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import type {
  OutboxHistory,
  OutboxItem,
  OutboxState,
  ManualDecision,
  UnknownOutcomeProgress,
} from '../../../shared/contract/outbox.ts';
import { AppError, type ErrorReason, isCode } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { OutboxTransitions } from './transitions.ts';
import { fingerprintMismatch } from './freeze.ts';
import type { OutboxGates } from './gates.ts';
import type { OutboxEvent } from './machine.ts';
import type { StoredItem } from './ports.ts';
import { LISTED, GAP, SETTLE } from './times.ts';
import type { OutboxWorker } from './worker.ts';
import type { Clock, Stores } from '../ports.ts';
import { requireActive } from '../deactivation.ts';
import { keepCopy } from '../services/fresh-copy.ts';
import type { Services } from '../services/services.ts';

export const openStates: readonly OutboxState[] = [
  'queued',
  'sending',
  'unknown',
  'absent',
  'human',
  'duplicate',
  'rejected',
];

/** Actor that stands for the user of the window or command line, whose name is not known. */
const PERSON = 'person';

interface OutboxPorts {
  readonly stores: Stores;
  readonly services: Services;
  readonly transitions: OutboxTransitions;
  readonly gates: OutboxGates;
  readonly worker: OutboxWorker;
  /** Adds the sends of this run to the lists of agreements. */
  readonly readSent: () => Promise<void>;
  readonly clock: Clock;
  readonly emit: Emit;
}

type SendNowPorts = Pick<
  OutboxPorts,
  'stores' | 'services' | 'transitions' | 'gates' | 'worker' | 'clock'
>;

export function createOutboxHandlers(ports: OutboxPorts): HandlersOf<'outbox'> {
  const { outbox } = ports.stores;
  const since = () => ports.clock.now() - LISTED;
  const view = (item: StoredItem): OutboxItem => shown(item, ports.gates);
  const list = () => outbox.list(since()).map(view);

  return {
    'outbox.list': async ({ batchId, needsPerson = false }) => {
      if (batchId === undefined) return list();
      const rows = outbox.inBatch(batchId);
      return (needsPerson ? rows.filter(waitingForPerson(outbox, batchId)) : rows).map(view);
    },
    'outbox.batches': async () => [...outbox.batches(since())],
    'outbox.show': async ({ ref }) => view(outbox.get(ref)),
    'outbox.history': async ({ ref }) => historyOf(ports, outbox.get(ref), view),
    'outbox.undo': async ({ ref }) => {
      const item = outbox.get(ref);
      if (!ports.transitions.takeBack(item, PERSON)) throw tooLateError(outbox.get(ref));
      return { draftId: item.draftId };
    },
    'outbox.sendNow': async ({ ref }) => view(sendNow(ports, outbox.get(ref))),
    'outbox.look': async ({ ref }) => view(await reconcileNow(ports, outbox.get(ref))),
    'outbox.settle': async ({ ref, decision }) => {
      ports.worker.requireHold();
      await settle(ports, ref, decision, view);
      ports.worker.wake();
      return view(outbox.get(ref));
    },
    'outbox.run': async () => {
      await runAll(ports);
      return list();
    },
    'outbox.halt': async () => {
      await ports.worker.halt();
      return {};
    },
    'outbox.gates': async () => [...outbox.gates()],
    'outbox.pause': async ({ connectionId }) => {
      ports.gates.close(connectionId, 'user', null, null);
      return {};
    },
    'outbox.resume': async ({ connectionId }) => {
      ports.services.forget(connectionId);
      ports.gates.resume(connectionId);
      ports.worker.wake();
      return {};
    },
  };
}

/**
 * Returns a predicate for the rows of a batch that wait for the user, as counted in the batch:
 * unresolved and held rows, and rejected rows that no later batch contains.
 */
function waitingForPerson(outbox: Stores['outbox'], batchId: BatchId) {
  const taken = outbox.takenOn(batchId);
  const states: readonly OutboxState[] = ['unknown', 'absent', 'human', 'duplicate'];
  return ({ state, rowNo, nextAt, verify }: StoredItem): boolean =>
    states.includes(state) ||
    (state === 'queued' && nextAt === null && !verify) ||
    (state === 'rejected' && (rowNo === null || !taken.has(rowNo)));
}

/** Reconciles a row of unknown outcome with the service; leaves any other row unchanged. */
async function reconcileNow(
  { stores, worker }: OutboxPorts,
  item: StoredItem,
): Promise<StoredItem> {
  if (!isUnresolvedSend(item)) return item;
  worker.requireHold();
  const failure = await worker.reconcileConnection(item.connectionId);
  worker.release();
  worker.wake();
  if (failure !== null) throw AppError.from(failure);
  return stores.outbox.get(item.ref);
}

async function runAll({ stores, gates, worker, readSent }: OutboxPorts): Promise<void> {
  worker.requireHold();
  // The user who requests a run may have fixed the causes of these gates. A pause remains.
  for (const { connectionId, kind } of stores.outbox.gates()) {
    if (kind === 'keychain' || kind === 'disk') gates.open(connectionId, kind);
  }
  await worker.drain();
  if (!worker.isHalted) await readSent();
}

const isUnresolvedSend = ({ state, verify }: StoredItem) =>
  verify || state === 'unknown' || state === 'absent' || state === 'human';

/** Makes a waiting row due now, at the user's request. The worker sends it. */
export function sendNow(ports: SendNowPorts, item: StoredItem): StoredItem {
  const { ref, connectionId } = item;
  const { transitions, worker, services, gates, clock, stores } = ports;
  requireActive(stores);
  gates.requireForOne(connectionId);
  worker.own(ref);
  worker.hold();
  const context = { cause: 'person', actor: PERSON, reason: null, isAtOnce: true };
  if (!transitions.postpone(ref, clock.now(), context)) throw tooLateError(stores.outbox.get(ref));
  services.forget(connectionId);
  gates.tryAgain(connectionId);
  worker.wake();
  return stores.outbox.get(ref);
}

/** Returns all information that the user sees when deciding; the journal stores most of it. */
function historyOf(
  { stores }: OutboxPorts,
  item: StoredItem,
  view: (item: StoredItem) => OutboxItem,
): OutboxHistory {
  const { outbox } = stores;
  const { ref } = item;
  return {
    item: view(item),
    attempts: outbox
      .attempts(ref)
      .map(({ floor: _floor, credential: _credential, ...attempt }) => attempt),
    passes: [...outbox.scans(ref)],
    candidates: outbox.hits(ref).map(({ remoteId, ...hit }) => ({ id: remoteId, ...hit })),
    journal: [...outbox.journal(ref)],
  };
}

async function settle(
  ports: OutboxPorts,
  ref: OutboxRef,
  decision: ManualDecision,
  view: (item: StoredItem) => OutboxItem,
): Promise<void> {
  const item = ports.stores.outbox.get(ref);
  const { attempts, passes, candidates } = historyOf(ports, item, view);
  const event = eventOfDecision(decision);
  if (event.kind === 'confirm' || event.kind === 'keep') {
    await rejectMismatch(ports, item, event.remoteId);
  }
  if (event.kind === 'resend') {
    rejectSignature(item);
    rejectWithoutRequest(ports, ref);
    ports.worker.own(ref);
  }
  const shown = { attempts, passes, candidates };
  const isAtOnce = event.kind === 'resend';
  const context = { cause: 'person', actor: PERSON, shown, isAtOnce };
  if (ports.transitions.apply(ref, event, context) === null)
    throw tooLateError(ports.stores.outbox.get(ref));
}

/**
 * Throws for a signature, which is never sent again. The user records it as not sent and signs
 * again, with the documents in view.
 */
function rejectSignature({ kind }: StoredItem): void {
  if (kind !== 'sign') return;
  throw new AppError(
    'conflict',
    'A signature is never sent again. Record it as not sent, then sign again in the signing queue',
  );
}

/** Throws if this computer has no request, because another computer of the office started it. */
function rejectWithoutRequest({ stores }: OutboxPorts, ref: OutboxRef): void {
  if (stores.outbox.request(ref).body.length > 0) return;
  const message =
    'Only the computer that started this send can repeat it. Give up the send here, and then send a new agreement';
  throw new AppError('conflict', message, { reason: 'claimed-elsewhere' });
}

function eventOfDecision(decision: ManualDecision): OutboxEvent {
  switch (decision.as) {
    case 'sent':
      return { kind: 'confirm', remoteId: decision.remoteId };
    case 'resend':
      return { kind: 'resend' };
    case 'abandon':
      return { kind: 'abandon' };
    case 'keep':
      return { kind: 'keep', remoteId: decision.remoteId };
  }
}

/** Throws unless the service has the agreement that the user named, and it matches the send. */
async function rejectMismatch(
  ports: OutboxPorts,
  item: StoredItem,
  id: AgreementId,
): Promise<void> {
  const { connectionId } = item;
  const remote = await readNamed(ports, connectionId, id);
  const wrong = fingerprintMismatch(ports.stores, item, remote, id);
  if (wrong !== null) throw new AppError('invalid', wrong.message, { reason: wrong.reason });
  keepCopy(ports, connectionId, remote);
  ports.emit('agreements.changed', { connectionId, added: 0, changed: 1 });
}

/** Codes with which a service answers if it has no such agreement, hides it, or rejects its ID. */
const refusedIdCodes = ['not-found', 'forbidden', 'invalid'] as const;

/** Reads the agreement that the user named. Throws a reason that concerns the typed ID. */
async function readNamed(
  { services, stores }: OutboxPorts,
  connectionId: ConnectionId,
  id: AgreementId,
): Promise<RemoteAgreement> {
  if (/[\s/]/.test(id)) {
    const message = 'An ID has no spaces and no slashes. Enter only the ID of the agreement';
    throw new AppError('invalid', message, { reason: 'sent-id-form' });
  }
  try {
    return await services.use(connectionId, (service) =>
      service.read(id, new AbortController().signal),
    );
  } catch (error) {
    const isRefused = refusedIdCodes.some((code) => isCode(error, code));
    if (!isRefused) throw error;
    // The local copies show which other connection has the agreement.
    const other = stores.agreements.find(id).find((key) => key.connectionId !== connectionId);
    if (other !== undefined) {
      const { name } = stores.connections.get(other.connectionId);
      const message = `The agreement with this ID belongs to the connection ${name}`;
      throw new AppError('invalid', message, { reason: 'sent-id-elsewhere', cause: error });
    }
    const message =
      'The service shows no agreement with this ID through the connection of the send';
    throw new AppError('not-found', message, { reason: 'sent-id-missing', cause: error });
  }
}

const reasonByState: Readonly<Partial<Record<OutboxState, ErrorReason>>> = {
  sending: 'already-under-way',
  unknown: 'outcome-unknown',
};

function tooLateError({ state }: Pick<StoredItem, 'state'>): AppError {
  const reason = reasonByState[state];
  const message = `Nothing was changed, because the status of this send is ${state} now`;
  return new AppError('conflict', message, reason === undefined ? {} : { reason });
}

/** Returns a row as users see it. @internal */
export function shown(item: StoredItem, gates: OutboxGates): OutboxItem {
  const { track: _track, version: _version, parties: _who, ...named } = item;
  const { fingerprint: _same, formerFingerprints: _before, once: _once, ...rest } = named;
  return { ...rest, people: [...rest.people], doubt: unknownOutcomeOf(item, gates) };
}

/** Returns the progress of resolving the outcome of a row, in local time; null if it is known. */
function unknownOutcomeOf(item: StoredItem, gates: OutboxGates): UnknownOutcomeProgress | null {
  const { state, track, connectionId, verify } = item;
  const { cleanPasses, lookAt: nextPassAt } = track;
  switch (state) {
    case 'unknown': {
      const from = track.cleanAt ?? track.endedAt;
      const wait = track.cleanAt === null ? SETTLE + GAP : GAP;
      const knownAt = from === null ? null : gates.timeHere(connectionId, from) + wait;
      return { cleanPasses, nextPassAt, knownAt };
    }
    case 'absent':
    case 'human':
    case 'duplicate':
      return { cleanPasses, nextPassAt: null, knownAt: null };
    case 'queued': {
      if (!verify || track.endedAt === null) return null;
      const knownAt = gates.timeHere(connectionId, track.endedAt) + SETTLE;
      return { cleanPasses, nextPassAt, knownAt };
    }
    case 'rejected':
    case 'sending':
    case 'sent':
    case 'cancelled':
    case 'abandoned':
      return null;
  }
}
