// tier: all
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { watch } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

let home: HomeHere;
let folder: string;

/** Creates a complete PDF, which differs for each mark. */
async function pdf(mark: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([200, 200]);
  document.setTitle(mark);
  return document.save();
}

const put = async (name: string, mark: string) =>
  writeFileSync(path.join(folder, name), await pdf(mark));
const inside = (name: string) => readdirSync(path.join(folder, name)).toSorted();
const drafts = async () => (await home.value(['drafts', 'list']))['items'] as { title: string }[];

beforeAll(async () => {
  home = await createMixedHome();
  folder = path.join(home.folder, 'In');
  mkdirSync(folder);
});
afterAll(() => home.remove());

describe('desk drafts watch', () => {
  it('imports the present files once, and prints the result of each', async () => {
    await put('Lease.pdf', 'a');
    writeFileSync(
      path.join(folder, 'Lease.json'),
      '{"title":"Lease 12","parties":[{"firstName":"Åsa","email":"asa@example.com"}]}',
    );
    writeFileSync(path.join(folder, 'photo.jpg'), 'picture');
    const { stdout, exit } = await home.desk(['drafts', 'watch', folder, '--once']);
    expect(exit).toBe(6);
    expect(stdout).toContain('Refused: photo.jpg: Only PDF files are imported');
    expect(stdout).toContain('1 draft added, 1 refused.');
    expect(await drafts()).toMatchObject([{ title: 'Lease 12' }]);
    expect(inside('done')).toEqual(['Lease.json', 'Lease.pdf']);
    expect(readFileSync(path.join(folder, 'refused', 'photo.jpg.txt'), 'utf8')).toContain(
      'Only PDF',
    );
  });

  it('recognises imported files in another process', async () => {
    renameSync(path.join(folder, 'done', 'Lease.pdf'), path.join(folder, 'Again.pdf'));
    renameSync(path.join(folder, 'done', 'Lease.json'), path.join(folder, 'Again.json'));
    const value = await home.value(['drafts', 'watch', folder, '--once']);
    expect(value).toMatchObject({ drafts: 0, again: 1, refused: 0, waiting: 0 });
    expect(await drafts()).toHaveLength(1);
  });

  it('runs until it is interrupted, and continues at the next start', async () => {
    const running = home.start(['drafts', 'watch', folder, '--api', 'v2']);
    await running.says(/Watching/);
    const seen = watch(path.join(folder, 'done'));
    await put('Second.pdf', 'b');
    for await (const { filename } of seen) if (filename === 'Second.pdf') break;
    running.interrupt();
    const { exit, stdout } = await running.ended;
    expect(exit).toBe(130);
    expect(stdout).toContain('1 draft added');
    expect(await home.value(['drafts', 'watch', folder, '--once'])).toMatchObject({ drafts: 0 });
  });

  it('reports a missing folder', async () => {
    const ended = await home.desk(['drafts', 'watch', path.join(home.folder, 'No'), '--once']);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('The watched folder was not found');
  });
});

describe('desk folders', () => {
  it('saves rules, and changes only the given settings', async () => {
    const { rule } = await home.value(['folders', 'add', 'Scans', '--folder', folder]);
    expect(rule).toMatchObject({ name: 'Scans', folder, api: 'v1', needsData: false, isOn: true });
    const edited = await home.value(['folders', 'edit', 'Scans', '--api', 'v2', '--needs-data']);
    expect(edited['rule']).toMatchObject({ api: 'v2', needsData: true, folder });
    const refused = await home.json(['drafts', 'watch', folder, '--once', '--api', 'v1']);
    expect(refused.exit).toBe(8);
    await home.value(['folders', 'edit', 'Scans', '--no-needs-data']);
    expect((await home.desk(['folders', 'list'])).stdout).toMatch(/Scans {2,}on {2,}v2/);
    const other = await home.json(['folders', 'add', 'Other', '--folder', folder]);
    expect(other.exit).toBe(8);
  });

  it('previews a rule without doing anything', async () => {
    await put('Third.pdf', 'c');
    writeFileSync(path.join(folder, 'Fourth.json'), '{"title":"Fourth"}');
    const old = new Date(Date.now() - MINUTE);
    utimesSync(path.join(folder, 'Third.pdf'), old, old);
    const { stdout } = await home.desk(['folders', 'preview', 'Scans']);
    expect(stdout).toContain('2 files in');
    expect(stdout).toMatch(/Third\.pdf +a draft: Third/);
    expect(stdout).toMatch(/Fourth\.json +waits for its PDF/);
    expect(await drafts()).toHaveLength(2);
  });

  it('runs in run-due, which prints nothing when no file arrived', async () => {
    const due = await home.value(['run-due']);
    expect(due['intake']).toMatchObject([{ name: 'Scans', drafts: 1, waiting: 1 }]);
    expect(await drafts()).toHaveLength(3);
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    await put('Third.pdf', 'd');
    await home.value(['folders', 'off', 'Scans']);
    expect(await home.value(['run-due'])).toEqual({ ran: [] });
    await home.value(['folders', 'on', 'Scans']);
    expect(await home.value(['folders', 'run', 'Scans'])).toMatchObject({ drafts: 1 });
  });

  it('looks for a disconnected drive on every scheduled run, and reports it', async () => {
    const away = path.join(home.folder, 'Away');
    renameSync(folder, away);
    for (let call = 0; call < 4; call += 1) {
      const due = await home.value(['run-due'], undefined, 6);
      expect(due['intake']).toMatchObject([{ error: { code: 'storage' } }]);
    }
    renameSync(away, folder);
    await put('Back.pdf', 'e');
    expect((await home.value(['run-due']))['intake']).toMatchObject([{ drafts: 1, refused: 0 }]);
  });

  it('removes a rule, and still recognises the files it imported', async () => {
    await home.value(['folders', 'remove', 'Scans']);
    expect((await home.desk(['folders', 'list'])).stdout).toContain('There are no watched folders');
    const missing = await home.json(['folders', 'run', 'Scans']);
    expect(missing.exit).toBe(3);
    renameSync(path.join(folder, 'done', 'Back.pdf'), path.join(folder, 'Back.pdf'));
    const again = await home.value(['drafts', 'watch', folder, '--once', '--api', 'v2']);
    expect(again).toMatchObject({ drafts: 0, again: 1 });
  });
});
