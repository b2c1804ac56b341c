import { beforeEach, describe, expect, it } from 'vitest';
import type { NewConnection, TestNote, TestStep } from '../../../shared/contract/connections.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

let desk: MemoryDesk;

beforeEach(() => {
  desk = startMemoryDesk();
});

const office: NewConnection = {
  name: 'Office',
  api: 'v1',
  url: 'https://service.example',
  environment: 'production',
  accountId: null,
  orgNo: null,
  allowed: null,
  secret: 'token',
};

describe('the new API key of a connection', () => {
  const refusing: TestStep = { step: 'credential', ok: false, note: 'refused', value: null };

  it('does not replace the old one if the service refuses it', async () => {
    const { id } = await desk.api['connections.add'](office);
    desk.services.v1.steps = [refusing];
    const replaced = desk.api['connections.replaceSecret']({ id, secret: 'wrong' });
    await expect(replaced).rejects.toMatchObject({ failure: { reason: 'credential-refused' } });
    expect([...desk.vault.entries.values()]).toEqual(['token']);
  });

  it('replaces the old one if the service cannot be reached', async () => {
    const { id } = await desk.api['connections.add'](office);
    desk.services.v1.steps = [{ ...refusing, step: 'address', note: 'not-reached' }];
    await desk.api['connections.replaceSecret']({ id, secret: 'new' });
    expect([...desk.vault.entries.values()]).toEqual(['new']);
  });
});

describe('adding a connection', () => {
  it('stores the API key only in the credential store, without pasted extra characters', async () => {
    const secret = ' \n\ttoken-7\r\n';
    const connection = await desk.api['connections.add']({ ...office, secret });
    expect([...desk.vault.entries.values()]).toEqual(['token-7']);
    const shown = JSON.stringify([connection, await desk.api['connections.list']({})]);
    expect(shown).not.toContain('token-7');
  });

  it('sends nothing', async () => {
    await desk.api['connections.add'](office);
    expect(desk.services.v1.requestCount()).toBe(0);
  });

  it.each([
    ['a blank secret', { secret: ' \n' }, 'credential-blank'],
    ['a wrong address', { url: 'ftp://x' }, 'address-invalid'],
    ['no acting user for v2', { api: 'v2', accountId: ' ' }, 'credential-blank'],
  ] as const)('refuses %s, and stores nothing', async (_, change, reason) => {
    await expect(desk.api['connections.add']({ ...office, ...change })).rejects.toMatchObject({
      failure: { code: 'invalid', reason },
    });
    expect(await desk.api['connections.list']({})).toEqual([]);
    expect(desk.vault.entries.size).toBe(0);
  });

  it('rejects a name that is in use', async () => {
    await desk.api['connections.add'](office);
    await expect(desk.api['connections.add'](office)).rejects.toMatchObject({
      failure: { code: 'conflict', fields: { name: 'taken' } },
    });
  });

  it('stores nothing when the credential store does not accept the secret', async () => {
    desk.vault.breakWith({ code: 'vault', message: 'Locked', reason: 'vault-locked' });
    await expect(desk.api['connections.add'](office)).rejects.toMatchObject({
      failure: { code: 'vault', reason: 'vault-locked' },
    });
    expect(await desk.api['connections.list']({})).toEqual([]);
  });
});

describe('two connections', () => {
  it('to one account keep their copies separate (TX-04)', async () => {
    const first = await desk.api['connections.add'](office);
    const second = await desk.api['connections.add']({ ...office, name: 'Again' });
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'same', title: 'Old' })], 1)];
    const sync = async (connectionId: typeof first.id) => {
      const { jobId } = await desk.api['agreements.sync']({ connectionId });
      await desk.finish(jobId);
    };
    await sync(first.id);
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'same', title: 'New' })], 1)];
    await sync(second.id);
    const id = AgreementId.parse('same');
    const title = async (connectionId: typeof first.id) =>
      (await desk.api['agreements.show']({ connectionId, id, refresh: false })).title;
    expect([await title(first.id), await title(second.id)]).toEqual(['Old', 'New']);
    expect(await desk.api['agreements.find']({ id })).toHaveLength(2);
  });
});

