import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../electron/demo/start.ts';
import { stampAfter } from '../../renderer/state/draft-time.ts';
import type { DraftBodyV1 } from '../../shared/contract/drafts.ts';
import { layRelay, type Relay } from '../support/relay.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import {
  OPEN_DAYS,
  stored,
  TITLE,
  wanted,
  wantedFile,
  writeLease,
  writeRentAndEnd,
} from './support/lease-story.ts';
import { apiOf } from './support/prepared-draft.ts';
import { press, questionOf } from './support/steps.ts';
import { words } from './support/words.ts';

const CHILD = path.join(import.meta.dirname, 'children/lease.ts');
const HELD_SECONDS = 10;

let demo: Demo;
let relay: Relay;
let folder: string;
let file: string;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  relay = await layRelay(demo.v1Url);
  folder = await mkdtemp(path.join(tmpdir(), 'lease-'));
  file = await writeLease(folder);
});

afterAll(async () => {
  await relay.down();
  await demo.close();
  await rm(folder, { recursive: true, force: true });
});

const dataDir = (): string => path.join(folder, 'data');

/** One sitting in a process of its own, killed the moment the last key was pressed. */
async function sitAndBeKilled(sitting: 'first' | 'second'): Promise<void> {
  // What a killed process leaves behind goes with the folder.
  const rest = path.join(folder, sitting);
  await mkdir(rest);
  const url = relay.through(demo.v1Url);
  const args = [sitting, dataDir(), url, demo.credentials.token, file];
  const child = fork(CHILD, args, { execArgv: [], env: { ...process.env, TMPDIR: rest } });
  expect(await Promise.race([message(child), crash(child)])).toBe('typed');
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await gone).toEqual([null, 'SIGKILL']);
}

async function message(child: ChildProcess): Promise<unknown> {
  const [said] = await once(child, 'message');
  return said;
}

async function crash(child: ChildProcess): Promise<string> {
  const [code] = await once(child, 'exit');
  return `ended with ${String(code)} before it was killed`;
}

async function draftOf(app: DeskApp): Promise<DraftBodyV1> {
  const api = apiOf(app);
  const [one, ...others] = await api['drafts.list']({});
  expect(others).toEqual([]);
  if (one === undefined) throw new Error('The draft is gone');
  const { content } = await api['drafts.show']({ id: one.id });
  if (content.api !== 'v1') throw new Error('another API');
  return content.body;
}

describe('a lease written without a network, by keyboard alone, in a program killed twice', () => {
  it('goes out later as the very request', async () => {
    await sitAndBeKilled('first');
    await sitAndBeKilled('second');
    const app = await startDeskApp({ dataDir: dataDir(), demo });
    try {
      const { page } = app;
      const { parties, notifications } = await draftOf(app);
      expect({ parties, notifications }).toEqual({
        parties: wanted.parties,
        notifications: wanted.notifications,
      });
      const endOnDay = () => stampAfter(OPEN_DAYS, Date.now());
      const ends = [endOnDay()];
      await writeRentAndEnd(page);
      ends.push(endOnDay());
      await stored(page);
      expect(relay.passed).toEqual([]);
      await relay.up();
      await page.keyboard.press('Control+Enter');
      const verb = words.draft_send_held({ seconds: HELD_SECONDS });
      await press(page, questionOf(page).getByRole('button', { name: verb }));
      await press(page, page.getByTestId('activity.send-now'));
      const creates = () =>
        relay.passed.filter(
          ({ method, path: at }) => method === 'POST' && at.endsWith('/agreements'),
        );
      await expect.poll(creates, { timeout: 20_000 }).toHaveLength(1);
      const [row] = await apiOf(app)['outbox.list']({});
      const data = (await readFile(file)).toString('base64');
      expect(JSON.parse(creates()[0]?.body.toString() ?? '')).toStrictEqual({
        ...wanted,
        expireOn: expect.toBeOneOf(ends),
        attachments: [{ ...wantedFile, data }],
        tags: { 'desk.ref': row?.ref },
      });
      expect(demo.agreements.v1()).toMatchObject([{ title: TITLE, state: 'READY_TO_SIGN' }]);
    } finally {
      await app.close();
    }
  }, 600_000);
});
