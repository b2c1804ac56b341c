// tier: all
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../electron/demo/start.ts';
import { formPdf } from '../../electron/demo/pdf/form.ts';
import { formatV1Time } from '../../shared/rules/time/wire-time.ts';
import { createJourneyHome, type HomeHere } from '../support/desks/desk-here.ts';
import { DAY } from '../../shared/rules/time/units.ts';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let demo: Demo;
let home: HomeHere;
let printed = '';

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, counterpartDelayMs: null });
  home = await createJourneyHome();
});
afterAll(async () => {
  await demo.close();
  await home.remove();
});

/** Runs a command with `--json`, expects its exit code, and returns its value. */
async function value(
  args: readonly string[],
  input = '',
  wanted = 0,
): Promise<Record<string, unknown>> {
  const { exit, document, stdout, stderr } = await home.json(args, input);
  printed += stdout + stderr;
  expect({ exit, args, stderr }).toMatchObject({ exit: wanted });
  expect(document).toMatchObject({ ok: true });
  return (document as { value: Record<string, unknown> }).value;
}

const items = (found: Record<string, unknown>) => found['items'] as Record<string, unknown>[];
const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`Nothing at ${String(index)}`);
  return found;
};
const keysOf = (found: Record<string, unknown>): string[] => Object.keys(found);

