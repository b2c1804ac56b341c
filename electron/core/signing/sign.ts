import { type AgreementKey, type IdentityId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { SignResult } from '../../../shared/contract/signing.ts';
import {
  type AgreementEnd,
  AppError,
  type ErrorReason,
  type Failure,
} from '../../../shared/errors.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { personEvidence } from '../evidence/about.ts';
import type { EvidenceAnchors } from '../evidence/anchors.ts';
import type { EvidenceIntents } from '../evidence/intents.ts';
import type { Progress } from '../job-queue.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { OutboxEpoch } from '../outbox/epoch.ts';
import type { OutboxGates } from '../outbox/gates.ts';
import type { NewOutboxItem } from '../outbox/ports.ts';
import { freezeSignature } from '../outbox/sign.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { Chance, Clock, Encoding, Sha256, Signer, Stores } from '../ports.ts';
import { isKnown, keepCopy } from '../services/fresh-copy.ts';
import { requirePeopleAllowed } from '../services/reach.ts';
import { servicesByConnection } from '../services/same-service.ts';
import type { Services } from '../services/services.ts';
import { notesOf, type SigningNotes } from './notes.ts';
import type { SigningReviews } from './reviews.ts';
import { isBySamePerson } from './same-person.ts';

export interface SignParameters {
  readonly items: readonly SignTarget[];
  readonly identityId: IdentityId;
  readonly confirm: number;
  readonly stopOnFailure: boolean;
}

type SignTarget = AgreementKey & { readonly partyId: string };

export type SignAll = (
  order: SignParameters,
  signal: AbortSignal,
  report: (progress: Progress) => void,
) => Promise<SignResult>;

interface SignPorts {
  readonly stores: Stores;
  readonly epoch: OutboxEpoch;
  readonly gates: OutboxGates;
  readonly services: Services;
  readonly transitions: OutboxTransitions;
  readonly worker: OutboxWorker;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly encoding: Encoding;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  readonly reviews: SigningReviews;
  readonly intents: EvidenceIntents;
  readonly sha256: Sha256;
  readonly anchors: Pick<EvidenceAnchors, 'keep'>;
  /** Imports approvals from other computers of the office. */
  readonly approvals: { takeQuietly(): Promise<void> };
}

type SignOutcome =
  | { readonly as: 'signed' | 'unknown' }
  | { readonly as: 'failed'; failure: Failure };

/**
 * Returns a text that identifies a possible signature, equal for all connections to one service;
 * `services` has the service names of all connections.
 */
export function targetKey(
  services: ReturnType<typeof servicesByConnection>,
  { connectionId, id, partyId }: SignTarget,
): string {
  return JSON.stringify([services.get(connectionId), id, partyId]);
}

/**
 * Creates the function that signs agreements one by one; it reports each failure and continues,
 * unless the order has `stopOnFailure`.
 */
export function createSignAll(ports: SignPorts): SignAll {
  return async ({ items, identityId, stopOnFailure }, signal, report) => {
    const result: SignResult = { signed: [], failed: [], unknown: [] };
    for (const [index, item] of items.entries()) {
      if (signal.aborted) break;
      const title = titleOf(ports.stores, item);
      const outcome = await signOne(ports, item, identityId, title, signal);
      const { connectionId, id } = item;
      if (outcome.as !== 'failed') result[outcome.as].push({ connectionId, id, title });
      else result.failed.push({ connectionId, id, title, failure: outcome.failure });
      report({ done: index + 1, total: items.length, failed: result.failed.length });
      if (stopOnFailure && outcome.as !== 'signed') break;
    }
    await ports.anchors.keep();
    return result;
  };
}

async function signOne(
  ports: SignPorts,
  item: SignTarget,
  identityId: IdentityId,
  title: string,
  signal: AbortSignal,
): Promise<SignOutcome> {
  try {
    const ref = await freezeFreshAgreement(ports, item, identityId, title, signal);
    const outcome = await outcomeOf(ports, ref);
    await readAfter(ports, item, ref, signal);
    return outcome;
  } catch (error) {
    return { as: 'failed', failure: ports.toFailure(error, 'signing.sign') };
  }
}

/**
 * Reads the agreement after signing, for its status in the evidence; a failed read does not change
 * the result.
 */
async function readAfter(
  ports: SignPorts,
  { connectionId, id }: SignTarget,
  ref: OutboxRef,
  signal: AbortSignal,
): Promise<void> {
  const { services, intents, emit } = ports;
  try {
    const remote = await services.use(connectionId, (service) => service.read(id, signal));
    keepCopy(ports, connectionId, remote);
    emit('agreements.changed', { connectionId, added: 0, changed: 1 });
  } catch {
    // The status is not required: after a failed read, the entry has none.
  } finally {
    intents.release(ref);
  }
}

/**
 * Reads the agreement from the service, and queues the signature only if the service still offers
 * exactly this signature. Otherwise throws 'conflict' with the reason.
 */
async function freezeFreshAgreement(
  ports: SignPorts,
  { connectionId, id, partyId }: SignTarget,
  identityId: IdentityId,
  title: string,
  signal: AbortSignal,
): Promise<OutboxRef> {
  const { stores, services, clock, reviews } = ports;
  const key = { connectionId, id };
  const begun = clock.now();
  rejectOtherTry(stores, { connectionId, id, partyId }, Infinity);
  const service = await services.open(connectionId);
  const remote = await services.use(connectionId, () => service.read(id, signal));
  keepCopy(ports, connectionId, remote);
  const { party, configurationId } = requireOfferedParty(remote, partyId);
  if (stores.settings.read().fourEyes) await ports.approvals.takeQuietly();
  const notes = requireNotes(stores, key, identityId);
  // After a signature, the service notifies the other parties or the next ones in turn, so these
  // recipients must be allowed.
  const people = { ...ports, read: async () => remote };
  await services.act(connectionId, (actions) =>
    requirePeopleAllowed(people, key, actions, null, signal),
  );
  await services.use(connectionId, () =>
    reviews.proveUnchanged(service, key, notes.documents, signal),
  );
  const signer = signerOf(stores, identityId, party);
  const ref = OutboxRef.parse(ports.chance.uuid());
  const target = { connectionId, agreementId: id, partyId, configurationId, title };
  const entry = freezeSignature(ref, target, signer, service, clock.now());
  // A second click or window may have begun the same signature during the calls above.
  const rejectOther = (): void => rejectOtherTry(stores, { connectionId, id, partyId }, begun);
  rejectOther();
  recordIntent(ports, { entry, key, title, party, remote, notes, identityId });
  await queueSignature(ports, entry, rejectOther);
  return ref;
}

/**
 * Queues the signature, unless `rejectOther` throws. If the row cannot be created, the outcome of
 * its intent is recorded immediately.
 */
async function queueSignature(
  ports: SignPorts,
  entry: NewOutboxItem,
  rejectOther: () => void,
): Promise<void> {
  const { stores, clock, worker, gates, epoch, intents, emit } = ports;
  const { ref, connectionId } = entry.item;
  try {
    await epoch.raise();
    worker.own(ref);
    // The user is waiting, so a paused connection is tried again.
    gates.open(connectionId, 'offline');
    // One transaction, because another process may write between the check and the row.
    stores.transaction(() => {
      rejectOther();
      stores.outbox.insert(entry, clock.now());
    });
  } catch (error) {
    intents.release(ref);
    throw error;
  }
  emit('outbox.changed', { ref });
}

interface SignatureIntent {
  readonly entry: NewOutboxItem;
  readonly key: AgreementKey;
  readonly title: string;
  readonly party: Party;
  readonly remote: RemoteAgreement;
  readonly notes: SigningNotes;
  readonly identityId: IdentityId;
}

/** Writes the intent to disk before the row exists that could be sent. */
function recordIntent({ stores, intents, sha256 }: SignPorts, intending: SignatureIntent): void {
  const { entry, key, title, party, remote, notes, identityId } = intending;
  intents.intend({
    ref: entry.item.ref,
    key,
    title,
    person: personEvidence(stores.identities.get(identityId)),
    fact: {
      kind: 'intended',
      act: 'sign',
      party: { id: party.id, name: party.name, orgNo: party.orgNo },
      parties: (remote.parties ?? []).map(({ name, nativeState }) => ({
        name,
        state: nativeState,
      })),
      documents: [...notes.documents],
      review: notes.review?.number ?? null,
      approval: notes.approval?.number ?? null,
      requestSha256: sha256(entry.request.body),
      signedAt: entry.request.signedAt,
    },
  });
}

/**
 * Returns the review and approval for the signature. Throws 'conflict' if a required one is
 * missing.
 */
function requireNotes(stores: Stores, key: AgreementKey, identityId: IdentityId): SigningNotes {
  const notes = notesOf(stores, key, stores.agreements.details(key).documents);
  if (notes.review === null)
    throw signRefusalError('not-reviewed', 'The agreement has not been reviewed');
  if (!notes.review.isCurrent) {
    throw signRefusalError('documents-changed', 'The documents changed after the review');
  }
  const { fourEyes, fourEyesElsewhere } = stores.settings.read();
  if (!fourEyes) return notes;
  if (notes.approval === null) {
    const who = fourEyesElsewhere ? 'on another computer in the office' : 'by a second person';
    throw signRefusalError('not-approved', `The review was not approved ${who}`);
  }
  if (isBySamePerson(stores.identities, notes.approval, identityId)) {
    throw signRefusalError('same-person', 'The person who approved the review cannot sign too');
  }
  return notes;
}

async function outcomeOf({ worker, transitions }: SignPorts, ref: OutboxRef): Promise<SignOutcome> {
  const row = await worker.attempt(ref);
  switch (row.state) {
    case 'sent':
      return { as: 'signed' };
    case 'unknown':
    case 'sending':
    case 'absent':
    case 'human':
    case 'duplicate':
      return { as: 'unknown' };
    case 'queued':
      // The signature was not sent. Whether to sign again is the user's decision, so there is no
      // automatic retry.
      transitions.takeBack(row, 'program');
      return { as: 'failed', failure: row.reason ?? notTriedFailure };
    case 'rejected':
    case 'abandoned':
    case 'cancelled':
      return { as: 'failed', failure: row.reason ?? notTriedFailure };
  }
}

const notTriedFailure: Failure = { code: 'cancelled', message: 'The agreement was not signed' };

/**
 * Throws 'conflict' if the same signature is open, or was sent at or after `since` (epoch ms), which
 * the agreement that was read before does not show.
 */
function rejectOtherTry(stores: Stores, item: SignTarget, since: number): void {
  const { outbox } = stores;
  const services = servicesByConnection(stores);
  const wanted = targetKey(services, item);
  const others = (['queued', 'sending', 'unknown', 'absent', 'human', 'sent'] as const).flatMap(
    (state) => outbox.inState(state),
  );
  for (const { ref, kind, state, connectionId, updatedAt } of others) {
    if (kind !== 'sign' || (state === 'sent' && updatedAt < since)) continue;
    const { target } = outbox.request(ref);
    if (target === null) continue;
    const { agreementId, partyId } = target;
    if (targetKey(services, { connectionId, id: agreementId, partyId }) !== wanted) continue;
    if (state === 'sent')
      throw signRefusalError('signed-already', 'The agreement is already signed');
    if (state !== 'queued' && state !== 'sending')
      throw signRefusalError(
        'outcome-unknown',
        'An earlier attempt may have signed the agreement, so it was not signed again',
      );
    throw signRefusalError('already-under-way', 'The agreement is already being signed');
  }
}

/**
 * Returns the party, whose turn it must be, and its signing configuration in the API. Throws
 * 'conflict' with the reason.
 */
function requireOfferedParty(remote: RemoteAgreement, partyId: string) {
  const party = remote.parties?.find(({ id }) => id === partyId);
  if (party?.state === 'signed' || remote.state === 'signed') {
    throw signRefusalError('signed-already', 'The agreement is already signed');
  }
  const end = agreementEndOf(remote);
  if (end !== null) {
    const message = `The agreement is ${end.state} and can no longer be signed`;
    throw new AppError('conflict', message, { reason: 'agreement-ended', end });
  }
  if (party === undefined || party.apiSigning === null) {
    throw signRefusalError(
      'not-offered',
      'The service no longer lets this party sign the agreement',
    );
  }
  if (party.state !== 'turn') {
    throw signRefusalError(
      'not-your-turn',
      'This party cannot sign yet, because other parties must sign first',
    );
  }
  return { party, configurationId: party.apiSigning };
}

function agreementEndOf({
  state,
  parties,
  timeline,
  closedAt,
}: RemoteAgreement): AgreementEnd | null {
  if (state !== 'rejected' && state !== 'revoked' && state !== 'expired') return null;
  const event = timeline.findLast(({ what }) => what === state);
  const rejecting = parties?.find((one) => one.state === 'rejected')?.name;
  const by = state === 'rejected' ? (rejecting ?? event?.party ?? null) : null;
  return { state, by, at: event?.at ?? closedAt };
}

function signerOf({ identities }: Stores, id: IdentityId, party: Party): Signer {
  const { firstName, lastName, personNumber, country, email, mobile } = identities.get(id);
  return {
    firstName,
    lastName,
    personNumber,
    country,
    email,
    mobile,
    orgNo: party.orgNo ?? party.id,
  };
}

function titleOf({ agreements }: Stores, { connectionId, id }: SignTarget): string {
  const key = { connectionId, id };
  return isKnown(agreements, key) ? agreements.details(key).title : id;
}

function signRefusalError(reason: ErrorReason, message: string): AppError {
  return new AppError('conflict', message, { reason });
}
