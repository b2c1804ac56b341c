import { beforeEach, describe, expect, it } from 'vitest';
import { correctAddress } from '../../../electron/core/people/correct.ts';
import { rememberPeople } from '../../../electron/core/people/remember.ts';
import { GroupId, PersonId, type Person } from '../../../shared/contract/people.ts';
import { toPartyV1 } from '../../../shared/rules/people/people.ts';
import { bodyV1, createWorld, type World } from '../../support/fakes/memory-desk.ts';

const WRONG = 'asa@exmaple.com';
const RIGHT = 'asa@example.com';
const MOBILE = '+46701234567';
const asa: Person = { kind: 'person', firstName: 'Åsa', lastName: 'Öberg', email: WRONG };
const known: Person = { ...asa, email: RIGHT };

let world: World;
let added = 0;

beforeEach(() => {
  world = createWorld();
});

/** Adds an entry that a user wrote. */
function add(person: Person): PersonId {
  added += 1;
  const id = PersonId.parse(`00000000-0000-4000-8000-${String(added).padStart(12, '0')}`);
  world.stores.people.put({ id, person, times: 0, usedAt: 1, addedAt: 1, changedAt: 1 });
  return id;
}

/** Returns the entry that sends to this person add. */
function learn(person: Person, sends = 1): PersonId {
  const { signingConfigurations } = bodyV1('').parties[0] ?? {};
  const parties = [{ ...toPartyV1(person), signingConfigurations: signingConfigurations ?? [] }];
  for (let send = 0; send < sends; send += 1) {
    world.clock.advance(1);
    const content = { api: 'v1', body: { ...bodyV1('Lease'), parties } } as const;
    rememberPeople({ ...world, emit: () => undefined }, content);
  }
  const found = world.stores.people.alike(person).find((row) => row.person.email === person.email);
  if (found === undefined) throw new Error('nothing was learned');
  return found.id;
}

/** Changes an entry as a user does. */
function edit(id: PersonId, change: Partial<Person>): void {
  world.clock.advance(1);
  const row = world.stores.people.get(id);
  const person = { ...row.person, ...change };
  world.stores.people.put({ ...row, person, changedAt: world.clock.now() });
}

function correct(name = 'Åsa Öberg', to = RIGHT, from = WRONG.toUpperCase()): void {
  world.clock.advance(1);
  correctAddress({ ...world, emit: () => undefined }, { kind: 'person', name, from, to });
}

const book = () => world.stores.people.search('', 20).map(({ person }) => person);
const offered = () => book().map(({ email }) => email);
const emailOf = (id: PersonId) => world.stores.people.get(id).person.email;

describe('an address corrected in an agreement', () => {
  it('is also corrected in the entry with the person’s name, whose other facts stay (FE-N5)', () => {
    const id = add({ ...asa, mobile: MOBILE });
    correct();
    expect(world.stores.people.get(id)).toMatchObject({
      person: { ...asa, email: RIGHT, mobile: MOBILE },
      times: 0,
      changedAt: world.clock.now(),
    });
  });

  it('is not corrected in entries of other people with the same address (FE-N5)', () => {
    const id = add({ ...asa, firstName: 'Karin' });
    correct();
    expect(emailOf(id)).toBe(WRONG);
  });

  it('leaves an entry that a user wrote, if another with the name has the new address (FE-N5)', () => {
    const [old, right] = [add(asa), add(known)];
    correct();
    expect([emailOf(old), emailOf(right)]).toEqual([WRONG, RIGHT]);
  });
});

describe('a wrong address that the address book learned from sends', () => {
  it.each([1, 2])('is no longer offered once it is corrected, after %i sends', (sends) => {
    const right = add(known);
    learn(asa, sends);
    correct();
    expect(offered()).toEqual([RIGHT]);
    expect(world.stores.people.get(right)).toMatchObject({ person: known, times: sends });
  });

  it('is merged into the entry with the right address, and the facts of both entries stay', () => {
    const right = add({ ...known, personNumber: '198507099805', country: 'SE' });
    const wrong = learn({ ...asa, mobile: MOBILE });
    const group = GroupId.parse('00000000-0000-4000-8000-00000000000a');
    world.stores.people.addGroup(group, 'Board', 1);
    world.stores.people.addMember(group, wrong, null);
    correct();
    expect(book()).toEqual([
      { ...known, mobile: MOBILE, personNumber: '198507099805', country: 'SE' },
    ]);
    expect(world.stores.people.groupsOf(right)).toEqual([group]);
  });

  it('is merged also if a send added the entry with the right address', () => {
    learn(known);
    learn(asa);
    correct();
    expect(offered()).toEqual([RIGHT]);
  });

  it('is no longer offered if it was already a correction of another wrong address', () => {
    add(known);
    learn(asa);
    correct('Åsa Öberg', 'asa@example.co');
    expect(offered().toSorted()).toEqual(['asa@example.co', RIGHT]);
    correct('Åsa Öberg', RIGHT, 'asa@example.co');
    expect(offered()).toEqual([RIGHT]);
  });

  it('stays if the user changed the entry since', () => {
    add(known);
    edit(learn(asa), { mobile: MOBILE });
    correct();
    expect(offered().toSorted()).toEqual([RIGHT, WRONG].toSorted());
  });

  it('stays if a fact of the entry differs from the entry with the right address', () => {
    add({ ...known, mobile: '+46707654321' });
    learn({ ...asa, mobile: MOBILE });
    correct();
    expect(
      book()
        .map(({ mobile }) => mobile)
        .toSorted(),
    ).toEqual([MOBILE, '+46707654321']);
  });

  it('stays if the user decided that the two entries are different people', () => {
    const right = add(known);
    world.stores.people.keepApart(right, learn(asa));
    correct();
    expect(offered().toSorted()).toEqual([RIGHT, WRONG].toSorted());
  });

  it('stays if both entries are in one group, which may have choices for each of them', () => {
    const [right, wrong] = [add(known), learn(asa)];
    const group = GroupId.parse('00000000-0000-4000-8000-00000000000b');
    world.stores.people.addGroup(group, 'Board', 1);
    world.stores.people.addMember(group, right, null);
    world.stores.people.addMember(group, wrong, null);
    correct();
    expect(offered().toSorted()).toEqual([RIGHT, WRONG].toSorted());
  });
});
