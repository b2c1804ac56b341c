// tier: all
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../shared/contract/connections.ts';
import { credentials } from '../../electron/demo/state/account.ts';
import { AppError } from '../../shared/errors.ts';
import { type DeskApp, startDeskApp } from '../app/support/desk.ts';
import { show } from '../app/support/furnished-desk.ts';
import { apiOf, prepareDraft } from '../app/support/prepared-draft.ts';
import { words } from '../app/support/words.ts';
import { findLeaks } from '../support/leak-scan.ts';

/** Invented personal numbers with unassigned serial numbers; their check digits are valid. */
const numbers = Array.from({ length: 50 }, (_, at) =>
  testNumber(`1980${month(at)}15`, 980 + (at % 20)),
);
const secrets = [credentials.token, credentials.accessKey];

let temporary: string;
let outside: string;
let app: DeskApp;
const usual = process.env['TMPDIR'];
const output: string[] = [];

beforeAll(async () => {
  outside = await mkdtemp(path.join(tmpdir(), 'desk-told-'));
  temporary = path.join(outside, 'tmp');
  await mkdir(temporary);
  // All temporary files of the program and its browser are written into this folder.
  process.env['TMPDIR'] = temporary;
  app = await startDeskApp({ seed: 'full' });
});

afterAll(async () => {
  await app.close();
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  await rm(outside, { recursive: true, force: true });
});

function month(at: number): string {
  return String(1 + (at % 12)).padStart(2, '0');
}

function testNumber(birth: string, serial: number): string {
  const digits = `${birth}${String(serial)}`;
  const sum = Array.from(digits.slice(2), Number)
    .map((digit, at) => (at % 2 === 0 ? digit * 2 : digit))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return `${digits}${String((10 - (sum % 10)) % 10)}`;
}

async function addConnections(): Promise<readonly Connection[]> {
  const api = apiOf(app);
  const { demo } = app;
  const { token, accessKey, accountId } = credentials;
  const test = { environment: 'test' } as const;
  return [
    await api['connections.add']({
      ...test,
      name: 'Ett',
      api: 'v1',
      url: demo.v1Url,
      accountId: null,
      secret: token,
    }),
    await api['connections.add']({
      ...test,
      name: 'Två',
      api: 'v2',
      url: demo.v2Url,
      accountId,
      secret: accessKey,
    }),
  ];
}

/** Collects the result of a call, or the message and stack of its error. */
async function collect(call: Promise<unknown>): Promise<void> {
  const outcome = await call.catch((error: unknown) =>
    error instanceof AppError ? [error.failure, error.stack] : String(error),
  );
  output.push(JSON.stringify(outcome));
}

/**
 * Writes one draft for each number, and sends half of the drafts, with the kinds of faults in turn.
 */
async function sendAll(connections: readonly Connection[]): Promise<void> {
  const api = apiOf(app);
  const faults = [
    { kind: 'reset-after' },
    { kind: 'status', status: 422, body: JSON.stringify({ errors: numbers }) },
    { kind: 'status', status: 500, body: numbers.join(' '), contentType: 'text/plain' },
    { kind: 'html' },
    { kind: 'cut-json' },
    { kind: 'mutate', change: () => ({ data: numbers }) },
  ] as const;
  for (const [at, number] of numbers.entries()) {
    const connection = connections[at % connections.length];
    if (connection === undefined) throw new Error('There is no connection');
    const id = await prepareDraft(app, connection.api, `Avtal ${String(at)}`);
    const draft = await api['drafts.show']({ id });
    const { content, revision } = draft;
    if (content.api === 'v1') {
      for (const party of content.body.parties)
        Object.assign(party, { country: 'SE', personNumber: number });
    } else for (const party of content.body.parties.privates) party.personNo = number;
    await api['drafts.save']({ id, revision, content, connectionId: connection.id });
    const action = faults[at % faults.length];
    if (at % 2 === 0 || action === undefined) continue;
    app.demo.fault({ method: 'POST', path: /\/agreements$/, do: action });
    const order = { id, connectionId: connection.id, holdSeconds: 0, confirm: 1 };
    await collect(api['drafts.send'](order));
    await collect(api['outbox.run']({}));
  }
}

describe('after a day of work with fifty personal numbers', () => {
  it('no file, message or log contains a readable personal number or credential (AP-24, TX-50)', async () => {
    const api = apiOf(app);
    const { page } = app;
    const connections = await addConnections();
    await sendAll(connections);
    const person = { name: 'Karin', firstName: 'Karin', lastName: 'Lindqvist' };
    await api['identities.add']({ ...person, personNumber: numbers[0] });
    await show(app, '#/settings/identities');
    await page.getByText('Karin Lindqvist').waitFor();
    const draft = (await api['drafts.list']({})).find(({ sending }) => sending === null);
    await show(app, `#/drafts/${draft?.id ?? ''}`);
    await page.getByTestId('draft.parties.0.details').locator('summary').click();
    const number = page.getByLabel(words.draft_person_number());
    await number.waitFor();
    await number.fill(numbers[1] ?? '');
    await number.blur();
    await page
      .getByTestId('draft.saved')
      .filter({ hasText: /^Saved \d/ })
      .waitFor();
    for (const { id } of connections) await collect(api['connections.test']({ id }));
    await collect(api['agreements.sync']({}));
    await collect(api['outbox.list']({}));
    await collect(api['host.doctor']({}));
    output.push(await page.content(), ...app.complaints);
    const messages = path.join(outside, 'told.txt');
    await writeFile(messages, output.join('\n'));

    // The search must find a text of the page: otherwise, an empty result would prove nothing.
    expect(findLeaks([messages], [words.draft_check_send()])).toHaveLength(1);
    expect(findLeaks([outside], [...numbers, ...secrets])).toEqual([]);
  });

  it('no credential is in the memory of the page (TX-50)', async () => {
    const session = await app.page.context().newCDPSession(app.page);
    const chunks: string[] = [];
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
    await session.send('HeapProfiler.enable');
    await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    const file = path.join(outside, 'heap.txt');
    await writeFile(file, chunks.join(''));
    // The snapshot must contain a text of the page: otherwise, an empty result would prove nothing.
    expect(findLeaks([file], [words.screen_settings()])).not.toEqual([]);
    expect(findLeaks([file], secrets)).toEqual([]);
  });
});
