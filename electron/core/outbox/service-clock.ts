import type { ConnectionId } from '../../../shared/model/ids.ts';
import { type Failure, isConnectionRejected } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { OutboxGates } from './gates.ts';
import type { ConnectivityCheck } from './connectivity.ts';
import type { AgreementService, Stores } from '../ports.ts';
import type { Services } from '../services/services.ts';

interface ListeningPorts {
  readonly reach: Pick<ConnectivityCheck, 'ask'>;
  readonly gates: Pick<OutboxGates, 'isClockHeard'>;
}

/**
 * Sends a request to learn the service's clock, unless an answer showed the clock recently. Any
 * answer shows it, even a rejection. Returns why nothing can be sent (the service is unreachable or
 * rejects this connection), or null.
 */
export async function ensureServiceClock(
  { reach, gates }: ListeningPorts,
  id: ConnectionId,
  service: AgreementService,
  signal: AbortSignal,
): Promise<Failure | null> {
  if (gates.isClockHeard(id)) return null;
  const failure = await reach.ask(id, service, signal);
  const isRefused = failure !== null && isConnectionRejected(failure);
  return isRefused || !gates.isClockHeard(id) ? failure : null;
}

interface ReviewPorts extends ListeningPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly services: Pick<Services, 'open' | 'refusal'>;
  readonly toFailure: ToFailure;
}

/**
 * Checks the clock again for connections with waiting rows whose gate was closed because of a wrong
 * clock, which may have been corrected. The service's answer opens the gate or leaves it closed.
 */
export async function reviewClocks(ports: ReviewPorts, signal: AbortSignal): Promise<void> {
  const { stores, services, toFailure } = ports;
  const closed = stores.outbox.gates().filter(({ kind }) => kind === 'clock');
  if (closed.length === 0) return;
  const queued = stores.outbox.inState('queued').filter(({ nextAt }) => nextAt !== null);
  const waiting = new Set(queued.map(({ connectionId }) => connectionId));
  const review = async (id: ConnectionId) => {
    try {
      await ensureServiceClock(ports, id, await services.open(id), signal);
    } catch (error) {
      // The gate stays closed; the next attempt fails for the same reason and reports it.
      toFailure(error, 'outbox.run');
    }
  };
  const due = closed.flatMap(({ connectionId: id }) =>
    waiting.has(id) && services.refusal(id) === null ? id : [],
  );
  await Promise.all(due.map(review));
}
