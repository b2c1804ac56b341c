import type { NewRecipient } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { closedStates } from '../../../shared/model/agreement.ts';
import { checkDeadlines, type Deadlines } from '../../../shared/rules/time/deadlines.ts';
import { validateEmail } from '../../../shared/rules/identifiers/email.ts';
import { checkRecipients } from '../../../shared/rules/actions/recipients.ts';
import { isKnown } from '../services/fresh-copy.ts';
import type { Stores } from '../ports.ts';

/*
 * Requests to a service are validated here for every caller: a dialog shows the same rules while
 * the user types, but the command line has no dialog.
 */

/**
 * Returns the recipients in the form that is sent.
 * @throws AppError 'invalid' with the faulty fields.
 */
export function requireRecipients(typed: readonly NewRecipient[]): readonly NewRecipient[] {
  const checked = checkRecipients(typed);
  if (checked.ok) return checked.recipients;
  const fields = Object.fromEntries(
    Object.entries(checked.problems).map(([place, problem]) => [
      place === '' ? 'recipients' : `recipients.${place}`,
      problem,
    ]),
  );
  const message = Object.values(checked.problems).join('. ');
  throw new AppError('invalid', message, { fields });
}

const sentences = {
  past: 'The time is in the past',
  order: 'The agreement must expire before it is deleted. Choose a later deletion date',
} as const;

/**
 * Validates new dates against the local copy.
 * @throws AppError 'invalid' with the faulty fields.
 */
export function requireDeadlines(
  stores: Pick<Stores, 'agreements'>,
  key: AgreementKey,
  wanted: Partial<Deadlines>,
  now: number,
): void {
  const known = isKnown(stores.agreements, key) ? stores.agreements.details(key) : null;
  const before = { expiresAt: known?.expiresAt ?? null, deletesAt: known?.deletesAt ?? null };
  const isClosed = known !== null && closedStates.includes(known.state);
  const { expiresAt, deletesAt } = checkDeadlines(wanted, before, isClosed, now);
  if (expiresAt === undefined && deletesAt === undefined) return;
  const fields = {
    ...(expiresAt !== undefined && { expiresAt: sentences[expiresAt] }),
    ...(deletesAt !== undefined && { deletesAt: sentences[deletesAt] }),
  };
  throw new AppError('invalid', [...new Set(Object.values(fields))].join('. '), { fields });
}

/** Returns the address in the form that is sent. @throws AppError 'invalid'. */
export function requireAddress(typed: string): string {
  const { verdict, value } = validateEmail(typed);
  if (verdict !== 'wrong') return value;
  const message = `"${typed}" is not an email address`;
  throw new AppError('invalid', message, { fields: { address: message } });
}
