import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../electron/demo/start.ts';
import { addNote, expiringBody, sending } from '../support/desks/cli-draft.ts';
import { cliHome } from '../support/desks/cli-home.ts';
import type { HomeHere } from '../support/desks/desk-here.ts';

/**
 * Timeout of the tests (ms). If the reading time grew with the square of the length, a MiB would
 * take half an hour.
 */
const TIMEOUT_MS = 1_200_000;
const MIB = 1024 * 1024;
const LONG = 'JVBERi0x'.repeat(MIB / 8);
/** Maximum length of the message about a rejection: one or two sentences, and a path. */
const SHORT = 3_000;
/** Maximum length of a message that lists names, each of which is cut. */
const LISTED = 20_000;
const DONE = 0;
const INVALID = 3;
const UNREACHABLE = 5;
const IN_PART = 6;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let id = '';

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ seed: 'none' }));
  await home.value(sending(await addDraft('Note')));
  await home.value(['sync']);
  id = demo.agreements.v1()[0]?.id ?? '';
}, TIMEOUT_MS);
afterAll(() => close());

const addDraft = (title: string) => addNote(home, home.folder, title, expiringBody(title));
/** Returns the data with a long text in each of the fields in `long`. */
function lengthened(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(lengthened);
  if (typeof json !== 'object' || json === null) return json;
  const long = ['title', 'name', 'firstName', 'lastName', 'message'];
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      long.includes(key) && typeof value === 'string' ? LONG : lengthened(value),
    ]),
  );
}

const refusals = {
  'a sentence': JSON.stringify({ message: LONG }),
  fields: JSON.stringify({ errors: [{ detail: LONG, source: { pointer: `/data/${LONG}` } }] }),
} as const;

describe('a service that answers with a MiB of unbroken text', { timeout: TIMEOUT_MS }, () => {
  const archive = () => ['archive', 'run', '--to', path.join(home.folder, 'archive')];
  /** Commands with their exit codes; some succeed, because they use local copies. */
  const commands = (): readonly (readonly [exit: number, args: readonly string[]])[] => [
    [INVALID, ['sync']],
    [UNREACHABLE, ['connections', 'test', 'Office']],
    [DONE, ['agreements', 'show', id]],
    [IN_PART, ['agreements', 'revoke', id, '--confirm', '1']],
    [IN_PART, ['agreements', 'remind', id, '--confirm', '1']],
    [IN_PART, archive()],
    [DONE, ['outbox', 'run']],
  ];

  it.each(Object.entries(refusals))(
    'is reported in a short message if the text is in %s of a rejection (SEC-H2)',
    async (as, body) => {
      await home.value([...sending(await addDraft(as)), '--queue']);
      const fault = demo.fault({
        path: /./,
        times: 1_000,
        do: { kind: 'status', status: 422, body },
      });
      for (const [wanted, args] of commands()) {
        const { exit, stdout, stderr } = await home.desk(args);
        const isShort = stdout.length + stderr.length < SHORT;
        expect({ args, exit, isShort }).toEqual({ args, exit: wanted, isShort: true });
      }
      fault.clear();
    },
  );

  it('counts as unreachable, with a short message, if the text is a page of a gateway (SEC-H2)', async () => {
    const page = {
      kind: 'status',
      status: 502,
      contentType: 'text/html',
      body: `<html>${LONG}`,
    } as const;
    const fault = demo.fault({ path: /./, times: 1_000, do: page });
    const { exit, stdout, stderr } = await home.desk(['sync']);
    expect(exit).toBe(UNREACHABLE);
    expect((stdout + stderr).length).toBeLessThan(SHORT);
    fault.clear();
  });

  it('has its agreements listed and shown if the text is in every name, each cut (SEC-H2)', async () => {
    const fault = demo.fault({
      method: 'GET',
      path: /agreements/,
      times: 1_000,
      do: { kind: 'mutate', change: lengthened },
    });
    const commands = [
      ['sync', '--full'],
      ['agreements', 'list'],
      ['agreements', 'show', id],
      archive(),
    ];
    for (const args of commands) {
      const { exit, stdout, stderr } = await home.desk(args);
      const isShort = stdout.length + stderr.length < LISTED;
      expect({ args, exit, isShort }).toEqual({ args, exit: DONE, isShort: true });
    }
    const listed = await home.desk(['agreements', 'list']);
    expect(listed.stdout).toContain(LONG.slice(0, 100));
    fault.clear();
  });
});
