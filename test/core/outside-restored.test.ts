// tier: quick, 20 s, because restored data may send to no address unasked
import { randomUUID } from 'node:crypto';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ReadingId } from '../../shared/contract/backup.ts';
import { type AskedWindow, type Says, startAskedWindow } from '../support/desks/asked-window.ts';

const cancelled = { failure: { code: 'cancelled' } };
const notConfirmed = { failure: { code: 'signed-out', reason: 'not-confirmed' } };

/** Address of a port at which no program listens. */
const ADDRESS = 'https://127.0.0.1:9/api';
const wanted = {
  name: 'Office',
  api: 'v1',
  environment: 'test',
  url: ADDRESS,
  accountId: null,
  orgNo: null,
  allowed: null,
  secret: 'a-token-of-some-length',
} as const;

let says: Says;
let maker: AskedWindow;
let reader: AskedWindow;
let administrator: string;
/** The maker's connection, and the maker's backup with its phrase. */
let made: { readonly connection: string; readonly file: string; readonly phrase: string };

beforeAll(async () => {
  maker = await startAskedWindow({ answer: true });
  administrator = await identityToRecipient(await generateX25519Identity());
  const { id } = await maker.api['connections.add'](wanted);
  const { phrase } = await maker.api['backup.newPhrase']({});
  await maker.api['backup.setUp']({ ...plan(), phrase });
  await run(maker);
  const [{ file = '' } = {}] = await maker.api['backup.list']({});
  made = { connection: id, file, phrase };
});
afterAll(() => maker[Symbol.asyncDispose]());
// The reader has restored the maker’s backup; from then on, the person rejects each question.
beforeEach(async () => {
  says = { answer: true };
  reader = await startAskedWindow(says);
  const { file, phrase: secret } = made;
  const reading = ReadingId.parse(randomUUID());
  await reader.api['backup.restore']({ reading, file, secret, folder: null });
  says.answer = false;
});
afterEach(() => reader[Symbol.asyncDispose]());

const plan = () => ({
  folder: maker.documents,
  when: { kind: 'daily', at: '02:30' } as const,
  keep: 3,
  isOn: true,
  withCredentials: false,
  administrator,
});

async function run({ api }: AskedWindow): Promise<void> {
  const { jobId } = await api['backup.run']({});
  // No `expectSoon`, which only a test may call: the maker backs up before all of them.
  await vi.waitFor(
    async () => expect(await api['jobs.show']({ jobId })).toMatchObject({ state: 'done' }),
    { timeout: 30_000 },
  );
}

it('a new API key for a restored connection needs a confirmation of the address (SR-O4)', async () => {
  const { api, questions } = reader;
  const id = made.connection;
  const secret = 'another-token-of-some-length';
  const typed = () => api['connections.replaceSecret']({ id, secret });
  await expect(typed()).rejects.toMatchObject(cancelled);
  await expect(api['connections.test']({ id })).rejects.toMatchObject(notConfirmed);
  expect(questions).toEqual([
    {
      kind: 'server',
      what: ADDRESS,
      fingerprint: null,
      connection: { name: 'Office', environment: 'test' },
    },
  ]);
  says.answer = true;
  await typed();
  expect(await api['backup.unconfirmed']({})).toEqual([]);
  says.answer = false;
  await typed();
  expect(questions).toHaveLength(2);
});

it('a new connection to an address known only from restored data needs a confirmation (SR-O4)', async () => {
  const { api } = reader;
  const another = { ...wanted, name: 'Another' };
  await expect(api['connections.try'](another)).rejects.toMatchObject(cancelled);
  await expect(api['connections.add'](another)).rejects.toMatchObject(cancelled);
  const [waiting] = await api['backup.unconfirmed']({});
  const confirmed = api['backup.confirm']({ id: waiting?.id ?? '' });
  await expect(confirmed).rejects.toMatchObject(cancelled);
  expect(await api['backup.unconfirmed']({})).toHaveLength(1);
});

it('a restored backup plan waits for a person, who is shown its folder and keys (SR-O9)', async () => {
  const { api, questions } = reader;
  const refused = { failure: { code: 'conflict', reason: 'data-restored' } };
  await expect(api['backup.run']({})).rejects.toMatchObject(refused);
  const move = { folder: reader.documents, withCredentials: true, secret: 'words' };
  await expect(api['backup.move'](move)).rejects.toMatchObject(refused);
  // Changing the plan does not switch it on, and the maker’s keys are not yet known to the reader.
  await api['backup.savePlan']({ ...plan(), administrator: null });
  await expect(api['backup.run']({})).rejects.toMatchObject(refused);
  await expect(api['backup.savePlan'](plan())).rejects.toMatchObject(cancelled);
  await expect(api['backup.switch']({ isOn: true })).rejects.toMatchObject(cancelled);
  const { restoredKeys, isPaused, dueAt } = await api['backup.read']({});
  expect({ isPaused, dueAt }).toEqual({ isPaused: true, dueAt: null });
  expect(restoredKeys).toEqual([expect.stringMatching(/^age1/u)]);
  expect(questions.at(-1)).toEqual({
    kind: 'backups',
    what: maker.documents,
    fingerprint: restoredKeys.join(', '),
    connection: null,
  });
  says.answer = true;
  await api['backup.switch']({ isOn: true });
  expect(await api['backup.read']({})).toMatchObject({ isPaused: false, restoredKeys: [] });
  await run(reader);
});

it('a restored backup plan lists all its keys, and runs once a new phrase is set up (SR-O9)', async () => {
  const { api } = reader;
  const { restoredKeys } = await api['backup.read']({});
  expect(restoredKeys).toEqual([expect.stringMatching(/^age1/u), administrator]);
  const { phrase } = await api['backup.newPhrase']({});
  const theirs = api['backup.setUp']({ ...plan(), phrase });
  await expect(theirs).rejects.toMatchObject(cancelled);
  await api['backup.setUp']({ ...plan(), phrase, folder: reader.documents, administrator: null });
  expect(await api['backup.read']({})).toMatchObject({ isPaused: false, restoredKeys: [] });
  await run(reader);
});
