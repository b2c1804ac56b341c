import { createHmac } from 'node:crypto';
import type { Network } from '../../core/network/ports.ts';
import type { OpenActions } from '../../core/services/ports.ts';
import type { AtKillPoint } from '../../core/outbox/ports.ts';
import type { Chance, Clock, OnServiceTime, Log, OpenService } from '../../core/ports.ts';
import type { Language } from '../../../shared/model/languages.ts';
import { checkAddress } from './http/address.ts';
import type { Client } from './http/client.ts';
import { createRedact } from './http/redact.ts';
import { cleanSecret, cleanToken } from './http/secret.ts';
import { createTransport } from './http/lazy-transport.ts';
import type { Deadlines } from './http/transport.ts';
import { createV1Actions } from './v1/actions.ts';
import { createV1Service } from './v1/service.ts';
import { createV2Actions } from './v2/actions.ts';
import { createV2Service } from './v2/service.ts';

interface OpenServicePorts {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly network?: Network | undefined;
  readonly atKillPoint?: AtKillPoint;
  /** Returns the user's current language; the default is English. */
  readonly language?: () => Language;
}

/**
 * Opens services for connections with an http or https address. The returned function throws
 * AppError 'invalid' for an unusable address or credential.
 */
export function createOpenService(ports: OpenServicePorts, deadlines?: Deadlines): OpenService {
  return (connection, secret, hearClock) => {
    const client = openClient({ ...ports, hearClock }, deadlines, connection, secret);
    switch (connection.api) {
      case 'v1':
        return createV1Service(client);
      case 'v2':
        return createV2Service(client, connection.orgNo);
    }
  };
}

/**
 * Opens services like `createOpenService`, for actions on agreements other than sending and
 * signing.
 */
export function createOpenActions(ports: OpenServicePorts, deadlines?: Deadlines): OpenActions {
  return (connection, secret, hearClock) => {
    const client = openClient({ ...ports, hearClock }, deadlines, connection, secret);
    switch (connection.api) {
      case 'v1':
        return createV1Actions(client);
      case 'v2':
        return createV2Actions(client, connection.orgNo);
    }
  };
}

function openClient(
  ports: OpenServicePorts & { readonly hearClock: OnServiceTime | undefined },
  deadlines: Deadlines | undefined,
  { api, url, accountId }: Parameters<OpenService>[0],
  secret: string,
): Client {
  const base = checkAddress(api, url);
  const { language = () => 'en' } = ports;
  const holder =
    api === 'v1' ? asTokenIdentity(secret) : asKeyIdentity(secret, accountId, language);
  return {
    base,
    transport: createTransport(ports, base, deadlines),
    clock: ports.clock,
    ...holder,
  };
}

type ClientIdentity = Pick<Client, 'headers' | 'language' | 'actingUser' | 'redact' | 'credential'>;

/** Number of hex digits; more would not distinguish credentials better. */
const FINGERPRINT_LENGTH = 32;

function fingerprint(secret: string, user = ''): string {
  const hash = createHmac('sha256', 'signing-desk credential');
  return hash
    .update(JSON.stringify([secret, user]))
    .digest('hex')
    .slice(0, FINGERPRINT_LENGTH);
}

/** Returns an identity by a token (API v1, "Authentication"). */
function asTokenIdentity(secret: string): ClientIdentity {
  const token = cleanToken(secret);
  return {
    headers: { Authorization: `Token ${token}` },
    language: null,
    actingUser: null,
    redact: createRedact([token]),
    credential: fingerprint(token),
  };
}

/**
 * Returns an identity by an API key (API v2, "Request headers"). The API's error messages are shown
 * to the user, and exist only in Swedish and English.
 */
function asKeyIdentity(
  secret: string,
  accountId: string | null,
  language: () => Language,
): ClientIdentity {
  const accessKey = cleanSecret(secret, 'secret');
  const user = accountId === null ? null : cleanSecret(accountId, 'accountId');
  return {
    headers: { accessKey },
    language: () => (language() === 'sv' ? 'sv' : 'en'),
    actingUser: user === null ? null : { accountId: user },
    redact: createRedact([accessKey]),
    credential: fingerprint(accessKey, user ?? ''),
  };
}
