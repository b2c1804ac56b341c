import { beforeEach, describe, expect, it } from 'vitest';
import { isSamePlace, OutboxEpoch } from '../../../electron/core/outbox/epoch.ts';
import type { Failure } from '../../../shared/errors.ts';
import { createWorld, type World } from '../../support/fakes/memory-desk.ts';

const NAME = 'outbox-epoch';
const full: Failure = { code: 'storage', message: 'Full' };

let world: World;
let epoch: OutboxEpoch;
let distrusts: number;

/** Starts another process with the same data, while the earlier one may still run. */
const start = () => new OutboxEpoch({ ...world, distrust: () => void (distrusts += 1) });

beforeEach(() => {
  world = createWorld();
  distrusts = 0;
  epoch = start();
});

const stored = () => world.stores.outbox.epoch();
const kept = async () => [await world.vault.read(NAME), await world.externalState.read(NAME)];

/** Expects the number to be the same in all places, with no change in progress. */
async function agreesOn(number: number): Promise<void> {
  expect(stored()).toMatchObject({ current: number, next: null });
  expect(await kept()).toEqual([String(number), String(number)]);
}

describe('the epoch number of the data', () => {
  it('increases by one with each raise in the database, the vault and the external state', async () => {
    await epoch.raise();
    await agreesOn(1);
    await epoch.raise();
    await agreesOn(2);
    expect(stored().place).toEqual(await world.externalState.place());
    expect(distrusts).toBe(0);
  });

  it('is compared once, and does not increase if nothing is about to be sent', async () => {
    await epoch.check();
    expect(stored().current).toBe(0);
    await world.vault.write(NAME, '9');
    await epoch.check();
    expect(distrusts).toBe(0);
  });

  it('increases once for each of several simultaneous raises', async () => {
    await Promise.all([epoch.raise(), epoch.raise(), epoch.raise()]);
    await agreesOn(3);
  });

  it.each(['vault', 'externalState'] as const)(
    'must still increase before a send if the %s could not store it',
    async (where) => {
      await epoch.check();
      world[where].breakWith(full);
      await expect(epoch.raise()).rejects.toMatchObject({ failure: full });
      await expect(epoch.check()).rejects.toMatchObject({ failure: full });
      world[where].breakWith(null);
      await epoch.check();
      await agreesOn(1);
      await epoch.check();
      await agreesOn(1);
      expect(distrusts).toBe(0);
    },
  );

  it('is compared at the next raise if the first comparison failed', async () => {
    world.vault.breakWith(full);
    await expect(epoch.check()).rejects.toMatchObject({ failure: full });
    world.vault.breakWith(null);
    await world.vault.write(NAME, '9');
    await epoch.check();
    expect(distrusts).toBe(1);
  });

  it('increases at the next raise after a failed one', async () => {
    await epoch.raise();
    world.externalState.breakWith(full);
    await expect(epoch.raise()).rejects.toMatchObject({ failure: full });
    world.externalState.breakWith(null);
    await epoch.raise();
    expect(distrusts).toBe(0);
    const { current } = stored();
    await agreesOn(current);
    expect(current).toBeGreaterThan(1);
  });
});

describe('data whose epoch number differs from the stored one', () => {
  it.each([
    { vault: '9', externalState: '1' },
    { vault: '1', externalState: '9' },
    { vault: '0', externalState: '1' },
    { vault: '1', externalState: 'no number' },
    { vault: '1 ', externalState: '1' },
    { vault: ' 1', externalState: '1' },
    { vault: '1', externalState: '-1' },
  ])(
    'is not trusted with $vault in the vault, $externalState in the external state, not 1',
    async (numbers) => {
      await epoch.raise();
      await world.vault.write(NAME, numbers.vault);
      await world.externalState.write(NAME, numbers.externalState);
      await start().check();
      expect(distrusts).toBe(1);
      const most = Math.max(1, ...Object.values(numbers).map((text) => Number(text) || 0));
      await agreesOn(most + 1);
      await start().check();
      expect(distrusts).toBe(1);
    },
  );

  it('is not trusted if a forged backup sets a number too high to increase (SR-P5)', async () => {
    await epoch.raise();
    const { place } = stored();
    world.stores.outbox.setEpoch({ current: 999_999_999_999_999, next: null, place });
    await start().check();
    expect(distrusts).toBe(1);
    await agreesOn(2);
    await start().raise();
    await agreesOn(3);
    expect(distrusts).toBe(1);
  });

  it('is not trusted, even by a process that is already running', async () => {
    await epoch.raise();
    await world.vault.write(NAME, '5');
    await epoch.raise();
    expect(distrusts).toBe(1);
    await agreesOn(7);
  });

  it('is trusted if a process ended between its writes; all stores then receive the number', async () => {
    await epoch.raise();
    const { place } = stored();
    world.stores.outbox.setEpoch({ current: 1, next: 2, place });
    await world.vault.write(NAME, '2');
    await start().check();
    await agreesOn(2);
    expect(distrusts).toBe(0);
  });

  it('is trusted if no number was ever stored', async () => {
    await start().check();
    await start().raise();
    expect(distrusts).toBe(0);
  });

  it('is read again after another process has changed the number', async () => {
    await epoch.raise();
    const { externalState } = world;
    const read = externalState.read.bind(externalState);
    let others = 1;
    externalState.read = async (name) => {
      if (others > 0) {
        others -= 1;
        const { place } = stored();
        world.stores.outbox.setEpoch({ current: 2, next: null, place });
        await world.vault.write(NAME, '2');
        await externalState.write(NAME, '2');
      }
      return read(name);
    };
    await start().check();
    expect(distrusts).toBe(0);
    await agreesOn(2);
  });
});

describe('the location of the data', () => {
  const place = { computer: 'a', volume: '1', file: '2', made: '3' };

  it.each(['computer', 'volume', 'file', 'made'] as const)(
    'counts as changed if its %s differs, unless the system does not report it',
    (part) => {
      expect(isSamePlace(place, { ...place, [part]: 'x' })).toBe(false);
      expect(isSamePlace({ ...place, [part]: null }, { ...place, [part]: 'x' })).toBe(true);
      expect(isSamePlace({ ...place, [part]: 'x' }, { ...place, [part]: null })).toBe(true);
      expect(isSamePlace(place, { ...place })).toBe(true);
    },
  );

  it('is trusted if it was not stored yet, and is stored when the epoch number increases', async () => {
    await epoch.raise();
    world.stores.outbox.setEpoch({ current: 1, next: null, place: null });
    world.externalState.moveTo({ file: '99' });
    await start().raise();
    expect(distrusts).toBe(0);
    expect(stored().place).toMatchObject({ file: '99' });
    world.externalState.moveTo({ file: '100' });
    await start().check();
    expect(distrusts).toBe(1);
  });
});
