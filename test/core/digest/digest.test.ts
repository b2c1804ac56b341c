import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import { partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  await desk.api['settings.write']({ digest: { isOn: true, at: '08:00', workdaysOnly: false } });
});

const take = () => desk.api['digest.take']({});
const read = () => desk.api['digest.read']({});
const put = (...agreements: readonly (Partial<RemoteAgreement> & { readonly id: string })[]) =>
  world.stores.agreements.put(
    connectionId,
    'v1',
    agreements.map((one) => remoteOf(one)),
    world.clock.now(),
  );
const passDays = (days: number) => world.clock.leap(days * DAY);

describe('the daily summary', () => {
  it('is delivered once a day, to one of several callers', async () => {
    expect(await take()).toBeNull();
    put({ id: 'a' });
    put({ id: 'a', state: 'signed' });
    expect(await take()).toBeNull();
    passDays(1);
    const other = startMemoryDesk({ ...world, locks: createWorld().locks });
    const [here, there] = [await take(), await other.api['digest.take']({})];
    expect(here).toMatchObject({ counts: { signed: 1 }, entries: [{ id: 'a', kind: 'signed' }] });
    expect(there).toBeNull();
    passDays(1);
    expect(await take()).toBeNull();
  });

  it('can be previewed with the events so far until the next summary is delivered', async () => {
    await take();
    const begun = world.clock.now();
    put({ id: 'a' }, { id: 'b' });
    put({ id: 'a', state: 'signed' });
    passDays(1);
    await take();
    put({ id: 'b', state: 'expired' });
    expect(await read()).toMatchObject({ since: begun, counts: { signed: 1, expired: 1 } });
    passDays(1);
    const taken = await take();
    expect(taken).toMatchObject({ since: begun + DAY, counts: { signed: 0, expired: 1 } });
    expect(await read()).toMatchObject({ counts: { signed: 0, expired: 1 } });
  });

  it('includes everything that ended while the computer was off', async () => {
    await take();
    put({ id: 'a' });
    put({ id: 'a', state: 'revoked' });
    passDays(30);
    expect(await take()).toMatchObject({ counts: { revoked: 1 } });
  });

  it('gives the reason of a rejection, without a person’s number or address', async () => {
    await take();
    const title = 'Lease 19850709-9805';
    put({ id: 'a', title });
    const rejectedReason = 'Write to asa@example.com or 070-123 45 67';
    const parties = [partyOf({ name: 'Åsa Öberg', state: 'rejected', rejectedReason })];
    put({ id: 'a', title, state: 'rejected', parties });
    const digest = await read();
    const [entry] = digest.entries;
    expect(entry?.parties).toEqual(['Åsa Öberg']);
    expect(entry?.reason).toMatch(/^Write to \[/);
    expect(JSON.stringify(digest)).not.toMatch(/9805|asa@|45 67/);
  });

  it('lists agreements that expire within three days, on each of these days', async () => {
    await take();
    put({ id: 'a', expiresAt: world.clock.now() + 3.5 * DAY });
    expect((await read()).counts.expiring).toBe(0);
    passDays(1);
    expect(await take()).toMatchObject({ counts: { expiring: 1 } });
    passDays(1);
    expect(await take()).toMatchObject({ entries: [{ id: 'a', kind: 'expiring' }] });
  });

  it('lists unreachable parties until their address changes or they have signed', async () => {
    await take();
    const of = (change: Partial<Party>) => [
      partyOf({ id: 'p1', name: 'Åsa Öberg', email: 'asa@example.com', ...change }),
      partyOf({ id: 'p2', name: 'Bo Ek', email: 'bo@example.com' }),
    ];
    put({ id: 'a', parties: of({}) }, { id: 'b', parties: of({}) });
    const key = { connectionId, id: AgreementId.parse('a') };
    await desk.api['reminders.hold']({ ...key, partyId: 'p1', because: 'bounced' });
    await desk.api['reminders.hold']({ ...key, partyId: 'p2', because: 'switched-off' });
    passDays(1);
    const bounced = {
      counts: { bounced: 1 },
      entries: [{ id: 'a', kind: 'bounced', parties: ['Åsa Öberg'], at: null, reason: null }],
    };
    expect(await take()).toMatchObject(bounced);
    passDays(1);
    expect(await take()).toMatchObject(bounced);
    put({ id: 'a', parties: of({ state: 'signed' }) });
    expect((await read()).counts.bounced).toBe(0);
    put({ id: 'a', parties: of({ email: 'right@example.com' }) });
    passDays(1);
    expect(await take()).toBeNull();
    put({ id: 'a', state: 'rejected', parties: of({}) });
    expect((await read()).counts).toMatchObject({ bounced: 0, rejected: 1 });
  });

  it('lists at most 200 agreements, and counts all', async () => {
    await take();
    const ids = Array.from({ length: 250 }, (_, at) => `a${at}`);
    put(...ids.map((id) => ({ id })));
    put(...ids.map((id) => ({ id, state: 'signed' as const })));
    const { counts, entries } = await read();
    expect(counts.signed).toBe(250);
    expect(entries).toHaveLength(200);
    expect(entries[0]?.id).toBe('a249');
  });

  it('lists rules that did not finish all their work', async () => {
    await take();
    const rule = { name: 'Nightly', folder: '/archive', filter: {}, beside: [] };
    const { id } = await desk.api['archive.saveRule']({ ...rule, when: { kind: 'by-hand' } });
    put({ id: 'a', state: 'signed', closedAt: 1 });
    world.services.v1.fileOf = () => {
      throw new AppError('service', 'No file');
    };
    const { jobId } = await desk.api['archive.runRule']({ id });
    await desk.finish(jobId);
    expect((await read()).troubles).toEqual([{ kind: 'archive-rule', name: 'Nightly', failed: 1 }]);
    passDays(1);
    expect(await take()).not.toBeNull();
  });

  it('is not delivered when the user turned it off', async () => {
    await take();
    await desk.api['settings.write']({ digest: { isOn: false, at: '08:00', workdaysOnly: false } });
    put({ id: 'a' });
    put({ id: 'a', state: 'signed' });
    passDays(2);
    expect(await take()).toBeNull();
    expect((await read()).counts.signed).toBe(1);
  });

  it('keeps text from others on one line, and masks personal numbers in rule names', async () => {
    await take();
    const title = 'Lease\r\nBcc: spy@x.example\n\nsigned: 99';
    put({ id: 'a', title });
    const parties = [
      partyOf({
        name: 'Åsa\nÖberg',
        state: 'rejected',
        rejectedReason: `No\n${'x'.repeat(50_000)}`,
      }),
    ];
    put({ id: 'a', title, state: 'rejected', parties });
    const rule = { folder: '/archive', filter: {}, beside: [], when: { kind: 'by-hand' as const } };
    const { id } = await desk.api['archive.saveRule']({ ...rule, name: 'Of 19850709-9805' });
    put({ id: 'b', state: 'signed', closedAt: 1 });
    world.services.v1.fileOf = () => {
      throw new AppError('service', 'No file');
    };
    await desk.finish((await desk.api['archive.runRule']({ id })).jobId);
    const { entries, troubles } = await read();
    expect(entries).toMatchObject([
      { title: 'Lease Bcc: [email] signed: 99', parties: ['Åsa Öberg'] },
    ]);
    expect(entries[0]?.reason).toMatch(/^No x{200,}…$/);
    expect(entries[0]?.reason).toHaveLength(300);
    expect(troubles).toMatchObject([{ name: 'Of [person number]' }]);
  });

  it('becomes an email draft with every entry of a long summary on its own line', async () => {
    const lines = Array.from({ length: 999 }, (_, at) => `- ${'Hyresavtal '.repeat(20)}${at}`);
    lines.push('Lease\r\nBcc: x\r\n\r\nsigned: 99');
    const { out } = await desk.api['digest.mail']({ subject: 'Today\r\nBcc: spy', lines });
    const [head = '', body = ''] = Buffer.from(desk.bytes.take(out)).toString().split('\r\n\r\n');
    expect(head.split('\r\n').map((line) => line.split(':')[0])).toEqual([
      ...['X-Unsent', 'Subject', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding'],
    ]);
    const read = Buffer.from(body, 'base64').toString().split('\r\n');
    expect(read.slice(0, -1)).toEqual(lines.slice(0, -1));
    expect(read.at(-1)).toBe('Lease Bcc: x signed: 99');
    const endless = { subject: 'Today', lines: ['x'.repeat(50_000)] };
    const cut = desk.bytes.take((await desk.api['digest.mail'](endless)).out);
    expect(cut.length).toBeLessThan(2000);
  });

  it('becomes an email draft without personal numbers', async () => {
    const lines = ['Lease 19850709-9805', 'asa@example.com'];
    const { out, fileName } = await desk.api['digest.mail']({ subject: 'Today', lines });
    expect(fileName).toBe('Today.eml');
    const [head = '', body = ''] = Buffer.from(desk.bytes.take(out)).toString().split('\r\n\r\n');
    expect(head).toContain('X-Unsent: 1');
    expect(Buffer.from(body, 'base64').toString()).not.toMatch(/9805|asa@/);
  });
});
