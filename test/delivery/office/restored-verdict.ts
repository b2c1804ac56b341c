import type { Demo } from '../../../electron/demo/start.ts';
import type { Decision, WholeReport } from '../children/whole-order.ts';
import type { TakenBack } from '../weather.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** A reminder request that the service received. */
export interface Reminded {
  readonly at: number;
  /** Address of the request, which names the agreement, party and notification. */
  readonly what: string;
  readonly isDone: boolean;
}

export interface RestoredVerdict {
  readonly titles: number;
  readonly made: number;
  readonly reminders: number;
  readonly decisions: Readonly<Record<Decision['what'], number>>;
  /** Titles with more agreements than one and each decision to send it again. */
  readonly twice: readonly string[];
  /** Titles that are missing on the service and about which no person is asked. */
  readonly lost: readonly string[];
  /** Rows and claims that are neither settled nor left for a person to decide. */
  readonly stuck: readonly string[];
  /** Differences between a computer and the service. */
  readonly wrong: readonly string[];
  /** Notifications sent twice on one day without a decision. */
  readonly remindedTwice: readonly string[];
  /** Open agreements for which no rule sends reminders any more. */
  readonly silent: readonly string[];
}

interface Left {
  readonly reports: readonly WholeReport[];
  readonly reminded: readonly Reminded[];
  readonly ghosts: ReadonlyMap<string, ReadonlySet<string>>;
  readonly taken: readonly TakenBack[];
  /** Time from which on no fault prevented a rule from running. */
  readonly calmFrom: number;
  readonly made: ReturnType<Demo['agreements']['v1']>;
  readonly decisions: readonly Decision[];
  readonly titles: readonly string[];
}

/** States of rows that are settled or left for a person to decide. */
const SHOWN = ['sent', 'rejected', 'human', 'cancelled', 'abandoned', 'duplicate'];

/** Checks the service, all computers, and the decisions of their clerks. */
export function judgeRestored(left: Left): RestoredVerdict {
  const { titles, decisions, reports, made, reminded } = left;
  const kinds = ['again', 'proven', 'gave-up', 'excuse', 'rule'] as const;
  const count = (kind: Decision['what']) => decisions.filter(({ what }) => what === kind).length;
  const numbers = Object.fromEntries(kinds.map((kind) => [kind, count(kind)]));
  return {
    titles: titles.length,
    made: made.length + deletedOf(left).length,
    reminders: reminded.filter(({ isDone }) => isDone).length,
    decisions: { again: 0, proven: 0, 'gave-up': 0, excuse: 0, rule: 0, ...numbers },
    twice: titles.flatMap((title) => twiceOf(left, title)),
    lost: titles.flatMap((title) => lostOf(left, title)),
    stuck: reports.flatMap((report, at) =>
      stuckOf(report, reports).map((one) => `desk ${String(at)}: ${one}`),
    ),
    wrong: reports.flatMap((report, at) =>
      wrongOf(left, report).map((one) => `desk ${String(at)}: ${one}`),
    ),
    remindedTwice: remindedTwiceOf(left),
    silent: silentOf(left),
  };
}

const deletedOf = ({ taken }: Left): readonly TakenBack[] => taken.filter((one) => one.isDeleted);

const countOf = (left: Left, title: string): number =>
  left.made.filter((one) => one.title === title).length +
  deletedOf(left).filter((one) => one.title === title).length;

/**
 * Number of agreements that the title may have. A row proven absent may be sent again without a
 * person, unless a colleague deleted its agreement. A clerk who does not wait for a lost computer
 * accepts that its sends are repeated.
 */
function allowedOf({ decisions, ghosts, taken, reports }: Left, title: string): number {
  const about = decisions.filter((one) => one.title === title);
  const again = about.filter(({ what }) => what === 'again').length;
  const proven = about.filter(({ what }) => what === 'proven').length;
  // A send that the service answered with "not now" is sent again after one scan, even if a
  // colleague deleted its agreement.
  const turnedAway = reports
    .flatMap(({ rows }) => rows.filter((row) => row.title === title))
    .filter(({ steps }) => isTurnedAway(steps)).length;
  const deleted = taken.filter((one) => one.isDeleted && one.title === title).length;
  const excused = new Set(decisions.flatMap(({ what, desks }) => (what === 'excuse' ? desks : [])));
  const gone = [...excused].filter((desk) => ghosts.get(desk)?.has(title) === true).length;
  return 1 + again + Math.min(proven + turnedAway, deleted) + gone;
}

const isTurnedAway = (steps: readonly string[]): boolean =>
  steps.some((step) => step.endsWith('queued (answer)')) &&
  steps.some((step) => step.endsWith('queued (look)'));

