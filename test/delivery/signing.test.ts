// tier: all
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../electron/adapters/sqlite/stores.ts';
import { dataKey } from '../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../electron/adapters/vault/vault.ts';
import { databaseFile } from '../../electron/compose/data.ts';
import type { ChooseFault, FaultAction, FaultRequest } from '../../electron/demo/server/faults.ts';
import { type Demo, startDemo } from '../../electron/demo/start.ts';
import type { EvidenceEntry } from '../../shared/contract/evidence.ts';
import { bundleChild } from '../support/bundle-child.ts';
import { runLength } from '../support/run-length.ts';
import { createRandom } from './random.ts';
import { scaledNow, type ScaledTime } from './scaled-time.ts';

/**
 * Number of agreements of each API. `REFUSED` of those of v2 are rejected instead of signed. A
 * short run has each kill point once, and as much work per life as a long one.
 */
const { EACH, REFUSED, KILLS } = runLength({
  whole: { EACH: 100, REFUSED: 30, KILLS: 30 },
  all: { EACH: 52, REFUSED: 18, KILLS: 16 },
});
const FACTOR = 1_500;
/** Share of signatures and rejections whose answer is lost. */
const LOST = 0.25;
/** Timeout of the whole run (real ms). */
const TIMEOUT_MS = 900_000;
const LAST_LIFE = 400_000;
/**
 * A life without a kill point: the number of signatures and rejections until its end, and the
 * milliseconds after them.
 */
const LIFE = { acts: 3, more: 60 };

const moments = [
  ...['before-claim', 'inside-claim', 'after-claim', 'before-headers', 'answer-headers'],
  ...['before-sent', 'inside-sent', 'after-sent'],
];
const mishaps: readonly FaultAction[] = [
  { kind: 'reset-before' },
  { kind: 'reset-during' },
  { kind: 'reset-after' },
  { kind: 'hang', commits: false },
  { kind: 'hang', commits: true },
  { kind: 'status', status: 502, contentType: 'text/html', body: '', commits: true },
  { kind: 'status', status: 503, contentType: 'text/html', body: '' },
  { kind: 'cut-json' },
  { kind: 'html', commits: true },
];

const time: ScaledTime = { begin: Date.now(), factor: FACTOR };
let demo: Demo;
let folder: string;
let child: string;
let kills = 0;
/** Number of requests for a signature or rejection, with any outcome. */
let acts = 0;
/** Number of requests for a signature or rejection that was already given. */
let again = 0;
let entries: readonly EvidenceEntry[] = [];
let verdict: { readonly chain: string; readonly entries: number } | null = null;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-signing-'));
  await writeFile(path.join(folder, 'desk.key'), randomBytes(32), { mode: 0o600 });
  demo = await startDemo({
    dataDir: null,
    seed: 'none',
    now: () => scaledNow(time),
    counterpartDelayMs: null,
  });
  child = await bundleChild('delivery/children/signer.ts');
  for (let number = 1; number <= EACH; number += 1) await createBoth(number);
  for (let number = 1; number <= REFUSED; number += 1) await createRefused(number);
  await signThroughKills();
  await readEvidence();
}, TIMEOUT_MS);

afterAll(async () => {
  await demo.close();
  await rm(folder, { recursive: true, force: true });
});

describe('signatures, through kills and lost answers (T1-82, T1-83)', () => {
  it('have all been given at the end, in both APIs', () => {
    expect(kills).toBe(KILLS);
    expect(demo.agreements.v1().map(({ state }) => state)).toEqual(
      Array.from({ length: EACH }, () => 'SIGNED_BY_ALL'),
    );
    const signed = demo.agreements.v2().filter(({ name }) => name.startsWith('Frame'));
    expect(signed.map(({ status }) => status)).toEqual(
      Array.from({ length: EACH }, () => 'SIGNED_BY_ALL'),
    );
  });

  it('are never requested again for an agreement that is signed', () => {
    expect(again).toBe(0);
  });

  it('have their intent and their outcome in the evidence log', () => {
    expect(agreementsOf('sign', 'intended').size).toBe(2 * EACH);
    expect(agreementsOf('sign', 'done').size).toBe(2 * EACH);
  });

  it('are recorded as given once each, and only if the service has the signature', () => {
    const endings = lastEndings('sign');
    expect(endings.filter((outcome) => outcome === 'done')).toHaveLength(2 * EACH);
    expect(endings.filter((outcome) => outcome === 'refused')).toEqual([]);
  });

  it('leave an evidence log with an unbroken hash chain', () => {
    expect(verdict).toMatchObject({ chain: 'ok', entries: entries.length });
  });
});

