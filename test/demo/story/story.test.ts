import { describe, expect, it } from 'vitest';
import { at, listAt, openDemo, textAt } from '../support.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

describe('the demo story', () => {
  it('has agreements in every status of both APIs', async () => {
    const { demo } = await openDemo({ seed: 'full' });
    expect(new Set(demo.agreements.v1().map(({ state }) => state)).size).toBe(8);
    expect(new Set(demo.agreements.v2().map(({ status }) => status)).size).toBe(4);
    expect(demo.agreements.v1()).toHaveLength(42);
    expect(demo.agreements.v2()).toHaveLength(16);
  });

  it('has at least 5 v1 and 3 v2 agreements for us to sign, and 8 v1 and 4 v2 to archive', async () => {
    const client = await openDemo({ seed: 'full' });
    const query =
      'filter[state]=AWAITING&page[size]=100&include=parties,parties.signingConfigurations';
    const { json } = await client.v1('GET', `/v1/agreements?${query}`);
    const ours = listAt(json, 'data').flatMap((one) =>
      listAt(one, 'parties').filter(
        (party) => at(party, 'signingConfigurations', 0, 'type') === 'API',
      ),
    );
    const states = ours.map((party) => textAt(party, 'state'));
    expect(states.filter((state) => state === 'READY_TO_SIGN').length).toBeGreaterThanOrEqual(5);
    expect(states).toContain('WAITING_TO_SIGN');
    const open = await client.v2('GET', '/agreements?status=NOT_SIGNED');
    const waiting = listAt(open.json, 'agreements').filter((one) =>
      listAt(one, 'parties', 'companies').some(
        (party) => at(party, 'orgNo') === '5599990008' && at(party, 'status') === 'NOT_SIGNED',
      ),
    );
    expect(waiting.length).toBeGreaterThanOrEqual(3);
    const { v1, v2 } = client.demo.agreements;
    expect(v1().filter(({ state }) => state === 'SIGNED_BY_ALL').length).toBeGreaterThanOrEqual(8);
    expect(v2().filter(({ status }) => status === 'SIGNED_BY_ALL').length).toBeGreaterThanOrEqual(
      4,
    );
  });

  it('does not change without actions, except for parties about to sign', async () => {
    const client = await openDemo({ seed: 'full', counterpartDelayMs: 1000 });
    const before = client.demo.agreements.v1().filter(({ state }) => state === 'SIGNED_BY_ALL');
    client.clock.at += MINUTE;
    const after = client.demo.agreements.v1().filter(({ state }) => state === 'SIGNED_BY_ALL');
    expect(after).toEqual(before);
  });

  it('can be extended by generated agreements of any number', async () => {
    const { demo } = await openDemo({ seed: 300 });
    expect(demo.agreements.v1()).toHaveLength(342);
    expect(demo.agreements.v2()).toHaveLength(316);
  });
});
