import type { TestNote, TestStep, TestStepName } from '../../../../shared/contract/connections.ts';
import { AppError, type Failure } from '../../../../shared/errors.ts';
import type { Clock } from '../../../core/ports.ts';
import type { BaseAddress } from '../http/address.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

/** Maximum clock difference (ms); a larger difference makes time windows and deadlines wrong. */
const MAX_REPORTED_SKEW_MS = 5 * MINUTE;

/** Result of one read-only list request. */
export interface ListedTotal {
  readonly total: number;
  readonly serverTime: number | null;
}

/**
 * Reports, step by step, how far one list request got; changes nothing on the service. `accepted`
 * is the note for an accepted credential.
 */
export async function* testConnection(
  base: BaseAddress,
  clock: Clock,
  accepted: TestNote,
  list: () => Promise<ListedTotal>,
): AsyncGenerator<TestStep, void> {
  const outcome = await list().catch((error: unknown) => {
    if (error instanceof AppError && error.failure.code !== 'cancelled') return error.failure;
    throw error;
  });
  if ('code' in outcome) {
    yield* failedSteps(base, outcome);
    return;
  }
  yield* reachedSteps(base);
  yield testStep('credential', accepted);
  yield outcome.total === 0
    ? testStep('list', 'listed-empty')
    : testStep('list', 'listed', String(outcome.total));
  yield clockStep(clock, outcome.serverTime);
}

function* failedSteps(base: BaseAddress, failure: Failure): Generator<TestStep, void> {
  if (failure.code === 'offline') {
    yield explainStep(testStep('address', 'not-reached', base.host), failure);
    return;
  }
  if (failure.reason === 'tls') {
    yield testStep('address', 'reached', base.host);
    yield explainStep(testStep('tls', 'tls-failed'), failure);
    return;
  }
  yield* reachedSteps(base);
  switch (failure.code) {
    case 'signed-out':
    case 'forbidden':
      yield testStep('credential', 'refused');
      return;
    case 'limited':
      yield testStep('list', 'list-failed');
      return;
    case 'service':
      if (isUnreadableAnswer(failure)) {
        yield explainStep(testStep('list', 'list-failed'), failure);
        return;
      }
      // A failing server may still be the right service; a server that answers in another format is
      // not.
      yield testStep('list', failure.reason === undefined ? 'list-failed' : 'not-this-service');
      return;
    case 'not-found':
      yield testStep('list', 'not-this-service');
      return;
    default:
      yield testStep('list', 'list-failed');
  }
}

/** Whether the service answers, but its answer cannot be read. */
const isUnreadableAnswer = ({ reason }: Failure): boolean =>
  reason === 'answer-broken' || reason === 'answer-encoded';

const EXPLAINED_REASONS: ReadonlySet<string | undefined> = new Set<Failure['reason']>([
  'answer-broken',
  'answer-encoded',
  'proxy-unreachable',
  'proxy-sign-in',
  'proxy-method',
  'proxy-refused',
  'proxy-kind',
  'tls',
]);

/** Adds the failure to the step if it says more than the note. */
function explainStep(tried: TestStep, failure: Failure): TestStep {
  return EXPLAINED_REASONS.has(failure.reason) ? { ...tried, failure } : tried;
}

function* reachedSteps(base: BaseAddress): Generator<TestStep, void> {
  yield testStep('address', 'reached', base.host);
  yield testStep('tls', base.isSecure ? 'tls-ok' : 'tls-loopback');
}

function clockStep(clock: Clock, serverTime: number | null): TestStep {
  if (serverTime === null) return testStep('clock', 'clock-untold');
  const skew = clock.now() - serverTime;
  const seconds = String(Math.round(skew / 1000));
  return testStep(
    'clock',
    Math.abs(skew) > MAX_REPORTED_SKEW_MS ? 'clock-differs' : 'clock-ok',
    seconds,
  );
}

const FAILED_NOTES: ReadonlySet<TestNote> = new Set([
  'not-reached',
  'tls-failed',
  'refused',
  'list-failed',
  'not-this-service',
  'clock-differs',
]);

function testStep(name: TestStepName, note: TestNote, value: string | null = null): TestStep {
  return { step: name, ok: !FAILED_NOTES.has(note), note, value };
}
