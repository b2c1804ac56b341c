// tier: all
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Demo } from '../../electron/demo/start.ts';
import { addNote, expiringBody, sending } from '../support/desks/cli-draft.ts';
import { cliHome } from '../support/desks/cli-home.ts';
import type { HomeHere } from '../support/desks/desk-here.ts';
import { createHome } from '../support/desks/desk-process.ts';
import { makeNewer } from '../support/newer-data.ts';

let demo: Demo;
/**
 * Computer of the tests. Each exit code is tested once in a separate process, with `home.apart`.
 */
let home: HomeHere;
let close: () => Promise<void>;

beforeEach(async () => {
  ({ demo, home, close } = await cliHome({ connections: {} }));
});
afterEach(() => close());

async function connect(token: string = demo.credentials.token): Promise<void> {
  const add = ['connections', 'add', 'Office', '--api', 'v1', '--url', demo.v1Url];
  const { exit, stderr } = await home.desk([...add, '--environment', 'test'], token);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
}

describe('a command on data that cannot be opened', () => {
  it.skipIf(process.platform === 'win32')(
    'ends with exit code 4 if other users can read the key file, which counts as refused (SEC-L8)',
    async () => {
      await chmod(path.join(home.folder, 'desk.key'), 0o644);
      const { exit, document } = await home.apart.json(['connections', 'list']);
      expect(exit).toBe(4);
      expect(document).toMatchObject({ ok: false, error: { code: 'vault' } });
      expect(await home.json(['vault', 'status'])).toMatchObject({
        exit: 4,
        document: { ok: true, value: { store: 'keyfile', state: 'refused' } },
      });
    },
  );

  it('ends with exit code 4 if the key file contains another key, and does not suggest the demo', async () => {
    await connect();
    await writeFile(path.join(home.folder, 'desk.key'), randomBytes(32), { mode: 0o600 });
    const wrong = await home.json(['connections', 'list']);
    expect(wrong).toMatchObject({ exit: 4, document: { ok: false } });
    expect(wrong.stderr).not.toContain('demo');
  });

  it('ends with exit code 1 if a newer version wrote the data, and leaves the data file unchanged', async () => {
    await connect();
    const file = path.join(home.data, 'desk.db');
    await makeNewer({ data: home.data, keyfile: path.join(home.folder, 'desk.key') });
    const before = await readFile(file);
    const { exit, stderr } = await home.desk(['connections', 'list']);
    expect(exit).toBe(1);
    expect(stderr).toContain('written by a newer version of this program. Install that version');
    expect(await readFile(file)).toEqual(before);
    const { document } = await home.json(['doctor']);
    expect(document).toMatchObject({
      value: {
        checks: expect.arrayContaining([
          expect.objectContaining({ name: 'copies before upgrades', ok: true }),
        ]),
      },
    });
  });

  it('ends with exit code 4 if the computer has no credential store', async () => {
    const bare = await createHome('none');
    const { exit, document } = await bare.json(['connections', 'list']);
    expect(exit).toBe(4);
    expect(document).toMatchObject({ ok: false, error: { code: 'vault' } });
    expect(await bare.json(['vault', 'status'])).toMatchObject({
      exit: 4,
      document: { ok: true, value: { store: 'keychain', state: 'missing' } },
    });
    await bare.remove();
  });
});

describe('a failed command', () => {
  it('ends with exit code 4 if the service does not know the credential, and never prints it', async () => {
    await connect('another-token');
    const tested = await home.json(['connections', 'test', 'Office']);
    expect(tested).toMatchObject({ exit: 4, document: { ok: true, value: { ok: false } } });
    const synced = await home.json(['sync']);
    expect(synced).toMatchObject({ exit: 4, document: { error: { code: 'signed-out' } } });
    expect(tested.stdout + synced.stdout + synced.stderr).not.toContain('another-token');
  });

  it('ends with exit code 5 if the service is unreachable', async () => {
    await connect();
    await demo.close();
    expect(await home.json(['connections', 'test', 'Office'])).toMatchObject({
      exit: 5,
      document: { ok: true, value: { ok: false } },
    });
    expect(await home.apart.json(['sync'])).toMatchObject({
      exit: 5,
      document: { error: { code: 'offline' } },
    });
  });

  it('ends with exit code 3 if the named agreement, draft or connection does not exist', async () => {
    await connect();
    for (const args of [
      ['agreements', 'show', 'no-such-id'],
      ['agreements', 'show', 'Office:no-such-id'],
      ['drafts', 'show', 'no-such-draft'],
      ['connections', 'test', 'No such'],
    ]) {
      expect(await home.json(args)).toMatchObject({
        exit: 3,
        document: { error: { code: 'not-found' } },
      });
    }
  });

  it('ends with exit code 3 if a v1 draft is given a create body of v2, and lists the wrong fields', async () => {
    const body = path.join(home.folder, 'body.json');
    await writeFile(body, JSON.stringify({ name: 'Lease', type: 'ATTACHED', parties: {} }));
    const add = ['drafts', 'add', '--api', 'v1', '--from', body];
    const { exit, document } = await home.apart.json(add);
    expect(exit).toBe(3);
    expect(document).toMatchObject({
      error: { code: 'invalid', fields: expect.anything() as object },
    });
  });
});

