import type { Chance, Clock, Log, OpenService } from '../../core/ports.ts';
import { checkAddress } from './address.ts';
import type { Client } from './client.ts';
import { createRedact } from './redact.ts';
import { cleanSecret, cleanToken } from './secret.ts';
import { createTransport, type Deadlines } from './transport.ts';
import { createV1Service } from './v1-service.ts';
import { createV2Service } from './v2-service.ts';

/**
 * Opens services for connections whose address is http or https.
 * What it returns throws AppError 'invalid' for an address or a credential that cannot be used.
 */
export function createOpenService(
  ports: { readonly clock: Clock; readonly chance: Chance; readonly log: Log },
  deadlines?: Deadlines,
): OpenService {
  return ({ api, url, accountId, orgNo }, secret) => {
    const base = checkAddress(api, url);
    const shared = { base, transport: createTransport(ports, deadlines), clock: ports.clock };
    switch (api) {
      case 'v1':
        return createV1Service({ ...shared, ...asTokenHolder(secret) });
      case 'v2':
        return createV2Service({ ...shared, ...asKeyHolder(secret, accountId) }, orgNo);
    }
  };
}

type Holder = Pick<Client, 'headers' | 'actingUser' | 'redact'>;

/** API v1, "Authentication". */
function asTokenHolder(secret: string): Holder {
  const token = cleanToken(secret);
  return {
    headers: { Authorization: `Token ${token}` },
    actingUser: null,
    redact: createRedact([token]),
  };
}

/** API v2, "Request headers". Error texts are for the log, which is in English. */
function asKeyHolder(secret: string, accountId: string | null): Holder {
  const accessKey = cleanSecret(secret, 'secret');
  const user = accountId === null ? null : cleanSecret(accountId, 'accountId');
  return {
    headers: { accessKey, 'Accept-Language': 'en' },
    actingUser: user === null ? null : { accountId: user },
    redact: createRedact([accessKey]),
  };
}
