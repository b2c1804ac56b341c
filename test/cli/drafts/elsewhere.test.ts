import { randomBytes } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { createHomeHere, type HomeHere } from '../../support/desks/desk-here.ts';
import { bodyV1, bodyV2 } from '../../support/fakes/memory-desk.ts';

/** Each command opens the data anew. */
const PATIENCE = 600_000;
const INVALID = 3;

let demo: Demo;
let home: HomeHere;

beforeAll(async () => {
  const now = () => Date.now();
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, now });
  home = await createHomeHere();
  await writeFile(path.join(home.folder, 'note.pdf'), await plainPdf('Note', ['A note.']));
});
afterAll(async () => {
  await demo.close();
  await home.remove();
});

/** A computer of its own, which shares nothing with another but the service. */
async function computer(name: string) {
  const folder = path.join(home.folder, name);
  await mkdir(folder);
  const keyfile = path.join(folder, 'desk.key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const data = path.join(folder, 'data');
  const vault = `keyfile:${keyfile}`;
  const env = { HOME: folder, SIGNING_DESK_DATA: data, SIGNING_DESK_VAULT: vault };
  const said = (args: readonly string[], input = '') => home.with(env, args, input);
  const value = async (args: readonly string[], input = '') => {
    const { exit, stdout, stderr } = await said([...args, '--json'], input);
    if (exit !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
    return (JSON.parse(stdout) as { readonly value: Record<string, unknown> }).value;
  };
  const { token, accessKey, accountId } = demo.credentials;
  const v1 = ['connections', 'add', 'Pro', '--api', 'v1', '--url', demo.v1Url];
  await value([...v1, '--environment', 'test'], token);
  const v2 = ['connections', 'add', 'Old', '--api', 'v2', '--url', demo.v2Url];
  await value([...v2, '--account', accountId, '--environment', 'test'], accessKey);
  return { data, value, said };
}
type Computer = Awaited<ReturnType<typeof computer>>;
type Api = 'v1' | 'v2';

async function draft(on: Computer, api: Api, title: string): Promise<string> {
  const file = path.join(home.folder, `${api}.json`);
  await writeFile(file, JSON.stringify(api === 'v1' ? bodyV1(title) : bodyV2(title)));
  const attached = api === 'v1' ? ['--attach', path.join(home.folder, 'note.pdf')] : [];
  const add = ['drafts', 'add', '--api', api, '--from', file, ...attached];
  return String((await on.value(add))['id']);
}

const nameOf = { v1: 'Pro', v2: 'Old' } as const;
const send = (api: Api, id: string) => [
  ...['drafts', 'send', id, '--connection', nameOf[api], '--confirm', '1'],
];
const made = (api: Api, title: string) =>
  demo.agreements[api]().filter((one) => JSON.stringify(one).includes(title)).length;

describe('a draft that the service has already, on the command line', () => {
  it.each(['v1', 'v2'] as const)(
    'goes out of another computer only once a person says so, API %s (FE-N7)',
    async (api) => {
      const [one, two] = [await computer(`one-${api}`), await computer(`two-${api}`)];
      const title = `Lease of two computers ${api}`;
      const { remoteId } = await one.value(send(api, await draft(one, api, title)));
      const again = await draft(two, api, title);
      await two.value(['sync']);
      const check = await two.value(['drafts', 'check', again, '--connection', nameOf[api]]);
      expect(check['sentBefore']).toMatchObject([{ ref: null, agreement: remoteId }]);
      const refused = await two.said(send(api, again));
      expect(refused).toMatchObject({ exit: INVALID });
      expect(refused.stderr).toContain(String(remoteId));
      expect(refused.stderr).toContain('--again');
      expect(made(api, title)).toBe(1);
      await two.value([...send(api, again), '--again']);
      expect(made(api, title)).toBe(2);
    },
    PATIENCE,
  );

  it(
    'is told as sent before once the folder was put back to how it was before (DL-A8)',
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
      const text = await on.said(['drafts', 'check', id, '--connection', 'Pro']);
      expect(text.stdout).toMatch(/Sent before .*not from this data/);
      expect(await on.said(send('v1', id))).toMatchObject({ exit: INVALID });
      expect(made('v1', 'Lease of Monday')).toBe(1);
    },
    PATIENCE,
  );
});

describe('a draft and a connection that reaches only certain recipients, on the command line', () => {
  it(
    'is told by drafts check --connection, and the list by connections test (FE-N10)',
    async () => {
      const on = await computer('trial');
      await on.value(['connections', 'allow', 'Pro', '@ours.test']);
      const id = await draft(on, 'v1', 'Trial');
      expect(await on.said(['drafts', 'check', id])).toMatchObject({ exit: 0 });
      const checked = await on.said(['drafts', 'check', id, '--connection', 'Pro']);
      expect(checked.exit).toBe(INVALID);
      expect(checked.stdout).toContain('parties.0.email: The connection is for trying');
      expect(await on.value(['connections', 'test', 'Pro'])).toMatchObject({
        allowed: ['@ours.test'],
      });
      const open = await on.said(['connections', 'test', 'Old']);
      expect(open.stdout).toMatch(/reaches\s+everybody/);
    },
    PATIENCE,
  );
});
