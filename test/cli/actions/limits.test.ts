import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { cliHome, idOf as idOfTitle, OFFICE_AND_OLD } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ connections: OFFICE_AND_OLD, isSynced: true }));
});
afterAll(() => close());

/** Runs a command, expects its exit code, and returns its output. */
const value = (args: readonly string[], wanted = 0) => home.value(args, '', wanted);
const idOf = (title: string): string => idOfTitle(demo, title);

/** Returns the number of requests whose URL matches, after the first `before` requests. */
const sent = (before: number, fits: RegExp) =>
  demo.requests.slice(before).filter(({ url }) => fits.test(url)).length;
/** Returns the number of share requests so far. */
const sharesOf = ({ requests }: Demo) => requests.filter(({ url }) => /\/share$/.test(url)).length;

describe('a command that sends a request to the service', () => {
  it('shares an agreement only with a confirmed count, and reports an earlier share (FE-D13)', async () => {
    const id = `Old:${idOf('Uthyrning förråd 14')}`;
    const who = ['--with', 'ORGANIZATION', '--no', demo.company.orgNo, '--permanent'];
    const share = ['agreements', 'share', id, '--email', 'bo@example.com', ...who];
    const before = sharesOf(demo);
    await value(share, 2);
    await value([...share, '--confirm', '2'], 3);
    expect(sharesOf(demo)).toBe(before);
    const first = await home.desk([...share, '--confirm', '1']);
    expect(first.stderr).not.toContain('already shared');
    const { exit, stderr } = await home.desk([...share, '--confirm', '1']);
    expect({ exit, stderr }).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('It was already shared') as string,
    });
    expect(sharesOf(demo)).toBe(before + 2);
  });

  it('uploads no empty file, and none too large for an agreement (FE-D11)', async () => {
    const before = demo.requests.length;
    for (const [name, size] of [
      ['empty.pdf', 0],
      ['large.pdf', 12_000_000],
    ] as const) {
      const file = path.join(home.folder, name);
      await writeFile(file, Buffer.alloc(size));
      await value(['uploads', 'add', file, '--connection', 'Old'], 3);
    }
    expect(sent(before, /./)).toBe(0);
  });

  it('accepts an API v2 body with private persons only (FE-D11)', async () => {
    const from = path.join(home.folder, 'private.json');
    const privates = [{ firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com' }];
    const body = { name: 'Avtal', type: 'FREE_TEXT', text: 'Text', parties: { privates } };
    await writeFile(from, JSON.stringify(body));
    const { id } = await value(['drafts', 'add', '--api', 'v2', '--from', from]);
    expect(await value(['drafts', 'show', String(id)])).toMatchObject({
      body: { parties: { privates, companies: [] } },
    });
  });

  it('reports no credential error for a download refused before all have signed (FE-D13)', async () => {
    const id = `Old:${idOf('Uthyrning förråd 14')}`;
    demo.fault({
      path: /\/download$/,
      do: { kind: 'status', status: 403, body: '{"code":"1","message":"Not concluded"}' },
    });
    const out = path.join(home.folder, 'early.pdf');
    const { exit, stderr } = await home.desk(['agreements', 'download', id, '--out', out]);
    expect({ exit, stderr }).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('The service refused this') as string,
    });
  });

  it('explains rejected dates in a sentence without internal names (FE-D7)', async () => {
    const id = idOf('Leieavtale Bjørnstad');
    demo.fault({
      method: 'PATCH',
      path: /\/v1\/agreements\//,
      do: {
        kind: 'status',
        status: 422,
        body: '{"errors":[{"status":"422","detail":"Too late for that"}]}',
      },
    });
    const change = ['agreements', 'change', id, '--expire-on', '2037-01-31'];
    const { exit, stderr } = await home.desk(change);
    expect(exit).toBe(3);
    expect(stderr).toContain('The service refused this (HTTP 422): Too late for that');
    expect(stderr).not.toContain('v1.');
    await value(['agreements', 'change', id, '--expire-on', '2020-01-01'], 3);
  });
});
