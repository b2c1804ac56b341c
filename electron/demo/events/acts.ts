import {
  isOurs,
  readyLegacyCounterparts,
  readyCounterparts,
  rejectionReasonOf,
  signAsLegacyPerson,
  signAsPerson,
} from './counterpart.ts';
import { planCounterpartAct, planLegacyCounterpartAct } from './passing-time.ts';
import type { Service } from '../state/service.ts';
import { expire, isOpen, reject, revoke } from '../state/life-v1.ts';
import type { Agreement } from '../state/record-v1.ts';
import { isPosted, rejectByTime, rejectLegacy, revokeLegacy } from '../state/life-v2.ts';
import type { LegacyAgreement } from '../state/record-v2.ts';

/** An act on an agreement. `sign-one`: the first of the other parties whose turn it is signs. */
export type ForeignAct =
  | 'sign-one'
  | 'sign-others'
  | 'sign-all'
  | 'reject'
  | 'expire'
  | 'revoke'
  | 'delete';

/**
 * Performs an act of another person, or the effect of passing time, on one agreement immediately.
 * @throws Error if there is no such agreement.
 */
export function performAct(service: Service, api: 'v1' | 'v2', id: string, what: ForeignAct): void {
  if (api === 'v1') actOnAgreement(service, id, what);
  else actOnLegacy(service, id, what);
  service.store.changed();
}

function actOnAgreement(service: Service, id: string, what: ForeignAct): void {
  const agreement = service.store.agreements.get(id);
  if (agreement === undefined) throw new Error(`No agreement ${id}`);
  const at = service.now();
  switch (what) {
    case 'sign-one':
      readyCounterparts(agreement)
        .slice(0, 1)
        .forEach((party) => signAsPerson(agreement, party, at));
      break;
    case 'sign-others':
      signAllReady(
        () => readyCounterparts(agreement),
        (party) => signAsPerson(agreement, party, at),
      );
      break;
    case 'sign-all':
      signAllReady(
        () => readyParties(agreement),
        (party) => signAsPerson(agreement, party, at),
      );
      break;
    case 'reject': {
      const party = readyCounterparts(agreement)[0] ?? readyParties(agreement)[0];
      if (party !== undefined) reject(agreement, party, rejectionReasonOf(party.id), at);
      break;
    }
    case 'expire':
      expire(agreement, at);
      break;
    case 'revoke':
      revoke(agreement, at);
      break;
    case 'delete':
      service.store.agreements.delete(id);
  }
  planCounterpartAct(agreement, service, at);
}

function actOnLegacy(service: Service, reference: string, what: ForeignAct): void {
  const agreement = service.store.legacy.get(reference);
  if (agreement === undefined) throw new Error(`No agreement ${reference}`);
  const at = service.now();
  switch (what) {
    case 'sign-one':
      readyLegacyCounterparts(agreement)
        .slice(0, 1)
        .forEach((party) => signAsLegacyPerson(agreement, party, at));
      break;
    case 'sign-others':
      signAllReady(
        () => waitingParties(agreement).filter((party) => !isOurs(party)),
        (party) => signAsLegacyPerson(agreement, party, at),
      );
      break;
    case 'sign-all':
      signAllReady(
        () => waitingParties(agreement),
        (party) => signAsLegacyPerson(agreement, party, at),
      );
      break;
    case 'reject': {
      const party = readyLegacyCounterparts(agreement)[0] ?? waitingParties(agreement)[0];
      if (party !== undefined) rejectLegacy(agreement, party, { at });
      break;
    }
    case 'expire':
      rejectByTime(agreement, at);
      break;
    case 'revoke':
      revokeLegacy(agreement, at);
      break;
    case 'delete':
      service.store.legacy.delete(reference);
      service.store.deletedReferences.add(reference);
  }
  planLegacyCounterpartAct(agreement, service, at);
}

function signAllReady<Party>(ready: () => readonly Party[], sign: (party: Party) => void): void {
  for (let [next] = ready(); next !== undefined; [next] = ready()) sign(next);
}

function readyParties(agreement: Agreement) {
  return isOpen(agreement)
    ? agreement.parties.filter(({ state }) => state === 'READY_TO_SIGN')
    : [];
}

function waitingParties(agreement: LegacyAgreement) {
  return isPosted(agreement)
    ? agreement.parties.filter(({ status }) => status === 'NOT_SIGNED')
    : [];
}
