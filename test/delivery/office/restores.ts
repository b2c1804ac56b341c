import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { ChooseFault } from '../../../electron/demo/server/faults.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { TemplateContent } from '../../../shared/model/template.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { layLink, type Link } from '../../support/link.ts';
import { Decision, type WholeOrder, WholeReport } from '../children/whole-order.ts';
import { type DataFolder, openLeft } from '../invariants.ts';
import { startLife } from '../life.ts';
import { createRandom } from '../random.ts';
import { scaledNow } from '../scaled-time.ts';
import { Colleague, createMishaps, createWeather, listMishaps } from '../weather.ts';
import { OfficeDumps } from './dumps.ts';
import { judgeRestored, type Reminded, type RestoredVerdict } from './restored-verdict.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

interface RestoredRun {
  readonly days: number;
  /** Number of kills of computers on each day. */
  readonly kills: number;
  readonly seed: number;
  /** Path of the bundled program of a computer. */
  readonly child: string;
}

/** Number of times each event happened. */
export interface Met {
  readonly days: number;
  readonly kills: number;
  readonly serverKills: number;
  readonly cuts: number;
  /** Number of data folders restored from an older copy. */
  readonly folders: number;
  /** Number of office databases restored from an older dump. */
  readonly dumps: number;
  /** Number of agreements that a colleague revoked or deleted at the service. */
  readonly takenBack: number;
  readonly lostReminders: number;
}

export interface RestoredOutcome extends RestoredVerdict {
  readonly met: Met;
}

const nothingMet: Met = {
  days: 0,
  kills: 0,
  serverKills: 0,
  cuts: 0,
  folders: 0,
  dumps: 0,
  takenBack: 0,
  lostReminders: 0,
};
const NAMES = ['Anna', 'Bo', 'Carl'] as const;
/** Number of drafts of each computer on each day, with the same texts. */
const OWN_A_DAY = 2;
/** Number of rows in each computer's batch on each day, with the same texts. */
const ROWS_A_DAY = 2;
const FACTOR = 150;
const MORNING = 8 * HOUR;
const LIFE_MS = { least: 400, more: 2_500 };
const LAST_LIFE = 180_000;
const FAULTS = { create: 0.2, list: 0.03 };
const NOTIFY = /\/notifications\/[^/]+\/notify$/u;
const NOTIFY_FAULTS = 0.4;
/** Number of days on which only answers to reminders are lost. */
const LOSSY_DAYS = 3;
/**
 * Number of days without faults after which every open agreement has a reminder, despite holidays.
 */
const CALM_DAYS = 8;
const POINTS = [
  ...[
    'any',
    'before-arm',
    'inside-arm',
    'after-arm',
    'before-claim',
    'inside-claim',
    'after-claim',
  ],
  ...['before-headers', 'answer-headers', 'before-sent', 'inside-sent', 'after-sent', 'in-pass'],
  ...['between-passes', 'inside-resend'],
];

interface Stage {
  readonly run: RestoredRun;
  readonly demo: Demo;
  readonly office: OfficeDesks;
  readonly dumps: OfficeDumps;
  readonly links: readonly Link[];
  readonly desks: readonly HomeDesk[];
  readonly colleague: Colleague;
  readonly time: { begin: number; readonly factor: number };
  readonly random: () => number;
  readonly reminded: Reminded[];
  /** Sends by a former id of a computer that its data no longer contains. */
  readonly ghosts: Map<string, ReadonlySet<string>>;
  readonly met: { -readonly [Event in keyof Met]: Met[Event] };
  day: number;
  life: number;
}

/**
 * Lets three computers of an office work for days. One has its own API key. Data folders and the
 * database are restored from older copies, and a colleague revokes and deletes agreements at the
 * service. The computers send own and shared drafts and remind by rules. Checks at the end that no
 * draft was sent more often than people decided.
 */
export async function runRestored(run: RestoredRun): Promise<RestoredOutcome> {
  const time = { begin: Date.now(), factor: FACTOR };
  const demo = await startDemo({
    dataDir: null,
    seed: 'none',
    now: () => scaledNow(time),
    counterpartDelayMs: null,
    behaviour: { pageCap: 25, listLagMs: MINUTE },
  });
  const links: Link[] = [];
  const office = await startOfficeDesks({
    through: async ({ address }) => {
      const link = await layLink(address);
      links.push(link);
      return link.port;
    },
  });
  try {
    const desks: HomeDesk[] = [];
    for (const name of NAMES) desks.push(await office.add(name));
    const stage: Stage = {
      run,
      demo,
      office,
      links,
      desks,
      time,
      reminded: [],
      day: 0,
      life: 0,
      dumps: new OfficeDumps(office.postgres),
      colleague: new Colleague(demo, 'v1'),
      random: createRandom(run.seed),
      ghosts: new Map(),
      met: { ...nothingMet },
    };
    await furnish(stage);
    for (const { desk } of desks) await desk.close();
    demo.weather(weatherOf(stage));
    for (let day = 1; day <= run.days; day += 1) await liveADay(stage);
    return { ...(await comesToRest(stage)), met: stage.met };
  } finally {
    await office.close();
    await Promise.all([demo.close(), ...links.map((link) => link.close())]);
  }
}

