import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type { Capabilities } from '../../../shared/contract/connections.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import type { OtherCompanies, SigningItem } from '../../../shared/contract/signing.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { withoutPersonNumbers } from '../../../shared/rules/text/mask.ts';
import type { Encoding, Stores } from '../ports.ts';
import type { EvidenceAnchors } from '../evidence/anchors.ts';
import type { JobQueue } from '../job-queue.ts';
import { servicesByConnection } from '../services/same-service.ts';
import { type SignAll, type SignParameters, targetKey } from './sign.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import { allowedIdentities } from './allowed.ts';
import { notesOf } from './notes.ts';
import { isReadable, type SigningReviews } from './reviews.ts';

interface SigningPorts {
  readonly stores: Stores;
  readonly jobs: JobQueue;
  readonly worker: OutboxWorker;
  readonly signAll: SignAll;
  readonly reviews: SigningReviews;
  readonly anchors: Pick<EvidenceAnchors, 'keep'>;
  readonly capabilities: readonly Capabilities[];
  readonly encoding: Encoding;
}

/** States of an earlier signature in which its party is not offered as ready to sign. */
const STATES_OF_TRIED_SIGNATURES: readonly OutboxState[] = ['queued', 'sending', 'unknown', 'sent'];

export function createSigningHandlers(ports: SigningPorts): HandlersOf<'signing'> {
  const { stores, jobs, worker, reviews, anchors } = ports;
  return {
    'signing.list': async ({ connectionId }) => {
      const tried = triedSignatures(stores);
      const services = servicesByConnection(stores);
      return stores.agreements
        .signable(connectionId)
        .flatMap((details) => itemsOf(ports, details, { tried, services }));
    },
    'signing.otherCompanies': async ({ connectionId }) => otherCompanies(stores, connectionId),
    'signing.sign': async (order) => {
      rejectWrongOrder(order, stores);
      worker.requireHold();
      const jobId = jobs.start('sign-agreements', async (signal, report) => {
        const result = await worker.holding(() => ports.signAll(order, signal, report));
        return { result, failure: null };
      });
      return { jobId };
    },
    'signing.review': async (key) => {
      const jobId = jobs.start('review-agreement', async (signal, report) => ({
        result: await reviews.open(key, signal, report),
        failure: null,
      }));
      return { jobId };
    },
    // The call does not wait for `keep`: a network folder may be slow, and the user should not have
    // to wait.
    'signing.markReviewed': async ({ reviewId, identityId, elsewhere = [], ...key }) => {
      const number = reviews.mark(key, reviewId, identityId, elsewhere);
      void anchors.keep();
      return { number };
    },
    'signing.approve': async ({ identityId, ...key }) => {
      const number = reviews.approve(key, identityId);
      void anchors.keep();
      return { number };
    },
  };
}

/** Maximum number of organisation numbers that the queue names. */
const MAX_NAMED_COMPANIES = 3;

function otherCompanies(
  { connections, agreements }: Pick<Stores, 'connections' | 'agreements'>,
  wanted: ConnectionId | undefined,
): OtherCompanies[] {
  return connections.list().flatMap(({ id: connectionId, api, orgNo }) => {
    if (api !== 'v2' || orgNo === null || (wanted ?? connectionId) !== connectionId) return [];
    const { count, orgNos } = agreements.otherCompanies(connectionId, orgNo);
    if (count === 0) return [];
    // The number of a sole trader is a personal number.
    const named = orgNos.slice(0, MAX_NAMED_COMPANIES).map(withoutPersonNumbers);
    return [{ connectionId, count, orgNos: named }];
  });
}

interface TriedSignature {
  readonly state: OutboxState;
  /** Time of the last change of the signature (epoch ms). */
  readonly at: number;
}

function triedSignatures(stores: Stores): ReadonlyMap<string, TriedSignature> {
  const { outbox } = stores;
  const services = servicesByConnection(stores);
  const tried = new Map<string, TriedSignature>();
  for (const item of STATES_OF_TRIED_SIGNATURES.flatMap((state) => outbox.inState(state))) {
    if (item.kind !== 'sign') continue;
    const { target } = outbox.request(item.ref);
    if (target === null) continue;
    const { connectionId, state, updatedAt } = item;
    tried.set(
      targetKey(services, { connectionId, id: target.agreementId, partyId: target.partyId }),
      {
        state,
        at: updatedAt,
      },
    );
  }
  return tried;
}

function itemsOf(
  ports: SigningPorts,
  details: AgreementDetails,
  {
    tried,
    services,
  }: {
    readonly tried: ReadonlyMap<string, TriedSignature>;
    readonly services: ReturnType<typeof servicesByConnection>;
  },
): SigningItem[] {
  const { connectionId, id, api, title, sentAt, expiresAt, readAt, parties } = details;
  const notes = notesOf(ports.stores, { connectionId, id }, details.documents);
  return (parties ?? []).flatMap((party) => {
    const before = tried.get(targetKey(services, { connectionId, id, partyId: party.id }));
    // The party has already signed; the local copy is older than the signature.
    if (before?.state === 'sent' && before.at >= readAt) return [];
    const state = stateOf(party, before);
    if (state === null) return [];
    return [
      {
        connectionId,
        id,
        partyId: party.id,
        partyName: party.name,
        others: (parties ?? []).filter((one) => one !== party).map(({ name }) => name),
        title,
        since: sentAt,
        expiresAt,
        state,
        readable: isReadable(ports.capabilities, api),
        review: notes.review,
        approval: notes.approval,
        allowed: allowedIdentities(ports, details, party),
      },
    ];
  });
}

function stateOf(party: Party, before: TriedSignature | undefined): SigningItem['state'] | null {
  if (party.apiSigning === null) return null;
  if (before?.state === 'unknown') return 'doubtful';
  if (before?.state === 'queued' || before?.state === 'sending') return 'under-way';
  if (party.state === 'turn') return 'ready';
  return party.state === 'waiting' ? 'coming' : null;
}

/** Checks a sign order before anything is read or sent. Throws 'invalid' or 'not-found'. */
function rejectWrongOrder({ items, identityId, confirm }: SignParameters, stores: Stores): void {
  const distinct = new Set(
    items.map(({ connectionId, id, partyId }) => JSON.stringify([connectionId, id, partyId])),
  );
  if (confirm !== items.length || distinct.size !== items.length) {
    const message = `${items.length} agreements were chosen, but ${confirm} were confirmed. Nothing was signed`;
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  const { personNumber } = stores.identities.get(identityId);
  const apis = items.map(({ connectionId }) => stores.connections.get(connectionId).api);
  if (personNumber === null && apis.includes('v2')) {
    const message = 'API v2 needs the personal number of the person who signs';
    throw new AppError('invalid', message, { fields: { personNumber: message } });
  }
}
