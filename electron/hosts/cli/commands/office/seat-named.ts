import { type OfficeUser, OfficeUserId } from '../../../../../shared/contract/office/office.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { plain } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';

/**
 * Returns the user with this name or ID. Throws 'not-found', and 'invalid' if several users have
 * the name.
 */
export async function userNamed({ api }: Pick<Session, 'api'>, named: string): Promise<OfficeUser> {
  const id = OfficeUserId.safeParse(named);
  const seats = await api['office.seats']({});
  const [found, ...others] = seats.filter((seat) =>
    id.success ? seat.id === id.data : seat.name === named,
  );
  if (found === undefined) throw new AppError('not-found', `There is no user ${plain(named)}`);
  if (others.length > 0) {
    throw new AppError('invalid', `Several users are named ${plain(named)}: use the ID instead`);
  }
  return found;
}
