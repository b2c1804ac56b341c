import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { SendMark, OutboxPolicy } from '../../shared/contract/outbox.ts';
import {
  ANSWERS,
  DECISIONS,
  OutboxWorld,
  type Answer,
  type Decision,
  type Fate,
} from './outbox-world.ts';
import { TIMEOUT_MS, settings } from './runs.ts';
import { MINUTE } from '../../shared/rules/time/units.ts';

interface Model {
  /** Maximum number of agreements: the first one, and one more for each decision to send again. */
  allowed: number;
}

type Act = fc.Command<Model, OutboxWorld>;

/** Creates an event for a send. An event that is impossible when it occurs has no effect. */
const act = (name: string, run: (world: OutboxWorld, model: Model) => void): Act => ({
  check: () => true,
  run(model, world) {
    run(world, model);
    world.expectTruth(model.allowed);
  },
  toString: () => name,
});

const answer = fc
  .record({
    what: fc.constantFrom<Answer>(...ANSWERS),
    fate: fc.constantFrom<Fate>('never', 'at once', 'late'),
    lag: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ what, fate, lag }) =>
    act(`sent: ${what}, carried out ${fate}, shown after ${String(lag)} min`, (world) => {
      world.claim();
      world.answer(what, fate, lag * MINUTE);
    }),
  );
/**
 * Waiting times that are near to the waits of the outbox, which are two, ten and twelve minutes.
 */
const wait = fc
  .constantFrom(1, 2, 3, 9, 10, 11, 12, 40)
  .map((minutes) => act(`wait ${String(minutes)} min`, (world) => world.wait(minutes * MINUTE)));
const look = fc
  .constantFrom(null, 'not-reached' as const, 'other-user' as const)
  .map((incompleteReason) =>
    act(`look, ${incompleteReason ?? 'whole'}`, (world) => world.look(incompleteReason)),
  );
const kill = fc
  .constantFrom<Fate>('never', 'at once', 'late')
  .map((fate) => act(`killed, carried out ${fate}`, (world) => world.kill(fate)));
const decide = fc.constantFrom<Decision>(...DECISIONS).map((what) =>
  act(`a person says ${what}`, (world, model) => {
    if (world.decide(what)) model.allowed += 1;
  }),
);
const whole = fc.constant(act('look, whole', (world) => world.look(null)));
const acts: fc.Arbitrary<Act>[] = [
  fc.constant(act('claim', (world) => world.claim())),
  ...[answer, answer, wait, wait, wait, whole, whole, look, look, kill, kill, decide],
  fc.constant(act('a colleague takes it back', (world) => world.takeBack())),
  fc.constant(act('copied', (world) => world.copy())),
  fc.constant(act('restored', (world) => world.restore())),
];

/**
 * Options for long series of events, because most faults need a long one; a failing series is
 * shortened afterwards.
 */
const LONG = { maxCommands: 40, size: 'max' } as const;
/** Number of minutes between two readings of the service's list while there are no faults. */
const often = fc.constantFrom(1, 2, 3, 9);
const send = fc.record({
  mark: fc.constantFrom<SendMark['by']>('tag', 'name', 'token', 'nothing'),
  policy: fc.constantFrom<OutboxPolicy>('auto', 'ask'),
});

describe('a send, after any events in any order,', () => {
  it(
    'never creates a second agreement unless a person decides so, and is never reported falsely (TE-P1)',
    () => {
      fc.assert(
        fc.property(send, fc.commands(acts, LONG), (about, commands) => {
          fc.modelRun(() => ({ model: { allowed: 1 }, real: new OutboxWorld(about) }), commands);
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it(
    'is never lost: without further faults it is sent, or left for a person to decide (TE-P2)',
    () => {
      fc.assert(
        fc.property(
          send,
          fc.commands(acts, LONG),
          often,
          fc.nat({ max: 8 }),
          (about, commands, every, rough) => {
            const world = new OutboxWorld(about);
            const model = { allowed: 1 };
            fc.modelRun(() => ({ model, real: world }), commands);
            world.rough(every * MINUTE, rough);
            world.calm(every * MINUTE);
            world.expectTruth(model.allowed);
            world.expectEnd();
          },
        ),
        settings,
      );
    },
    TIMEOUT_MS,
  );
});