describe('the journey on the command line', () => {
  it('adds connections with a secret from standard input or a variable', async () => {
    const office = ['connections', 'add', 'Office', '--api', 'v1', '--url', demo.v1Url];
    const added = await value([...office, '--environment', 'test'], `${demo.credentials.token}\n`);
    expect(keysOf(added)).toEqual(['id', 'name', 'api', 'url', 'environment']);
    expect(added).toMatchObject({ name: 'Office', api: 'v1', environment: 'test' });
    const old = ['connections', 'add', 'Old', '--api', 'v2', '--url', demo.v2Url, '--environment'];
    const withKey = [
      ...old,
      'test',
      '--account',
      demo.credentials.accountId,
      '--secret-env',
      'KEY',
    ];
    const { exit, stdout } = await home.with({ KEY: demo.credentials.accessKey }, withKey);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'Added Old (v2, test).\n' });
    const listed = items(await value(['connections', 'list']));
    expect(listed.map(({ name }) => name)).toEqual(['Office', 'Old']);
    expect(keysOf(at(listed, 0))).toEqual(['id', 'name', 'api', 'url', 'environment']);
  });

  it.each(['Office', 'Old'])(
    'tests the connection %s in steps, with reading requests only',
    async (name) => {
      const before = demo.requests.length;
      const tested = await value(['connections', 'test', name]);
      expect(tested['ok']).toBe(true);
      const steps = tested['steps'] as Record<string, unknown>[];
      expect(new Set(steps.map(({ step }) => step)).size).toBe(steps.length);
      for (const step of steps) expect(keysOf(step)).toEqual(['step', 'ok', 'note']);
      expect(demo.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
    },
  );

  it('reads the service before the first list of agreements, and prints a note about it', async () => {
    const { exit, document, stderr } = await home.json(['agreements', 'list', '--limit', '1000']);
    expect(exit).toBe(0);
    expect(stderr).toContain('No connection was read yet');
    const found = (document as { value: Record<string, unknown> }).value;
    expect(keysOf(found)).toEqual(['items', 'total', 'next']);
    expect(found['total']).toBeGreaterThan(20);
    expect(keysOf(at(items(found), 0))).toEqual([
      ...['connection', 'id', 'title', 'state', 'nativeState', 'parties', 'updatedAt', 'closedAt'],
      'archived',
    ]);
    expect(at(items(found), 0)['updatedAt']).toMatch(ISO);
  });

  it('reports the result of a sync', async () => {
    const found = await value(['sync', '--connection', 'Office']);
    const [connection] = found['connections'] as Record<string, unknown>[];
    expect(keysOf(connection ?? {})).toEqual([
      ...['name', 'requests', 'received', 'changed', 'gone', 'checkedUntil'],
    ]);
    expect(connection).toMatchObject({ name: 'Office', gone: 0 });
  });

  it('pages, filters and sorts the list of agreements', async () => {
    const all = await value(['agreements', 'list', '--sort', 'title', '--limit', '1000']);
    const first = await value(['agreements', 'list', '--sort', 'title', '--limit', '3']);
    const rest = ['--limit', '3', '--after', String(first['next'])];
    const second = await value(['agreements', 'list', '--sort', 'title', ...rest]);
    expect([...items(first), ...items(second)]).toEqual(items(all).slice(0, 6));
    const signed = items(await value(['agreements', 'list', '--state', 'signed']));
    expect(new Set(signed.map(({ state }) => state))).toEqual(new Set(['signed']));
  });

  it('shows one agreement completely, and saves its PDF once', async () => {
    const [one] = items(
      await value(['agreements', 'list', '--state', 'signed', '--connection', 'Old']),
    );
    const id = String(one?.['id']);
    const shown = await value(['agreements', 'show', `Old:${id}`, '--refresh']);
    expect(shown).toMatchObject({ connection: 'Old', id, title: one?.['title'] });
    expect(shown['readAt']).toMatch(ISO);
    const out = path.join(home.folder, 'one.pdf');
    const saved = await value(['agreements', 'download', id, '--out', out]);
    expect(keysOf(saved)).toEqual(['file', 'bytes', 'sha256', 'unsigned']);
    expect((await readFile(out)).length).toBe(saved['bytes']);
    const again = await home.json(['agreements', 'download', id, '--out', out]);
    expect(again.document).toMatchObject({ ok: false });
  });

  it('creates a draft offline, lists its problems, and sends it once', async () => {
    const form = path.join(home.folder, 'lease.pdf');
    const body = path.join(home.folder, 'lease.json');
    await writeFile(form, await formPdf('Lease', ['tenant']));
    const person = {
      type: 'PRIVATE',
      firstName: 'Åsa',
      lastName: 'Öberg',
      email: 'asa@example.com',
    };
    const party = { ...person, signingConfigurations: [{ type: 'CLICK' }] };
    await writeFile(body, JSON.stringify({ title: '', parties: [party] }));
    const add = ['drafts', 'add', '--api', 'v1', '--from', body, '--attach', form];
    const wrong = await value(add);
    const problems = await value(['drafts', 'check', String(wrong['id'])], '', 3);
    expect(keysOf(problems)).toEqual(['errors', 'warnings', 'contacts', 'sentBefore']);
    expect(problems['errors']).toContainEqual(expect.objectContaining({ field: 'title' }));
    await value(['drafts', 'delete', String(wrong['id'])]);

    const ours = { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] };
    const attachments = [{ type: 'BASE64', name: 'lease.pdf', category: 'AGREEMENT' }];
    const whole = { title: 'Lease from a script', parties: [party, ours], attachments };
    await writeFile(body, JSON.stringify({ ...whole, expireOn: inAMonth() }));
    const { id } = await value(add);
    expect(items(await value(['drafts', 'list']))).toMatchObject([
      { id, title: whole.title, files: 1 },
    ]);
    const checked = await value(['drafts', 'check', String(id)]);
    expect(checked).toMatchObject({ errors: [], contacts: { people: 2, emails: 2, sms: 0 } });

    const send = ['drafts', 'send', String(id), '--connection', 'Office'];
    const miscounted = await home.json([...send, '--confirm', '2', '--wait']);
    expect(miscounted).toMatchObject({ exit: 3, document: { ok: false } });
    const creates = () => demo.requests.filter(({ method }) => method === 'POST').length;
    const before = creates();
    const sent = await value([...send, '--confirm', '1']);
    expect(keysOf(sent)).toEqual(['ref', 'state', 'remoteId']);
    expect(creates() - before).toBe(1);
    expect(items(await value(['outbox', 'list']))).toMatchObject([
      { ref: sent['ref'], state: 'sent' },
    ]);
    expect(await value(['outbox', 'show', String(sent['ref'])])).toMatchObject({
      kind: 'create',
      title: whole.title,
      connection: 'Office',
      attempts: 1,
      remoteId: sent['remoteId'],
    });
  });

  it('keeps a queued draft until the outbox is run, and sends it again only with --again (FE-D8)', async () => {
    const body = path.join(home.folder, 'lease.json');
    const form = path.join(home.folder, 'lease.pdf');
    const { id } = await value(['drafts', 'add', '--api', 'v1', '--from', body, '--attach', form]);
    const before = demo.requests.length;
    const send = ['drafts', 'send', String(id), '--connection', 'Office', '--confirm', '1'];
    const { sentBefore } = await value(['drafts', 'check', String(id)]);
    expect(sentBefore).toMatchObject([{ title: 'Lease from a script', isSent: true }]);
    expect(await home.json([...send, '--queue'])).toMatchObject({
      exit: 3,
      document: { ok: false },
    });
    expect(items(await value(['outbox', 'list']))).toHaveLength(1);
    expect(await value([...send, '--queue', '--again'])).toMatchObject({ state: 'queued' });
    expect(demo.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
    const found = items(await value(['outbox', 'run']));
    expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['sent']));
    expect(demo.requests.slice(before).filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('signs for the company as a named person, with the count confirmed', async () => {
    const who = ['--first', 'Karin', '--last', 'Lindqvist', '--person-no', '198112289874'];
    const added = await value(['identities', 'add', 'karin', ...who, '--country', 'SE']);
    expect(JSON.stringify(added)).not.toContain('9874');
    expect(items(await value(['identities', 'list']))).toMatchObject([{ name: 'karin' }]);
    const mine = demo.agreements.v1().filter(({ title }) => title === 'Lease from a script');
    for (const { id } of mine) demo.act('v1', id, 'sign-others');
    await value(['sync']);
    const waiting = items(await value(['signing', 'list', '--connection', 'Office']));
    expect(keysOf(at(waiting, 0))).toEqual([
      ...['connection', 'id', 'party', 'title', 'state', 'since', 'expiresAt'],
      ...['reviewed', 'approved'],
    ]);
    const ids = mine.map(({ id }) => id);
    const sign = ['signing', 'sign', ...ids, '--as', 'karin', '--confirm'];
    const miscounted = await home.json([...sign, '3']);
    expect(miscounted).toMatchObject({ exit: 3, document: { ok: false } });
    const unread = await home.json([...sign, String(ids.length)]);
    expect(unread).toMatchObject({ exit: 6, document: { value: { signed: [] } } });
    for (const id of ids) {
      const { files } = await value(['signing', 'review', id, '--as', 'karin']);
      expect(files).toMatchObject([{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) }]);
    }
    const signed = await value([...sign, String(ids.length)]);
    expect(keysOf(signed)).toEqual(['signed', 'failed', 'unknown']);
    expect(signed['signed']).toHaveLength(ids.length);
    expect(
      demo.agreements
        .v1()
        .filter(({ id }) => ids.includes(id))
        .map(({ state }) => state),
    ).toEqual(ids.map(() => 'SIGNED_BY_ALL'));
    const verified = await value(['evidence', 'verify']);
    expect(verified).toMatchObject({ entries: ids.length * 3, chain: 'ok', firstBroken: null });
    const statement = path.join(home.folder, 'statement.pdf');
    await value(['evidence', 'export', ids[0] ?? '', '--out', statement]);
    expect(readFileSync(statement).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('archives all signed agreements once', async () => {
    await value(['sync']);
    const to = path.join(home.folder, 'archive');
    const first = await value(['archive', 'run', '--to', to]);
    expect(keysOf(first)).toEqual([
      ...[
        'listed',
        'saved',
        'present',
        'waiting',
        'unsealed',
        'failed',
        'doubtful',
        'bytes',
        'seconds',
        'folder',
      ],
    ]);
    expect(first).toMatchObject({ saved: first['listed'], present: 0, failed: [], folder: to });
    const before = demo.requests.length;
    const second = await value(['archive', 'run', '--to', to]);
    expect(second).toMatchObject({ saved: 0, present: first['listed'] });
    expect(demo.requests.slice(before).filter(({ url }) => url.includes('download'))).toEqual([]);
    const files = await readdir(to, { recursive: true });
    expect(files.filter((name) => name.endsWith('.pdf'))).toHaveLength(Number(first['saved']));
    expect(files.filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('reads and fills a PDF form', async () => {
    const form = path.join(home.folder, 'lease.pdf');
    const fields = await value(['templates', 'fields', form]);
    expect(keysOf(fields)).toEqual(['pages', 'fields', 'notices']);
    const values = path.join(home.folder, 'values.json');
    const out = path.join(home.folder, 'filled.pdf');
    await writeFile(values, JSON.stringify({ tenant: 'Åsa Öberg' }));
    const merged = await value(['templates', 'merge', form, '--values', values, '--out', out]);
    expect(keysOf(merged).toSorted()).toEqual(['bytes', 'filled', 'out', 'sha256', 'unfilled']);
    expect(merged).toMatchObject({ out, filled: 1, unfilled: [] });
    expect((await readFile(out)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('reports the status of its vault and of the computer', async () => {
    expect(await value(['vault', 'status'])).toEqual({ store: 'keyfile', state: 'ready' });
    const { checks } = await value(['doctor']);
    for (const check of checks as Record<string, unknown>[]) {
      expect(keysOf(check)).toEqual(['name', 'ok', 'finding', 'value', 'note']);
    }
  });

  it('removes a connection with its copies, after their count is confirmed', async () => {
    const remove = ['connections', 'remove', 'Old', '--agreements', 'delete', '--confirm'];
    expect(await home.json([...remove, '1'])).toMatchObject({ exit: 3, document: { ok: false } });
    const { total } = await value(['agreements', 'list', '--connection', 'Old']);
    await value([...remove, String(total)]);
    expect(items(await value(['connections', 'list']))).toMatchObject([{ name: 'Office' }]);
  });

  it('never printed a secret or a personal number', () => {
    const { token, accessKey } = demo.credentials;
    for (const secret of [token, accessKey, '19811228-9874', '198112289874', '8112289874']) {
      expect(printed).not.toContain(secret);
    }
  });
});

function inAMonth(): string {
  return formatV1Time(Date.now() + 30 * DAY);
}
