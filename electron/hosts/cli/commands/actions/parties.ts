import type { AgreementKey } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import type { PartyNotification, RemoteExtras } from '../../../../../shared/model/remote-extras.ts';
import { dayOf } from '../../../../../shared/rules/time/days.ts';
import { validatePersonNoV2 } from '../../../../../shared/rules/identifiers/identity.ts';
import { validateOrganisationNumber } from '../../../../../shared/rules/identifiers/organisation-number.ts';
import {
  type ValidationResult,
  validationSentences,
} from '../../../../../shared/rules/text/verdict.ts';
import type { Session } from '../../session/session.ts';

/** Returns the ID of the party that `text` names by its ID, its whole name or its email address. */
export async function partyNamed(
  { api }: Session,
  key: AgreementKey,
  text: string,
): Promise<string> {
  const { parties } = await api['agreements.show']({ ...key, refresh: true });
  const wanted = text.toLowerCase();
  const found = (parties ?? []).filter(({ id, name, email }) =>
    [id, name, email].some((one) => one?.toLowerCase() === wanted),
  );
  if (found.length === 1 && found[0] !== undefined) return found[0].id;
  const message =
    found.length === 0
      ? `The agreement has no party ${text}`
      : `Several parties are named ${text}; use the ID of the party`;
  throw new AppError('not-found', message);
}

/**
 * Returns the ID of the notification that `text` names by its ID, or by a type that the party has
 * only once.
 */
export async function notificationNamed(
  { api }: Session,
  key: AgreementKey,
  partyId: string,
  text: string,
): Promise<string> {
  const all = notificationsOf(await api['actions.extras']({ key }), partyId);
  const byId = all.find(({ id }) => id === text);
  const byType = all.filter(({ type }) => type === text.toUpperCase());
  const id = byId?.id ?? (byType.length === 1 ? byType[0]?.id : undefined) ?? null;
  if (id !== null) return id;
  const known = all.map((one) => `${one.type} ${one.id ?? ''}`.trim()).join(', ');
  const message = `The party does not have exactly one notification ${text}; it has: ${known || 'none'}`;
  throw new AppError('not-found', message);
}

/** Returns the notifications of a party, as the service has them now. */
export function notificationsOf(
  { parties }: RemoteExtras,
  partyId: string,
): readonly PartyNotification[] {
  return parties.find(({ id }) => id === partyId)?.notifications ?? [];
}

/**
 * Returns a personal number.
 * @throws AppError 'invalid' unless it is a number of twelve digits.
 */
export function personNumber(text: string): string {
  const value = requireValid(validatePersonNoV2(text, dayOf(Date.now())), 'personNo');
  if (value.length === 12) return value;
  throw new AppError('invalid', 'Write the personal number with twelve digits, century included');
}

/**
 * Returns an organisation number.
 * @throws AppError 'invalid' unless it is a number of ten digits.
 */
export function organisationNumber(text: string): string {
  return requireValid(validateOrganisationNumber(text, dayOf(Date.now())), 'orgNo');
}

function requireValid(verdict: ValidationResult, field: string): string {
  if (verdict.verdict !== 'wrong') return verdict.value;
  const sentence = validationSentences[verdict.why];
  throw new AppError('invalid', sentence, { fields: { [field]: sentence } });
}
