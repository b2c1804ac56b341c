import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Behaviour } from '../../electron/demo/server/behaviour.ts';
import { type Demo, startDemo } from '../../electron/demo/start.ts';
import type { KillPoint as ProgramPoint } from '../../electron/core/outbox/ports.ts';
import type { Order } from './children/order.ts';
import { checkAll, type ValidationResult, whatIsLeft } from './invariants.ts';
import { createRandom } from './random.ts';
import { type Life, startLife } from './life.ts';
import { Keeper, type Restores } from './restores.ts';
import { scaledNow, type ScaledTime } from './scaled-time.ts';
import { Colleague, createMishaps, createWeather, kindOf, listMishaps } from './weather.ts';
import { MINUTE } from '../../shared/rules/time/units.ts';

const CHILD = path.resolve(import.meta.dirname, 'children/desk.ts');

export interface FaultRun {
  readonly api: 'v1' | 'v2';
  readonly rows: number;
  readonly kills: number;
  /** Names of the kill points to use, instead of all in turn. */
  readonly points?: readonly string[];
  /** Real milliseconds after which a process that reached no kill point is ended. */
  readonly patience?: number;
  readonly policy: 'ask' | 'auto';
  /** Share of creates with a fault. */
  readonly faults: number;
  /**
   * Whether copies of the data folder are restored. After the first restore, waiting rows have an
   * unknown outcome, so few rows are sent through faults.
   */
  readonly restores?: boolean;
  /** Share of list readings before which a colleague revokes or deletes the latest agreement. */
  readonly takenBack?: number;
  /** Behaviour of this service where the API text leaves it open. */
  readonly service?: Partial<Pick<Behaviour, 'v2Zone' | 'v2FilterZone' | 'names'>>;
  /** Simulated milliseconds per real one. */
  readonly factor: number;
  readonly seed: number;
  /** Path of the bundled child; its source also runs, only slower. */
  readonly child?: string;
  readonly report?: (line: string) => void;
}

export interface FaultOutcome extends ValidationResult {
  /** Number of kills by kill point; `any` counts processes that ended by time. */
  readonly kills: ReadonlyMap<string, number>;
  readonly families: ReadonlyMap<string, number>;
  readonly restores: Pick<Restores, 'count' | 'atStake'>;
  /** Number of agreements that a colleague revoked or deleted. */
  readonly takenBack: number;
  readonly seconds: number;
}

/** Where a process ends: at its own kill point, one seen by the service, or at any time. */
type KillPoint = ProgramPoint | 'half-sent' | 'unread' | 'done-unanswered' | 'any';

/** Kill points by their names in the design: K01 to K18, and any time. */
export const KILL_POINTS: ReadonlyMap<string, KillPoint> = new Map<string, KillPoint>([
  ['K01', 'before-arm'],
  ['K02', 'inside-arm'],
  ['K03', 'after-arm'],
  ['K04', 'before-claim'],
  ['K05', 'inside-claim'],
  ['K06', 'after-claim'],
  ['K07', 'before-headers'],
  ['K08', 'half-sent'],
  ['K09', 'unread'],
  ['K10', 'done-unanswered'],
  ['K11', 'answer-headers'],
  ['K12', 'before-sent'],
  ['K13', 'inside-sent'],
  ['K14', 'after-sent'],
  ['K15', 'in-pass'],
  ['K16', 'before-link'],
  ['K17', 'between-passes'],
  ['K18', 'inside-resend'],
  ['any', 'any'],
]);

/** Real milliseconds after which a process that reached no kill point is ended. */
const MAX_LIFE = 1_000;
/** Real milliseconds for the last process, which is not killed, to settle everything. */
const LAST_LIFE = 900_000;
const MAX_PASSED = 5;
/** Kill points that are reached once in a life, or rarely; the process ends at the first time. */
const RARE: readonly KillPoint[] = [
  'before-arm',
  'inside-arm',
  'after-arm',
  'between-passes',
  'inside-resend',
];
const LIST_FAULTS = 0.05;

/** Constant faults: lists lag a simulated minute, and return fewer items than requested. */
const STANDING = {
  behaviour: { pageCap: 25, listLagMs: MINUTE },
  // The kills themselves are F48.
  families: ['F23', 'F27', 'F48'],
} as const;