async function furnish({ run, demo, desks }: Stage): Promise<void> {
  const { colleagueToken, credentials } = demo;
  for (const [at, { api }] of desks.entries()) {
    const secret = at === NAMES.length - 1 ? colleagueToken : credentials.token;
    const about = { name: 'Service', api: 'v1', environment: 'test', accountId: null } as const;
    await api['connections.add']({ ...about, url: demo.v1Url, secret });
    for (const set of ['drafts', 'reminder-rules'] as const) {
      await api['office.share']({ set, isShared: true });
    }
  }
  const pdf = await plainPdf('Lease', ['Of one page.']);
  for (const home of desks) await prepareBatches(home, run.days, pdf);
  for (let day = 1; day <= run.days; day += 1) {
    for (const [at, home] of desks.entries()) {
      for (let count = 1; count <= OWN_A_DAY; count += 1) {
        await write(home, `Own ${String(day)}-${String(count)}`, pdf);
      }
      if (at !== day % desks.length) continue;
      const draft = await write(home, `Shared ${String(day)}-1`, pdf);
      await home.api['office.together']({ draft, isTogether: true });
    }
  }
  await desks[0]?.api['reminders.saveRule']({
    name: 'Daily',
    isOn: true,
    filter: { ownOnly: false },
    firstAfterDays: 1,
    everyDays: 1,
    most: 30,
    hours: { zone: 'UTC', from: '00:01', to: '23:59' },
    country: 'SE',
  });
  for (let round = 0; round < 2; round += 1) {
    for (const { api } of desks) await api['office.exchange']({});
  }
}

/** Template in which a party of each row has the row's title as its name. */
const rowTemplate: TemplateContent = {
  body: {
    api: 'v1',
    title: '{Tenant}',
    expireDays: 30,
    deleteDays: null,
    roles: [
      {
        id: 'tenant',
        name: 'Tenant',
        party: { type: 'PRIVATE', country: 'SE', signingConfigurations: [{ type: 'CLICK' }] },
      },
    ],
    rest: {},
  },
  mapping: [],
  questions: [],
  counter: { prefix: '', width: 0 },
  merge: 'service',
};

const rowTitle = (day: number, row: number): string => `Row ${String(day)}-${String(row)}`;
const counted = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => at + 1);

async function prepareBatches({ api, desk }: HomeDesk, days: number, pdf: Uint8Array) {
  const [connection] = await api['connections.list']({});
  const about = { name: 'Row', api: 'v1', fileName: 'Row.pdf' } as const;
  const added = await api['templates.add']({ ...about, bytes: desk.acceptBytes(pdf) });
  const { id: templateId } = await api['templates.save']({
    id: added.id,
    revision: added.revision,
    name: 'Row',
    content: rowTemplate,
  });
  for (const day of counted(days)) {
    const rows = counted(ROWS_A_DAY).map((row) => {
      const [first, last] = rowTitle(day, row).split(' ');
      return `${first ?? ''};${last ?? ''};row@example.com`;
    });
    const sheet = new TextEncoder().encode(['First name;Last name;E-mail', ...rows].join('\n'));
    await api['batches.create']({
      name: `Batch ${String(day)}-1`,
      fileName: 'rows.csv',
      bytes: desk.acceptBytes(sheet),
      choices: {},
      connectionId: connection?.id ?? null,
      templateId,
    });
  }
}

async function write({ api, desk }: HomeDesk, title: string, pdf: Uint8Array) {
  const body = { ...bodyV1(title), expireOn: '20991231T120000Z' };
  const [connection] = await api['connections.list']({});
  const connectionId = connection?.id ?? null;
  const { id } = await api['drafts.create']({ content: { api: 'v1', body }, connectionId });
  const bytes = desk.acceptBytes(pdf);
  const { id: file } = await api['drafts.attach']({ id, name: 'Lease.pdf', bytes });
  const attachments = [{ type: 'BASE64' as const, category: 'AGREEMENT' as const, file }];
  const content = { api: 'v1' as const, body: { ...body, attachments } };
  const { revision } = await api['drafts.show']({ id });
  await api['drafts.save']({ id, revision, content, connectionId });
  return id;
}

