/*
 * The long run of an office: three computers with the same 20,000 rows, 2,000 kills of computers
 * and 50 of their PostgreSQL, over connections that break, with clocks hours apart; then 600 kills
 * of three computers that write the same drafts and the same address book; then 600 kills of three
 * computers whose data and whose office are restored from older copies. Prints its progress after
 * each batch, and ends with a result line for each part. Smaller runs: `npm run soak -- office
 * --rows 300 --kills 60 --writing-kills 60 --restored-kills 40 --seed 7`.
 */
import { parseArgs } from 'node:util';
import { startOffice } from '../../test/adapters/office/office-database.ts';
import { KILLED_AT, type OfficeOutcome, runOffice } from '../../test/delivery/office/faults.ts';
import { type RestoredOutcome, runRestored } from '../../test/delivery/office/restores.ts';
import { runSharing } from '../../test/delivery/office/sharing.ts';
import { bundleChild } from '../../test/support/bundle-child.ts';

/**
 * Rows of one batch, and kills in it below. A small batch keeps the list short that every computer
 * reads.
 */
const OFFICE_BATCH_ROWS = 200;
const OFFICE_BATCH_KILLS = 20;
const WRITING_KILLS = 60;
/**
 * Number of simulated days of an office whose data is restored, and number of kills on each day.
 */
const RESTORED_OFFICE_GOAL = { days: 4, kills: 30 } as const;
/** Kills of the server for each kill of a computer. */
const SERVER_KILL_SHARE = 1 / 40;
/**
 * Divides the times of an office: a claim, which is trusted for one minute, is trusted for 400 ms
 * in this run. Within this time, even a busy computer receives the reply to its claim and sends.
 */
const OFFICE_TIME_FACTOR = 150;

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '2000' },
    'writing-kills': { type: 'string', default: '600' },
    'restored-kills': { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
  },
});
const officeSoakGoal = {
  rows: Number(values.rows),
  kills: Number(values.kills),
  writingKills: Number(values['writing-kills']),
  restoredKills: Number(values['restored-kills']),
};

const officeTotals = {
  rows: 0,
  kills: 0,
  serverKills: 0,
  cuts: 0,
  posts: 0,
  gone: 0,
  adopted: 0,
  resent: 0,
  twice: 0,
  lost: 0,
  stuck: 0,
  wrong: 0,
};
const writingTotals = { kills: 0, serverKills: 0, cuts: 0, typed: 0, kept: 0, lost: 0, differs: 0 };
const restoreTotals = {
  days: 0,
  kills: 0,
  serverKills: 0,
  cuts: 0,
  folders: 0,
  dumps: 0,
  takenBack: 0,
  lostReminders: 0,
  titles: 0,
  made: 0,
  reminders: 0,
  decisions: 0,
  twice: 0,
  lost: 0,
  stuck: 0,
  wrong: 0,
  remindedTwice: 0,
  silent: 0,
};
const OFFICE_FAULT_KEYS = ['twice', 'lost', 'stuck', 'wrong', 'remindedTwice', 'silent'] as const;
const killedPoints = new Set<string>();
const officeSoakStartedAt = Date.now();
const printProgress = (line: string): void => void process.stdout.write(`${line}\n`);
const isBad = (): boolean => {
  const { twice, lost, stuck, wrong } = officeTotals;
  const faults = OFFICE_FAULT_KEYS.reduce((sum, kind) => sum + restoreTotals[kind], 0);
  return twice + lost + stuck + wrong + writingTotals.lost + writingTotals.differs + faults > 0;
};

const child = await bundleChild('delivery/children/office-desk.ts');
const place = await startOffice();
try {
  for (let seed = Number(values.seed); !isReached(); seed += 1) {
    const rows = Math.min(OFFICE_BATCH_ROWS, officeSoakGoal.rows);
    const kills = Math.min(OFFICE_BATCH_KILLS, officeSoakGoal.kills);
    const due =
      Math.ceil((officeTotals.kills + kills) * SERVER_KILL_SHARE) - officeTotals.serverKills;
    try {
      const about = {
        rows,
        kills,
        serverKills: Math.max(due, 0),
        factor: OFFICE_TIME_FACTOR,
        seed,
        child,
        loses: seed % 2 === 1,
      };
      if (about.loses) officeTotals.gone += 1;
      addOutcome(await runOffice(about, place));
    } catch (error) {
      officeTotals.stuck += 1;
      printProgress(`Seed ${String(seed)}: ${String(error)}`);
    }
    const minutes = ((Date.now() - officeSoakStartedAt) / 60_000).toFixed(1);
    printProgress(`${minutes} minutes: ${JSON.stringify(officeTotals)}`);
  }
} finally {
  await place.remove();
}

