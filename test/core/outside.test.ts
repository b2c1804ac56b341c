import { generateKeyPairSync } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { sealInvitation } from '../../electron/adapters/office/invitation.ts';
import { OfficeUserId } from '../../shared/contract/office/office.ts';
import { type AskedWindow, type Says, startAskedWindow } from '../support/desks/asked-window.ts';

let windows: AskedWindow[] = [];

afterEach(async () => {
  for (const window of windows) await window[Symbol.asyncDispose]();
  windows = [];
});

async function startWindow(says: Says): Promise<AskedWindow> {
  const window = await startAskedWindow(says);
  windows.push(window);
  return window;
}

const cancelled = { failure: { code: 'cancelled' } };

/** Address of a port at which no program listens. */
const ADDRESS = 'https://127.0.0.1:9/api';
const newConnection = {
  name: 'Office',
  api: 'v1',
  environment: 'test',
  url: ADDRESS,
  accountId: null,
  orgNo: null,
  allowed: ['@example.com'],
  secret: 'a-token-of-some-length',
} as const;

const office = { name: 'Office', environment: 'test' } as const;
const productive = { ...newConnection, name: 'Real', environment: 'production' } as const;

function newFeed(url: string) {
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  return { url, key, daily: true };
}

it('the page sets an update feed only after a person confirms it outside the page (SR-M8)', async () => {
  const { api, questions } = await startWindow({ answer: false });
  const feed = newFeed('https://evil.example/u');
  await expect(api['updates.setFeed']({ feed })).rejects.toMatchObject(cancelled);
  expect((await api['updates.show']({})).feed).toBeNull();
  expect(questions).toEqual([
    {
      kind: 'updates',
      what: feed.url,
      fingerprint: expect.stringMatching(/^SHA256:.{43}$/u),
      connection: null,
    },
  ]);
});

it('a new address or key of the update feed needs a confirmation, a new interval does not (SR-M8)', async () => {
  const { api, questions } = await startWindow({ answer: true });
  const feed = newFeed('https://desk.example/updates');
  await api['updates.setFeed']({ feed });
  await api['updates.setFeed']({ feed: { ...feed, daily: false } });
  expect(questions).toHaveLength(1);
  await api['updates.setFeed']({ feed: newFeed(feed.url) });
  expect(questions.map(({ what }) => what)).toEqual([feed.url, feed.url]);
  expect(questions[0]?.fingerprint).not.toBe(questions[1]?.fingerprint);
  await api['updates.setFeed']({ feed: null });
  expect(questions).toHaveLength(2);
});

it('the page sets an administrator key of the backups only if a person confirms it (SR-L10)', async () => {
  const { api, questions, documents } = await startWindow({ answer: false });
  const { phrase } = await api['backup.newPhrase']({});
  const administrator = await identityToRecipient(await generateX25519Identity());
  const plan = {
    folder: documents,
    when: { kind: 'by-hand' },
    keep: 3,
    isOn: true,
    withCredentials: true,
    administrator: null,
  } as const;
  const named = { ...plan, administrator };
  await expect(api['backup.setUp']({ ...named, phrase })).rejects.toMatchObject(cancelled);
  await api['backup.setUp']({ ...plan, phrase });
  await expect(api['backup.savePlan'](named)).rejects.toMatchObject(cancelled);
  expect((await api['backup.read']({})).plan).toMatchObject({ administrator: null });
  const question = {
    kind: 'administrator',
    what: administrator,
    fingerprint: null,
    connection: null,
  };
  expect(questions).toEqual([question, question]);
});