/** Sends one batch through faults with one process after another, and checks the outcome. */
export async function runFaults(faultRun: FaultRun): Promise<FaultOutcome> {
  const started = Date.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-fault-run-'));
  const keyfile = path.join(folder, 'desk.key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const time: ScaledTime = { begin: started, factor: faultRun.factor };
  const demo = await startDemo({
    dataDir: null,
    seed: 'none',
    now: () => scaledNow(time),
    counterpartDelayMs: null,
    behaviour: { ...STANDING.behaviour, ...faultRun.service },
  });
  const elsewhere = await listenElsewhere();
  const families = new Map<string, number>(STANDING.families.map((family) => [family, 1]));
  const kills = new Map<string, number>();
  try {
    const keeper = new Keeper({ folder, keyfile }, createRandom(faultRun.seed));
    const colleague = new Colleague(demo, faultRun.api);
    const context = { faultRun, demo, time, folder, keyfile, keeper, colleague };
    await killOften(context, elsewhere.url, { families, kills });
    demo.weather(() => null);
    const last = start({ ...context, kill: null });
    if (!(await last.settles(LAST_LIFE))) {
      last.kill();
      await last.ended;
      const left = await whatIsLeft({ folder, keyfile });
      throw new Error(`It did not settle: ${last.said()}${left}`);
    }
    const { lost, ...restores } = keeper.done;
    const { taken } = colleague;
    const about = { demo, api: faultRun.api, lost, takenBack: taken };
    const verdict = await checkAll({ ...about, folder, keyfile });
    const strayed = elsewhere.requests();
    const seconds = (Date.now() - started) / 1000;
    const wrong =
      strayed === 0 ? verdict.wrong : [...verdict.wrong, `I10: ${String(strayed)} strayed`];
    const takenBack = taken.size;
    return { ...verdict, wrong, kills, families, restores, takenBack, seconds };
  } finally {
    await Promise.all([demo.close(), elsewhere.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

interface RunContext {
  readonly faultRun: FaultRun;
  readonly demo: Demo;
  readonly time: ScaledTime;
  readonly folder: string;
  readonly keyfile: string;
  readonly keeper: Keeper;
  readonly colleague: Colleague;
}

async function killOften(
  context: RunContext,
  elsewhere: string,
  counts: { readonly families: Map<string, number>; readonly kills: Map<string, number> },
): Promise<void> {
  const { faultRun, demo, time, keeper, colleague } = context;
  const random = createRandom(faultRun.seed);
  const real = (milliseconds: number) => Math.ceil(milliseconds / time.factor);
  const mishaps = { create: createMishaps(faultRun.api, elsewhere, real), list: listMishaps() };
  const shares = { create: faultRun.faults, list: LIST_FAULTS };
  const weather = createWeather(mishaps, shares, random, counts.families);
  const names = faultRun.points ?? [...KILL_POINTS.keys()];
  for (let killed = 0; killed < faultRun.kills;) {
    const name = names[killed % names.length] ?? 'any';
    const point = KILL_POINTS.get(name) ?? 'any';
    const nth = RARE.includes(point) ? 1 : 1 + Math.floor(random() * MAX_PASSED);
    const life = start({ ...context, kill: { point, nth } });
    const endAtCreate = (when: KillPoint) => {
      let left = point === when ? nth : 0;
      return () => {
        left -= 1;
        return left === 0;
      };
    };
    const [half, unread, unanswered] = [
      endAtCreate('half-sent'),
      endAtCreate('unread'),
      endAtCreate('done-unanswered'),
    ];
    demo.weather(
      (request) => {
        if (kindOf(request) === 'list' && random() < (faultRun.takenBack ?? 0)) {
          colleague.takeBackNewest();
        }
        if (kindOf(request) !== 'create') return weather(request);
        if (unread()) life.kill();
        if (!unanswered()) return weather(request);
        setTimeout(life.kill, 3);
        return { kind: 'delay', ms: 20, when: 'after' };
      },
      (request) => {
        if (kindOf(request) === 'create' && half()) life.kill();
      },
    );
    const usual = point === 'any' ? 100 + random() * 500 : MAX_LIFE;
    const longest = faultRun.patience ?? usual;
    const isSettled = await life.settles(longest);
    const met = life.isOver() ? name : 'any';
    life.kill();
    await life.ended;
    if (isSettled) return;
    if (life.hasCrashed()) throw new Error(`It ended by itself: ${life.said()}`);
    killed += 1;
    counts.kills.set(met, (counts.kills.get(met) ?? 0) + 1);
    if (faultRun.restores === true) await keeper.killed();
    if (killed % 50 === 0) faultRun.report?.(`${String(killed)} kills`);
  }
}

function start({
  faultRun,
  demo,
  time,
  folder,
  keyfile,
  kill,
}: RunContext & {
  readonly kill: { readonly point: KillPoint; readonly nth: number } | null;
}): Life {
  const { api, rows, policy } = faultRun;
  const order: Order = {
    folder: path.join(folder, 'data'),
    keyfile,
    api,
    rows,
    policy,
    url: api === 'v1' ? demo.v1Url : demo.v2Url,
    secret: api === 'v1' ? demo.credentials.token : demo.credentials.accessKey,
    accountId: api === 'v1' ? null : demo.credentials.accountId,
    ...time,
    bytes: api === 'v1' ? 700 : 0,
    killAt: kill?.point ?? null,
    killNth: kill?.nth ?? 0,
  };
  return startLife(faultRun.child ?? CHILD, order);
}

/** Starts the target of redirects: each request to it was sent to the wrong address. */
async function listenElsewhere() {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}/agreements`,
    requests: () => count,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
