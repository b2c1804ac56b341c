import { beforeEach, describe, expect, it } from 'vitest';
import type { NewIdentity } from '../../../shared/contract/signing.ts';
import { type MemoryDesk, startMemoryDesk } from '../../support/fakes/memory-desk.ts';

let desk: MemoryDesk;

beforeEach(() => {
  desk = startMemoryDesk();
});

const karin = { name: 'Karin', firstName: 'Karin', lastName: 'Lind' };

/** The stored number, in the form that is sent. */
async function storedNumber(given: Partial<NewIdentity>): Promise<string | null> {
  const { id } = await desk.api['identities.add']({ ...karin, ...given });
  return desk.stores.identities.get(id).personNumber;
}

describe('the personal number of a signing person', () => {
  it.each([
    ['a hyphen', '18900101-9802'],
    ['spaces', ' 1890 0101 9802 '],
    ['the plus sign of people over a hundred years old', '900101+9802'],
  ])('is stored as twelve digits, even when entered with %s', async (_, number) => {
    expect(await storedNumber({ personNumber: number, country: 'SE' })).toBe('189001019802');
  });

  it('is treated as Swedish when no country is given', async () => {
    expect(await storedNumber({ personNumber: '18900101-9802' })).toBe('189001019802');
  });

  it('is stored unchanged if it is from another country', async () => {
    const finnish = { personNumber: '010190-002r', country: 'FI' };
    expect(await storedNumber(finnish)).toBe('010190-002R');
  });

  it('is optional', async () => {
    expect(await storedNumber({ personNumber: '' })).toBeNull();
  });

  it.each([
    ['not a number', 'unknown'],
    ['of a date that does not exist', '19900231-9802'],
    ['of two possible centuries', '120101-9805'],
    ['the number of a company', '556036-0793'],
  ])('is rejected at its field when it is %s', async (_, personNumber) => {
    const added = desk.api['identities.add']({ ...karin, personNumber, country: 'SE' });
    const failure = await added.catch((error: unknown) => error);
    expect(failure).toMatchObject({
      failure: { code: 'invalid', fields: { personNumber: expect.stringMatching(/\S/) } },
    });
    expect(JSON.stringify(failure)).not.toContain(personNumber);
    expect(await desk.api['identities.list']({})).toEqual([]);
  });
});

describe('the name of a signing person in lists', () => {
  it('is the name of the person, unless another name is given', async () => {
    const person = { firstName: ' Karin ', lastName: 'Lind' };
    expect((await desk.api['identities.add'](person)).name).toBe('Karin Lind');
    expect((await desk.api['identities.add']({ ...person, name: 'Deputy' })).name).toBe('Deputy');
  });

  it('cannot be the name of another signing person', async () => {
    const person = { firstName: 'Karin', lastName: 'Lind' };
    await desk.api['identities.add'](person);
    await expect(desk.api['identities.add'](person)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'identity-exists' },
    });
  });
});
