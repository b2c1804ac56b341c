import type { BenchRow } from '../../build/bench.ts';
import { type HomeDesk, startOfficeDesks } from '../support/desks/office-desks.ts';
import { longestBlock } from '../support/event-loop.ts';
import { bodyV1 } from '../support/fakes/memory-desk.ts';
import { entryOf } from '../support/person-entry.ts';
import { postgresPrograms } from '../support/postgres.ts';

export const name = 'office: what its desks share';

const ROUNDS = 100;
const ENTRIES = 10_000;
const LIMITS = { seenMs: 300, takenMs: 100, sentMs: 10_000, receivedMs: 10_000, blockMs: 16 };
/** Number of rounds, out of a hundred, that must reach the goal. */
const NEARLY_ALL = 99;

export async function run(): Promise<readonly BenchRow[]> {
  if (postgresPrograms === null) {
    console.log('  PostgreSQL is not installed (postgresql): nothing was measured');
    return [];
  }
  const office = await startOfficeDesks();
  try {
    const [anna, bo] = [await office.add('Anna'), await office.add('Bo')];
    return [
      ...(await untilSeen(anna, bo)),
      ...(await draftUntilSeen(anna, bo)),
      ...(await wholeBook(anna, bo)),
    ];
  } finally {
    await office.close();
  }
}

/** Times from a change on one computer until the data of the other one contains it. */
async function untilSeen(anna: HomeDesk, bo: HomeDesk): Promise<readonly BenchRow[]> {
  for (const desk of [anna, bo]) await share(desk);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const seen = new Promise<number>((resolve) => {
      bo.desk.setEmit((event) => {
        if (event === 'people.changed') resolve(performance.now());
      });
    });
    const begun = performance.now();
    const email = `change-${String(round)}@example.com`;
    await anna.api['people.save']({ id: null, entry: entryOf({ email }) });
    times.push((await seen) - begun);
  }
  const ordered = times.toSorted((one, other) => one - other);
  const what = `a change until another desk has it, ${String(NEARLY_ALL)} of ${String(ROUNDS)}`;
  return [{ what, ours: ordered[NEARLY_ALL - 1] ?? Number.NaN, base: LIMITS.seenMs, goal: 1 }];
}

/**
 * Times for one draft that both users edit; only its first change asks the office who is editing
 * it.
 */
async function draftUntilSeen(anna: HomeDesk, bo: HomeDesk): Promise<readonly BenchRow[]> {
  const content = { api: 'v1' as const, body: bodyV1('Lease') };
  const { id } = await anna.api['drafts.create']({ content, connectionId: null });
  await anna.api['office.together']({ draft: id, isTogether: true });
  await bo.api['office.share']({ set: 'drafts', isShared: true });
  let { revision } = await anna.api['drafts.show']({ id });
  const write = async (title: string): Promise<number> => {
    const begun = performance.now();
    const changed = { api: 'v1' as const, body: bodyV1(title) };
    const order = { id, revision, content: changed, connectionId: null };
    ({ revision } = await anna.api['drafts.save'](order));
    return performance.now() - begun;
  };
  const [first, seen, stored]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const arrived = new Promise<number>((resolve) => {
      bo.desk.setEmit((event) => {
        if (event === 'drafts.changed') resolve(performance.now());
      });
    });
    const begun = performance.now();
    const took = await write(`Lease ${String(round)}`);
    seen.push((await arrived) - begun);
    if (round % 10 === 0) first.push(took);
    else stored.push(took);
    if (round % 10 === 9) await anna.api['office.leaveDraft']({ draft: id });
  }
  // The following measurements need computers that share no other data.
  for (const { api } of [anna, bo]) await api['office.share']({ set: 'drafts', isShared: false });
  const at = (times: readonly number[], share: number): number =>
    times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  return [
    {
      what: 'a change of a draft until another desk has it, 99 of 100',
      ours: at(seen, 0.99),
      base: LIMITS.seenMs,
      goal: 1,
    },
    {
      what: 'the first change of a draft, which takes it',
      ours: at(first, 0.5),
      base: LIMITS.takenMs,
      goal: 1,
    },
    { what: 'one after it, beside that', ours: at(stored, 0.5), base: at(first, 0.5), goal: 0.5 },
  ];
}

/**
 * Time for an address book that an office starts to share: one computer sends it, another receives
 * it.
 */
async function wholeBook(anna: HomeDesk, bo: HomeDesk): Promise<readonly BenchRow[]> {
  for (const { api } of [anna, bo])
    await api['office.share']({ set: 'address-book', isShared: false });
  const rows = Array.from(
    { length: ENTRIES },
    (_, at) => `Name${String(at)};Ek;p${String(at)}@example.com`,
  );
  const file = Buffer.from(['Förnamn;Efternamn;E-post', ...rows].join('\n'));
  const bytes = anna.desk.acceptBytes(file);
  const { id } = await anna.api['people.readImport']({ bytes, fileName: 'people.csv' });
  const { added } = await anna.api['people.import']({ id, changes: true });
  if (added !== ENTRIES) throw new Error(`${String(added)} entries were added`);
  const sent = await timed(() => share(anna));
  const received = await timed(() => share(bo));
  const much = `an address book of ${String(ENTRIES)}`;
  const still = 'the loop stood still at most';
  return [
    { what: `${much} sent to the office`, ours: sent.took, base: LIMITS.sentMs, goal: 1 },
    { what: `${much} received`, ours: received.took, base: LIMITS.receivedMs, goal: 1 },
    { what: `${still} while it was sent`, ours: sent.block, base: LIMITS.blockMs, goal: 1 },
    {
      what: `${still} while it was received`,
      ours: received.block,
      base: LIMITS.blockMs,
      goal: 1,
    },
  ];
}

async function share({ api }: HomeDesk): Promise<void> {
  await api['office.share']({ set: 'address-book', isShared: true });
  const { failure } = await api['office.sharing']({});
  if (failure !== null) throw new Error(failure.message);
}

async function timed(work: () => Promise<void>) {
  const begun = performance.now();
  const block = await longestBlock(work);
  return { took: performance.now() - begun, block };
}
