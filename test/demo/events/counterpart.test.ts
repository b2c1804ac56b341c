import { describe, expect, it } from 'vitest';
import {
  agreement,
  create,
  createLegacy,
  fetchWhole,
  legacy,
  ourParty,
  person,
  us,
} from '../bodies.ts';
import { at, listAt, openDemo, stateKey, tempFolder, textAt, type Client } from '../support.ts';

const DELAY = 20_000;
const noRejection = { configurations: [{ type: 'REJECTION', enabled: false }] };

function stateOf(client: Client, id: string): string | undefined {
  return client.demo.agreements.v1().find((one) => one.id === id)?.state;
}

describe('the simulated other parties', () => {
  it('sign automatically one after the other, and do not sign for us', async () => {
    const client = await openDemo({ counterpartDelayMs: DELAY });
    const parties = [person, { ...person, signingOrder: 2 }, { ...us, signingOrder: 3 }];
    const id = await create(client, { ...agreement, ...noRejection, parties });
    const states = async () =>
      listAt((await fetchWhole(client, id)).data, 'parties').map((party) => at(party, 'state'));
    expect(await states()).toEqual(['READY_TO_SIGN', 'WAITING_TO_SIGN', 'WAITING_TO_SIGN']);
    client.clock.at += DELAY;
    expect(await states()).toEqual(['SIGNED', 'READY_TO_SIGN', 'WAITING_TO_SIGN']);
    client.clock.at += 10 * DELAY;
    expect(await states()).toEqual(['SIGNED', 'SIGNED', 'READY_TO_SIGN']);
  });

  it('act on a timer, without a request', async () => {
    const client = await openDemo({ counterpartDelayMs: 20, now: Date.now });
    const id = await create(client, { ...agreement, ...noRejection });
    await expect.poll(() => stateOf(client, id)).toBe('SIGNED_BY_ALL');
  });

  it('catch up after a restart, with the times at which they were due', async () => {
    const kept = { dataDir: await tempFolder(), stateKey: stateKey(), counterpartDelayMs: DELAY };
    const first = await openDemo(kept);
    const id = await create(first, { ...agreement, ...noRejection });
    await first.demo.close();
    const later = first.clock.at + 60 * DELAY;
    const second = await openDemo({ ...kept, now: () => later });
    const { data } = await fetchWhole(second, id);
    expect(at(data, 'state')).toBe('SIGNED_BY_ALL');
    expect(textAt(data, 'closedOn')).toBe('20260520T100020Z');
  });

  it('reject about one time in ten, with a reason, and never when not allowed', async () => {
    const client = await openDemo({ counterpartDelayMs: DELAY });
    const free: string[] = [];
    const bound: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      free.push(await create(client));
      bound.push(await create(client, { ...agreement, ...noRejection }));
    }
    client.clock.at += DELAY;
    const rejected = free.filter((id) => stateOf(client, id) === 'REJECTED');
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThan(40);
    expect(bound.every((id) => stateOf(client, id) === 'SIGNED_BY_ALL')).toBe(true);
    const { data } = await fetchWhole(client, rejected[0] ?? '');
    expect(textAt(data, 'parties', 0, 'rejectionResult', 'reason')).not.toBe('');
  });

  it('sign or reject v2 agreements too, but never for our company', async () => {
    const client = await openDemo({ counterpartDelayMs: DELAY });
    const parties = { ...legacy.parties, companies: [ourParty] };
    const reference = await createLegacy(client, { ...legacy, parties });
    client.clock.at += DELAY;
    const { json } = await client.v2('GET', `/agreements/${reference}`);
    expect(at(json, 'parties', 'privates', 0, 'status')).not.toBe('NOT_SIGNED');
    expect(at(json, 'parties', 'companies', 0, 'status')).toBe('NOT_SIGNED');
  });

  it('act immediately when a test requires it', async () => {
    const client = await openDemo();
    const id = await create(client, { ...agreement, parties: [person, us] });
    client.demo.act('v1', id, 'sign-others');
    expect(stateOf(client, id)).toBe('SIGNED');
    client.demo.act('v1', id, 'sign-all');
    expect(stateOf(client, id)).toBe('SIGNED_BY_ALL');
    const reference = await createLegacy(client);
    client.demo.act('v2', reference, 'expire');
    expect(client.demo.agreements.v2()[0]?.status).toBe('REJECTED');
  });
});