describe('a send whose answer was lost', () => {
  it('ends with exit code 7, is never repeated, and is found by the tag of its agreement (T1-60)', async () => {
    await connect();
    const ref = await sendWithLostAnswer();
    const creates = () => demo.requests.filter(({ method }) => method === 'POST').length;
    expect(creates()).toBe(1);
    expect((await home.json(['outbox', 'run'])).exit).toBe(7);
    expect(creates()).toBe(1);
    expect((await home.desk(['sync'])).exit).toBe(0);
    const { document } = await home.json(['outbox', 'show', ref]);
    expect(document).toMatchObject({ value: { state: 'sent', attempts: 1 } });
    expect(creates()).toBe(1);
  });

  async function sendWithLostAnswer(): Promise<string> {
    const id = await addNote(home, home.folder, 'Note', expiringBody('Note'));
    demo.fault({ method: 'POST', path: /\/v1\/agreements$/, do: { kind: 'reset-after' } });
    const sent = await home.apart.json(sending(id));
    expect(sent).toMatchObject({ exit: 7, document: { ok: true, value: { state: 'unknown' } } });
    return (sent.document as { value: { ref: string } }).value.ref;
  }
});

// Windows is skipped: only a terminal can send Ctrl+C there; any other interruption ends the
// process immediately.
describe.skipIf(process.platform === 'win32')('Ctrl+C', () => {
  it('stops an archive run with exit code 130, and a second run saves the rest', async () => {
    await connect();
    await home.desk(['sync']);
    const to = path.join(home.folder, 'archive');
    // The download after the first two never ends, so the run is interrupted in its middle.
    const downloads = { path: /\/download/ } as const;
    const slow = demo.fault({ ...downloads, times: 2, do: { kind: 'delay', ms: 0 } });
    const stuck = demo.fault({ ...downloads, times: 1000, do: { kind: 'hang' } });
    const args = ['archive', 'run', '--to', to, '--parallel', '1', '--json'];
    const running = home.start(args);
    await until(() => slow.hits() === 2 && stuck.hits() === 1);
    running.interrupt();
    const { exit, stdout, stderr } = await running.ended;
    expect(exit).toBe(130);
    expect(stderr).toContain('Stopping after the requests that are already running');
    const first = (JSON.parse(stdout) as { value: { saved: number; listed: number } }).value;
    expect(first.saved).toBe(2);
    const names = await readdir(to, { recursive: true });
    expect(names.filter((name) => name.endsWith('.pdf'))).toHaveLength(2);
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
    stuck.clear();
    const second = await home.json(['archive', 'run', '--to', to]);
    expect(second).toMatchObject({
      exit: 0,
      document: { value: { present: 2, saved: first.listed - 2, failed: [] } },
    });
  });

  it('ends a command that waits for the service with exit code 130', async () => {
    await connect();
    const stuck = demo.fault({ path: /\/v1\/agreements/, times: 1000, do: { kind: 'hang' } });
    const running = home.start(['connections', 'test', 'Office', '--json']);
    await until(() => stuck.hits() > 0);
    running.interrupt();
    const { exit, stdout } = await running.ended;
    expect(exit).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  /**
   * Waits for a condition of the service, which sends no events: it is checked in each turn of the
   * event loop.
   */
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  }
});

describe('an archive run that cannot save everything', () => {
  it('ends with exit code 1 if the path of its folder is a file', async () => {
    await connect();
    await home.desk(['sync']);
    const to = path.join(home.folder, 'taken');
    await writeFile(to, 'not a folder');
    const { exit, document } = await home.apart.json(['archive', 'run', '--to', to]);
    expect(exit).toBe(1);
    expect(document).toMatchObject({ ok: false, error: { code: 'storage' } });
  });

  it('ends with exit code 6 if an agreement cannot be saved, and lists that agreement', async () => {
    await connect();
    await home.desk(['sync']);
    await mkdir(path.join(home.folder, 'archive'));
    const html = { kind: 'html' } as const;
    // The fault lasts for five requests: the number of attempts for the download of one agreement.
    demo.fault({ path: /\/download/, times: 5, do: html });
    const to = ['--to', path.join(home.folder, 'archive'), '--parallel', '1'];
    const { exit, document } = await home.apart.json(['archive', 'run', ...to]);
    expect(exit).toBe(6);
    const { failed } = (document as { value: { failed: object[] } }).value;
    expect(failed.map((one) => Object.keys(one))).toEqual([['id', 'code', 'message']]);
  });

  it('ends with exit code 6 if the service could not be read, so that it does not seem complete', async () => {
    await connect();
    const to = ['--to', path.join(home.folder, 'archive')];
    expect((await home.json(['archive', 'run', ...to])).exit).toBe(0);
    const away = {
      kind: 'status',
      status: 503,
      body: '{"message":"Closed for the night"}',
    } as const;
    const fault = demo.fault({ path: /./, times: 100, do: away });
    const { exit, document } = await home.json(['archive', 'run', ...to]);
    fault.clear();
    expect(exit).toBe(6);
    expect(document).toMatchObject({
      ok: true,
      value: { saved: 0, failed: [], unread: { code: 'service' } },
    });
  });
});
