import { AgreementId } from '../../shared/model/ids.ts';
import type { SendMark, OutboxPolicy } from '../../shared/contract/outbox.ts';
import {
  type OutboxEvent,
  type MachineRow,
  transition,
} from '../../electron/core/outbox/machine.ts';
import { MAX_ON_WIRE } from '../../electron/core/outbox/times.ts';
import { DAY, MINUTE } from '../../shared/rules/time/units.ts';

/** Duration of one step of the model's clock. */
const TICK = 2 * MINUTE;
/** Largest time difference in a state's key; larger ones have no further effect. */
const FAR = 24 * MINUTE;
const START = 1_000 * DAY;

export type Decide = typeof transition;

/** Events that the model applies to one send, with their limits. */
export interface World {
  readonly rows: number;
  readonly mark: SendMark['by'];
  readonly policy: OutboxPolicy;
  /** Delay in ticks of a request that is carried out late; null: never late. */
  readonly lateTicks: number | null;
  /** Delay of the list in ticks. */
  readonly lagTicks: number;
  readonly kills: number;
  /** Number of requests without an answer or with "not now". */
  readonly losses: number;
  /**
   * Number of times that a colleague revokes or deletes an agreement, which no list shows after
   * that.
   */
  readonly colleagues: number;
  /** Number of times that an older copy of all rows, from any moment, is restored. */
  readonly restores: number;
  /** Whether the list may be read with another API key than the sender's. */
  readonly hasTwoCredentials: boolean;
  /** Whether a person can decide: to send again, to give up, or to correct a refused send. */
  readonly people: boolean;
  readonly decide?: Decide;
}

interface Sent {
  readonly row: number;
  readonly visibleAt: number;
  /** Whether the row replaces a refused row, with its own mark. */
  readonly isMended: boolean;
  readonly isTakenBack: boolean;
}

interface State {
  readonly now: number;
  readonly rows: readonly (MachineRow & {
    readonly onWire: boolean;
    readonly nextAt: number | null;
  })[];
  readonly remote: readonly Sent[];
  readonly kills: number;
  readonly losses: number;
  readonly colleagues: number;
  readonly restores: number;
  /** Rows of the copy; null if none was taken yet. */
  readonly copy: State['rows'] | null;
  /** Number of additional agreements that a person allowed, by row. */
  readonly again: readonly number[];
}

export interface Found {
  readonly states: number;
  /** The shortest series of events that breaks the promise; null if none does. */
  readonly broken: readonly string[] | null;
  /** Number of states with a second agreement that no person requested. */
  readonly duplicates: number;
  /**
   * Number of final states with such a second agreement that the program does not report as a
   * duplicate.
   */
  readonly silent: number;
  /** Number of states that never settle, even without further faults. */
  readonly stuck: number;
}

type Step = readonly [what: string, next: State];

/** Explores every order of events for the rows. */
export function explore(world: World): Found {
  const first = begin(world);
  const calm = createCalm(world);
  const known = new Map<string, { readonly from: string | null; readonly by: string }>();
  const open: State[] = [first];
  known.set(keyOf(first), { from: null, by: 'start' });
  let broken: readonly string[] | null = null;
  let [duplicates, silent, stuck] = [0, 0, 0];
  // The list grows while the loop runs.
  for (const state of open) {
    const key = keyOf(state);
    const wrong = wrongIn(state);
    if (wrong !== null) {
      duplicates += wrong === 'duplicate' ? 1 : 0;
      broken ??= [...pathTo(known, key), wrong];
    }
    const end = calm(state);
    if (!end.isSettled) stuck += 1;
    else if (wrong === 'duplicate' && !end.isReported) silent += 1;
    if (wrong !== null) continue;
    for (const [by, next] of steps(world, state)) {
      const nextKey = keyOf(next);
      if (known.has(nextKey)) continue;
      known.set(nextKey, { from: key, by });
      open.push(next);
    }
  }
  return { states: known.size, broken, duplicates, silent, stuck };
}

function begin({ rows, mark, policy, kills, losses, colleagues, restores }: World): State {
  const track = {
    endedAt: null,
    cleanPasses: 0,
    cleanAt: null,
    inconclusiveScans: 0,
    inconclusiveSince: null,
    looks: 0,
    lookAt: null,
  };
  const row: ModelRow = {
    state: 'queued',
    policy,
    attempts: 0,
    verify: false,
    remoteId: null,
    createdAt: START,
    mark: { by: mark },
    track,
    wasInDoubt: false,
    onWire: false,
    nextAt: START,
  };
  return {
    now: START,
    rows: Array.from({ length: rows }, () => row),
    remote: [],
    kills,
    losses,
    colleagues,
    restores,
    copy: null,
    again: Array.from({ length: rows }, () => 0),
  };
}

