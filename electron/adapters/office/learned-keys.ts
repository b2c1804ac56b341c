import * as z from 'zod';
import type { OfficeMembership } from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import { keysOf, newestOf, type SeatSecret, unwrapKey, toStoredKey } from './keyring.ts';
import type { OfficeKey } from './seal.ts';
import type { OfficeServer } from './server.ts';
import type { Statements } from './statements.ts';

type Seat = Pick<OfficeMembership, 'office' | 'seat'>;

const Key = z.object({ version: z.number(), wrapped: z.instanceof(Uint8Array) });

/** Returns the keys of a user, and the server whose rows these keys open. */
export function createLearnedKeys(reached: OfficeServer, seat: Seat, secret: SeatSecret) {
  const keys = new LearnedKeys(reached, seat, secret);
  return { keys, server: withAnswerCallback(reached, () => keys.read()) };
}

class LearnedKeys {
  readonly #server: OfficeServer;
  readonly #seat: Seat;
  #secret: SeatSecret;
  /** Whether the caller still has to save learned keys. */
  #unsaved = false;
  /**
   * Request for keys after the last answer, shared by all callers; null if none was made. Rows that
   * were read before the request have no newer key.
   */
  #asked: Promise<void> | null = null;

  constructor(server: OfficeServer, seat: Seat, secret: SeatSecret) {
    this.#server = server;
    this.#seat = seat;
    this.#secret = secret;
  }

  get secret(): SeatSecret {
    return this.#secret;
  }

  /** Forgets the last request for keys. Must be called at each answer of the office. */
  read(): void {
    this.#asked = null;
  }

  async learn(): Promise<void> {
    const learned = await learnKeys(this.#server, this.#seat, this.#secret);
    if (learned.keys.length > this.#secret.keys.length) this.#unsaved = true;
    this.#secret = learned;
  }

  /** Returns the secret if keys were learned after the last call, otherwise null. */
  toSave(): string | null {
    if (!this.#unsaved) return null;
    this.#unsaved = false;
    return JSON.stringify(this.#secret);
  }

  readonly keyOf = async (wanted: number): Promise<OfficeKey> => {
    if (this.#known(wanted) === undefined) await this.#askOnce();
    const key = this.#known(wanted);
    if (key !== undefined) return key;
    const message =
      'The office uses a key that this user never received. Leave the office and join it again';
    throw new AppError('storage', message, { reason: 'data-damaged' });
  };

  #known(wanted: number): OfficeKey | undefined {
    return keysOf(this.#secret).find((one) => one.version === wanted);
  }

  #askOnce(): Promise<void> {
    this.#asked ??= this.learn().catch((error: unknown) => {
      this.#asked = null;
      throw error;
    });
    return this.#asked;
  }
}

/** Wraps a server so that `read` is called at each answer. */
function withAnswerCallback(server: OfficeServer, read: () => void): OfficeServer {
  const noticed =
    (query: Statements['query']): Statements['query'] =>
    async (...asked) => {
      const rows = await query(...asked);
      read();
      return rows;
    };
  return {
    ...server,
    query: noticed(server.query),
    transaction: (work) =>
      server.transaction((within) => work({ ...within, query: noticed(within.query) })),
  };
}

/**
 * Returns the secret together with all keys that were wrapped for this user after the secret was
 * stored.
 */
export async function learnKeys(
  { query }: Pick<Statements, 'query'>,
  { office, seat }: Seat,
  secret: SeatSecret,
): Promise<SeatSecret> {
  const newest = newestOf(keysOf(secret)).version;
  const rows = await query(
    'SELECT version, wrapped FROM office_key WHERE seat = $1 AND version > $2 ORDER BY version',
    [seat, newest],
    Key,
  );
  const keys = [...secret.keys];
  for (const { version, wrapped } of rows) {
    keys.push(toStoredKey(await unwrapKey(office, version, wrapped, secret.identity)));
  }
  return { ...secret, keys };
}
