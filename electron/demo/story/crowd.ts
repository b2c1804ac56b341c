import { storyPdf } from './story-pdf.ts';
import { personV1, personV2 } from './parties.ts';
import { personAt } from './people.ts';
import { playLegacyStory } from './v2.ts';
import type { Ending } from './v1-stories.ts';
import { playStory } from './v1.ts';
import type { Service } from '../state/service.ts';
import { DAY } from '../server/stamps.ts';
import type { Store } from '../state/store.ts';
import type { Agreement, Party } from '../state/record-v1.ts';
import type { LegacyAgreement } from '../state/record-v2.ts';

/** Outcomes of the generated agreements, repeated in this order. */
const OUTCOME_PATTERN: readonly Ending[] = [
  'closed',
  'sent',
  'closed',
  'partly',
  'closed',
  'rejected',
];
const DAYS_BETWEEN_SENDS = 0.02;
/**
 * Maximum age of open v2 agreements in days: v2 rejects agreements that are open for more than 60
 * days.
 */
const MAX_LEGACY_AGE_DAYS = 50;
/**
 * Number of days over which the expiry of open agreements is spread: half a year from now, and
 * never today.
 */
const EXPIRY_SPREAD_DAYS = 180;
const FIRST_EXPIRY_DAYS = 2;
const SEED_BATCH_SIZE = 250;

/**
 * Adds `count` agreements to each API. One of each outcome is created like a request; the others
 * are copies of it, with their own times, people and IDs.
 */
export async function seedGenerated(service: Service, count: number): Promise<void> {
  const { store } = service;
  const patterns: Agreement[] = [];
  const legacy: LegacyAgreement[] = [];
  for (const end of OUTCOME_PATTERN) {
    patterns.push(await patternOf(end, service));
    legacy.push(await legacyPatternOf(end, service));
  }
  for (let n = 0; n < count; n += 1) {
    const pattern = patterns[n % patterns.length];
    const legacyPattern = legacy[n % legacy.length];
    if (pattern !== undefined) {
      const copy = copyOf(pattern, n, service);
      store.agreements.set(copy.id, copy);
    }
    if (legacyPattern !== undefined) {
      const copy = copyOfLegacy(legacyPattern, n, store);
      store.legacy.set(copy.referenceNumber, copy);
    }
  }
}

/** Returns a new agreement with this outcome, which is removed from the store again. */
async function patternOf(end: Ending, service: Service): Promise<Agreement> {
  const { agreements } = service.store;
  const pdf = await storyPdf('Avtal', ['Ett av många.']);
  const notified = { notifications: [{ type: 'READY_TO_SIGN' }] };
  const parties = [personV1('oliver', 'CLICK', notified), personV1('siobhan', 'CLICK', notified)];
  const before = new Set(agreements.keys());
  await playStory({ title: end, parties, end, age: 0, pdf }, service);
  return findNewRecord(agreements, before);
}

async function legacyPatternOf(end: Ending, service: Service): Promise<LegacyAgreement> {
  const { legacy } = service.store;
  const before = new Set(legacy.keys());
  await playLegacyStory(
    {
      name: end,
      end: end === 'closed' ? 'closed' : 'posted',
      age: 0,
      privates: [personV2('oliver', 'EMAIL')],
      content: { type: 'FREE_TEXT', text: 'Ett av många.' },
    },
    service,
  );
  return findNewRecord(legacy, before);
}

/** @throws Error if nothing was added. */
function findNewRecord<One>(records: Map<string, One>, before: ReadonlySet<string>): One {
  for (const [key, record] of records) {
    if (before.has(key)) continue;
    records.delete(key);
    return record;
  }
  throw new Error('The story added nothing');
}

function copyOf(pattern: Agreement, n: number, { store, now }: Service): Agreement {
  const back = ageOf(n) * DAY;
  const at = (instant: number | null) => (instant === null ? null : instant - back);
  const isOpen = pattern.state === 'READY_TO_SIGN' || pattern.state === 'SIGNED';
  return {
    ...pattern,
    id: store.uuid(),
    title: titleOf(n),
    createdOn: pattern.createdOn - back,
    lastActivityOn: pattern.lastActivityOn - back,
    postedOn: at(pattern.postedOn),
    closedOn: at(pattern.closedOn),
    rejectedOn: at(pattern.rejectedOn),
    lastSignedOn: at(pattern.lastSignedOn),
    expireOn: isOpen ? now() + (FIRST_EXPIRY_DAYS + (n % EXPIRY_SPREAD_DAYS)) * DAY : null,
    parties: pattern.parties.map((party, index) =>
      copyOfParty(party, n * (index + 1), back, store),
    ),
    tags: {
      batch: `B-${String(Math.floor(n / SEED_BATCH_SIZE) + 1)}`,
      kund: String(10_000 + (n % 977)),
    },
  };
}

function copyOfParty(party: Party, n: number, back: number, store: Store): Party {
  const { firstName, lastName, email } = personOf(n);
  return {
    ...party,
    id: store.uuid(),
    firstName,
    lastName,
    email,
    signedOn: party.signedOn === null ? null : party.signedOn - back,
    notifications: party.notifications.map((one) => ({
      ...one,
      recipients: [{ medium: 'EMAIL', address: email }],
    })),
  };
}

function copyOfLegacy(pattern: LegacyAgreement, n: number, store: Store): LegacyAgreement {
  const back = (ageOf(n) % MAX_LEGACY_AGE_DAYS) * DAY;
  const at = (instant: number | null) => (instant === null ? null : instant - back);
  const { firstName, lastName, email } = personOf(n);
  return {
    ...pattern,
    referenceNumber: store.reference(),
    name: titleOf(n),
    postedOn: pattern.postedOn - back,
    expireOn: pattern.expireOn - back,
    lastModifiedOn: pattern.lastModifiedOn - back,
    closedOn: at(pattern.closedOn),
    parties: pattern.parties.map((party) => ({
      ...party,
      firstName,
      lastName,
      email,
      signedOn: at(party.signedOn),
    })),
    shares: [],
  };
}

/** Returns the number of days since the sending of agreement `n`. */
function ageOf(n: number): number {
  return 1 + n * DAYS_BETWEEN_SENDS;
}

function titleOf(n: number): string {
  const { firstName, lastName } = personOf(n);
  return `Avtal ${String(n + 1)} ${firstName} ${lastName}`;
}

/** Returns a person with the first name of one person of the story and the last name of another. */
function personOf(n: number) {
  const { firstName, email } = personAt(n);
  const { lastName } = personAt(Math.floor(n / 7) + n);
  return { firstName, lastName, email };
}