describe('rejections, through kills and lost answers (T2-62)', () => {
  it('are all done at the end, each with an intent and one successful outcome in the evidence', () => {
    const refused = demo.agreements.v2().filter(({ name }) => name.startsWith('Refused'));
    expect(refused.map(({ status }) => status)).toEqual(
      Array.from({ length: REFUSED }, () => 'REJECTED'),
    );
    expect(agreementsOf('reject', 'intended').size).toBe(REFUSED);
    expect(agreementsOf('reject', 'done').size).toBe(REFUSED);
    const endings = lastEndings('reject');
    expect(endings.filter((outcome) => outcome === 'done')).toHaveLength(REFUSED);
  });
});

type Act = 'sign' | 'reject';

/** Agreements with this kind of intent, or with an outcome of it that states success. */
function agreementsOf(act: Act, what: 'intended' | 'done'): ReadonlySet<string> {
  const wanted = entries.filter(({ fact }) =>
    what === 'intended'
      ? fact.kind === 'intended' && fact.act === act
      : fact.kind === 'ended' && fact.act === act && fact.outcome === 'done',
  );
  return new Set(wanted.flatMap(({ agreement }) => agreement?.id ?? []));
}

/** The last recorded outcome of each intent. */
function lastEndings(act: Act): readonly string[] {
  const endings = new Map<number, string>();
  for (const { fact } of entries) {
    if (fact.kind === 'ended' && fact.act === act) endings.set(fact.intent, fact.outcome);
  }
  return [...endings.values()];
}

const v2Headers = () => ({
  accessKey: demo.credentials.accessKey,
  accountId: demo.credentials.accountId,
});

async function createBoth(number: number): Promise<void> {
  const data = Buffer.from('%PDF-1.7\n%%EOF\n').toString('base64');
  const ours = { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] };
  await post(
    `${demo.v1Url}/v1/agreements`,
    { Authorization: `Token ${demo.credentials.token}` },
    {
      title: `Lease ${String(number)}`,
      attachments: [{ type: 'BASE64', category: 'AGREEMENT', name: 'lease.pdf', data }],
      parties: [ours],
    },
  );
  const company = { orgNo: demo.company.orgNo, firstName: 'Bo', lastName: 'Ek' };
  await post(`${demo.v2Url}/agreements`, v2Headers(), {
    name: `Frame ${String(number)}`,
    type: 'FREE_TEXT',
    text: 'All of it.',
    parties: { privates: [], companies: [{ ...company, email: 'bo@example.com' }] },
  });
}

async function createRefused(number: number): Promise<void> {
  const person = { personNo: '189001019802', firstName: 'Karin', lastName: 'Lind' };
  await post(`${demo.v2Url}/agreements`, v2Headers(), {
    name: `Refused ${String(number)}`,
    type: 'FREE_TEXT',
    text: 'None of it.',
    parties: { privates: [{ ...person, email: 'karin@example.com' }], companies: [] },
  });
}

