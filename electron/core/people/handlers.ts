import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import {
  PartySetId,
  type PartySetContent,
  type PartySet,
  type PersonOffer,
  PersonId,
} from '../../../shared/contract/people.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import { partyNames } from '../../../shared/rules/drafts/check.ts';
import { maskPersonNumber } from '../../../shared/rules/text/mask.ts';
import { peopleIn, personKeyOf, titleOfPerson } from '../../../shared/rules/people/people.ts';
import type { StoredPerson, StoredPartySet } from './ports.ts';
import type { Chance, Clock, Stores } from '../ports.ts';

/** As many as can be looked over at once. */
const OFFERED_MOST = 20;

interface PeoplePorts {
  readonly stores: Pick<Stores, 'people' | 'drafts'>;
  readonly clock: Clock;
  readonly chance: Chance;
}

/** Who was written to before, and sets of parties that belong together. */
export function createPeople(ports: PeoplePorts): HandlersOf<'people'> {
  const { people } = ports.stores;
  return {
    'people.search': async ({ text }) =>
      people.search(text.split(/\s+/).filter(Boolean), OFFERED_MOST).map(offer),
    'people.take': async ({ id }) => people.get(id),
    'people.remove': async ({ id }) => {
      people.remove(id);
      return {};
    },
    'people.groups': async () => ({ names: [...ports.stores.drafts.groupNames()] }),
    'people.sets': async () => people.sets().map(setOf),
    'people.saveSet': async ({ name, content }) => {
      const set = { id: PartySetId.parse(ports.chance.uuid()), name, content };
      people.saveSet(set, ports.clock.now());
      return setOf(set);
    },
    'people.takeSet': async ({ id }) => people.set(id).content,
    'people.removeSet': async ({ id }) => {
      people.removeSet(id);
      return {};
    },
  };
}

/** Keeps the parties of a draft that goes out, to be offered the next time. */
export function rememberPeople(ports: PeoplePorts, content: DraftContent): void {
  const now = ports.clock.now();
  for (const person of peopleIn(content, dayOf(now))) {
    const key = personKeyOf(person);
    if (key === null) continue;
    ports.stores.people.remember(PersonId.parse(ports.chance.uuid()), key, person, now);
  }
}

function offer({ id, person, usedAt }: StoredPerson): PersonOffer {
  const { kind, email, mobile, personNumber, companyNumber } = person;
  const number = personNumber === undefined ? companyNumber : maskPersonNumber(personNumber);
  return {
    id,
    kind,
    title: titleOfPerson(person),
    email: email ?? null,
    mobile: mobile ?? null,
    number: number ?? null,
    usedAt,
  };
}

function setOf({ id, name, content }: StoredPartySet): PartySet {
  return { id, name, api: content.api, parties: namesIn(content) };
}

function namesIn(content: PartySetContent): string[] {
  if (content.api === 'v1') {
    const body = { title: '', attachments: [], parties: content.parties };
    return [...partyNames({ api: 'v1', body })];
  }
  const body = { name: '', type: 'ATTACHED' as const, parties: content.parties };
  return [...partyNames({ api: 'v2', body })];
}