function steps(world: World, state: State): readonly Step[] {
  const all: Step[] = [];
  for (const [index, row] of state.rows.entries()) {
    if (row.state === 'queued' && !row.verify && row.nextAt !== null && row.nextAt <= state.now) {
      all.push([`claim ${String(index)}`, withRow(state, index, claimed(row))]);
    }
    if (row.onWire) all.push(...answers(world, state, index));
    all.push(...looks(world, state, index), ...decisions(world, state, index));
  }
  all.push(...takenBack(state), ...copies(world, state));
  if (state.rows.some(({ state: now }) => now !== 'sent' && now !== 'queued')) {
    if (state.now - START < 5 * FAR) all.push(['wait', later(state)]);
  }
  return all;
}

/** Outcomes of a request, with the answers that arrive. */
function answers(world: World, state: State, index: number): readonly Step[] {
  const all: Step[] = [];
  const end = (what: string, arrived: State, event: OutboxEvent) => {
    const next = apply(world, withRow(arrived, index, { onWire: false }), index, event);
    if (next !== null) all.push([what, next]);
  };
  const lag = world.lagTicks * TICK;
  const done = [committed(state, index, state.now)];
  if (lag > 0) done.push(committed(state, index, state.now + lag));
  for (const arrived of done) {
    end('done', arrived, { kind: 'done', remoteId: remoteId(arrived.remote.length - 1) });
  }
  // A service may refuse or turn away a request and still carry it out.
  const refused = { kind: 'refused', endedAt: state.now } as const;
  end('refused', state, refused);
  end('refused and done', committed(state, index, state.now), refused);
  if (state.losses > 0) {
    const turnedAway = { kind: 'turned-away', nextAt: state.now, endedAt: state.now } as const;
    const lose = (fate: State): State => ({ ...fate, losses: fate.losses - 1 });
    end('turned away', lose(state), turnedAway);
    for (const arrived of done) end('turned away and done', lose(arrived), turnedAway);
  }
  end('not sent', state, { kind: 'not-sent', nextAt: state.now });
  const fates = [state, ...done];
  if (world.lateTicks !== null) {
    fates.push(committed(state, index, state.now + world.lateTicks * TICK + lag));
  }
  for (const fate of fates) {
    const how = fate === state ? 'never arrived' : 'arrived';
    if (state.losses > 0) {
      const lost = { ...fate, losses: fate.losses - 1 };
      end(`answer lost, ${how}`, lost, { kind: 'lost', endedAt: state.now });
    }
    if (state.kills > 0) {
      const killed = { ...fate, kills: fate.kills - 1 };
      end(`killed, ${how}`, killed, { kind: 'restart', isRestored: false });
    }
  }
  return all;
}

/**
 * Steps in which a colleague revokes or deletes an agreement whose outcome the program does not
 * know.
 */
function takenBack(state: State): readonly Step[] {
  if (state.colleagues === 0) return [];
  return state.remote.flatMap((sent, index): readonly Step[] => {
    const isUnknown = state.rows[sent.row]?.state === 'unknown';
    if (!isUnknown || sent.isTakenBack || sent.visibleAt > state.now) return [];
    const remote = state.remote.map((one, at) =>
      at === index ? { ...one, isTakenBack: true } : one,
    );
    return [
      [`taken back ${String(index)}`, { ...state, remote, colleagues: state.colleagues - 1 }],
    ];
  });
}

/** Steps in which a copy of the data is taken, or restored while no request is in flight. */
function copies(world: World, state: State): readonly Step[] {
  const { rows, copy, restores } = state;
  if (restores === 0) return [];
  if (copy === null) return [['copied', { ...state, copy: rows }]];
  if (rows.some(({ onWire }) => onWire)) return [];
  const start: State = { ...state, rows: copy, copy: null, restores: restores - 1 };
  return [['put back', rows.reduce((now, _row, index) => restarted(world, now, index), start)]];
}

function restarted(world: World, state: State, index: number): State {
  const off = withRow(state, index, { onWire: false });
  return apply(world, off, index, { kind: 'restart', isRestored: true }) ?? off;
}

