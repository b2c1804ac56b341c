import { type Person, PersonId } from '../../../../shared/contract/people.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import { SharedNumber, SharedPerson } from '../../../../shared/rules/office/items.ts';
import type { Content } from '../../../../shared/rules/office/merge.ts';
import { titleOfPerson } from '../../../../shared/rules/people/people.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import { isSameParty } from '../../../../shared/rules/people/same.ts';
import { maskPersonNumber } from '../../../../shared/rules/text/mask.ts';
import type { PeopleStore, StoredPerson } from '../../people/ports.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';

const PEOPLE_PER_PORTION = 100;

const asFields = { fields: {} } as const;

/** Address book entries; usage counts are not shared. */
export function createPersonItems({ stores, clock }: KeeperPorts): ItemKeeper {
  const { people } = stores;
  return {
    shape: asFields,
    *list() {
      for (const { id, person } of allPeople(people)) yield [id, toSharedPerson(person)];
    },
    read: (id) => {
      const row = storedPersonById(people, id);
      return row === null ? undefined : toSharedPerson(row.person);
    },
    changedAt: (id) => storedPersonById(people, id)?.changedAt ?? null,
    forgottenAt: (id) => people.forgottenAt(PersonId.parse(id)),
    write(id, content) {
      const row = storedPersonById(people, id);
      if (content === undefined) {
        if (row !== null) people.remove(row.id);
        return true;
      }
      const now = clock.now();
      const person = { ...numbersOf(row?.person ?? null), ...SharedPerson.parse(content) };
      const added = { id: PersonId.parse(id), times: 0, usedAt: now, addedAt: now };
      people.put({ ...(row ?? added), person, changedAt: nextChangeTime(row, now) });
      return true;
    },
    adopt(id, content, isKnown) {
      const given = SharedPerson.parse(content);
      const same = people
        .alike(given)
        .find((one) => !isKnown(one.id) && isSameParty(one.person, given));
      if (same === undefined) return;
      const adopted = { ...same, id: PersonId.parse(id) };
      people.put(adopted);
      people.moveMemberships(same.id, adopted.id);
      people.remove(same.id);
    },
    titleOf: (_id, content) => titleOfPerson(SharedPerson.parse(content)),
    textOf: (content) => (typeof content === 'string' ? content : personTitleOf(content)),
  };
}

/** Personal numbers of address book entries, for users who may see them. */
export function createNumberItems({ stores, clock }: KeeperPorts): ItemKeeper {
  const { people } = stores;
  const numberIn = (person: Person): Json | undefined => {
    const numbers = numbersOf(person);
    return Object.keys(numbers).length === 0 ? undefined : numbers;
  };
  return {
    shape: asFields,
    *list() {
      for (const { id, person } of allPeople(people)) {
        const content = numberIn(person);
        if (content !== undefined) yield [id, content];
      }
    },
    read: (id) => {
      const row = storedPersonById(people, id);
      return row === null ? undefined : numberIn(row.person);
    },
    changedAt: (id) => storedPersonById(people, id)?.changedAt ?? null,
    forgottenAt: (id) => people.forgottenAt(PersonId.parse(id)),
    write(id, content) {
      const row = storedPersonById(people, id);
      if (row === null) return content === undefined;
      const numbers = content === undefined ? {} : SharedNumber.parse(content);
      const person = { ...SharedPerson.parse(toSharedPerson(row.person)), ...numbers };
      people.put({ ...row, person, changedAt: nextChangeTime(row, clock.now()) });
      return true;
    },
    titleOf: (id) => {
      const row = storedPersonById(people, id);
      return row === null ? '' : titleOfPerson(row.person);
    },
    textOf: (content) => {
      const number = SharedNumber.safeParse(content);
      const texts = number.success ? Object.values(number.data) : [content];
      const shown = texts.flatMap((text) =>
        typeof text === 'string' ? [maskPersonNumber(text)] : [],
      );
      return shown.length === 0 ? null : shown.join(' · ');
    },
  };
}

function* allPeople(people: PeopleStore): Generator<StoredPerson> {
  for (let after = 0; ;) {
    const portion = people.portion(null, after, PEOPLE_PER_PORTION);
    yield* portion.rows;
    if (portion.rows.length < PEOPLE_PER_PORTION) return;
    after = portion.after;
  }
}

const storedPersonById = (people: PeopleStore, id: string): StoredPerson | null =>
  people.snapshot([PersonId.parse(id)])[0]?.row ?? null;

/** Returns the fields without personal numbers, which every user may read. */
function toSharedPerson(person: Person): Json {
  const held = Object.keys(numbersOf(person));
  return Object.fromEntries(Object.entries(person).filter(([name]) => !held.includes(name)));
}

/**
 * Returns the fields with personal numbers, including the company number of a sole trader and a
 * name that contains a personal number.
 */
function numbersOf(person: Person | null): SharedNumber {
  const { kind: _kind, ...facts } = person ?? { kind: null };
  const held = Object.entries(facts).filter(([name, text]) =>
    containsPersonNumber({ [name]: text }),
  );
  return SharedNumber.parse(Object.fromEntries(held));
}

function personTitleOf(content: Content): string | null {
  const person = SharedPerson.safeParse(content);
  return person.success ? titleOfPerson(person.data) : null;
}

/** Returns a time later than the previous change, so that an undo detects the new change. */
function nextChangeTime(row: StoredPerson | null, now: number): number {
  return row === null ? now : Math.max(now, row.changedAt + 1);
}
