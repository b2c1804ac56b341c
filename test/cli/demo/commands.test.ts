// tier: all
import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../../electron/hosts/find-browser.ts';
import { createHome, type Home } from '../../support/desks/desk-process.ts';

const LONG = 120_000;
const qpdf = findProgram('qpdf');
let home: Home;

afterEach(() => home.remove());

describe('the demo command', () => {
  it(
    'runs the main task for both APIs and saves the PDFs',
    async () => {
      home = await createHome('none');
      const folder = path.join(home.folder, 'kept');
      const { exit, document, stderr } = await home.json(['demo', '--keep', folder]);
      expect({ exit, stderr }).toMatchObject({ exit: 0 });
      const { journeys } = (document as { value: { journeys: Record<string, unknown>[] } }).value;
      expect(journeys).toMatchObject([
        { api: 'v1', created: 2, unknown: 1, signed: 2, folder: path.join(folder, 'archive/v1') },
        { api: 'v2', created: 2, unknown: 1, signed: 2, folder: path.join(folder, 'archive/v2') },
      ]);
      for (const one of journeys) {
        const files = await readdir(String(one['folder']), { recursive: true });
        const pdfs = files.filter((name) => name.endsWith('.pdf'));
        expect(pdfs).toHaveLength(Number(one['archived']));
        if (qpdf === undefined) continue;
        for (const pdf of pdfs)
          await promisify(execFile)(qpdf, ['--check', path.join(String(one['folder']), pdf)]);
      }
      // The demo did not use the user's own data folder.
      await expect(stat(home.data)).rejects.toThrow('ENOENT');
    },
    LONG,
  );

  it(
    'prints each step as text',
    async () => {
      home = await createHome('none');
      const { exit, stdout, stderr } = await home.with({ TMPDIR: home.folder }, ['demo']);
      expect(exit).toBe(0);
      for (const step of [
        'connected and tested',
        'read',
        'drafted',
        'sent',
        'lost',
        'signed',
        'archived',
      ]) {
        expect(stderr).toMatch(new RegExp(`v1: .*${step}`));
        expect(stderr).toMatch(new RegExp(`v2: .*${step}`));
      }
      const folder = /Working in (.*)/.exec(stderr)?.[1] ?? '';
      expect(stdout).toContain(path.join(folder, 'archive'));
      expect((await readdir(folder)).toSorted()).toEqual(['archive']);
      expect(stderr).toContain(`The signed PDFs stay in ${folder}: you can delete`);
      expect(stderr).toContain('Next: open the window');
    },
    LONG,
  );
});

describe('the demo command in an unusual environment', () => {
  it(
    'runs the main task without a home folder in the environment',
    async () => {
      home = await createHome('none');
      const { exit, stderr } = await home.with(
        { HOME: '', TMPDIR: home.folder, XDG_CACHE_HOME: home.folder },
        ['demo'],
      );
      expect({ exit, stderr }).toMatchObject({ exit: 0 });
    },
    LONG,
  );

  it('names the folder that it cannot write to, and the option for another one', async () => {
    home = await createHome('none');
    const missing = path.join(home.folder, 'missing');
    const { exit, stderr } = await home.with({ TMPDIR: missing }, ['demo']);
    expect(exit).toBe(3);
    expect(stderr).toBe(
      `signing-desk: The demo cannot write to ${missing} (ENOENT: no such file or directory); ` +
        'choose a folder that you can write to: demo --keep FOLDER\n',
    );
  });
});

describe('the demo connection on a computer without a credential store', () => {
  it(
    'uses its own profile, and prints a note about it each time',
    async () => {
      home = await createHome('none');
      const tested = await home.json(['connections', 'test', 'demo']);
      expect(tested).toMatchObject({ exit: 0, document: { ok: true, value: { ok: true } } });
      expect(tested.stderr).toContain('made-up data is used');
      const listed = await home.json(['agreements', 'list']);
      expect(listed.exit).toBe(0);
      expect(listed.stderr).toContain('made-up data is used');
      const { total } = (listed.document as { value: { total: number } }).value;
      expect(total).toBeGreaterThan(10);
      const again = await home.json(['agreements', 'list']);
      expect(again.stderr).not.toContain('No connection was read yet');
      expect(again.document).toMatchObject({ value: { total } });
    },
    LONG,
  );

  it(
    'rejects a real credential',
    async () => {
      home = await createHome('none');
      await home.desk(['connections', 'test', 'demo']);
      const add = ['connections', 'add', 'Office', '--api', 'v1', '--url', 'https://127.0.0.1'];
      const refused = await home.json(add, 'a-real-token');
      expect(refused).toMatchObject({ exit: 4, document: { ok: false, error: { code: 'vault' } } });
    },
    LONG,
  );
});
