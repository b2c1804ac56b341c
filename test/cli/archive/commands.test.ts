// tier: quick, 20 s, because each step of an archive is a command of its own
import { appendFile, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliHome } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';
import { sumsMatch } from '../../support/sums.ts';

let home: HomeHere;
let close: () => Promise<void>;
let to = '';

beforeAll(async () => {
  ({ home, close } = await cliHome({ create: createMixedHome, environment: 'production' }));
  to = path.join(home.folder, 'archive');
});
afterAll(() => close());

const namesIn = async (folder: string) => (await readdir(folder)).toSorted();
const ruleArgs = (name: string) => ['archive', 'schedule', 'add', name, '--to', to];

describe('an archive on the command line', () => {
  it('is filled by a rule when it is due, and a second run saves no agreement again (TX-46)', async () => {
    const now = new Date();
    const due = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`;
    const added = await home.value([
      ...ruleArgs('Nightly'),
      '--daily',
      due,
      '--with',
      'json',
      'attachments',
    ]);
    expect(added).toMatchObject({ rule: { name: 'Nightly', when: { kind: 'daily', at: due } } });
    // A rule that is created now is first due tomorrow at this time, so no rule runs.
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    await home.value(['archive', 'schedule', 'remove', 'Nightly']);
    await home.value([
      ...ruleArgs('After reading'),
      '--on-completion',
      '--with',
      'json',
      'attachments',
    ]);
    const { ran } = (await home.value(['run-due'])) as {
      ran: { saved: number }[];
    };
    expect(ran[0]?.saved).toBeGreaterThan(0);
    const again = (await home.value(['run-due'])) as {
      ran: { saved: number }[];
    };
    expect(again.ran[0]).toMatchObject({ saved: 0, failed: [] });
    const { items } = await home.value(['archive', 'schedule', 'list']);
    expect(items).toMatchObject([{ name: 'After reading', last: { saved: 0, failure: null } }]);
    expect(await home.value(['archive', 'schedule', 'status'])).toMatchObject({
      items: [{ name: 'After reading', next: null, problem: null }],
    });
    expect((await home.json(ruleArgs('After reading'))).exit).toBe(8);
    const names = await namesIn(to);
    expect(names.some((name) => name.endsWith('answer.json'))).toBe(true);
    expect(names).toContain('manifest-sha256.txt');
    expect(names).toContain('index.xlsx');
  });

  it('is verified by reading every file again (TX-41)', async () => {
    const clean = await home.value(['archive', 'verify', to]);
    expect(clean).toMatchObject({ ok: clean['files'], changed: [], missing: [], unknown: [] });
    expect(sumsMatch(to, 'manifest-sha256.txt')).toBe(true);
    const [first = '', second = ''] = (await namesIn(to)).filter((name) => name.endsWith('.pdf'));
    const kept = await readFile(path.join(to, first));
    await appendFile(path.join(to, first), ' ');
    await rename(path.join(to, second), path.join(home.folder, 'away.pdf'));
    await writeFile(path.join(to, 'notes.txt'), 'mine');
    expect(await home.value(['archive', 'verify', to], '', 7)).toMatchObject({
      changed: [first],
      missing: [second],
      unknown: ['notes.txt'],
      ok: Number(clean['files']) - 2,
    });
    await writeFile(path.join(to, first), kept);
    await rename(path.join(home.folder, 'away.pdf'), path.join(to, second));
  });

  it('is copied into a bag that other programs can verify', async () => {
    const bag = path.join(home.folder, 'bag');
    const made = await home.value(['archive', 'bagit', to, '--to', bag]);
    expect(made).toMatchObject({ folder: bag, leftOut: [] });
    expect(await namesIn(bag)).toEqual([
      ...['bag-info.txt', 'bagit.txt', 'data', 'manifest-sha256.txt', 'tagmanifest-sha256.txt'],
    ]);
    for (const manifest of ['manifest-sha256.txt', 'tagmanifest-sha256.txt']) {
      expect(sumsMatch(bag, manifest), manifest).toBe(true);
    }
    expect(await home.value(['archive', 'verify', bag])).toMatchObject({
      changed: [],
      unknown: [],
    });
    expect((await home.json(['archive', 'bagit', to, '--to', bag])).exit).toBe(8);
  });

  it('is not created a second time while its drive is disconnected (TX-43)', async () => {
    await rename(to, `${to}-away`);
    const gone = await home.json(['archive', 'run', '--to', to]);
    expect(gone).toMatchObject({ exit: 1, document: { error: { code: 'storage' } } });
    await expect(readdir(to)).rejects.toThrow('ENOENT');
    await rename(`${to}-away`, to);
    expect(await home.value(['archive', 'run', '--to', to])).toMatchObject({
      saved: 0,
      failed: [],
    });
  });
});

describe('desk archive schedule install', () => {
  it.each([
    ['cron', /^\*\/15 \* \* \* \* .* run-due --data .* --vault keyfile:\/k\/desk\.key/m],
    ['systemd', /Persistent=true/],
    ['launchd', /<string>run-due<\/string>/],
    ['task-scheduler', /<MultipleInstancesPolicy>IgnoreNew/],
  ])('writes the files for %s', async (scheduler, holds) => {
    const args = ['archive', 'schedule', 'install', '--for', scheduler, '--keyfile', '/k/desk.key'];
    const { files, next } = (await home.value(args)) as {
      files: { text: string }[];
      next: string[];
    };
    expect(files.map(({ text }) => text).join('\n')).toMatch(holds);
    expect(next.length).toBeGreaterThan(0);
  });
});