function weatherOf(stage: Stage): ChooseFault {
  const real = (milliseconds: number) => Math.ceil(milliseconds / stage.time.factor);
  const mishaps = {
    create: createMishaps('v1', 'http://127.0.0.1:9/agreements', real),
    list: listMishaps(),
  };
  return remindersOf(stage, createWeather(mishaps, FAULTS, stage.random, new Map()));
}

/** Faults of requests: half of the reminders with a lost answer are carried out. */
function remindersOf({ random, time, reminded, met }: Stage, other: ChooseFault): ChooseFault {
  return (request) => {
    if (!NOTIFY.test(request.url)) return other(request);
    const isLost = random() < NOTIFY_FAULTS;
    const isDone = !isLost || random() < 0.5;
    if (isLost) met.lostReminders += 1;
    reminded.push({ at: scaledNow(time), what: request.url, isDone });
    if (!isLost) return null;
    return { kind: isDone ? 'reset-after' : 'reset-before' };
  };
}

/**
 * Runs a day: a morning, kills of all computers at the same time, and faults of their data in
 * between.
 */
async function liveADay(stage: Stage): Promise<void> {
  const { run, desks, random, dumps, met } = stage;
  await toMorning(stage);
  const isDumped = stage.day % 2 === 0;
  if (isDumped) await dumps.take();
  const unlucky = Math.floor(random() * desks.length);
  const each = Math.ceil(run.kills / desks.length);
  let isOver = false;
  const troubled = disturb(stage, () => isOver);
  try {
    await whole(desks.map((_, at) => killOften(stage, at, { each, isPutBack: at === unlucky })));
  } finally {
    isOver = true;
    await troubled;
  }
  if (isDumped) {
    await dumps.putBack();
    met.dumps += 1;
  }
}

/**
 * Waits for all of the work, so that none continues after the cleanup; throws the first failure.
 */
