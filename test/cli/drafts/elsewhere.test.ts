import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { addNote, sending } from '../../support/desks/cli-draft.ts';
import { cliHome, connect } from '../../support/desks/cli-home.ts';
import { type Computer, createComputer } from '../../support/desks/computer.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';
import { bodyV2 } from '../../support/fakes/memory-desk.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 600_000;
const INVALID = 3;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  const now = () => Date.now();
  ({ demo, home, close } = await cliHome({ seed: 'none', now, connections: {} }));
});
afterAll(() => close());

/** Creates a separate computer, which shares only the service with the others. */
async function computer(name: string): Promise<Computer> {
  const on = await createComputer(home, name);
  await connect(on, demo, { connections: { Pro: 'v1', Old: 'v2' } });
  return on;
}
type Api = 'v1' | 'v2';

async function draft(on: Computer, api: Api, title: string): Promise<string> {
  if (api === 'v1') return addNote(on, home.folder, title);
  const file = path.join(home.folder, 'v2.json');
  await writeFile(file, JSON.stringify(bodyV2(title)));
  return String((await on.value(['drafts', 'add', '--api', 'v2', '--from', file]))['id']);
}

const nameOf = { v1: 'Pro', v2: 'Old' } as const;
const send = (api: Api, id: string) => sending(id, nameOf[api]);
const made = (api: Api, title: string) =>
  demo.agreements[api]().filter((one) => JSON.stringify(one).includes(title)).length;

describe('a draft already sent from another copy of the data, on the command line', () => {
  it.each(['v1', 'v2'] as const)(
    'is sent again only after a confirmation, API %s (FE-N7)',
    async (api) => {
      const [one, two] = [await computer(`one-${api}`), await computer(`two-${api}`)];
      const title = `Lease of two computers ${api}`;
      const { remoteId } = await one.value(send(api, await draft(one, api, title)));
      const again = await draft(two, api, title);
      await two.value(['sync']);
      const check = await two.value(['drafts', 'check', again, '--connection', nameOf[api]]);
      expect(check['sentBefore']).toMatchObject([{ ref: null, agreement: remoteId }]);
      const refused = await two.desk(send(api, again));
      expect(refused).toMatchObject({ exit: INVALID });
      expect(refused.stderr).toContain(String(remoteId));
      expect(refused.stderr).toContain('--again');
      expect(made(api, title)).toBe(1);
      await two.value([...send(api, again), '--again']);
      expect(made(api, title)).toBe(2);
    },
    TIMEOUT_MS,
  );

  it(
    'is reported as sent before if the data folder was restored from before the send (DL-A8)',
    async () => {
      const on = await computer('restored');
      const id = await draft(on, 'v1', 'Lease of Monday');
      const kept = path.join(home.folder, 'kept');
      await cp(on.data, kept, { recursive: true });
      const { remoteId } = await on.value(send('v1', id));
      await rm(on.data, { recursive: true });
      await cp(kept, on.data, { recursive: true });
      await on.value(['sync']);
      const { sentBefore } = await on.value(['drafts', 'check', id, '--connection', 'Pro']);
      expect(sentBefore).toMatchObject([{ ref: null, agreement: remoteId, isSent: true }]);
      const text = await on.desk(['drafts', 'check', id, '--connection', 'Pro']);
      expect(text.stdout).toMatch(/Sent before .*from elsewhere/);
      expect(await on.desk(send('v1', id))).toMatchObject({ exit: INVALID });
      expect(made('v1', 'Lease of Monday')).toBe(1);
    },
    TIMEOUT_MS,
  );
});

describe('a draft for a connection with restricted recipients, on the command line', () => {
  it(
    'is rejected by drafts check --connection, and connections test lists the limits (FE-N10)',
    async () => {
      const on = await computer('trial');
      await on.value(['connections', 'allow', 'Pro', '@ours.test']);
      const id = await draft(on, 'v1', 'Trial');
      expect(await on.desk(['drafts', 'check', id])).toMatchObject({ exit: 0 });
      const checked = await on.desk(['drafts', 'check', id, '--connection', 'Pro']);
      expect(checked.exit).toBe(INVALID);
      expect(checked.stdout).toContain(
        'parties.0.email: The connection is limited to certain recipients',
      );
      expect(await on.value(['connections', 'test', 'Pro'])).toMatchObject({
        allowed: ['@ours.test'],
      });
      const open = await on.desk(['connections', 'test', 'Old']);
      expect(open.stdout).toMatch(/reaches\s+everyone/);
    },
    TIMEOUT_MS,
  );
});
