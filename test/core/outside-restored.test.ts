import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ReadingId } from '../../shared/contract/backup.ts';
import { type AskedWindow, type Says, startAskedWindow } from '../support/desks/asked-window.ts';
import { expectSoon } from '../support/soon.ts';

const cancelled = { failure: { code: 'cancelled' } };
const notConfirmed = { failure: { code: 'signed-out', reason: 'not-confirmed' } };

/** Nothing answers at this port. */
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

beforeEach(async () => {
  says = { answer: true };
  maker = await startAskedWindow(says);
  reader = await startAskedWindow(says);
});
afterEach(async () => {
  await maker[Symbol.asyncDispose]();
  await reader[Symbol.asyncDispose]();
});

/** The reader has what the maker backed up, and says no from then on. */
async function restore(): Promise<void> {
  const { phrase } = await maker.api['backup.newPhrase']({});
  await maker.api['backup.setUp']({
    phrase,
    folder: maker.documents,
    when: { kind: 'by-hand' },
    keep: 3,
    isOn: true,
    withCredentials: false,
    administrator: null,
  });
  await run(maker);
  const [made] = await maker.api['backup.list']({});
  const reading = ReadingId.parse(randomUUID());
  const file = made?.file ?? '';
  await reader.api['backup.restore']({ reading, file, secret: phrase, folder: null });
  says.answer = false;
}

async function run({ api }: AskedWindow): Promise<void> {
  const { jobId } = await api['backup.run']({});
  const state = async () => (await api['jobs.show']({ jobId })).state;
  await expectSoon('the backup', async () => (await state()) !== 'running');
  expect(await api['jobs.show']({ jobId })).toMatchObject({ state: 'done' });
}

it('a new credential lets restored data go to no address without a person outside of the page (SR-O4)', async () => {
  const { id } = await maker.api['connections.add'](wanted);
  await restore();
  const { api, questions } = reader;
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

it('an address that only restored data names is asked about when a connection is added there (SR-O4)', async () => {
  await maker.api['connections.add'](wanted);
  await restore();
  const { api } = reader;
  const another = { ...wanted, name: 'Another' };
  await expect(api['connections.try'](another)).rejects.toMatchObject(cancelled);
  await expect(api['connections.add'](another)).rejects.toMatchObject(cancelled);
  const [waiting] = await api['backup.unconfirmed']({});
  const confirmed = api['backup.confirm']({ id: waiting?.id ?? '' });
  await expect(confirmed).rejects.toMatchObject(cancelled);
  expect(await api['backup.unconfirmed']({})).toHaveLength(1);
});