/** Steps with a complete or incomplete reading of the list. */
function looks(world: World, state: State, index: number): readonly Step[] {
  const row = state.rows[index];
  if (row === undefined || row.onWire || (row.state === 'queued' && !row.verify)) return [];
  const all: Step[] = [];
  const reasons = [null, 'not-reached', 'other-user'] as const;
  for (const incompleteReason of reasons) {
    if (incompleteReason === 'other-user' && !world.hasTwoCredentials) continue;
    if (incompleteReason !== null && row.track.inconclusiveScans > 0) continue;
    const next = look(world, state, index, incompleteReason);
    if (next !== null) all.push([`look, ${incompleteReason ?? 'whole'}`, next]);
  }
  return all;
}

function look(
  world: World,
  state: State,
  index: number,
  incompleteReason: 'not-reached' | 'other-user' | null,
): State | null {
  const row = state.rows[index];
  if (row === undefined) return null;
  const seen = incompleteReason === null ? visible(state) : [];
  const own = seen.filter(({ sent }) => sent.row === index).map(({ id }) => id);
  const isMarked = row.mark.by !== 'nothing';
  const bound = new Set(state.rows.map((one) => one.remoteId));
  const event: OutboxEvent = {
    kind: 'pass',
    seen: {
      hits: isMarked ? own : [],
      lookalikes: isMarked ? 0 : seen.filter(({ id }) => !bound.has(id)).length,
      incompleteReason,
      serverAt: state.now,
    },
  };
  const after = apply(world, state, index, event);
  if (after?.rows[index]?.state !== 'absent') return after;
  return apply(world, after, index, {
    kind: 'absent',
    mayResend: true,
    isNeverMade: isNeverMade(world, state, index),
  });
}

/**
 * Whether a file uploaded only for the row is still unused: if so, no create request has used it so
 * far.
 */
function isNeverMade({ lagTicks }: World, { remote, rows, now }: State, index: number): boolean {
  const isMade = remote.some((one) => one.row === index && one.visibleAt - lagTicks * TICK <= now);
  return rows[index]?.mark.by === 'token' && !isMade;
}

function decisions(world: World, state: State, index: number): readonly Step[] {
  const row = state.rows[index];
  if (row === undefined) return [];
  const all: Step[] = [];
  const cancelled = row.state === 'sent' ? null : apply(world, state, index, { kind: 'cancel' });
  if (cancelled !== null && row.state === 'queued') all.push(['cancel', cancelled]);
  if (!world.people) return all;
  if (cancelled !== null && row.state === 'rejected') all.push(['taken back', cancelled]);
  const mended = mend(state, index);
  if (mended !== null) all.push(['mended and sent', mended]);
  const isTurnedAway = row.state === 'queued' && row.verify;
  if (row.state !== 'human' && !isTurnedAway) return all;
  const again = state.again.map((count, at) => (at === index ? count + 1 : count));
  const once = state.again[index] === 0 ? apply(world, state, index, { kind: 'resend' }) : null;
  if (once !== null) all.push(['a person says again', { ...once, again }]);
  const abandoned = apply(world, state, index, { kind: 'abandon' });
  // A person who gives up has seen the possible match, and may send again.
  if (abandoned !== null) all.push(['a person gives up', { ...abandoned, again }]);
  return all;
}

/** Sends the correction of a refused row, once, as soon as the outbox allows it. */
function mend(state: State, index: number): State | null {
  const row = state.rows[index];
  if (row === undefined || row.verify || row.attempts === 0) return null;
  if (row.state !== 'rejected' && row.state !== 'abandoned') return null;
  if (state.remote.some((one) => one.row === index && one.isMended)) return null;
  return committed(state, index, state.now, true);
}

/** Final state of the rows without further faults and without people. */
interface Calm {
  readonly isSettled: boolean;
  readonly isReported: boolean;
}

/** Returns a function with a cache of final states, since many paths lead to the same state. */
function createCalm(world: World): (from: State) => Calm {
  const known = new Map<string, Calm>();
  return (from) => {
    const way = new Set<string>();
    for (let state = from; ; state = calmTick(world, state)) {
      const key = keyOf(state);
      // A repeated state: nothing changes any more, or there is a loop.
      const end = known.get(key) ?? (way.has(key) ? endOf(state) : null);
      way.add(key);
      if (end === null) continue;
      for (const passed of way) known.set(passed, end);
      return end;
    }
  };
}