it('the page adds a service or an office only if a person confirms its address (SR-L10)', async () => {
  const { api, questions } = await startWindow({ answer: false });
  for (const call of ['connections.add', 'connections.try', 'connections.detect'] as const) {
    await expect(api[call]({ ...newConnection, allowed: null })).rejects.toMatchObject(cancelled);
  }
  const address = { host: '127.0.0.1', port: 9, database: 'desk', trust: null };
  const owner = { role: 'owner', password: 'p' };
  const order = { address, owner, name: 'Anna', goesOnWithout: true };
  await expect(api['office.create'](order)).rejects.toMatchObject(cancelled);
  const { invitation, phrase } = await sealInvitation({
    membership: {
      office: '0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0001',
      seat: OfficeUserId.parse('0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0002'),
      name: 'Anna',
      address: { ...address, role: 'seat' },
      goesOnWithout: true,
    },
    secret: {
      password: 'p',
      identity: 'i',
      claims: 'AAAA',
      keys: [{ version: 1, key: 'AAAA', numbers: null }],
    },
  });
  await expect(api['office.join']({ invitation, phrase })).rejects.toMatchObject(cancelled);
  const [service, office] = [ADDRESS, '127.0.0.1:9'].map((what) => ({
    kind: 'server',
    what,
    fingerprint: null,
    connection: null,
  }));
  expect(questions).toEqual([service, service, service, office, office]);
});

it('the confirmation of a service shows a lookalike host name in its ASCII form (SR-P6)', async () => {
  const { api, questions } = await startWindow({ answer: false });
  const looksKnown = { ...newConnection, allowed: null, url: 'https://\u0430pi.Example.com/v1' };
  await expect(api['connections.add'](looksKnown)).rejects.toMatchObject(cancelled);
  expect(questions).toMatchObject([{ what: 'https://xn--pi-6kc.example.com/v1' }]);
});

it('the confirmation of an office shows the fingerprint of its certificate (SR-P9)', async () => {
  const { api, questions } = await startWindow({ answer: false });
  const trust = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';
  const address = { host: '127.0.0.1', port: 9, database: 'desk', trust };
  const owner = { role: 'owner', password: 'p' };
  const order = { address, owner, name: 'Anna', goesOnWithout: true };
  await expect(api['office.create'](order)).rejects.toMatchObject(cancelled);
  // Fingerprint of the three bytes between the two lines.
  const fingerprint = 'SHA256:tdQEXD9Gb6kf4sxqvnkjKhpXzfEE96JucW4KHieJ33g';
  expect(questions).toMatchObject([{ what: '127.0.0.1:9', fingerprint }]);
});

it('the page allows a connection more recipients only if a person confirms them (SR-L10)', async () => {
  const { api, questions } = await startWindow({ answer: true });
  const { id } = await api['connections.add']({
    ...newConnection,
    allowed: [...newConnection.allowed],
  });
  expect(questions).toHaveLength(1);
  const others = ['@example.com', '@evil.example'];
  await api['connections.allow']({ id, allowed: others });
  await api['connections.allow']({ id, allowed: null });
  await api['connections.allow']({ id, allowed: ['@example.com'] });
  expect(questions.slice(1)).toEqual([
    { kind: 'recipients', what: '@evil.example', fingerprint: null, connection: office },
    { kind: 'recipients', what: null, fingerprint: null, connection: office },
  ]);
});

it('a confirmation of more recipients for one connection does not count for another (SR-O3)', async () => {
  const says = { answer: true };
  const { api, questions } = await startWindow(says);
  const allowed = ['@example.com'];
  const { id } = await api['connections.add']({ ...newConnection, allowed });
  const real = await api['connections.add']({ ...productive, allowed });
  await api['connections.allow']({ id, allowed: null });
  says.answer = false;
  const lifted = api['connections.allow']({ id: real.id, allowed: null });
  await expect(lifted).rejects.toMatchObject(cancelled);
  expect(questions.slice(1).map(({ connection }) => connection)).toEqual([
    office,
    { name: 'Real', environment: 'production' },
  ]);
});

it('more recipients of a connection need a new confirmation after they were removed (SR-O3)', async () => {
  const says = { answer: true };
  const { api } = await startWindow(says);
  const allowed = ['@example.com'];
  const { id } = await api['connections.add']({ ...newConnection, allowed });
  await api['connections.allow']({ id, allowed: null });
  await api['connections.allow']({ id, allowed });
  says.answer = false;
  const lifted = api['connections.allow']({ id, allowed: null });
  await expect(lifted).rejects.toMatchObject(cancelled);
});

