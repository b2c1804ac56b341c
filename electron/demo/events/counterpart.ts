import { createHash } from 'node:crypto';
import { company } from '../state/account.ts';
import { mayReject, isOpen, reject, sign } from '../state/life-v1.ts';
import type { Agreement, Party } from '../state/record-v1.ts';
import { isPosted, rejectLegacy, signLegacy } from '../state/life-v2.ts';
import type { LegacyAgreement, LegacyParty } from '../state/record-v2.ts';
import { tenDigits } from '../server/formats.ts';

/** One of this number of private persons rejects. */
const PERSONS_PER_REJECTION = 10;
const REJECTION_REASONS = [
  'Fel belopp i punkt 3.',
  'Summan stämmer inte överens med offerten.',
  'The start date is not the one we agreed on.',
  'Das Datum in Absatz 2 ist falsch.',
] as const;

/** Whether this party can sign only through our user or an API call. */
function isWaitingForOurUser(party: Party): boolean {
  return (
    party.type === 'MY_COMPANY' || party.signingConfigurations.every(({ type }) => type === 'API')
  );
}

export function isOurs(party: LegacyParty): boolean {
  return party.orgNo !== null && tenDigits(party.orgNo) === company.orgNo;
}

export function readyCounterparts(agreement: Agreement): Party[] {
  if (!isOpen(agreement)) return [];
  return agreement.parties.filter(
    (one) => one.state === 'READY_TO_SIGN' && !isWaitingForOurUser(one),
  );
}

/** Returns the other v2 parties whose turn it is: the lowest pending signing order. */
export function readyLegacyCounterparts(agreement: LegacyAgreement): LegacyParty[] {
  if (!isPosted(agreement)) return [];
  const pending = agreement.parties.filter(({ status }) => status === 'NOT_SIGNED');
  const turn = Math.min(...pending.map(({ signingOrder }) => signingOrder));
  return pending.filter((one) => one.signingOrder === turn && !isOurs(one));
}

/**
 * Lets one of the other parties sign or reject. The party's ID decides which, so every run has the
 * same result.
 */
export function performCounterpartAct(agreement: Agreement, at: number): void {
  const [party] = readyCounterparts(agreement);
  if (party === undefined) return;
  if (party.type === 'PRIVATE' && mayReject(agreement) && rejectsAgreement(party.id)) {
    reject(agreement, party, rejectionReasonOf(party.id), at);
  } else {
    signAsPerson(agreement, party, at);
  }
}

export function performLegacyCounterpartAct(agreement: LegacyAgreement, at: number): void {
  const [party] = readyLegacyCounterparts(agreement);
  if (party === undefined) return;
  if (party.kind === 'PRIVATE' && rejectsAgreement(party.id))
    rejectLegacy(agreement, party, { at });
  else signAsLegacyPerson(agreement, party, at);
}

/** Lets a party sign as on the web page: with the first signing method that it was offered. */
export function signAsPerson(agreement: Agreement, party: Party, at: number): void {
  const offered = party.signingConfigurations;
  const configuration = offered.find(({ type }) => type !== 'API') ?? offered[0];
  if (configuration === undefined) throw new Error(`Party ${party.id} has no way to sign`);
  sign(agreement, party, { configuration, at });
}

export function signAsLegacyPerson(
  agreement: LegacyAgreement,
  party: LegacyParty,
  at: number,
): void {
  const [allowed] = party.allowedPersons;
  signLegacy(agreement, party, { at, ...(allowed === undefined ? {} : { personNo: allowed }) });
}

export function rejectionReasonOf(id: string): string {
  return REJECTION_REASONS[firstByte(id) % REJECTION_REASONS.length] ?? REJECTION_REASONS[0];
}

function rejectsAgreement(id: string): boolean {
  return firstByte(id) % PERSONS_PER_REJECTION === 0;
}

function firstByte(id: string): number {
  return createHash('sha256').update(id).digest()[0] ?? 0;
}
