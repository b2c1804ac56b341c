import { company, credentials } from '../state/account.ts';
import { isOurs } from '../events/counterpart.ts';
import { requirePathParameter, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Handler } from '../server/router.ts';
import type { Service } from '../state/service.ts';
import type { LegacyAgreement } from '../state/record-v2.ts';

/** @throws Refusal with 400 for a missing or blank key, 401 for an unknown one. */
export function requireKey({ headers }: Exchange): void {
  const key = headers['accesskey']?.trim() ?? '';
  if (key === '') throw new Refusal(400, 'The header accessKey is missing or blank.');
  if (key !== credentials.accessKey) throw new Refusal(401, 'No company has this accessKey.');
}

/**
 * Wraps the handler of an action for which the header accountId must name a user (create, revoke,
 * delete, share).
 */
export function withUserCheck(run: Handler<Service>): Handler<Service> {
  return (exchange, service) => {
    requireAccount(exchange.headers['accountid'] ?? '');
    return run(exchange, service);
  };
}

/**
 * Wraps the handler of Sign, for which the documentation does not say whether accountId is
 * required.
 */
export function withSignerCheck(run: Handler<Service>): Handler<Service> {
  return (exchange, service) => {
    const account = exchange.headers['accountid'];
    switch (service.behaviour.accountIdOnSign) {
      case 'ignored':
        break;
      case 'optional':
        if (account !== undefined) requireAccount(account);
        break;
      case 'required':
        requireAccount(account ?? '');
        break;
      case 'forbidden':
        if (account === undefined) break;
        throw new Refusal(400, 'The header accountId does not belong here.');
    }
    return run(exchange, service);
  };
}

/** @throws Refusal with 404 for an unknown reference, 403 if our company is not involved. */
export function findLegacy(exchange: Exchange, service: Service): LegacyAgreement {
  const agreement = service.store.legacy.get(requirePathParameter(exchange, 'referenceNumber'));
  if (agreement === undefined || !isCommitted(agreement, service)) {
    throw new Refusal(404, 'There is no such agreement.');
  }
  if (!isOurAgreement(agreement)) throw new Refusal(403, 'The company is not authorized.');
  return agreement;
}

/** @throws Refusal with 403 unless our company created the agreement. */
export function requireOwner(agreement: LegacyAgreement): void {
  if (agreement.ownerOrgNo !== company.orgNo) {
    throw new Refusal(403, 'Only the owner may do this.');
  }
}

export function isCommitted({ postedOn }: LegacyAgreement, { behaviour, now }: Service): boolean {
  return postedOn + behaviour.commitDelayMs <= now();
}

export function isOurAgreement(agreement: LegacyAgreement): boolean {
  return agreement.ownerOrgNo === company.orgNo || agreement.parties.some(isOurs);
}

function requireAccount(account: string): void {
  if (account.trim() !== credentials.accountId) {
    throw new Refusal(401, 'The header accountId is missing, blank or unknown.');
  }
}