it('a removed feed, service or backup key needs a new confirmation to be set again (SR-O3)', async () => {
  const says = { answer: true };
  const { api, questions, documents } = await startWindow(says);
  const feed = newFeed('https://desk.example/updates');
  await api['updates.setFeed']({ feed });
  await api['updates.setFeed']({ feed: null });
  const wanted = { ...newConnection, allowed: null };
  await api['connections.try'](wanted);
  const { id } = await api['connections.add'](wanted);
  expect(questions).toHaveLength(2);
  await api['connections.remove']({ id, agreements: 'delete', drafts: 'delete' });
  const phrase = await api['backup.newPhrase']({});
  const plan = {
    folder: documents,
    when: { kind: 'by-hand' },
    keep: 3,
    isOn: true,
    withCredentials: true,
    administrator: null,
  } as const;
  const administrator = await identityToRecipient(await generateX25519Identity());
  await api['backup.setUp']({ ...plan, ...phrase, administrator });
  await api['backup.savePlan'](plan);
  says.answer = false;
  await expect(api['updates.setFeed']({ feed })).rejects.toMatchObject(cancelled);
  await expect(api['connections.try'](wanted)).rejects.toMatchObject(cancelled);
  await expect(api['connections.add'](wanted)).rejects.toMatchObject(cancelled);
  await expect(api['backup.savePlan']({ ...plan, administrator })).rejects.toMatchObject(cancelled);
});

it('a key that was tried with both APIs is saved for either without a second question', async () => {
  const { api, questions } = await startWindow({ answer: true });
  await api['connections.detect']({ url: ADDRESS, secret: newConnection.secret });
  const v2 = { api: 'v2', url: `${ADDRESS}/v2`, accountId: '1' } as const;
  const { id } = await api['connections.add']({ ...newConnection, ...v2, allowed: null });
  expect(questions).toHaveLength(1);
  // The answer is used up for both APIs.
  await api['connections.remove']({ id, agreements: 'delete', drafts: 'delete' });
  await api['connections.add']({ ...newConnection, allowed: null });
  expect(questions).toHaveLength(2);
});

it('a server that was tried needs a new question for any path after its connection was removed', async () => {
  const { api, questions } = await startWindow({ answer: true });
  const wanted = { ...newConnection, allowed: null };
  await api['connections.detect']({ url: `${ADDRESS}/v3`, secret: newConnection.secret });
  const { id } = await api['connections.add'](wanted);
  expect(questions).toHaveLength(1);
  await api['connections.remove']({ id, agreements: 'delete', drafts: 'delete' });
  await api['connections.add']({ ...wanted, api: 'v2', url: `${ADDRESS}/v3`, accountId: '1' });
  expect(questions).toHaveLength(2);
});

it('the page creates the scheduled task of the system only if a person confirms it', async () => {
  const says = { answer: false };
  const { api, questions } = await startWindow(says);
  await expect(api['host.setSchedule']({ isOn: true })).rejects.toMatchObject(cancelled);
  expect(await api['host.schedule']({})).toMatchObject({ isOn: false });
  says.answer = true;
  expect(await api['host.setSchedule']({ isOn: true })).toMatchObject({ isOn: true });
  const question = { kind: 'schedule', what: null, fingerprint: null, connection: null };
  expect(questions).toEqual([question, question]);
  expect(await api['host.setSchedule']({ isOn: false })).toMatchObject({ isOn: false });
  expect(questions).toHaveLength(2);
});

it('the page creates no scheduled task for the demo, which cannot turn off the real one either', async () => {
  const { api } = await startWindow({ answer: true });
  await api['host.setSchedule']({ isOn: true });
  await api['access.openDemoProfile']({});
  expect(await api['host.schedule']({})).toMatchObject({ isOn: false, obstacle: 'demo' });
  for (const isOn of [true, false]) {
    await expect(api['host.setSchedule']({ isOn })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
  }
});
