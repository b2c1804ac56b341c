import pg from 'pg';
import { AppError } from '../../../shared/errors.ts';
import { newerOfficeError, SCHEMA_VERSION } from './schema.ts';
import { columnParserOf, type Statements, statementsOf } from './statements.ts';

/** Address of a PostgreSQL server that is on this computer, or proves its identity. */
export interface OfficeAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly role: string;
  /**
   * Certificates that verify the server (PEM); null if authorities that the system trusts verify
   * it.
   */
  readonly trust: string | null;
}

export interface Transactions extends Statements {
  /**
   * Commits all of `work`, or nothing. Retries if the server aborted the transaction because of
   * another one. Also throws 'offline' if it is unknown whether the transaction was committed: the
   * caller must ask again to find out.
   */
  transaction<Result>(work: (within: Statements) => Promise<Result>): Promise<Result>;
}

export interface OfficeServer extends Transactions {
  /**
   * Calls `heard` when another computer writes shared data. A further call replaces a lost
   * connection.
   */
  listen(heard: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;
const STATEMENT_MS = 15_000;
/**
 * Maximum number of connections. A computer runs one statement at a time; further connections are
 * for long work and for listening.
 */
const MAX_POOL_CONNECTIONS = 4;
const MAX_TRANSACTION_TRIES = 5;
/** Name of the schema, and of the channel for its change notifications. */
const SCHEMA = 'signing_desk';

/** Error code that the schema raises if the program is older than the schema. */
const OLDER_PROGRAM_CODE = 'SD001';
/** Error code that the schema raises if a user has written the maximum. */
const QUOTA_EXCEEDED_CODE = 'SD002';
/**
 * Error code that the schema raises if a user reports repeatedly that the database is older than
 * the computer.
 */
const REPEATED_RESTORE_CODE = 'SD003';

/**
 * Messages of the driver about a connection that was lost or refused, or about an answer that timed
 * out.
 */
const UNREACHED_MESSAGE =
  /^(?:Connection terminated|timeout (?:expired|exceeded)|Query read timeout|Client has encountered|Client was closed)/u;

/**
 * Client that authenticates only to a server that proves with SCRAM that it knows the password, or
 * that requires no password. A server that requests the password, or its MD5 hash, gets neither: it
 * may be another user's program on the port of a PostgreSQL that is down.
 */
class ScramClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const refuse = (): void => {
      // The stream is destroyed, so later writes of the driver are discarded.
      this.connection.stream.destroy();
      this.connection.emit('error', passwordRequestedError());
    };
    this.connection.on('authenticationCleartextPassword', refuse);
    this.connection.on('authenticationMD5Password', refuse);
  }
}

const passwordRequestedError = (): AppError =>
  new AppError(
    'service',
    'The office’s server wants the password itself instead of SCRAM, so no password was sent. Ask its administrator to use SCRAM',
    { reason: 'tls' },
  );

/** Returns a server without connecting to it: the first statement connects. */
export function openOffice(address: OfficeAddress, password: () => Promise<string>): OfficeServer {
  const pool = new pg.Pool({
    Client: ScramClient,
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.role,
    password,
    ssl: isOnThisComputer(address.host)
      ? false
      : { rejectUnauthorized: true, ...(address.trust === null ? {} : { ca: address.trust }) },
    max: MAX_POOL_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: 2 * STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    keepAlive: true,
    application_name: 'signing-desk',
    options: `-c search_path=${SCHEMA},pg_temp -c ${SCHEMA}.schema=${String(SCHEMA_VERSION)}`,
    types: { getTypeParser: columnParserOf },
  });
  // A connection lost while idle is replaced at the next statement. The driver reports the loss to
  // the pool, and also to the client, either between statements or before the first statement.
  // Without handlers, these errors would end the program.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));

  const listening = new NotificationListener(pool);
  const transaction: Transactions['transaction'] = async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runTransactionOnce(pool, work);
      } catch (error) {
        if (attempt === MAX_TRANSACTION_TRIES || !isSerializationFailure(error))
          throw toOfficeError(error);
      }
    }
  };
  return {
    ...statementsOf(async (sql, values) => {
      try {
        return await pool.query(sql, values);
      } catch (error) {
        throw toOfficeError(error);
      }
    }),
    transaction,
    listen: (heard) => listening.begin(heard),
    close() {
      listening.end();
      return pool.end();
    },
  };
}

/** Connection that receives change notifications while it lasts. */
class NotificationListener {
  readonly #pool: pg.Pool;
  #begun: Promise<pg.PoolClient> | null = null;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async begin(heard: (payload: string) => void): Promise<void> {
    try {
      this.#begun ??= this.#connect(heard);
      await this.#begun;
    } catch (error) {
      this.#begun = null;
      throw toOfficeError(error);
    }
  }

  end(): void {
    const begun = this.#begun;
    this.#begun = null;
    // The pool waits for this connection, which has no other use.
    begun?.then((client) => client.release(true)).catch(() => undefined);
  }

  async #connect(heard: (payload: string) => void): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    client.on('notification', ({ payload = '' }) => heard(payload));
    client.once('end', () => this.end());
    await client.query(`LISTEN ${SCHEMA}`);
    return client;
  }
}