function twiceOf(left: Left, title: string): readonly string[] {
  const [is, may] = [countOf(left, title), allowedOf(left, title)];
  if (is <= may) return [];
  return [`${title}: ${String(is)} agreements, ${String(may)} decided. ${told(left, title)}`];
}

/** All facts about a title, for the person who reads the failure. */
function told({ reports, decisions, made }: Left, title: string): string {
  const rows = reports.flatMap((report, at) =>
    report.rows
      .filter((row) => row.title === title)
      .map(({ ref, state, reason, steps }) =>
        [`desk ${String(at)} ${ref} ${state} ${reason ?? ''}`, ...steps].join('\n    '),
      ),
  );
  const refs = made.filter((one) => one.title === title).map(({ tags }) => tags['desk.ref']);
  const about = decisions
    .filter((one) => one.title === title || one.what === 'excuse')
    .map((one) => JSON.stringify(one));
  return ['', `made: ${refs.join()}`, ...rows, ...about].join('\n  ');
}

function lostOf(left: Left, title: string): readonly string[] {
  if (countOf(left, title) > 0) return [];
  const rows = left.reports.flatMap((report) => report.rows.filter((row) => row.title === title));
  const isShown = rows.some(
    ({ state, isHeld }) => ['rejected', 'human', 'unknown', 'absent'].includes(state) || isHeld,
  );
  const isDraft = left.reports.some(({ drafts }) => drafts.includes(title));
  const isGivenUp = left.decisions.some((one) => one.what === 'gave-up' && one.title === title);
  return isShown || isDraft || isGivenUp ? [] : [`${title} ${told(left, title)}`];
}

function stuckOf({ rows, open }: WholeReport, reports: readonly WholeReport[]): readonly string[] {
  const waiting = rows.filter(({ state, verify, isHeld }) =>
    state === 'queued' ? !isHeld || verify : !SHOWN.includes(state),
  );
  return [
    ...waiting.map(({ title, ref, state, reason, steps }) =>
      [`${title} ${ref} ${state} (${reason ?? ''})`, ...steps].join('\n    '),
    ),
    ...open
      .filter(({ kind }) => kind === 'send')
      .map(({ id, title, desk, state, startedAt }) => {
        const by = reports.findIndex((one) => one.desk === desk);
        const at = reports.flatMap((one, number) =>
          one.rows
            .filter(({ ref }) => ref === id)
            .map((row) => [`desk ${String(number)} has it: ${row.state}`, ...row.steps].join('; ')),
        );
        const who = by < 0 ? `a former desk ${desk}` : `desk ${String(by)}`;
        return [`the claim of ${title} by ${who} at ${String(startedAt)}: ${state}`, ...at].join(
          '\n    ',
        );
      }),
  ];
}

/** Differences between the rows and the service; a revoked or deleted agreement is not one. */
function wrongOf({ made, taken }: Left, { rows }: WholeReport): readonly string[] {
  const refs = new Map(made.map(({ tags, id }) => [tags['desk.ref'], id]));
  for (const { tags } of taken) refs.set(String(tags['desk.ref']), '');
  return rows.flatMap(({ ref, title, state }) => {
    if (state === 'sent' && !refs.has(ref))
      return [`${title} ${ref}: sent, and the service has none`];
    const isNone = state === 'rejected' || state === 'cancelled';
    return isNone && refs.has(ref) ? [`${title} ${ref}: ${state}, and the service has it`] : [];
  });
}

function remindedTwiceOf({ reminded, decisions }: Left): readonly string[] {
  const done = Map.groupBy(
    reminded.filter(({ isDone }) => isDone),
    ({ what, at }) => `${what} on day ${String(Math.floor(at / DAY))}`,
  );
  return [...done].flatMap(([what, times]) => {
    const [first, last] = [times[0]?.at ?? 0, times.at(-1)?.at ?? 0];
    // After a restore, a person lets rules continue, or stops waiting for the other computer.
    const isDecided = decisions.some(
      (one) => (one.what === 'rule' || one.what === 'excuse') && one.at >= first && one.at <= last,
    );
    return times.length > 1 && !isDecided ? [`${what}: ${times.map(({ at }) => at).join()}`] : [];
  });
}

function silentOf({ made, reminded, calmFrom }: Left): readonly string[] {
  const calm = reminded.filter(({ at }) => at >= calmFrom).map(({ what }) => what);
  return made
    .filter(({ state }) => state === 'READY_TO_SIGN')
    .filter(({ id }) => !calm.some((what) => what.includes(id)))
    .map(({ title, id }) => `${title} ${id}`);
}
