import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { addNote, expiringBody, sending } from '../../support/desks/cli-draft.ts';
import { cliHome, connect } from '../../support/desks/cli-home.ts';
import { createHomeHere, type HomeHere } from '../../support/desks/desk-here.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
const A_PERSON_DECIDES = 7;
const WRONG = 3;

let demo: Demo;
let first: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  // The service's clock moves with the clock of this computer.
  const now = () => Date.now();
  ({ demo, home: first, close } = await cliHome({ seed: 'none', now }));
}, TIMEOUT_MS);
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => close());

const sent = () => demo.requests.filter(({ method }) => method === 'POST').length;

/** Adds a draft; returns the arguments of the command that sends it at this time (epoch ms). */
async function sendAt(title: string, at: number, home = first): Promise<readonly string[]> {
  const id = await addNote(home, home.folder, title, expiringBody(title));
  const time = new Date(at).toISOString();
  return [...sending(id), '--at', time];
}

it(
  'a draft is sent by a run soon after its send time, and waits for a decision if later (TX-13)',
  async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const soon = Date.now() + HOUR;
    const { state, sendAt: told } = await first.value(await sendAt('Soon', soon));
    expect({ state, told }).toEqual({ state: 'queued', told: new Date(soon).toISOString() });
    await first.value(['outbox', 'run']);
    expect(sent()).toBe(0);
    vi.setSystemTime(soon + 19 * MINUTE);
    await first.value(['outbox', 'run']);
    expect(sent()).toBe(1);

    const missed = Date.now() + HOUR;
    const { ref } = await first.value(await sendAt('Missed', missed));
    vi.setSystemTime(missed + 21 * MINUTE);
    await first.value(['outbox', 'run'], '', A_PERSON_DECIDES);
    expect(sent()).toBe(1);
    await first.value(['outbox', 'settle', String(ref), '--as', 'resend']);
    await first.value(['outbox', 'run']);
    expect(sent()).toBe(2);
  },
  TIMEOUT_MS,
);

it(
  'run-due sends due drafts, leaves those found too late to a person, and reports each once (FE-N2)',
  async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    // This computer has its own circuit breaker: the clock of the previous breaker was moved.
    const home = await createHomeHere();
    await connect(home, demo);
    const before = sent();
    const time = Date.now() + HOUR;
    await home.value(await sendAt('By the scheduler', time, home));
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    vi.setSystemTime(time + 15 * MINUTE);
    expect(await home.value(['run-due'])).toMatchObject({
      outbox: { sent: [{ title: 'By the scheduler' }], waiting: [] },
    });
    expect(sent()).toBe(before + 1);

    const missed = Date.now() + HOUR;
    await home.value(await sendAt('Too late', missed, home));
    vi.setSystemTime(missed + 21 * MINUTE);
    expect(await home.value(['run-due', '--only-news'], '', A_PERSON_DECIDES)).toMatchObject({
      outbox: { sent: [], waiting: [{ title: 'Too late', reason: { code: 'conflict' } }] },
    });
    vi.setSystemTime(missed + 36 * MINUTE);
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    expect(sent()).toBe(before + 1);
    await home.remove();
  },
  TIMEOUT_MS,
);

it(
  'a send time in the past is rejected, and the draft stays unchanged',
  async () => {
    const before = sent();
    const past = await first.json(await sendAt('Past', Date.now() - HOUR));
    expect(past).toMatchObject({ exit: WRONG, document: { error: { fields: expect.anything() } } });
    expect(await first.value(['drafts', 'list'])).toMatchObject({
      items: [{ title: 'Past', sending: null }],
    });
    expect(sent()).toBe(before);
  },
  TIMEOUT_MS,
);
