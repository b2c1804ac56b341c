import type { BaseAddress } from './address.ts';
import {
  DEFAULT_DEADLINES,
  type Deadlines,
  type Transport,
  type TransportPorts,
} from './transport.ts';

/**
 * Creates the transport of a connection. The HTTP client is loaded with the first request: most
 * commands send no request, and should not wait for the client.
 */
export function createTransport(
  ports: TransportPorts,
  base: BaseAddress,
  deadlines: Deadlines = DEFAULT_DEADLINES,
): Transport {
  let loaded: Transport | null = null;
  let loading: Promise<Transport> | undefined;
  const load = async (): Promise<Transport> => {
    const { createExchange } = await import('./exchange.ts');
    return (loaded = createExchange(ports, base, deadlines));
  };
  const transport = (): Promise<Transport> => (loading ??= load());
  return {
    requestCount: () => loaded?.requestCount() ?? 0,
    read: async (...args) => (await transport()).read(...args),
    once: async (...args) => (await transport()).once(...args),
  };
}
