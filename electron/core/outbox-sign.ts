import type { AgreementId, ConnectionId, OutboxRef } from '../../shared/contract/ids.ts';
import type { OutboxItem } from '../../shared/contract/outbox.ts';
import type { Failure } from '../../shared/errors.ts';
import type { OutboxBook } from './outbox-book.ts';
import type { AgreementService, Clock, NewOutboxItem, Signer, Stores } from './ports.ts';
import type { Services } from './services.ts';

/** What is signed, as the fresh read of the agreement offered it. */
export interface SignatureTarget {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly configurationId: string;
  readonly title: string;
}

const notSigned: Failure = {
  code: 'conflict',
  message: 'The service does not show the signature; it may still appear',
  reason: 'outcome-unknown',
};

/** Makes the row of one signature. The time of signing is fixed here and the same ever after. */
export function freezeSign(
  ref: OutboxRef,
  target: SignatureTarget,
  signer: Signer,
  service: AgreementService,
  now: number,
): NewOutboxItem {
  const { connectionId, agreementId, partyId, configurationId, title } = target;
  const item: OutboxItem = {
    ref,
    kind: 'sign',
    state: 'queued',
    title,
    connectionId,
    remoteId: agreementId,
    draftId: null,
    people: [`${signer.firstName} ${signer.lastName}`],
    attempts: 0,
    nextAt: now,
    reason: null,
    createdAt: now,
    updatedAt: now,
  };
  const body = service.encodeSign(signer, now);
  return {
    item,
    request: { body, target: { agreementId, partyId, configurationId }, signedAt: now },
    uploads: [],
  };
}

/** Reads the agreement once: a signature of unknown outcome that shows there is given. */
export async function lookForSign(
  ports: {
    readonly stores: Stores;
    readonly services: Services;
    readonly book: OutboxBook;
    readonly clock: Clock;
  },
  item: OutboxItem,
): Promise<void> {
  const { target } = ports.stores.outbox.request(item.ref);
  if (target === null) return;
  const { agreements, connections } = ports.stores;
  const { connectionId } = item;
  const remote = await ports.services.use(connectionId, (service) =>
    service.read(target.agreementId, new AbortController().signal),
  );
  const { api } = connections.get(connectionId);
  agreements.put(connectionId, api, [remote], ports.clock.now());
  const party = remote.parties?.find(({ id }) => id === target.partyId);
  if (party?.state === 'signed') ports.book.settleSent(item, target.agreementId, 'look');
  else ports.book.move(item.ref, ['unknown'], { to: 'unknown', cause: 'look', reason: notSigned });
}
