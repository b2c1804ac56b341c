import { TestNote, type TestStep } from '../../../../../shared/contract/connections.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits, type Exit } from '../../output/exit-codes.ts';
import { connectionNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { pairs } from '../../output/text.ts';

/** `connections test`: runs the steps of the test in order; changes nothing on the service. */
export async function testConnection(session: Session, name: string): Promise<Answer> {
  const { id, allowed } = await connectionNamed(session, name);
  const { ok, steps } = await session.api['connections.test']({ id });
  const rows = steps.map((step) => ({ step: step.step, ok: step.ok, note: noteText(step) }));
  const reaches: [string, string] = ['reaches', allowed?.join(', ') ?? 'everyone'];
  const text = pairs([
    ...steps.map((step): [string, string] => [step.step, lineOf(step)]),
    reaches,
  ]);
  const failed = steps.find((step) => !step.ok);
  return answer({ ok, steps: rows, allowed }, text, failed ? exitOfStep[failed.step] : exits.done);
}

const exitOfStep = {
  address: exits.unreachable,
  tls: exits.unreachable,
  credential: exits.credentials,
  list: exits.unreachable,
  clock: exits.invalid,
  vault: exits.credentials,
} as const satisfies Record<TestStep['step'], Exit>;

const stepSentences = {
  reached: 'the service answers',
  'not-reached': 'no service answers at this address',
  'tls-ok': 'the certificate is valid',
  'tls-loopback': 'the service is on this computer and needs no certificate',
  'tls-failed': 'the certificate is not valid',
  accepted: 'the API key is accepted',
  'accepted-user-unchecked': 'the API key is accepted; the user is checked at the first send',
  refused: 'the API key is refused',
  listed: 'agreements can be listed',
  'listed-empty': 'agreements can be listed; there are none',
  'list-failed': 'agreements cannot be listed',
  'not-this-service': 'another service answers at this address',
  'clock-ok': 'the clocks agree',
  'clock-differs': 'the clocks differ',
  'clock-untold': 'the service does not report its time',
  stored: 'the API key is in the credential store',
  'stored-demo': 'the demo needs no API key',
  'store-failed': 'the credential store does not answer',
  skipped: 'not tested, because an earlier step failed',
} as const satisfies Record<TestNote, string>;

function lineOf(step: TestStep): string {
  if (step.note === 'skipped') return noteText(step);
  return `${step.ok ? 'ok ' : 'NOT OK'} ${noteText(step)}`;
}

function noteText({ note, value, failure }: TestStep): string {
  if (failure !== undefined) return failure.message;
  if (note === 'skipped') {
    const cause = TestNote.safeParse(value);
    return cause.success ? `not tested: ${stepSentences[cause.data]}` : stepSentences[note];
  }
  return value === null ? stepSentences[note] : `${stepSentences[note]} (${value})`;
}
