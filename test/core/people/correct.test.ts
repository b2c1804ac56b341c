import { beforeEach, describe, expect, it } from 'vitest';
import { correctAddress } from '../../../electron/core/people/correct.ts';
import { PersonId, type Person } from '../../../shared/contract/people.ts';
import { createWorld, type World } from '../../support/fakes/memory-desk.ts';

const WRONG = 'asa@exmaple.com';
const RIGHT = 'asa@example.com';
const asa: Person = { kind: 'person', firstName: 'Åsa', lastName: 'Öberg', email: WRONG };

describe('an address corrected in an agreement', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld();
  });

  let added = 0;
  const add = (person: Person): PersonId => {
    added += 1;
    const id = PersonId.parse(`00000000-0000-4000-8000-${String(added).padStart(12, '0')}`);
    world.stores.people.put({ id, person, times: 1, usedAt: 1, addedAt: 1, changedAt: 1 });
    return id;
  };
  const emailOf = (id: PersonId) => world.stores.people.get(id).person.email;
  const correct = (name = 'Åsa Öberg') => {
    const ports = { ...world, emit: () => undefined };
    correctAddress(ports, { kind: 'person', name, from: WRONG.toUpperCase(), to: RIGHT });
  };

  it('is also corrected in the entry with the person’s name, whose other facts stay (FE-N5)', () => {
    const id = add({ ...asa, mobile: '+46701234567' });
    correct();
    expect(world.stores.people.get(id)).toMatchObject({
      person: { ...asa, email: RIGHT, mobile: '+46701234567' },
      times: 1,
      changedAt: world.clock.now(),
    });
  });

  it('is not corrected in entries of other people with the same address (FE-N5)', () => {
    const id = add({ ...asa, firstName: 'Karin' });
    correct();
    expect(emailOf(id)).toBe(WRONG);
  });

  it('changes no entry if one with the person’s name already has the new address (FE-N5)', () => {
    const [old, known] = [add(asa), add({ ...asa, email: RIGHT })];
    correct();
    expect([emailOf(old), emailOf(known)]).toEqual([WRONG, RIGHT]);
  });
});
