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
const BATCH = 200;
const BATCH_KILLS = 20;
const WRITING_KILLS = 60;
/**
 * Number of simulated days of an office whose data is restored, and number of kills on each day.
 */
const RESTORED = { days: 4, kills: 30 } as const;
/** Kills of the server for each kill of a computer. */
const SERVER_KILLS = 1 / 40;
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

const total = {
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
const written = { kills: 0, serverKills: 0, cuts: 0, typed: 0, kept: 0, lost: 0, differs: 0 };
const restored = {
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
const FAULTS = ['twice', 'lost', 'stuck', 'wrong', 'remindedTwice', 'silent'] as const;
const killedPoints = new Set<string>();
const officeSoakStartedAt = Date.now();
const printProgress = (line: string): void => void process.stdout.write(`${line}\n`);
const isBad = (): boolean => {
  const { twice, lost, stuck, wrong } = total;
  const faults = FAULTS.reduce((sum, kind) => sum + restored[kind], 0);
  return twice + lost + stuck + wrong + written.lost + written.differs + faults > 0;
};

const child = await bundleChild('delivery/children/office-desk.ts');
const place = await startOffice();
try {
  for (let seed = Number(values.seed); !isReached(); seed += 1) {
    const rows = Math.min(BATCH, officeSoakGoal.rows);
    const kills = Math.min(BATCH_KILLS, officeSoakGoal.kills);
    const due = Math.ceil((total.kills + kills) * SERVER_KILLS) - total.serverKills;
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
      if (about.loses) total.gone += 1;
      addOutcome(await runOffice(about, place));
    } catch (error) {
      total.stuck += 1;
      printProgress(`Seed ${String(seed)}: ${String(error)}`);
    }
    const minutes = ((Date.now() - officeSoakStartedAt) / 60_000).toFixed(1);
    printProgress(`${minutes} minutes: ${JSON.stringify(total)}`);
  }
} finally {
  await place.remove();
}

printProgress(
  `${isBad() ? 'BAD' : 'GOOD'}: ${String(total.rows)} rows at three desks, ` +
    `${String(total.posts)} creates, ${String(total.kills)} kills of desks at ` +
    `${String(killedPoints.size)} of ${String(KILLED_AT.length)} points${unmetPointsText()} and ` +
    `${String(total.serverKills)} of PostgreSQL, ${String(total.cuts)} links in trouble, ` +
    `${String(total.gone)} desks that did not come back, ${String(total.adopted)} sends settled ` +
    `for them; ${String(total.twice)} sent twice, ${String(total.lost)} lost, ${String(total.stuck)} stuck, ` +
    `${String(total.wrong)} wrong states`,
);
await writeTogether();
printProgress(
  `${isBad() ? 'BAD' : 'GOOD'}: ${String(written.typed)} texts written by three desks through ` +
    `${String(written.kills)} kills of desks, ${String(written.serverKills)} of PostgreSQL and ` +
    `${String(written.cuts)} cuts of links; versions of their own hold texts ${String(written.kept)} times; ` +
    `${String(written.lost)} lost, ${String(written.differs)} not the same everywhere`,
);
await runRestoredOffices();
printProgress(
  `${isBad() ? 'BAD' : 'GOOD'}: ${String(restored.titles)} drafts of three desks with two credentials on ` +
    `${String(restored.days)} days, ${String(restored.kills)} kills of desks and ${String(restored.serverKills)} of ` +
    `PostgreSQL, ${String(restored.cuts)} cuts of links, ${String(restored.folders)} data folders and ` +
    `${String(restored.dumps)} office databases put back, ${String(restored.takenBack)} agreements taken back by a ` +
    `colleague, ${String(restored.made)} agreements made, ${String(restored.reminders)} reminders and ` +
    `${String(restored.lostReminders)} lost answers to one, ${String(restored.decisions)} decisions; ` +
    `${String(restored.twice)} sent twice, ${String(restored.lost)} lost, ${String(restored.stuck)} stuck, ` +
    `${String(restored.wrong)} wrong states, ${String(restored.remindedTwice)} reminded twice, ` +
    `${String(restored.silent)} no longer reminded`,
);
process.exitCode = isBad() ? 1 : 0;

async function runRestoredOffices(): Promise<void> {
  const program = await bundleChild('delivery/children/whole-desk.ts');
  for (let seed = Number(values.seed); restored.kills < officeSoakGoal.restoredKills; seed += 1) {
    const kills = Math.min(RESTORED.kills, Math.ceil(officeSoakGoal.restoredKills / RESTORED.days));
    addRestored(seed, await runRestored({ ...RESTORED, kills, seed, child: program }));
    const minutes = ((Date.now() - officeSoakStartedAt) / 60_000).toFixed(1);
    printProgress(`${minutes} minutes: ${JSON.stringify(restored)}`);
  }
}

function addRestored(seed: number, outcome: RestoredOutcome): void {
  const { met, titles, made, reminders, decisions } = outcome;
  for (const kind of FAULTS) {
    restored[kind] += outcome[kind].length;
    for (const text of outcome[kind]) printProgress(`Seed ${String(seed)}, ${kind}: ${text}`);
  }
  restored.days += met.days;
  restored.kills += met.kills;
  restored.serverKills += met.serverKills;
  restored.cuts += met.cuts;
  restored.folders += met.folders;
  restored.dumps += met.dumps;
  restored.takenBack += met.takenBack;
  restored.lostReminders += met.lostReminders;
  restored.titles += titles;
  restored.made += made;
  restored.reminders += reminders;
  restored.decisions += Object.values(decisions).reduce((sum, one) => sum + one, 0);
}

async function writeTogether(): Promise<void> {
  const program = await bundleChild('delivery/children/sharing-desk.ts');
  for (let seed = Number(values.seed); written.kills < officeSoakGoal.writingKills; seed += 1) {
    const kills = Math.min(WRITING_KILLS, officeSoakGoal.writingKills);
    const due = Math.ceil((written.kills + kills) * SERVER_KILLS) - written.serverKills;
    const about = { kills, serverKills: Math.max(due, 0), texts: 0, seed, child: program };
    const { lost, differs, ...numbers } = await runSharing(about);
    for (const text of [...lost, ...differs]) printProgress(`Seed ${String(seed)}: ${text}`);
    for (const kind of ['kills', 'serverKills', 'cuts', 'typed', 'kept'] as const) {
      written[kind] += numbers[kind];
    }
    written.lost += lost.length;
    written.differs += differs.length;
    const minutes = ((Date.now() - officeSoakStartedAt) / 60_000).toFixed(1);
    printProgress(`${minutes} minutes: ${JSON.stringify(written)}`);
  }
}

/**
 * Whether the run has reached its goal, or a batch never settled. Such a batch adds no rows, so it
 * ends the run after its report.
 */
function isReached(): boolean {
  return (
    total.stuck > 0 || (total.rows >= officeSoakGoal.rows && total.kills >= officeSoakGoal.kills)
  );
}

function unmetPointsText(): string {
  const names = KILLED_AT.filter((point) => !killedPoints.has(point));
  return names.length === 0 ? '' : ` (not ${names.join(', ')})`;
}

function addOutcome(outcome: OfficeOutcome): void {
  total.rows += outcome.rows;
  total.serverKills += outcome.serverKills;
  total.cuts += outcome.cuts;
  total.posts += outcome.posts;
  total.adopted += outcome.adopted;
  total.resent += outcome.resent;
  for (const [point, kills] of outcome.kills) {
    total.kills += kills;
    killedPoints.add(point);
  }
  for (const kind of ['twice', 'lost', 'stuck', 'wrong'] as const) {
    total[kind] += outcome[kind].length;
    for (const row of outcome[kind]) printProgress(`${kind}: ${row}`);
  }
}
