import { createHash } from 'node:crypto';
import { tenDigits } from '../server/formats.ts';
import { DAY, toWallStamp } from '../server/stamps.ts';
import type { LegacyAgreement, LegacyParty, SignatureMetadata } from './record-v2.ts';

export function isPosted({ status }: LegacyAgreement): boolean {
  return status === 'POSTED';
}

/** Lets one party sign, and closes the agreement after the last one. */
export function signLegacy(
  agreement: LegacyAgreement,
  party: LegacyParty,
  how: { at: number; signedOn?: number; personNo?: string; isApi?: boolean },
): void {
  party.status = 'SIGNED';
  party.signedOn = how.signedOn ?? how.at;
  party.personNo ??= how.personNo ?? null;
  if (party.signMethod === 'EID' && how.isApi !== true)
    party.evidence = signatureMetadataOf(party, how.at);
  if (agreement.parties.every(({ status }) => status === 'SIGNED')) {
    agreement.status = 'SIGNED_BY_ALL';
    agreement.closedOn = how.at;
  }
  touchLegacy(agreement, how.at);
}

export function rejectLegacy(
  agreement: LegacyAgreement,
  party: LegacyParty,
  how: { at: number; personNo?: string },
): void {
  party.status = 'REJECTED';
  party.rejectedOn = how.at;
  party.personNo ??= how.personNo ?? null;
  agreement.status = 'REJECTED';
  agreement.rejectedOn = how.at;
  touchLegacy(agreement, how.at);
}

/**
 * Rejects an agreement that still lacks signatures after `expireIn` days; no party counts as the
 * one that rejected it.
 */
export function rejectByTime(agreement: LegacyAgreement, at: number): void {
  agreement.status = 'REJECTED';
  agreement.rejectedOn = at;
  touchLegacy(agreement, at);
}

export function revokeLegacy(agreement: LegacyAgreement, at: number): void {
  agreement.status = 'REVOKED';
  agreement.revokedOn = at;
  touchLegacy(agreement, at);
}

function touchLegacy(agreement: LegacyAgreement, at: number): void {
  agreement.version += 1;
  agreement.lastModifiedOn = at;
}

/** Whether two written forms are the number of the same person or organisation. */
export function isSameNumber(one: string, other: string): boolean {
  return tenDigits(one) === tenDigits(other);
}

function signatureMetadataOf(party: LegacyParty, at: number): SignatureMetadata {
  const seal = createHash('sha256')
    .update(`${party.id}:${String(at)}`)
    .digest('base64');
  return {
    clientIpAddress: '192.0.2.17',
    signature: seal,
    ocsp: createHash('sha256').update(seal).digest('base64'),
    certNotValidBefore: toWallStamp(at - 300 * DAY),
    certNotValidAfter: toWallStamp(at + 430 * DAY),
  };
}
