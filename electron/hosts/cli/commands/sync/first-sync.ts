import { connectionNames, connectionQuery } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { sync } from './commands.ts';

/**
 * Reads all connections once if none was ever read, because an empty list would show nothing about
 * the service. If only some connections were read, the list names the others.
 */
export async function firstSync(session: Session, connection: string | undefined): Promise<void> {
  const { connectionId } = await connectionQuery(session, connection);
  const all = await session.api['agreements.syncStatus']({});
  const asked = all.filter(
    (one) => connectionId === undefined || one.connectionId === connectionId,
  );
  const unread = asked.filter(({ checkedAt }) => checkedAt === null);
  if (unread.length === 0) return;
  if (all.every(({ checkedAt }) => checkedAt === null)) {
    session.report.note('No connection was read yet, so the services are read first.');
    await sync(session, connection === undefined ? {} : { connection });
    return;
  }
  const nameOf = await connectionNames(session);
  const names = unread.map((one) => nameOf(one.connectionId)).join(', ');
  session.report.note(`Not in this list, because not read yet: ${names}. Run signing-desk sync.`);
}
