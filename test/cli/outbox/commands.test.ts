import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Demo } from '../../../electron/demo/start.ts';
import { addNote, expiringBody, sending } from '../../support/desks/cli-draft.ts';
import { cliHome } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
const A_PERSON_DECIDES = 7;
const NOT_FOUND = 3;
const REFUSED = 3;
const OFFLINE = 5;
const CONFLICT = 8;
const CREATE = { method: 'POST', path: /\/v1\/agreements$/ } as const;

const Waiting = z.object({
  items: z.array(
    z.object({ ref: z.string(), title: z.string(), knownAt: z.iso.datetime().optional() }),
  ),
});
const NONE = { ref: '', knownAt: undefined } as const;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let before = 0;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ seed: 'none', create: createMixedHome }));
}, TIMEOUT_MS);
beforeEach(() => {
  before = posts();
});
afterAll(() => close());

const posts = () => demo.requests.filter(({ method }) => method === 'POST').length;
const sent = () => posts() - before;

const addDraft = (title: string) => addNote(home, home.folder, title, expiringBody(title));

/** Sends an agreement whose answer is lost; returns its reference. */
async function loseOne(title: string, kind: 'reset-before' | 'reset-after'): Promise<string> {
  demo.fault({ ...CREATE, do: { kind } });
  const { ref, state } = await home.value(
    [...sending(await addDraft(title)), '--wait'],
    '',
    A_PERSON_DECIDES,
  );
  expect(state).toBe('unknown');
  return String(ref);
}

describe('desk outbox', () => {
  it(
    'cancel removes a waiting send, which is never sent',
    async () => {
      const { ref } = await home.value([...sending(await addDraft('Waiting')), '--queue']);
      const { items } = await home.value(['outbox', 'list']);
      expect(items).toMatchObject([{ ref, state: 'queued', title: 'Waiting', attempts: 0 }]);
      await home.value(['outbox', 'cancel', String(ref)]);
      await home.value(['outbox', 'run']);
      expect(await home.value(['outbox', 'show', String(ref)])).toMatchObject({
        state: 'cancelled',
      });
      expect(sent()).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'run ends with exit code 7 for an unknown outcome, whose reasons show prints and settle resolves',
    async () => {
      const ref = await loseOne('Lost', 'reset-before');
      await home.value(['outbox', 'run'], '', A_PERSON_DECIDES);
      const { history } = await home.value(['outbox', 'show', ref]);
      expect(history).toMatchObject({ attempts: [{ left: true, outcome: 'unknown' }] });
      const invented = ['outbox', 'settle', ref, '--as', 'sent:no-such-agreement'];
      expect(await home.json(invented)).toMatchObject({
        exit: NOT_FOUND,
        document: { error: { message: expect.stringContaining('no agreement with this ID') } },
      });
      const abandon = ['outbox', 'settle', ref, '--as', 'abandon'];
      expect(await home.value(abandon)).toMatchObject({ state: 'abandoned' });
      expect(await home.json(['outbox', 'cancel', ref])).toMatchObject({ exit: CONFLICT });
      expect(sent()).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'run ends with exit code 7 while it looks for a send, and prints until when it looks (TE-2.1)',
    async () => {
      demo.fault({ ...CREATE, do: { kind: 'status', status: 429, body: '{}' } });
      expect(await home.json(sending(await addDraft('Not now')))).toMatchObject({ exit: OFFLINE });
      // A user who sends another agreement with the connection confirms that it can be used again.
      await home.value([...sending(await addDraft('Another')), '--queue']);
      const { items } = Waiting.parse(await home.value(['outbox', 'run'], '', A_PERSON_DECIDES));
      expect(sent()).toBe(2);
      const { ref, knownAt } = items.find(({ title }) => title === 'Not now') ?? NONE;
      expect(Date.parse(knownAt ?? '')).toBeGreaterThan(Date.now());
      const settle = ['outbox', 'settle', ref, '--as', 'resend'];
      expect(await home.value(settle)).toMatchObject({ state: 'queued' });
      await home.value(['outbox', 'run']);
      expect(sent()).toBe(3);
    },
    TIMEOUT_MS,
  );

  it(
    'settle accepts the id of the created agreement, after reading it from the service',
    async () => {
      const ref = await loseOne('Made', 'reset-after');
      const [made] = demo.agreements.v1().filter(({ title }) => title === 'Made');
      const settle = ['outbox', 'settle', ref, '--as', `sent:${made?.id ?? ''}`];
      expect(await home.value(settle)).toMatchObject({ state: 'sent', remoteId: made?.id });
      expect(sent()).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'keeps a queued draft until outbox run, with a note; other drafts are sent directly (CLI-A7)',
    async () => {
      expect(await home.value(sending(await addDraft('At once')))).toMatchObject({ state: 'sent' });
      expect(sent()).toBe(1);
      const queue = [...sending(await addDraft('Later')), '--queue'];
      const { exit, stdout, stderr } = await home.desk(queue);
      expect({ exit, stdout }).toMatchObject({
        exit: 0,
        stdout: expect.stringMatching(/ queued$/m) as string,
      });
      expect(stderr).toContain('`outbox run`, or "Send now" in the window, sends it');
      expect(sent()).toBe(1);
      expect((await home.desk(['outbox', 'run'])).exit).toBe(0);
      expect(sent()).toBe(2);
    },
    TIMEOUT_MS,
  );

  it(
    'run does not replace a send that created its agreement despite a temporary error (TE-2.1)',
    async () => {
      const lists = { method: 'GET', path: /\/v1\/agreements\b/ } as const;
      const body = '{"message":"blocked by policy"}';
      demo.fault({ ...CREATE, do: { kind: 'status', status: 422, body, commits: true } });
      const deaf = demo.fault({ ...lists, times: 1000, do: { kind: 'status', status: 503 } });
      const draft = await addDraft('Refused and done');
      const refused = await home.value(sending(draft), '', REFUSED);
      await home.value(['outbox', 'cancel', String(refused['ref'])]);
      const { ref } = await home.value([...sending(draft), '--queue']);
      deaf.clear();
      await home.value(['sync']);
      const first = await home.value(['outbox', 'show', String(refused['ref'])]);
      expect(first).toMatchObject({ state: 'sent' });
      const { items } = await home.value(['outbox', 'run'], '', A_PERSON_DECIDES);
      expect(items).toContainEqual(expect.objectContaining({ ref, state: 'queued' }));
      expect(sent()).toBe(1);
      // The row was not sent again automatically; only the user's decision about it sends it.
      await home.value(['outbox', 'settle', String(ref), '--as', 'resend']);
      await home.value(['outbox', 'run']);
      expect(await home.value(['outbox', 'show', String(ref)])).toMatchObject({ state: 'sent' });
      expect(sent()).toBe(2);
    },
    TIMEOUT_MS,
  );
});
