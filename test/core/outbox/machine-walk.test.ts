import { expect, it } from 'vitest';
import {
  type OutboxEvent,
  type MachineRow,
  transition,
} from '../../../electron/core/outbox/machine.ts';
import type { IncompleteReason } from '../../../shared/contract/outbox.ts';
import type { RowTrack } from '../../../electron/core/outbox/ports.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';
import { createSeeded } from '../../support/seeded.ts';

const WALKS = 4_000;
const STEPS = 25;
const START = Date.UTC(2026, 10, 21, 12);
const { pick, whole } = createSeeded(22);
/** True in `tenths` of ten cases. */
const often = (tenths: number): boolean => whole(1, 10) <= tenths;

const untracked: RowTrack = {
  endedAt: null,
  cleanPasses: 0,
  cleanAt: null,
  inconclusiveScans: 0,
  inconclusiveSince: null,
  looks: 0,
  lookAt: null,
};
const [one, other] = ['one', 'other'].map((id) => AgreementId.parse(id));

function anyPass(now: number): OutboxEvent {
  const hits = pick([[], [], [one], [one, other]]).flatMap((id) => id ?? []);
  const incompleteReason = pick<IncompleteReason | null>([
    null,
    'not-reached',
    'other-user',
    'no-canary',
    'too-early',
  ]);
  const serverAt = pick([null, now, now - HOUR]);
  return { kind: 'pass', seen: { hits, lookalikes: pick([0, 0, 1]), incompleteReason, serverAt } };
}

function anyEvent(now: number): OutboxEvent {
  if (often(4)) return anyPass(now);
  const endedAt = pick([now, now + 10 * DAY]);
  return pick<OutboxEvent>([
    { kind: 'not-sent', nextAt: now },
    { kind: 'refused', endedAt: pick([null, endedAt]) },
    { kind: 'turned-away', nextAt: now, endedAt },
    { kind: 'lost', endedAt: pick([null, now]) },
    { kind: 'restart', isRestored: pick([true, false]) },
    { kind: 'absent', mayResend: true, isNeverMade: true },
    { kind: 'resend' },
    { kind: 'abandon' },
    { kind: 'cancel' },
  ]);
}

/** The row as stored after one step. */
function moved(row: MachineRow, event: OutboxEvent, now: number): MachineRow {
  // A claim is not an event of the state machine.
  if (row.state === 'queued' && !row.verify && often(4))
    return { ...row, state: 'sending', attempts: row.attempts + 1 };
  const step = transition(row, event, now);
  if (step === null) return row;
  const { to, verify = row.verify, remoteId = row.remoteId, isUncounted = false } = step;
  return {
    ...row,
    state: to,
    verify,
    remoteId,
    attempts: row.attempts - (isUncounted ? 1 : 0),
    wasInDoubt: row.wasInDoubt || to === 'unknown',
    track: { ...row.track, ...step.track },
  };
}

/** Whether a scan reads the service for this row, as in the store. */
const isRead = ({ state, verify }: MachineRow): boolean =>
  ['unknown', 'absent', 'human', 'rejected', 'abandoned'].includes(state) ||
  (state === 'queued' && verify);

/** Describes a fault of the row after an event; null if there is none. */
function wrong(
  { track: { lookAt }, ...row }: MachineRow,
  event: OutboxEvent,
  now: number,
): string | null {
  if (lookAt !== null && !isRead({ ...row, track: untracked })) return 'its scan reads nothing';
  if (event.kind === 'pass' && lookAt !== null && lookAt <= now) return 'its scan is still due';
  const isWaiting = row.verify && ['queued', 'rejected', 'abandoned'].includes(row.state);
  return isWaiting && lookAt === null ? 'it waits for a scan that never comes' : null;
}

it('the state machine reschedules the next scan of a row at each scan until none is needed (DL-V22)', () => {
  for (let walk = 0; walk < WALKS; walk += 1) {
    let now = START;
    let row: MachineRow = {
      state: 'queued',
      policy: pick(['ask', 'auto']),
      attempts: 0,
      verify: false,
      remoteId: null,
      createdAt: now,
      mark: { by: pick(['tag', 'nothing', 'object', 'token']) },
      wasInDoubt: false,
      track: untracked,
    };
    for (let step = 0; step < STEPS; step += 1) {
      now += pick([0, SECOND, 2 * MINUTE, 11 * MINUTE, 40 * MINUTE, 26 * HOUR, -3 * HOUR]);
      const event = anyEvent(now);
      const before = row;
      row = moved(row, event, now);
      expect({ before, event, wrong: wrong(row, event, now) }).toMatchObject({ wrong: null });
    }
  }
});
