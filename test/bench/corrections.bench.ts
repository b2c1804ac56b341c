import type { BenchRow } from '../../build/bench.ts';
import { createConnectionStore } from '../../electron/adapters/sqlite/connections/store.ts';
import { createOwnUserStore } from '../../electron/adapters/sqlite/connections/own-user-store.ts';
import { createCorrectionStore } from '../../electron/adapters/sqlite/corrections/store.ts';
import { createReminderStore } from '../../electron/adapters/sqlite/reminders/store.ts';
import { systemScheduler } from '../../electron/adapters/system/platform.ts';
import { preview } from '../../electron/core/corrections/preview.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import { benchStore } from './bench-store.ts';
import { manyAgreements } from './many-agreements.ts';
import { median } from './median.ts';

const COUNT = 10_000;
const LINES = 1_000;
const ROUNDS = 5;
const MAX_MS = 1_000;

export const name = `corrections: ${LINES.toLocaleString('en')} lines among ${COUNT.toLocaleString('en')} open agreements`;

/** Agreements that nobody has signed, so that each party may match. */
function* open(): Generator<RemoteAgreement> {
  for (const one of manyAgreements(COUNT)) {
    const parties = (one.parties ?? []).map((party) => ({ ...party, state: 'turn' as const }));
    yield { ...one, state: 'waiting', closedAt: null, parties };
  }
}

/**
 * List in which one of three lines has an address that matches, one a name, and one matches no
 * party.
 */
function listOf(agreements: readonly RemoteAgreement[]): string {
  // Use each name for one line only: several addresses for one name would contradict each other.
  const people = new Map(
    agreements.flatMap(({ parties }) => (parties ?? []).map((party) => [party.name, party.email])),
  );
  const lines = [...people].slice(0, LINES).map(([called, email], at) => {
    const who = [email ?? '', called ?? '', `nobody.${at}@old.example`][at % 3] ?? '';
    return `${who}; new.${at}@new.example`;
  });
  return lines.join('\n');
}

/** Measures *Find them*, from the text to the shown rows. */
export async function run(): Promise<readonly BenchRow[]> {
  using place = benchStore('encrypted');
  const all = [...open()];
  place.fill(all);
  const ports = {
    stores: {
      reminders: createReminderStore(place.database),
      corrections: createCorrectionStore(place.database),
      connections: createConnectionStore(place.database),
      ownUsers: createOwnUserStore(place.database),
    },
    scheduler: systemScheduler,
  };
  const text = listOf(all);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const { rows, unfound, refused } = await preview(ports, text);
    times.push(performance.now() - start);
    const missing = Math.floor(LINES / 3);
    if (rows.length < LINES - missing || unfound.length !== missing || refused.length > 0) {
      throw new Error(
        `Found ${rows.length}, not found ${unfound.length}, refused ${refused.length}`,
      );
    }
  }
  return [{ what: 'read and looked for', ours: median(times), base: MAX_MS, goal: 1 }];
}