function calmTick(world: World, from: State): State {
  let state = from;
  for (const [index, row] of from.rows.entries()) {
    if (row.onWire) {
      const arrived = withRow(committed(state, index, state.now), index, { onWire: false });
      const id = remoteId(arrived.remote.length - 1);
      state = apply(world, arrived, index, { kind: 'done', remoteId: id }) ?? state;
    } else if (row.state === 'queued' && !row.verify) {
      state = withRow(state, index, claimed(row));
    } else {
      state = look(world, state, index, null) ?? state;
    }
  }
  return later(state);
}

const ENDS = ['sent', 'rejected', 'human', 'duplicate', 'cancelled', 'abandoned'];

const endOf = ({ rows }: State): Calm => ({
  isSettled: rows.every((row) => ENDS.includes(row.state) && !row.verify),
  isReported: rows.some((row) => row.state === 'duplicate'),
});

/** Checks the promise in one state: no second send without a person, and true reports. */
function wrongIn(state: State): 'duplicate' | 'claims what is not' | 'not whole' | null {
  for (const [index, row] of state.rows.entries()) {
    const made = state.remote.filter((one) => one.row === index).length;
    if (made > 1 + (state.again[index] ?? 0)) return 'duplicate';
    if (row.state === 'sent' && made === 0) return 'claims what is not';
    if (row.state === 'sent' && row.remoteId === null) return 'not whole';
  }
  return null;
}

function apply(world: World, state: State, index: number, event: OutboxEvent): State | null {
  const row = state.rows[index];
  if (row === undefined) return null;
  const step = (world.decide ?? transition)(row, event, state.now);
  if (step === null) return null;
  const { to, isUncounted = false, track, ...rest } = step;
  return withRow(state, index, {
    ...rest,
    state: to,
    attempts: row.attempts - (isUncounted ? 1 : 0),
    track: { ...row.track, ...track },
    wasInDoubt: row.wasInDoubt || to === 'unknown',
  });
}

type ModelRow = State['rows'][number];

const claimed = (row: ModelRow): ModelRow => ({
  ...row,
  state: 'sending',
  attempts: row.attempts + 1,
  onWire: true,
});

function withRow(state: State, index: number, change: Partial<ModelRow>): State {
  const rows = state.rows.map((row, at) => (at === index ? { ...row, ...change } : row));
  return { ...state, rows };
}

function committed(state: State, row: number, visibleAt: number, isMended = false): State {
  return { ...state, remote: [...state.remote, { row, visibleAt, isMended, isTakenBack: false }] };
}

function visible({ remote, now }: State) {
  return remote
    .map((sent, index) => ({ sent, id: remoteId(index) }))
    .filter(({ sent }) => sent.visibleAt <= now && !sent.isMended && !sent.isTakenBack);
}

const remoteId = (index: number) => AgreementId.parse(`remote-${String(index)}`);
const later = (state: State): State => ({ ...state, now: state.now + TICK });

/**
 * Key of a state, with times as differences, so that the same situation at a later time has the
 * same key.
 */
function keyOf(state: State): string {
  const { now, rows, copy, remote, kills, losses, colleagues, restores, again } = state;
  const since = (at: number | null) => (at === null ? null : Math.max(at - now, -FAR) / TICK);
  const rowKeys = (all: State['rows']) =>
    all.map(({ state: is, attempts, verify, remoteId: id, onWire, nextAt, track, wasInDoubt }) => [
      ...[is, Math.min(attempts, MAX_ON_WIRE), verify, id, onWire, wasInDoubt],
      nextAt === null || nextAt <= now,
      ...[since(track.endedAt), track.cleanPasses, since(track.cleanAt), track.inconclusiveScans],
    ]);
  return JSON.stringify([
    rowKeys(rows),
    copy === null ? null : rowKeys(copy),
    remote.map(({ row, visibleAt, isMended, isTakenBack }) => [
      ...[row, Math.max(0, (visibleAt - now) / TICK), isMended, isTakenBack],
    ]),
    ...[kills, losses, colleagues, restores, again],
  ]);
}

function pathTo(
  known: ReadonlyMap<string, { readonly from: string | null; readonly by: string }>,
  key: string,
): readonly string[] {
  const path: string[] = [];
  for (let at: string | null = key; at !== null;) {
    const step = known.get(at);
    if (step === undefined) break;
    path.unshift(step.by);
    at = step.from;
  }
  return path;
}
