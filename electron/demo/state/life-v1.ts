import { Refusal } from '../server/refusal.ts';
import type { Agreement, Party, Signer, SigningConfiguration } from './record-v1.ts';

export function isOpen({ state }: Agreement): boolean {
  return state === 'READY_TO_SIGN' || state === 'SIGNED';
}

/** Makes a new agreement available to its parties: those with the lowest signing order may sign. */
export function post(agreement: Agreement, at: number): void {
  agreement.state = 'READY_TO_SIGN';
  agreement.postedOn = at;
  for (const party of agreement.parties) party.state = 'WAITING_TO_SIGN';
  openNextTurn(agreement);
  recordChange(agreement, at);
}

/** Lets one party sign, starts the next turn, and closes the agreement after the last one. */
export function sign(
  agreement: Agreement,
  party: Party,
  how: { configuration: SigningConfiguration; at: number; signedOn?: number; signer?: Signer },
): void {
  party.state = 'SIGNED';
  party.signedOn = how.signedOn ?? how.at;
  party.signedWith = how.configuration.id;
  party.signer = how.signer ?? null;
  agreement.lastSignedOn = how.at;
  const isLast = agreement.parties.every(({ state }) => state === 'SIGNED');
  agreement.state = isLast ? 'SIGNED_BY_ALL' : 'SIGNED';
  if (isLast) agreement.closedOn = how.at;
  openNextTurn(agreement);
  recordChange(agreement, how.at);
}

export function reject(agreement: Agreement, party: Party, reason: string, at: number): void {
  party.state = 'REJECTED';
  party.rejectionReason = reason;
  agreement.state = 'REJECTED';
  agreement.rejectedOn = at;
  recordChange(agreement, at);
}

export function revoke(agreement: Agreement, at: number): void {
  agreement.state = 'REVOKED';
  agreement.revokedOn = at;
  recordChange(agreement, at);
}

export function expire(agreement: Agreement, at: number): void {
  agreement.state = 'EXPIRED';
  agreement.expiredOn = at;
  recordChange(agreement, at);
}

/** Records a change, which creates a new ETag. */
export function recordChange(agreement: Agreement, at: number): void {
  agreement.version += 1;
  agreement.lastActivityOn = at;
}

/** Returns the ETag of an agreement: strong, quoted, and different after every change. */
export function etag({ id, version }: Agreement): string {
  return `"${id.slice(0, 8)}-${String(version)}"`;
}

/** @throws Refusal with 412 unless the If-Match header is exactly the current ETag. */
export function requireMatchingEtag(current: string, ifMatch: string | undefined): void {
  if (ifMatch !== current) {
    throw new Refusal(412, 'The If-Match header is missing or is not the current ETag.', {
      headers: { ETag: current },
    });
  }
}

/** Parties may reject unless a REJECTION configuration disables it. */
export function mayReject(agreement: Agreement): boolean {
  return !agreement.configurations.some(
    ({ type, enabled }) => type === 'REJECTION' && enabled === false,
  );
}

function openNextTurn(agreement: Agreement): void {
  const pending = agreement.parties.filter(({ state }) => state !== 'SIGNED');
  const turn = Math.min(...pending.map(({ signingOrder }) => signingOrder));
  for (const party of pending) {
    if (party.signingOrder === turn) party.state = 'READY_TO_SIGN';
  }
}
