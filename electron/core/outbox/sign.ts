import type { AgreementId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { OutboxTransitions } from './transitions.ts';
import type { OutboxGates } from './gates.ts';
import type { NewOutboxItem, StoredItem } from './ports.ts';
import type { AgreementService, Clock, Signer, SignRequest, Stores } from '../ports.ts';
import { keepCopy } from '../services/fresh-copy.ts';
import type { Services } from '../services/services.ts';

/** Target of a signature, from a fresh read of the agreement. */
export interface SignatureTarget {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly configurationId: string;
  readonly title: string;
}

interface SignScanPorts {
  readonly stores: Stores;
  readonly services: Services;
  readonly transitions: OutboxTransitions;
  readonly gates: OutboxGates;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * Creates the outbox row of one signature. The signing time is set to `now` and does not change on
 * retries.
 */
export function freezeSignature(
  ref: OutboxRef,
  target: SignatureTarget,
  signer: Signer,
  service: AgreementService,
  now: number,
): NewOutboxItem {
  const { connectionId, agreementId, partyId, configurationId, title } = target;
  return {
    item: {
      ref,
      title,
      connectionId,
      remoteId: agreementId,
      nextAt: now,
      kind: 'sign',
      mark: { by: 'object' },
      people: [`${signer.firstName} ${signer.lastName}`],
    },
    request: {
      body: service.encodeSign(signer, now),
      target: { agreementId, partyId, configurationId },
      signedAt: now,
    },
    uploads: [],
  };
}

/**
 * Reads the agreement once to resolve a signature of unknown outcome. If the service shows the
 * party as signed, the signature counts as sent, regardless of who signed. If not, the signature
 * may still appear, as a new agreement may.
 */
export async function reconcileSigning(
  ports: SignScanPorts,
  item: StoredItem,
  signal: AbortSignal,
): Promise<void> {
  const { target } = ports.stores.outbox.request(item.ref);
  if (target === null) return;
  const serverAt = ports.gates.timeOf(item.connectionId);
  let isSigned: boolean | null;
  let reason: Failure = signatureNotShownFailure;
  try {
    isSigned = await readSigned(ports, item, target, signal);
  } catch (error) {
    isSigned = null;
    reason = { ...ports.toFailure(error, 'outbox.look'), reason: 'outcome-unknown' };
  }
  const seen = {
    hits: isSigned === true ? [target.agreementId] : [],
    lookalikes: 0,
    incompleteReason: isSigned === null ? 'not-reached' : null,
    serverAt,
  } as const;
  // A refused signature keeps the reason of its refusal, because only that reason explains its state.
  const isEnded = item.state === 'rejected' || item.state === 'abandoned';
  const context = { cause: 'look', reason: isEnded ? null : reason };
  ports.transitions.apply(item.ref, { kind: 'pass', seen }, context);
  // A signature is never repeated without the user. After two scans prove that it is absent, the
  // user decides; in any other state this changes nothing.
  const absent = { kind: 'absent', mayResend: false, isNeverMade: false } as const;
  ports.transitions.apply(item.ref, absent, { cause: 'policy', reason: signatureNotShownFailure });
}

async function readSigned(
  ports: SignScanPorts,
  { connectionId }: StoredItem,
  { agreementId, partyId }: Omit<SignRequest, 'body'>,
  signal: AbortSignal,
): Promise<boolean> {
  const remote = await ports.services.use(connectionId, (service) =>
    service.read(agreementId, signal),
  );
  keepCopy(ports, connectionId, remote);
  return remote.parties?.find(({ id }) => id === partyId)?.state === 'signed';
}

const signatureNotShownFailure: Failure = {
  code: 'conflict',
  message: 'The service does not show the signature. It may still appear',
  reason: 'outcome-unknown',
};