async function whole(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

/** Moves the clocks of the computers, the service and the database to the next working day. */
async function toMorning(stage: Stage): Promise<void> {
  const { time, office } = stage;
  const now = scaledNow(time);
  let next = Math.floor(now / DAY) * DAY + DAY + MORNING;
  while ([0, 6].includes(new Date(next).getUTCDay())) next += DAY;
  // Move the common start of both clocks back, so that the simulated clock is ahead by this time.
  time.begin -= (next - now) / (time.factor - 1);
  stage.day += 1;
  stage.met.days += 1;
  await pass(office, next - now + DAY / 8);
}

/** Moves times in the database, because its clock runs only as fast as that of this computer. */
async function pass({ postgres }: OfficeDesks, milliseconds: number): Promise<void> {
  const columns = await postgres.run(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'signing_desk' AND data_type = 'timestamp with time zone'
       AND table_name IN ('operation', 'lease')`,
    'signing_desk',
  );
  for (const { table, column } of columns.rows) {
    // Disable the trigger that would record a change of each operation.
    await postgres.run(
      `SET session_replication_role = replica;
       UPDATE signing_desk.${String(table)} SET ${String(column)} =
         ${String(column)} - interval '${String(Math.ceil(milliseconds / 1000))} seconds'`,
      'signing_desk',
    );
  }
}

/** Breaks connections, ends the database and revokes the newest sends, until the day is over. */
async function disturb(stage: Stage, isOver: () => boolean): Promise<void> {
  const { links, office, random, met, colleague } = stage;
  let [isDown, isTaken] = [stage.day % 3 !== 1, false];
  while (!isOver()) {
    await wait(400 + random() * 1_600);
    for (const link of links) link.cut();
    met.cuts += 1;
    if (!isTaken && random() < 0.4) {
      const before = colleague.taken.size;
      colleague.takeBackNewest();
      isTaken = colleague.taken.size > before;
      met.takenBack += colleague.taken.size - before;
    }
    if (isDown || random() > 0.3) continue;
    await office.postgres.kill();
    await office.postgres.start();
    met.serverKills += 1;
    isDown = true;
  }
}

async function killOften(
  stage: Stage,
  at: number,
  { each, isPutBack }: { readonly each: number; readonly isPutBack: boolean },
): Promise<void> {
  const { run, random, met, desks } = stage;
  const desk = desks[at];
  if (desk === undefined) return;
  if (isPutBack) await copyFolder(desk);
  for (let killed = 0; killed < each; killed += 1) {
    const point = POINTS[Math.floor(random() * POINTS.length)] ?? 'any';
    const life = startLife(run.child, {
      ...orderOf(stage, at, 'work'),
      killAt: point === 'any' ? null : point,
      killNth: 1 + Math.floor(random() * 2),
    } satisfies WholeOrder);
    await life.settles(LIFE_MS.least + random() * LIFE_MS.more);
    if (life.hasCrashed()) throw new Error(`A desk ended by itself: ${life.said()}`);
    life.kill();
    await life.ended;
    met.kills += 1;
    if (isPutBack && killed === Math.ceil(each / 2) - 1) await putFolderBack(stage, desk);
  }
}

const dataOf = ({ folder }: DataFolder): string => path.join(folder, 'data');
const copyOf = ({ folder }: DataFolder): string => path.join(folder, 'copy');

async function copyFolder(desk: DataFolder): Promise<void> {
  await rm(copyOf(desk), { recursive: true, force: true });
  await cp(dataOf(desk), copyOf(desk), { recursive: true, preserveTimestamps: true });
}

async function putFolderBack({ ghosts, met }: Stage, desk: DataFolder): Promise<void> {
  const now = await sentBy(desk);
  await rm(dataOf(desk), { recursive: true });
  await cp(copyOf(desk), dataOf(desk), { recursive: true, preserveTimestamps: true });
  const then = await sentBy(desk);
  const lost = [...now.titles].filter((title) => !then.titles.has(title));
  ghosts.set(now.id, new Set(lost));
  met.folders += 1;
}

/** The sends of this computer according to its data, and its id in the office. */
async function sentBy(desk: DataFolder) {
  const database = await openLeft(desk);
  try {
    const { outbox, office } = createStores(database);
    const rows = outbox.batches(0).flatMap(({ batchId }) => outbox.inBatch(batchId));
    const items = [...outbox.list(0), ...rows].filter(({ attempts }) => attempts > 0);
    const id = office.membership()?.desk ?? '';
    return { id, titles: new Set(items.map(({ title }) => title)) };
  } finally {
    database.close();
  }
}

function orderOf(stage: Stage, at: number, does: WholeOrder['does']): WholeOrder {
  const { run, desks, time, day } = stage;
  const { folder, keyfile } = desks[at] ?? { folder: '', keyfile: '' };
  stage.life += 1;
  const ids = desks.map((desk) => path.join(desk.folder, 'id'));
  const seed = run.seed * 100_000 + stage.life;
  return {
    folder,
    keyfile,
    at,
    does,
    day,
    ids,
    seed,
    ...time,
    decisions: decisionsOf(folder),
    report: path.join(folder, 'report'),
    killAt: null,
    killNth: 0,
  };
}

const decisionsOf = (folder: string): string => path.join(folder, 'decisions');

function decisionsIn(desks: readonly HomeDesk[]): readonly Decision[] {
  const files = desks.map(({ folder }) => decisionsOf(folder)).filter((file) => existsSync(file));
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
  return lines.map((line) => Decision.parse(JSON.parse(line)));
}

/**
 * Runs days without kills; on the first ones, answers to reminders are still lost. After them,
 * everything must be settled, and rules must continue.
 */
async function comesToRest(stage: Stage): Promise<RestoredVerdict> {
  const { demo, desks, colleague, reminded, ghosts, run, time } = stage;
  demo.weather(remindersOf(stage, () => null));
  for (let lossy = 0; lossy < LOSSY_DAYS; lossy += 1) {
    await toMorning(stage);
    for (const at of desks.keys()) await settles(stage, at);
  }
  demo.weather((request) => {
    if (NOTIFY.test(request.url)) {
      reminded.push({ at: scaledNow(time), what: request.url, isDone: true });
    }
    return null;
  });
  const calmFrom = scaledNow(time);
  for (let calm = 1; ; calm += 1) {
    await toMorning(stage);
    // Settle one computer after the other, since each needs the remaining work of the one before.
    for (const at of [...desks.keys(), ...desks.keys()]) await settles(stage, at);
    const reports = desks.map(({ folder }) =>
      WholeReport.parse(JSON.parse(readFileSync(path.join(folder, 'report'), 'utf8'))),
    );
    const verdict = judgeRestored({
      reports,
      reminded,
      ghosts,
      calmFrom,
      taken: [...colleague.taken.values()],
      made: demo.agreements.v1(),
      decisions: decisionsIn(desks),
      titles: titlesOf(run),
    });
    const isLeft = verdict.silent.length + verdict.stuck.length > 0;
    if (!isLeft || calm === CALM_DAYS) return verdict;
  }
}

const titlesOf = ({ days }: RestoredRun): readonly string[] =>
  counted(days).flatMap((day) => [
    ...counted(OWN_A_DAY).map((count) => `Own ${String(day)}-${String(count)}`),
    ...counted(ROWS_A_DAY).map((row) => rowTitle(day, row)),
    `Shared ${String(day)}-1`,
  ]);

async function settles(stage: Stage, at: number): Promise<void> {
  const life = startLife(stage.run.child, orderOf(stage, at, 'settle'));
  const isSettled = await life.settles(LAST_LIFE);
  life.kill();
  await life.ended;
  if (!isSettled) throw new Error(`${NAMES[at] ?? ''} did not settle: ${life.said()}`);
}