describe('removing a connection', () => {
  it('removes its secret, whether its copies are kept or not (TX-05)', async () => {
    const { id } = await desk.api['connections.add'](office);
    const other = await desk.api['connections.add']({ ...office, name: 'Other', secret: 'kept' });
    await desk.api['connections.remove']({ id, agreements: 'keep', drafts: 'keep' });
    expect([...desk.vault.entries.values()]).toEqual(['kept']);
    expect(await desk.api['connections.list']({})).toEqual([other]);
  });

  it('is rejected until refused requests have been checked on the service (DL-W29)', async () => {
    const { id: connectionId } = await addConnection(desk);
    const now = desk.clock.now();
    const { outbox } = desk.stores;
    const ref = insertRow(desk, connectionId, { nextAt: now });
    outbox.claim(ref, { at: now, floor: now, credential: 'key' });
    outbox.move(ref, ['sending'], { to: 'rejected', cause: 'answer', verify: true }, now);
    const removal = { id: connectionId, agreements: 'delete', drafts: 'keep' } as const;
    await expect(desk.api['connections.remove'](removal)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'already-under-way' },
    });
    outbox.move(ref, ['rejected'], { to: 'rejected', cause: 'look', verify: false }, now);
    await desk.api['connections.remove'](removal);
    expect(await desk.api['connections.list']({})).toEqual([]);
  });

  it('is rejected while a request may be in flight through it', async () => {
    const { id: connectionId } = await addConnection(desk);
    const draft = await addDraftV1(desk);
    const order = { id: draft.id, connectionId, holdSeconds: 30, confirm: 1 };
    const { ref } = await desk.api['drafts.send'](order);
    const removal = { id: connectionId, agreements: 'delete', drafts: 'keep' } as const;
    await expect(desk.api['connections.remove'](removal)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'already-under-way' },
    });
    await desk.api['outbox.undo']({ ref });
    await desk.api['connections.remove'](removal);
    expect([...desk.vault.entries.keys()]).toEqual(['outbox-epoch']);
  });

  it('is rejected while the secret cannot be removed', async () => {
    const { id } = await desk.api['connections.add'](office);
    desk.vault.breakWith({ code: 'vault', message: 'Locked', reason: 'vault-locked' });
    const removal = { id, agreements: 'keep', drafts: 'keep' } as const;
    await expect(desk.api['connections.remove'](removal)).rejects.toMatchObject({
      failure: { code: 'vault' },
    });
    expect(await desk.api['connections.list']({})).toHaveLength(1);
  });
});

describe('the demo', () => {
  it('has two connections, added once, with nothing in the credential store', async () => {
    const added = await desk.api['connections.addDemo']({});
    expect(added.map(({ name, api, url, environment }) => [name, api, url, environment])).toEqual([
      ['Head office', 'v1', 'demo:v1', 'demo'],
      ['Property office', 'v2', 'demo:v2', 'demo'],
    ]);
    const [first] = added;
    if (first === undefined) throw new Error('no demo connection');
    await desk.api['connections.rename']({ id: first.id, name: 'Play' });
    const again = await desk.api['connections.addDemo']({});
    expect(again.map(({ id }) => id)).toEqual(added.map(({ id }) => id));
    expect(desk.vault.entries.size).toBe(0);
    const { steps } = await desk.api['connections.test']({ id: first.id });
    expect(steps.at(-1)).toEqual({ step: 'vault', ok: true, note: 'stored-demo', value: null });
    expect(desk.opened.secrets).toEqual(['demo-token']);
  });

  it('profile accepts no real connection', async () => {
    desk = startMemoryDesk(createWorld(), 'demo');
    for (const call of ['connections.add', 'connections.try', 'connections.detect'] as const) {
      await expect(desk.api[call](office)).rejects.toMatchObject({
        failure: { code: 'vault', reason: 'vault-demo-only' },
      });
    }
    expect(await desk.api['connections.addDemo']({})).toHaveLength(2);
  });
});

