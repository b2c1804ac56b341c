import {
  type GroupId,
  PersonId,
  type PersonDetails,
  type PersonSuggestion,
} from '../../../../../shared/contract/people.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { isSameName } from '../../../../../shared/rules/text/same-name.ts';
import type { Session } from '../../session/session.ts';

export const PERSON_HELP = 'ID, name or email address of the entry, as `people list` shows it';
export const GROUP_OPTION_HELP = 'only the people of this group (see `people groups`)';

type PeopleApiSession = Pick<Session, 'api'>;

/** Maximum number of entries that are searched for a name. */
const MAX_ENTRIES = 1000;

/**
 * Returns the entry with this ID, name or email address.
 * @throws AppError 'not-found', or 'invalid' with the IDs if several entries have it.
 */
export async function personNamed(
  { api }: PeopleApiSession,
  named: string,
): Promise<PersonDetails> {
  const id = PersonId.safeParse(named);
  if (id.success) return api['people.show']({ id: id.data });
  const view = { text: named.slice(0, 200), group: null, sort: 'name' } as const;
  const order = { ...view, direction: 'ascending', from: 0, limit: MAX_ENTRIES } as const;
  const { items } = await api['people.window'](order);
  const isNamed = ({ title, email }: PersonSuggestion): boolean =>
    isSameName(title, named) || (email !== null && isSameName(email, named));
  const [first, ...others] = items.filter(isNamed);
  if (first === undefined) throw new AppError('not-found', `There is no person "${named}"`);
  if (others.length === 0) return api['people.show']({ id: first.id });
  const ids = [first, ...others].map((one) => one.id).join(', ');
  throw new AppError('invalid', `Several people are named "${named}"; use one of the IDs ${ids}`);
}

/**
 * Returns the group of this name; null if no name is given.
 * @throws AppError 'not-found'.
 */
export async function groupNamed(
  { api }: PeopleApiSession,
  name: string | undefined,
): Promise<GroupId | null> {
  if (name === undefined) return null;
  const found = (await api['people.groups']({})).find((one) => isSameName(one.name, name));
  if (found === undefined) throw new AppError('not-found', `There is no group named "${name}"`);
  return found.id;
}
