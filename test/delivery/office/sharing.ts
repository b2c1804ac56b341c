import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { canonicalJson, type Json } from '../../../shared/rules/evidence/canonical-json.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import { startOfficeDesks, type HomeDesk } from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { layLink, type Link } from '../../support/link.ts';
import type { Postgres } from '../../support/postgres.ts';
import { DeskReport, type SharingOrder } from '../children/sharing-order.ts';
import { startLife } from '../life.ts';
import { createRandom } from '../random.ts';

interface SharingRun {
  readonly kills: number;
  readonly serverKills: number;
  /** Minimum number of texts; a busy computer needs more and longer lives to write them. */
  readonly texts: number;
  readonly seed: number;
  /** Path of the bundled program of a computer. */
  readonly child: string;
}

interface SharingOutcome {
  readonly kills: number;
  readonly serverKills: number;
  readonly cuts: number;
  /** Number of texts that a computer reported as stored. */
  readonly typed: number;
  /** Number of texts in versions that became separate drafts; a text may be in several of them. */
  readonly kept: number;
  /** Stored texts that are missing at the end. */
  readonly lost: readonly string[];
  /** Differences between the data of the computers. */
  readonly differs: readonly string[];
}

const NAMES = ['Anna', 'Bo', 'Carl'] as const;
const DRAFTS = 3;
const LIFE_MS = { least: 150, more: 700 };
/** Factor by which an additional life is longer if texts are missing. */
const LONGER = 5;
const MAX_LIVES = 200;
const LAST_LIFE = 120_000;

/**
 * Lets three computers write the same drafts and the same address book. They and their server are
 * killed, and their connection breaks. Checks at the end that all computers have the same data, and
 * that no text is missing that a program reported as stored.
 */
export async function runSharing(run: SharingRun): Promise<SharingOutcome> {
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
    const drafts = await share(desks);
    for (const { desk } of desks) await desk.close();
    const rough = await writeThroughKills({ run, postgres: office.postgres, links }, desks, drafts);
    // Expire the locks of a computer that was killed while it was writing.
    await expire(office.postgres);
    for (let round = 0; round < 2; round += 1) {
      for (const [at, desk] of desks.entries()) await live(run, desk, at, drafts, 'settle');
    }
    const reports = [];
    for (const [at, desk] of desks.entries()) {
      await live(run, desk, at, drafts, 'report');
      reports.push(DeskReport.parse(JSON.parse(readFileSync(reportOf(desk), 'utf8'))));
    }
    return { ...rough, ...judge(desks, reports) };
  } finally {
    await office.close();
    await Promise.all(links.map((link) => link.close()));
  }
}

async function share(desks: readonly HomeDesk[]): Promise<readonly DraftId[]> {
  const [first] = desks;
  if (first === undefined) throw new Error('Nobody shares anything');
  const drafts: DraftId[] = [];
  for (const { api } of desks) {
    for (const set of ['address-book', 'drafts'] as const) {
      await api['office.share']({ set, isShared: true });
    }
  }
  for (let index = 0; index < DRAFTS; index += 1) {
    const content = { api: 'v1' as const, body: bodyV1(`Lease ${String(index)}`) };
    const { id } = await first.api['drafts.create']({ content, connectionId: null });
    await first.api['office.together']({ draft: id, isTogether: true });
    drafts.push(id);
  }
  for (const { api } of desks) await api['office.exchange']({});
  return drafts;
}

interface Stage {
  readonly run: SharingRun;
  readonly postgres: Postgres;
  readonly links: readonly Link[];
}