describe('finding out the API of a key', () => {
  const step = (
    name: 'address' | 'credential' | 'list',
    ok: boolean,
    note: TestNote,
  ): TestStep => ({
    step: name,
    ok,
    note,
    value: null,
  });
  const reached = step('address', true, 'reached');
  const accepted = [reached, step('credential', true, 'accepted'), step('list', true, 'listed')];
  const refused = [reached, step('credential', false, 'refused')];
  const detect = (url = 'https://service.example') =>
    desk.api['connections.detect']({ url, secret: ' key-7\n' });

  it('ends with the first API that accepts the key, and stores nothing', async () => {
    desk.services.v1.steps = accepted;
    const { tries } = await detect();
    expect(tries).toEqual([
      { api: 'v1', url: 'https://service.example', isAccepted: true, steps: accepted },
    ]);
    expect(desk.vault.entries.size).toBe(0);
    expect(await desk.api['connections.list']({})).toEqual([]);
    expect(desk.opened.secrets).toContain('key-7');
    expect(desk.opened.secrets).not.toContain(' key-7\n');
  });

  it('tries the other API on the same host after a refusal, and reports both', async () => {
    desk.services.v1.steps = refused;
    desk.services.v2.steps = accepted;
    const { tries } = await detect();
    expect(tries.map(({ api, url, isAccepted }) => [api, url, isAccepted])).toEqual([
      ['v1', 'https://service.example', false],
      ['v2', 'https://service.example/v2', true],
    ]);
  });

  it('does not count a key as accepted if the agreements cannot be listed', async () => {
    const unlisted = [...accepted.slice(0, 2), step('list', false, 'not-this-service')];
    desk.services.v1.steps = unlisted;
    desk.services.v2.steps = refused;
    expect((await detect()).tries.map(({ isAccepted }) => isAccepted)).toEqual([false, false]);
  });

  it('ends if the host cannot be reached, because the other API is on the same host', async () => {
    desk.services.v1.steps = [step('address', false, 'not-reached')];
    expect((await detect()).tries.map(({ api }) => api)).toEqual(['v1']);
  });

  it('rejects an address that belongs to neither API before anything is sent', async () => {
    await expect(detect('ftp://x')).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'address-invalid' },
    });
  });
});

describe('a test of a connection', () => {
  it('reports the steps of the service, then where the secret is stored, and changes nothing', async () => {
    const { id } = await desk.api['connections.add'](office);
    const result = await desk.api['connections.test']({ id });
    expect(result.ok).toBe(true);
    expect(result.steps.map(({ step, note }) => [step, note])).toEqual([
      ['address', 'reached'],
      ['vault', 'stored'],
    ]);
    expect(desk.services.v1.created).toEqual([]);
  });

  it('that fails lists the steps not tried and the reason, so that no step seems pending (SC-12)', async () => {
    const reached = { step: 'address', ok: true, note: 'reached', value: 'x' } as const;
    const refused = { step: 'credential', ok: false, note: 'refused', value: null } as const;
    desk.services.v1.steps = [reached, { ...reached, step: 'tls', note: 'tls-ok' }, refused];
    const { ok, steps } = await desk.api['connections.try'](office);
    expect(ok).toBe(false);
    expect(steps.map(({ step, note, value }) => [step, note, value])).toEqual([
      ['address', 'reached', 'x'],
      ['tls', 'tls-ok', 'x'],
      ['credential', 'refused', null],
      ['list', 'skipped', 'refused'],
      ['clock', 'skipped', 'refused'],
      ['vault', 'stored', null],
    ]);
  });

  it('before the connection is stored leaves nothing behind', async () => {
    desk.services.v1.steps = [{ step: 'address', ok: false, note: 'not-reached', value: 'x' }];
    expect((await desk.api['connections.try'](office)).ok).toBe(false);
    expect(desk.vault.entries.size).toBe(0);
    expect(await desk.api['connections.list']({})).toEqual([]);
  });

  it('reports a missing secret', async () => {
    const { id } = await desk.api['connections.add'](office);
    await desk.vault.remove(`connection/${id}`);
    await expect(desk.api['connections.test']({ id })).rejects.toMatchObject({
      failure: { code: 'signed-out', reason: 'credential-missing' },
    });
  });
});