printProgress(
  `${isBad() ? 'BAD' : 'GOOD'}: ${String(officeTotals.rows)} rows at three desks, ` +
    `${String(officeTotals.posts)} creates, ${String(officeTotals.kills)} kills of desks at ` +
    `${String(killedPoints.size)} of ${String(KILLED_AT.length)} points${unmetPointsText()} and ` +
    `${String(officeTotals.serverKills)} of PostgreSQL, ${String(officeTotals.cuts)} links in trouble, ` +
    `${String(officeTotals.gone)} desks that did not come back, ${String(officeTotals.adopted)} sends settled ` +
    `for them; ${String(officeTotals.twice)} sent twice, ${String(officeTotals.lost)} lost, ${String(officeTotals.stuck)} stuck, ` +
    `${String(officeTotals.wrong)} wrong states`,
);
await writeTogether();
printProgress(
  `${isBad() ? 'BAD' : 'GOOD'}: ${String(writingTotals.typed)} texts written by three desks through ` +
    `${String(writingTotals.kills)} kills of desks, ${String(writingTotals.serverKills)} of PostgreSQL and ` +
    `${String(writingTotals.cuts)} cuts of links; versions of their own hold texts ${String(writingTotals.kept)} times; ` +
    `${String(writingTotals.lost)} lost, ${String(writingTotals.differs)} not the same everywhere`,
);
await runRestoredOffices();
printProgress(
  `${isBad() ? 'BAD' : 'GOOD'}: ${String(restoreTotals.titles)} drafts of three desks with two credentials on ` +
    `${String(restoreTotals.days)} days, ${String(restoreTotals.kills)} kills of desks and ${String(restoreTotals.serverKills)} of ` +
    `PostgreSQL, ${String(restoreTotals.cuts)} cuts of links, ${String(restoreTotals.folders)} data folders and ` +
    `${String(restoreTotals.dumps)} office databases put back, ${String(restoreTotals.takenBack)} agreements taken back by a ` +
    `colleague, ${String(restoreTotals.made)} agreements made, ${String(restoreTotals.reminders)} reminders and ` +
    `${String(restoreTotals.lostReminders)} lost answers to one, ${String(restoreTotals.decisions)} decisions; ` +
    `${String(restoreTotals.twice)} sent twice, ${String(restoreTotals.lost)} lost, ${String(restoreTotals.stuck)} stuck, ` +
    `${String(restoreTotals.wrong)} wrong states, ${String(restoreTotals.remindedTwice)} reminded twice, ` +
    `${String(restoreTotals.silent)} no longer reminded`,
);
process.exitCode = isBad() ? 1 : 0;

async function runRestoredOffices(): Promise<void> {
  const program = await bundleChild('delivery/children/whole-desk.ts');
  for (
    let seed = Number(values.seed);
    restoreTotals.kills < officeSoakGoal.restoredKills;
    seed += 1
  ) {
    const kills = Math.min(
      RESTORED_OFFICE_GOAL.kills,
      Math.ceil(officeSoakGoal.restoredKills / RESTORED_OFFICE_GOAL.days),
    );
    addRestored(seed, await runRestored({ ...RESTORED_OFFICE_GOAL, kills, seed, child: program }));
    const minutes = ((Date.now() - officeSoakStartedAt) / 60_000).toFixed(1);
    printProgress(`${minutes} minutes: ${JSON.stringify(restoreTotals)}`);
  }
}

function addRestored(seed: number, outcome: RestoredOutcome): void {
  const { met, titles, made, reminders, decisions } = outcome;
  for (const kind of OFFICE_FAULT_KEYS) {
    restoreTotals[kind] += outcome[kind].length;
    for (const text of outcome[kind]) printProgress(`Seed ${String(seed)}, ${kind}: ${text}`);
  }
  restoreTotals.days += met.days;
  restoreTotals.kills += met.kills;
  restoreTotals.serverKills += met.serverKills;
  restoreTotals.cuts += met.cuts;
  restoreTotals.folders += met.folders;
  restoreTotals.dumps += met.dumps;
  restoreTotals.takenBack += met.takenBack;
  restoreTotals.lostReminders += met.lostReminders;
  restoreTotals.titles += titles;
  restoreTotals.made += made;
  restoreTotals.reminders += reminders;
  restoreTotals.decisions += Object.values(decisions).reduce((sum, one) => sum + one, 0);
}

async function writeTogether(): Promise<void> {
  const program = await bundleChild('delivery/children/sharing-desk.ts');
  for (
    let seed = Number(values.seed);
    writingTotals.kills < officeSoakGoal.writingKills;
    seed += 1
  ) {
    const kills = Math.min(WRITING_KILLS, officeSoakGoal.writingKills);
    const due =
      Math.ceil((writingTotals.kills + kills) * SERVER_KILL_SHARE) - writingTotals.serverKills;
    const about = { kills, serverKills: Math.max(due, 0), texts: 0, seed, child: program };
    const { lost, differs, ...numbers } = await runSharing(about);
    for (const text of [...lost, ...differs]) printProgress(`Seed ${String(seed)}: ${text}`);
    for (const kind of ['kills', 'serverKills', 'cuts', 'typed', 'kept'] as const) {
      writingTotals[kind] += numbers[kind];
    }
    writingTotals.lost += lost.length;
    writingTotals.differs += differs.length;
    const minutes = ((Date.now() - officeSoakStartedAt) / 60_000).toFixed(1);
    printProgress(`${minutes} minutes: ${JSON.stringify(writingTotals)}`);
  }
}

/**
 * Whether the run has reached its goal, or a batch never settled. Such a batch adds no rows, so it
 * ends the run after its report.
 */
function isReached(): boolean {
  return (
    officeTotals.stuck > 0 ||
    (officeTotals.rows >= officeSoakGoal.rows && officeTotals.kills >= officeSoakGoal.kills)
  );
}

function unmetPointsText(): string {
  const names = KILLED_AT.filter((point) => !killedPoints.has(point));
  return names.length === 0 ? '' : ` (not ${names.join(', ')})`;
}

function addOutcome(outcome: OfficeOutcome): void {
  officeTotals.rows += outcome.rows;
  officeTotals.serverKills += outcome.serverKills;
  officeTotals.cuts += outcome.cuts;
  officeTotals.posts += outcome.posts;
  officeTotals.adopted += outcome.adopted;
  officeTotals.resent += outcome.resent;
  for (const [point, kills] of outcome.kills) {
    officeTotals.kills += kills;
    killedPoints.add(point);
  }
  for (const kind of ['twice', 'lost', 'stuck', 'wrong'] as const) {
    officeTotals[kind] += outcome[kind].length;
    for (const row of outcome[kind]) printProgress(`${kind}: ${row}`);
  }
}