async function post(url: string, secret: Record<string, string>, body: object): Promise<void> {
  const headers = { ...secret, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${String(answer.status)}: ${await answer.text()}`);
}

async function signThroughKills(): Promise<void> {
  const random = createRandom(7);
  const weather: ChooseFault = (request) => {
    if (!isActing(request)) return null;
    acts += 1;
    if (isGiven(request)) again += 1;
    if (random() > LOST) return null;
    return mishaps[Math.floor(random() * mishaps.length)] ?? null;
  };
  demo.weather(weather);
  while (kills < KILLS) {
    // Every second process ends at a kill point, the others at any time.
    const point = kills % 2 === 0 ? (moments[(kills / 2) % moments.length] ?? null) : null;
    const life = start(point, 1 + Math.floor(random() * 3));
    // Lives are counted by their work, so that the speed of the computer does not matter.
    await life.does(1 + Math.floor(random() * LIFE.acts), random() * LIFE.more);
    life.kill();
    await life.ended;
    if (life.said().includes('settled')) {
      throw new Error('Everything was signed before it was killed often enough');
    }
    kills += 1;
  }
  demo.weather((request) => {
    if (isActing(request) && isGiven(request)) again += 1;
    return null;
  });
  const last = start(null, 0);
  if (!(await last.settles(LAST_LIFE))) throw new Error(`It did not settle: ${last.said()}`);
}

const isActing = ({ method, url }: FaultRequest) =>
  method === 'POST' && /\/(sign|reject)(\/|$)/.test(url);

function isGiven({ url }: FaultRequest): boolean {
  const v1 = demo.agreements.v1().find(({ id }) => url.includes(id));
  if (v1 !== undefined) return v1.state === 'SIGNED_BY_ALL';
  const v2 = demo.agreements.v2().find(({ referenceNumber }) => url.includes(referenceNumber));
  return v2?.status === 'SIGNED_BY_ALL' || v2?.status === 'REJECTED';
}

function start(killAt: string | null, killNth: number) {
  const { token, accessKey, accountId } = demo.credentials;
  const order = {
    folder: path.join(folder, 'data'),
    keyfile: path.join(folder, 'desk.key'),
    ...time,
    killAt,
    killNth,
    connections: [
      {
        id: 'c0000000-0000-4000-8000-000000000001',
        api: 'v1',
        url: demo.v1Url,
        secret: token,
        accountId: null,
        orgNo: null,
      },
      {
        id: 'c0000000-0000-4000-8000-000000000002',
        api: 'v2',
        url: demo.v2Url,
        secret: accessKey,
        accountId,
        orgNo: demo.company.orgNo,
      },
    ],
  };
  const env = { PATH: process.env['PATH'] ?? '', DESK_ORDER: JSON.stringify(order) };
  const process_: ChildProcess = spawn(process.execPath, [child], { env });
  let said = '';
  const hear = (chunk: Buffer): void => void (said += chunk.toString());
  process_.stdout?.on('data', hear);
  process_.stderr?.on('data', hear);
  const ended = new Promise<void>((resolve) => process_.once('close', () => resolve()));
  return {
    ended,
    said: () => said,
    kill: () => void process_.kill('SIGKILL'),
    /**
     * Resolves when the process ends, or `milliseconds` after the first `count` of its requests.
     */
    does: async (count: number, milliseconds: number): Promise<void> => {
      const before = acts;
      let isOver = false;
      void ended.then(() => (isOver = true));
      const limit = Date.now() + LAST_LIFE;
      while (!isOver && acts < before + count) {
        if (Date.now() > limit) throw new Error(`It did nothing: ${said}`);
        await pause(1);
      }
      if (!isOver) await pause(milliseconds);
    },
    settles: async (milliseconds: number): Promise<boolean> => {
      await Promise.race([ended, heardFrom(process_, () => said.includes('open\n'))]);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
      await Promise.race([ended, late]);
      clearTimeout(timer);
      return said.includes('settled\n');
    },
  };
}

function heardFrom(process_: ChildProcess, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (holds()) resolve();
    };
    process_.stdout?.on('data', look);
    look();
  });
}

async function readEvidence(): Promise<void> {
  const dataDir = path.join(folder, 'data');
  const keyfile = path.join(folder, 'desk.key');
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir });
  const key = await dataKey(vault, { databaseExists: true });
  const database = openDatabase({ file: databaseFile(dataDir), key, now: 0 });
  const { evidence } = createStores(database);
  entries = evidence.list({ limit: evidence.count({}) }).toReversed();
  database.close();
  verdict = await verifyChain();
}

/** Verifies the log by its text alone; another test covers the program's own check. */
async function verifyChain() {
  const { createHash } = await import('node:crypto');
  const { canonicalJson } = await import('../../shared/rules/evidence/canonical-json.ts');
  let previous = '';
  for (const { hash, ...rest } of entries) {
    const text = canonicalJson(JSON.parse(JSON.stringify(rest)));
    const isLinked = rest.previous === previous;
    const isSame = createHash('sha256').update(text).digest('hex') === hash;
    if (!isLinked || !isSame) return { chain: 'broken', entries: rest.number };
    previous = hash;
  }
  return { chain: 'ok', entries: entries.length };
}
