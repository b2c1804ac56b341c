import { createHash } from 'node:crypto';
import type { BenchRow } from '../../build/bench.ts';
import { createConnectionStore } from '../../electron/adapters/sqlite/connections/store.ts';
import { createSettingStore } from '../../electron/adapters/sqlite/settings/store.ts';
import { createOwnUserStore } from '../../electron/adapters/sqlite/connections/own-user-store.ts';
import { createActionStore } from '../../electron/adapters/sqlite/actions/store.ts';
import { createReminderStore } from '../../electron/adapters/sqlite/reminders/store.ts';
import { createEncoding } from '../../electron/adapters/system/encoding.ts';
import { systemScheduler } from '../../electron/adapters/system/platform.ts';
import {
  candidates,
  decideReminder,
  type RankedRules,
} from '../../electron/core/reminders/candidates.ts';
import { ReminderRule } from '../../shared/contract/reminders.ts';
import { ActionId, AgreementId } from '../../shared/model/ids.ts';
import { sortBySpecificity } from '../../shared/rules/reminders/match.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import { benchStore, type BenchStore, OFFICE } from './bench-store.ts';
import { manyAgreements, NOW } from './many-agreements.ts';
import { median } from './median.ts';
import { DAY } from '../../shared/rules/time/units.ts';

const COUNT = 10_000;
const RULES = 20;
const ROUNDS = 5;
const MAX_MS = 1000;

export const name = `reminders: ${COUNT.toLocaleString('en')} open agreements by ${RULES} rules`;

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Rules for the tag with their number; the last rule applies to all other agreements. */
const rules: RankedRules = sortBySpecificity(
  Array.from({ length: RULES }, (_, index) => {
    const rule = ReminderRule.parse({
      id: uuid(index),
      name: `Rule ${index}`,
      isOn: true,
      filter: {
        ownOnly: false,
        ...(index < RULES - 1 && { tag: `unit=${index}`, states: ['waiting', 'part-signed'] }),
      },
      firstAfterDays: 2 + (index % 5),
      everyDays: 1 + (index % 4),
      most: 3,
      hours: { zone: 'Europe/Stockholm', from: '09:00', to: '16:00' },
      country: 'SE',
      createdAt: NOW,
    });
    return { ...rule, stored: { rule, last: null, failures: 0, countsFrom: null } };
  }),
);

/** Agreements that all wait, for as long as those of two months. */
function* open(): Generator<RemoteAgreement> {
  let index = 0;
  for (const one of manyAgreements(COUNT)) {
    const sentAt = NOW - (index % 60) * DAY;
    const tags = { ...one.tags, unit: String(index % (2 * RULES)) };
    const parties = (one.parties ?? []).map((party) => ({ ...party, state: 'turn' as const }));
    yield { ...one, state: 'waiting', sentAt, closedAt: null, tags, parties };
    index += 1;
  }
}

function remindSome({ database }: BenchStore, some: readonly RemoteAgreement[]): void {
  const actions = createActionStore(database);
  const connectionId = OFFICE;
  if (connectionId === undefined) throw new Error('There is no connection');
  for (const [index, { id, parties }] of some.entries()) {
    const partyId = parties?.[0]?.id ?? null;
    actions.insert({
      actionId: ActionId.parse(uuid(index)),
      kind: 'remind',
      state: 'done',
      connectionId,
      agreementId: AgreementId.parse(id),
      title: '',
      partyId,
      notificationId: 'n',
      token: null,
      rule: null,
      goal: null,
      failure: null,
      revokedAt: null,
      createdAt: NOW - 3 * DAY,
      updatedAt: NOW - 3 * DAY,
    });
  }
}

export async function run(): Promise<readonly BenchRow[]> {
  using place = benchStore('encrypted');
  const all = [...open()];
  place.fill(all);
  remindSome(place, all.slice(0, COUNT / 2));
  const ports = {
    stores: {
      reminders: createReminderStore(place.database),
      ownUsers: createOwnUserStore(place.database),
      connections: createConnectionStore(place.database),
      settings: createSettingStore(place.database),
    },
    clock: { now: () => NOW, after: () => () => undefined },
    scheduler: systemScheduler,
    encoding: createEncoding(),
    sha256: (data: Uint8Array) => createHash('sha256').update(data).digest('hex'),
  };
  const times: number[] = [];
  let judged = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    judged = 0;
    for await (const some of candidates(ports, rules)) {
      for (const one of some) {
        decideReminder(one, NOW);
        judged += 1;
      }
    }
    times.push(performance.now() - start);
  }
  if (judged < COUNT) throw new Error(`Only ${judged} parties were judged`);
  return [{ what: 'read and judged', ours: median(times), base: MAX_MS, goal: 1 }];
}