async function runTransactionOnce<Result>(
  pool: pg.Pool,
  work: (within: Statements) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failed: unknown;
  try {
    await client.query('BEGIN');
    const result = await work(statementsOf((sql, values) => client.query(sql, values)));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failed = error;
    // If ROLLBACK fails too, the connection is closed, which also rolls back.
    await client.query('ROLLBACK').catch((cause: unknown) => (failed = cause));
    throw error;
  } finally {
    client.release(failed instanceof Error);
  }
}

/**
 * Whether the server is on this computer, so that the connection cannot be intercepted on the way.
 */
export function isOnThisComputer(host: string): boolean {
  return host.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(host);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether the error is a deadlock or a serialization failure. */
const isSerializationFailure = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error));

function toOfficeError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const cause = { cause: error };
  if (code.startsWith('28')) {
    const message = 'The office does not accept this user and password';
    return new AppError('signed-out', message, { ...cause, reason: 'office-refused' });
  }
  if (code === OLDER_PROGRAM_CODE) return newerOfficeError(cause);
  if (code === QUOTA_EXCEEDED_CODE) {
    const message =
      'This user has reached a limit of the office: undecided approvals, waiting handovers, restored or copied computers, or shared items';
    return new AppError('conflict', message, cause);
  }
  if (code === REPEATED_RESTORE_CODE) {
    const message =
      'This user reported several times today that the office’s database was restored. Another user must report it, or a day must pass';
    return new AppError('offline', message, { ...cause, reason: 'office-put-back' });
  }
  if (code === '42501')
    return new AppError(
      'forbidden',
      'Your user does not have the right for this action in the office',
      cause,
    );
  if (code === '42P01' || code.startsWith('3')) {
    return new AppError(
      'not-found',
      'This database has no office, or this user was removed',
      cause,
    );
  }
  if (code.startsWith('08')) return refusedByServerError(error, cause);
  if (isUntrusted(error, code)) {
    const message =
      'The office’s server cannot prove who it is, or does not encrypt, so it was not used';
    return new AppError('service', message, { ...cause, reason: 'tls' });
  }
  if (isUnreached(error, code)) {
    return new AppError('offline', 'The office cannot be reached', {
      ...cause,
      reason: 'connection-lost',
    });
  }
  if (!(error instanceof pg.DatabaseError)) return error;
  return new AppError('service', 'The office’s database refused a request of this computer', cause);
}

/**
 * Messages of PgBouncer (`08P01`) about the connection settings by which each transaction finds its
 * tables.
 */
const POOLER = /unsupported (?:startup parameter|protocol)|transaction pool|statement pool/iu;

/**
 * Returns the error for class 08, "Connection Exception": a program answers in PostgreSQL's own
 * protocol but accepts no connection, such as a pooler whose database is down.
 */
function refusedByServerError(error: unknown, cause: { readonly cause: unknown }): AppError {
  const words = error instanceof Error ? error.message : '';
  if (POOLER.test(words)) {
    const message =
      'A pooler such as PgBouncer is in front of the office’s database and refuses the settings of Signing Desk. Enter the address and port of PostgreSQL itself';
    return new AppError('offline', message, { ...cause, reason: 'office-pooler' });
  }
  const message =
    'The office’s server answers, but refuses the connection or has lost its database. Ask its administrator to check its log';
  return new AppError('offline', message, { ...cause, reason: 'office-server-refused' });
}

/**
 * Messages of the driver if a server refuses TLS, or if its answer to the request for TLS is
 * invalid.
 */
const NO_TLS = /^(?:The server does not support SSL|There was an error establishing an SSL)/u;

/** Whether OpenSSL, Node or the driver rejected a certificate, or the server has none. */
function isUntrusted(error: unknown, code: string): boolean {
  if (/CERT|SIGNATURE|ISSUER|^ERR_TLS|^ERR_SSL/u.test(code)) return true;
  return error instanceof Error && NO_TLS.test(error.message);
}

/**
 * Codes of a database that accepts no connections now, and of a read-only replica before it becomes
 * primary.
 */
const NOT_ACCEPTING_CODES: readonly string[] = ['55000', '25006'];

/**
 * Whether the system, the driver or the server lost or refused a connection, there are too many
 * connections, or a timeout passed.
 */
function isUnreached(error: unknown, code: string): boolean {
  if (error instanceof pg.DatabaseError) {
    return ['53', '57'].includes(code.slice(0, 2)) || NOT_ACCEPTING_CODES.includes(code);
  }
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || UNREACHED_MESSAGE.test(error.message);
}
