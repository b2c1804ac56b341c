import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import {
  accessOf,
  type OfficeDatabase,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { type Link, layLink } from '../../support/link.ts';
import type { OfficeOrder } from '../children/office-order.ts';
import { type Life, startLife } from '../life.ts';
import { createRandom } from '../random.ts';
import { scaledNow, type ScaledTime } from '../scaled-time.ts';
import { createMishaps, createWeather, listMishaps } from '../weather.ts';
import { judgeOffice, type OfficeVerdict } from './verdict.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

export interface OfficeRun {
  readonly rows: number;
  readonly kills: number;
  /** Kills of the server, alternately like a power cut and like a fast shutdown. */
  readonly serverKills: number;
  /** Whether the last computer stays away after its last kill, so that others settle its sends. */
  readonly loses: boolean;
  readonly factor: number;
  readonly seed: number;
  /** Path of the bundled program of a computer. */
  readonly child: string;
}

export interface OfficeOutcome extends OfficeVerdict {
  /** Number of kills by the point where the process ended. */
  readonly kills: ReadonlyMap<string, number>;
  readonly serverKills: number;
  /** Number of connections that broke, were slow, or lost sent data. */
  readonly cuts: number;
}

/** Clock errors of the computers (ms); the first clock is right. */
const AHEAD = [0, 3 * HOUR, -7 * HOUR];
/** Words in the statement during which a computer is killed. */
const AT_STATEMENT = [
  'FOR UPDATE',
  'INSERT INTO operation',
  'INSERT INTO claim',
  'COMMIT',
  'SET state',
];
const AT_POINT = [
  ...['before-arm', 'inside-arm', 'before-claim', 'inside-claim', 'after-claim', 'before-headers'],
  ...['answer-headers', 'before-sent', 'inside-sent', 'after-sent', 'in-pass', 'between-passes'],
  'inside-resend',
];
export const KILLED_AT: readonly string[] = [...AT_POINT, ...AT_STATEMENT, 'any'];
const RARE = ['before-arm', 'inside-arm', 'between-passes', 'inside-resend'];
const MAX_PASSED = 5;
/** Real milliseconds after which a process that reached no kill point is ended. */
const MAX_LIFE = 4_000;
const LAST_LIFE = 600_000;
const FAULTS = { create: 0.15, list: 0.05 };
const LINK_FAULT_MS = 250;

/** State shared by all parts of a run. */
interface Stage {
  readonly run: OfficeRun;
  readonly place: OfficeDatabase;
  readonly demo: Demo;
  readonly time: ScaledTime;
  readonly random: () => number;
}

interface Desk {
  readonly at: number;
  readonly who: TestDesk;
  readonly folder: string;
  readonly keyfile: string;
  readonly link: Link;
}

/**
 * Lets three computers send the same rows through faults and kills, and then checks the service.
 */
export async function runOffice(run: OfficeRun, place: OfficeDatabase): Promise<OfficeOutcome> {
  const base = await mkdtemp(path.join(tmpdir(), 'desk-office-run-'));
  const time = { begin: Date.now(), factor: run.factor };
  const demo = await startDemo({
    dataDir: null,
    seed: 'none',
    now: () => scaledNow(time),
    counterpartDelayMs: null,
    behaviour: { pageCap: 25, listLagMs: MINUTE },
  });
  const stage = { run, place, demo, time, random: createRandom(run.seed) };
  const desks: Desk[] = [];
  try {
    await place.empty();
    for (const at of AHEAD.keys()) desks.push(await furnish(stage, base, at));
    demo.weather(weatherOf(stage));
    const rough = await survivesKills(stage, desks);
    demo.weather(() => null);
    const gone = run.loses ? desks.at(-1) : undefined;
    // After the user of a lost computer was removed, no other computer waits for that computer.
    if (gone !== undefined) await place.removeSeat(gone.who);
    await whole(desks.filter((desk) => desk !== gone).map((desk) => settles(stage, desk, gone)));
    const open = await place.claimsOf(desks[0]?.who ?? (await place.addDesk())).open();
    return {
      ...(await judgeOffice({ demo, desks, gone: gone?.at ?? null, rows: run.rows, open })),
      ...rough,
    };
  } finally {
    await Promise.all([demo.close(), ...desks.map(({ link }) => link.close())]);
    await rm(base, { recursive: true, force: true });
  }
}

/**
 * Waits for all of the work, so that none continues after the cleanup; throws the first failure.
 */
async function whole(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

async function furnish({ place }: Stage, base: string, at: number): Promise<Desk> {
  const folder = path.join(base, String(at));
  const keyfile = `${folder}.key`;
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const link = await layLink(place.postgres.address);
  return { at, who: await place.addDesk(), folder, keyfile, link };
}

function weatherOf({ random, time }: Stage) {
  const real = (milliseconds: number) => Math.ceil(milliseconds / time.factor);
  // A redirect leads to a closed port.
  const create = createMishaps('v1', 'http://127.0.0.1:9/agreements', real);
  return createWeather({ create, list: listMishaps() }, FAULTS, random, new Map());
}

async function survivesKills(stage: Stage, desks: readonly Desk[]) {
  const kills = new Map<string, number>();
  let isOver = false;
  const trouble = disturb(stage, desks, () => isOver);
  try {
    await whole(desks.map((desk) => killOften(stage, desk, kills)));
  } finally {
    isOver = true;
    await trouble;
  }
  return { kills, ...(await trouble) };
}

/** Breaks and slows connections and kills the server, until all computers had their kills. */
async function disturb(
  { run, place, random }: Stage,
  desks: readonly Desk[],
  isOver: () => boolean,
) {
  let [serverKills, cuts] = [0, 0];
  while (!isOver() || serverKills < run.serverKills) {
    await wait(random() * LINK_FAULT_MS);
    const link = desks[Math.floor(random() * desks.length)]?.link;
    cuts += 1;
    if (link !== undefined) await trouble(link, random());
    if (serverKills < run.serverKills && random() < 0.3) {
      if (serverKills % 2 === 0) await place.postgres.kill();
      else await place.postgres.stop('immediate');
      await place.postgres.start();
      serverKills += 1;
    }
  }
  return { serverKills, cuts };
}

async function trouble(link: Link, what: number): Promise<void> {
  if (what < 0.4) {
    link.cut();
    return;
  }
  if (what < 0.7) link.delayMs = Math.ceil(what * 30);
  else link.isSilent = true;
  await wait(LINK_FAULT_MS);
  // Data lost on a connection is not sent again, so the connection is closed.
  if (link.isSilent) link.cut();
  link.delayMs = 0;
  link.isSilent = false;
}

async function killOften(stage: Stage, desk: Desk, kills: Map<string, number>): Promise<void> {
  const { run, random } = stage;
  const most = Math.ceil(run.kills / AHEAD.length);
  for (let killed = 0; killed < most; killed += 1) {
    const point = KILLED_AT[(killed + desk.at * 7 + run.seed) % KILLED_AT.length] ?? 'any';
    const nth = RARE.includes(point) ? 1 : 1 + Math.floor(random() * MAX_PASSED);
    const life = startDesk(stage, desk, AT_POINT.includes(point) ? { point, nth } : null);
    endAtStatement(desk.link, life, point, nth);
    const isSettled = await life.settles(point === 'any' ? 100 + random() * 500 : MAX_LIFE);
    desk.link.asked = () => undefined;
    const met = life.isOver() ? point : 'any';
    life.kill();
    await life.ended;
    if (isSettled) return;
    if (life.hasCrashed()) throw new Error(`A desk ended by itself: ${life.said()}`);
    kills.set(met, (kills.get(met) ?? 0) + 1);
  }
}

/** Kills the computer while its statement is being transferred. */
function endAtStatement(link: Link, life: Life, words: string, nth: number): void {
  let left = nth;
  if (!AT_STATEMENT.includes(words)) return;
  link.asked = (question) => {
    if (!question.includes(words)) return;
    left -= 1;
    if (left === 0) life.kill();
  };
}

async function settles(stage: Stage, desk: Desk, gone?: Desk): Promise<void> {
  const life = startDesk(stage, desk, null, gone);
  const isSettled = await life.settles(LAST_LIFE);
  life.kill();
  await life.ended;
  if (!isSettled) throw new Error(`Desk ${String(desk.at)} did not settle: ${life.said()}`);
}

function startDesk(
  { run, place, demo, time }: Stage,
  { at, who, folder, keyfile, link }: Desk,
  kill: { readonly point: string; readonly nth: number } | null,
  gone?: Desk,
): Life {
  const order: OfficeOrder = {
    folder: path.join(folder, 'data'),
    keyfile,
    url: demo.v1Url,
    secret: demo.credentials.token,
    begin: time.begin,
    factor: time.factor,
    ahead: AHEAD[at] ?? 0,
    rows: run.rows,
    at,
    gone: gone?.who.desk ?? null,
    killAt: kill?.point ?? null,
    killNth: kill?.nth ?? 0,
    office: {
      ...accessOf(who),
      port: link.port,
      id: place.office,
      desk: who.desk,
      seat: who.seat,
      key: Buffer.from(place.key.key).toString('base64'),
    },
  };
  return startLife(run.child, order);
}
