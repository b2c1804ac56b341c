import type { AllowedRecipients } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/**
 * Returns the recipients that a connection may reach. Null means anyone, also if there is no
 * connection or it was removed.
 */
export function allowedRecipientsOf(
  { connections }: Pick<Stores, 'connections'>,
  connectionId: ConnectionId | null,
): AllowedRecipients {
  return connections.list().find(({ id }) => id === connectionId)?.allowed ?? null;
}