async function writeThroughKills(
  { run, postgres, links }: Stage,
  desks: readonly HomeDesk[],
  drafts: readonly DraftId[],
) {
  const random = createRandom(run.seed);
  let [kills, serverKills, cuts, isOver] = [0, 0, 0, false];
  const trouble = async (): Promise<void> => {
    while (!isOver || serverKills < run.serverKills) {
      await wait(200 + random() * 400);
      for (const link of links) link.cut();
      cuts += 1;
      await expire(postgres);
      if (serverKills >= run.serverKills || random() > 0.3) continue;
      if (serverKills % 2 === 0) await postgres.kill();
      else await postgres.stop('immediate');
      await postgres.start();
      serverKills += 1;
    }
  };
  const killOften = async (desk: HomeDesk, at: number): Promise<void> => {
    const lacksTexts = () => textsOf(desk).length * NAMES.length < run.texts;
    for (let round = 0; round < MAX_LIVES; round += 1) {
      const isMore = round * NAMES.length >= run.kills;
      if (isMore && !lacksTexts()) break;
      const life = startLife(run.child, orderOf(run, desk, at, drafts, 'write', round));
      await life.settles((LIFE_MS.least + random() * LIFE_MS.more) * (isMore ? LONGER : 1));
      if (life.hasCrashed()) throw new Error(`A desk ended by itself: ${life.said()}`);
      life.kill();
      await life.ended;
      kills += 1;
    }
  };
  const troubled = trouble();
  try {
    await Promise.all(desks.map(killOften));
  } finally {
    isOver = true;
    await troubled;
  }
  return { kills, serverKills, cuts };
}

/** Makes the locks of all computers expire, as after a long time without contact. */
async function expire(postgres: Postgres): Promise<void> {
  const free = "UPDATE signing_desk.lease SET until = '-infinity', number = number + 1";
  await postgres.run(free, 'signing_desk').catch(() => undefined);
}

async function live(
  run: SharingRun,
  desk: HomeDesk,
  at: number,
  drafts: readonly DraftId[],
  does: 'settle' | 'report',
): Promise<void> {
  const life = startLife(run.child, orderOf(run, desk, at, drafts, does, 0));
  if (!(await life.settles(LAST_LIFE))) throw new Error(`A desk did not end: ${life.said()}`);
  await life.ended;
}

function orderOf(
  { seed }: SharingRun,
  desk: HomeDesk,
  at: number,
  drafts: readonly DraftId[],
  does: SharingOrder['does'],
  round: number,
): SharingOrder {
  const { folder, keyfile } = desk;
  const file = does === 'report' ? reportOf(desk) : typedIn(desk);
  // Each life writes its own texts.
  const own = (seed * 1000 + round) * NAMES.length + at;
  return { folder, keyfile, at, seed: own, does, drafts: [...drafts], file };
}

const typedIn = ({ folder }: HomeDesk): string => path.join(folder, 'typed');
const reportOf = ({ folder }: HomeDesk): string => path.join(folder, 'report');

/** Texts that the computer reported as stored. */
const textsOf = (desk: HomeDesk): string[] =>
  existsSync(typedIn(desk)) ? readFileSync(typedIn(desk), 'utf8').split('\n').filter(Boolean) : [];

function judge(desks: readonly HomeDesk[], reports: readonly DeskReport[]) {
  const typed = desks.flatMap(textsOf);
  const [first, ...others] = reports;
  if (first === undefined) throw new Error('No desk reported');
  const here = new Set(reports.flatMap(({ texts }) => texts).concat(first.people));
  const differs = others.flatMap((other, index) => {
    const name = NAMES[index + 1] ?? '';
    return [
      ...(isSame(other.shared, first.shared) ? [] : [`drafts of ${name}`]),
      ...(isSame(other.people, first.people) ? [] : [`people of ${name}`]),
    ];
  });
  const inShared = Object.keys(first.shared).length;
  return {
    typed: typed.length,
    kept: reports.reduce((sum, { texts, shared }) => sum + ownOf(texts, shared), 0),
    lost: typed.filter((text) => !here.has(text)),
    differs: inShared === DRAFTS ? differs : [...differs, `only ${String(inShared)} drafts`],
  };
}

/** Number of texts in drafts that are not shared. */
function ownOf(texts: readonly string[], shared: DeskReport['shared']): number {
  return texts.length - Object.values(shared).reduce((sum, all) => sum + all.length, 0);
}

const isSame = (one: Json, other: Json): boolean => canonicalJson(one) === canonicalJson(other);
