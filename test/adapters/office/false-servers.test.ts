import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { migrate } from '../../../electron/adapters/office/migrate.ts';
import { assertSupportedServer } from '../../../electron/adapters/office/schema.ts';
import { openOffice } from '../../../electron/adapters/office/server.ts';

/** The local computer, by an address that the program treats as remote. */
const ELSEWHERE = '::ffff:127.0.0.1';
const PASSWORD = 'THE-OWNERS-SECRET';
let server: Server | null = null;
afterEach(() => server?.close());

/** Listens like a PostgreSQL server, answers each packet, and records what it receives. */
async function listening(host: string, answer: (piece: Buffer) => Buffer) {
  const heard: Buffer[] = [];
  server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      heard.push(piece);
      socket.write(answer(piece));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = { host, port, database: 'office', role: 'keeper', trust: null };
  const office = openOffice(address, async () => PASSWORD);
  const ask = async (): Promise<void> => {
    try {
      await office.command('SELECT 1');
    } finally {
      await office.close();
    }
  };
  return { asked: ask(), heard };
}

/** Returns PostgreSQL's authentication request of this kind. */
function authentication(kind: number, more: readonly number[]): Buffer {
  const message = Buffer.alloc(9 + more.length);
  message.write('R');
  message.writeInt32BE(8 + more.length, 1);
  message.writeInt32BE(kind, 5);
  Buffer.from(more).copy(message, 9);
  return message;
}

it.each([
  ['in clear', 3, []],
  ['as MD5', 5, [1, 2, 3, 4]],
] as const)(
  'a local listener that requests the password %s receives nothing after the greeting (SR-M6)',
  async (_, kind, more) => {
    const { asked, heard } = await listening('127.0.0.1', () => authentication(kind, more));
    await expect(asked).rejects.toMatchObject({ failure: { code: 'service', reason: 'tls' } });
    expect(heard).toHaveLength(1);
    expect(Buffer.concat(heard).toString('latin1')).not.toContain(PASSWORD);
  },
);

it.each(['H', 'E', '\u0015', ''])(
  'a remote server that answers the TLS request with %j is not an office, and causes no program error (SR-L9)',
  async (answer) => {
    const { asked } = await listening(ELSEWHERE, () => Buffer.from(`${answer}TTP/1.1 400`));
    await expect(asked).rejects.toMatchObject({ failure: { code: 'service', reason: 'tls' } });
  },
);

it('a local server with another protocol than PostgreSQL is not an office (SR-L9)', async () => {
  const { asked, heard } = await listening('127.0.0.1', () =>
    Buffer.from('HTTP/1.1 400 Bad\r\n\r\n'),
  );
  server?.on('connection', (socket: Socket) => socket.setTimeout(200, () => socket.destroy()));
  await expect(asked).rejects.toMatchObject({
    failure: { code: expect.stringMatching(/offline|service/u) },
  });
  expect(Buffer.concat(heard).toString('latin1')).not.toContain(PASSWORD);
});

/** Returns PostgreSQL's ErrorResponse of a server that rejects every login. */
function fatal(sqlState: string, words: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${words}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

it.each([
  ['08P01', 'unsupported startup parameter: options', 'office-pooler', /PgBouncer/],
  [
    '08P01',
    'unsupported startup parameter in options: search_path',
    'office-pooler',
    /PostgreSQL itself/,
  ],
  [
    '08P01',
    'server login failed: no route to host',
    'office-server-refused',
    /answers, but refuses/,
  ],
  ['08P01', 'query_wait_timeout', 'office-server-refused', /answers, but refuses/],
  ['08004', 'connection refused by policy', 'office-server-refused', /answers, but refuses/],
  ['08006', 'server conn crashed?', 'office-server-refused', /lost its database/],
])(
  'a server that rejects a login with %s “%s” is reported as reachable, with its reason (IN-PG)',
  async (sqlState, words, reason, sentence) => {
    const { asked } = await listening('127.0.0.1', () => fatal(sqlState, words));
    await expect(asked).rejects.toMatchObject({
      failure: { code: 'offline', reason, message: expect.stringMatching(sentence) },
    });
  },
);

it.each([
  ['28P01', 'password authentication failed for user "keeper"'],
  ['28000', 'role "keeper" is not permitted to log in'],
])(
  'an office server that refuses the user or the password with %s is reported as refusing them, and not as unreachable',
  async (sqlState, words) => {
    const { asked } = await listening('127.0.0.1', () => fatal(sqlState, words));
    await expect(asked).rejects.toMatchObject({
      failure: { code: 'signed-out', reason: 'office-refused' },
    });
  },
);

it.each([14, 9])(
  'PostgreSQL %i is rejected before any office object is created in it (SR-M5)',
  async (version) => {
    const unused = () => Promise.reject(new Error('Nothing is asked of it'));
    const old = {
      query: async <Row>(
        _sql: string,
        _values: readonly unknown[],
        row: { parse(v: unknown): Row },
      ) => [row.parse({ version })],
      command: unused,
      transaction: unused,
      listen: unused,
      close: unused,
    };
    const refused = { failure: { code: 'conflict' } };
    await expect(assertSupportedServer(old)).rejects.toMatchObject(refused);
    await expect(migrate(old)).rejects.toMatchObject(refused);
  },
);
