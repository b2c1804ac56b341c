import type { OpenOffice } from '../../core/office/ports.ts';
import type { OfficeServer } from './server.ts';

const NOTIFY_SQL = `SELECT pg_notify('signing_desk', $1)`;
/** Text of a notification: a computer ID, and the key of a service. */
const HINT = /^([\da-f-]{36}) ([\da-f]{64})$/;

/**
 * Sends and receives immediate notifications between computers. An empty one means that shared data
 * was written.
 */
export function createHints(
  server: OfficeServer,
  desk: string,
): Pick<OpenOffice, 'listen' | 'hint'> {
  return {
    listen: (heard) =>
      server.listen((payload) => {
        const [, from, service] = HINT.exec(payload) ?? [];
        if (payload === '') heard(null);
        else if (service !== undefined && from !== desk) heard(service);
      }),
    hint: (service) =>
      server.command(NOTIFY_SQL, [`${desk} ${Buffer.from(service).toString('hex')}`]),
  };
}
