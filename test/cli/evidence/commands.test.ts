import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import type Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../electron/adapters/sqlite/database/cipher.ts';
import { dataKey } from '../../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { databaseFile } from '../../../electron/compose/data.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { canonicalJson } from '../../../shared/rules/evidence/canonical-json.ts';
import { cliHome, connect as connectTo } from '../../support/desks/cli-home.ts';
import { createHomeHere, createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

const PERSON = '198507099805';
const isKeptCleared = true;
const isElsewhere = true;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let ids: readonly string[];

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({
    seed: 'none',
    create: createMixedHome,
    connections: { Old: 'v2' },
  }));
  ids = await Promise.all(['Rejected', 'Stated', 'Stated too'].map(create));
  const who = ['--first', 'Karin', '--last', 'Lindqvist', '--country', 'SE'];
  await home.value(['identities', 'add', 'karin', ...who, '--person-no', PERSON]);
  await home.value(['sync']);
});
afterAll(() => close());

async function create(name: string): Promise<string> {
  const { accessKey, accountId } = demo.credentials;
  const company = { orgNo: demo.company.orgNo, firstName: 'Karin', lastName: 'Lindqvist' };
  const answer = await fetch(`${demo.v2Url}/agreements`, {
    method: 'POST',
    headers: { accessKey, accountId, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name,
      type: 'FREE_TEXT',
      text: 'All of it.',
      parties: { privates: [], companies: [{ ...company, email: 'karin@example.com' }] },
    }),
  });
  const { referenceNumber } = (await answer.json()) as { referenceNumber: string };
  return referenceNumber;
}

const company = () => ['--party-type', 'COMPANY', '--org-no', demo.company.orgNo];

describe('evidence on the command line', () => {
  it('contains a rejection, started before its request and completed after it (T2-62)', async () => {
    const [id = ''] = ids;
    const who = [...company(), '--person-no', PERSON];
    await home.value(['agreements', 'reject', id, ...who, '--confirm', '1']);
    const { items } = await home.value(['evidence', 'list', id]);
    const party = { orgNo: demo.company.orgNo };
    expect(items).toMatchObject([
      { number: 2, fact: { kind: 'ended', act: 'reject', intent: 1, outcome: 'done' } },
      { number: 1, by: { person: { name: 'Karin Lindqvist' } }, fact: { act: 'reject', party } },
    ]);
    expect(JSON.stringify(items)).not.toContain(PERSON);
    const { stdout } = await home.desk(['evidence', 'list', id]);
    expect(stdout).toContain('reject: done');
    // The credential store and this computer each store the end of the log, although no window was
    // open.
    expect(await home.value(['evidence', 'verify'])).toMatchObject({ entries: 2, anchors: 2 });
  });

  it('contains the statements made, and is anchored in a folder', async () => {
    await cp(home.data, path.join(home.folder, 'data-older'), { recursive: true });
    // The command need not name the signing person, because there is only one.
    for (const id of ids.slice(1)) await home.value(['signing', 'review', id, '--elsewhere']);
    const { file } = await home.value([
      'evidence',
      'anchor',
      '--to',
      path.join(home.folder, 'office'),
    ]);
    const verified = await home.value(['evidence', 'verify', '--anchor', String(file)]);
    expect(verified).toMatchObject({ entries: 4, chain: 'ok', firstBroken: null, anchors: 3 });
  });

  it('is listed and exported even after the connection and its agreements were deleted', async () => {
    const [id = ''] = ids;
    await home.value(['connections', 'remove', 'Old', '--agreements', 'delete', '--confirm', '3']);
    expect((await home.value(['evidence', 'list', `Old:${id}`]))['total']).toBe(2);
    const file = path.join(home.folder, 'statement.pdf');
    expect(await home.value(['evidence', 'export', id, '--out', file])).toMatchObject({
      entries: 2,
    });
    expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-');
    await home.value(['evidence', 'list', 'Old:4711'], '', 3);
  });

  it.each([
    ['one flipped bit', 2, 'changed', flipOneBit],
    ['an entry that was taken out', 3, 'missing', 'DELETE FROM evidence WHERE number = 3'],
    ['two that were swapped', 2, 'moved', swapTwo],
    ['an end that was cut off', 3, 'cut', 'DELETE FROM evidence WHERE number > 2'],
  ] as const)('%s is detected and located, and ends with 7', async (_, number, why, tamper) => {
    const data = path.join(home.folder, `data-${why}`);
    await cp(home.data, data, { recursive: true });
    await change(data, typeof tamper === 'string' ? (raw) => raw.exec(tamper) : tamper);
    const { exit, stdout } = await home.with({ SIGNING_DESK_DATA: data }, ['evidence', 'verify']);
    expect(exit).toBe(7);
    expect(stdout).toContain(`Broken at entry ${number}:`);
    const json = await home.with({ SIGNING_DESK_DATA: data }, ['evidence', 'verify', '--json']);
    const output = JSON.parse(json.stdout) as unknown;
    expect(output).toMatchObject({ value: { chain: 'broken', firstBroken: { number, why } } });
  });

  const broken = (number: number, why: string) =>
    ({ chain: 'broken', firstBroken: { number, why } }) as const;
  const noteGone = { chain: 'note-missing', firstBroken: null } as const;
  it.each([
    ['the note alone', {}, noteGone],
    ['the note, and all was hashed anew', { work: hashAnew }, broken(4, 'replaced')],
    ['the note, and its end was cut off', { work: cutEnd }, broken(3, 'cut')],
    ['the note, and all entries', { work: cutAll }, broken(1, 'cut')],
    [
      'all notes but the computer’s, and all was hashed anew',
      { work: hashAnew, isKeptCleared },
      broken(4, 'replaced'),
    ],
    [
      'all notes but the computer’s, and its end was cut off',
      { work: cutEnd, isKeptCleared },
      broken(3, 'cut'),
    ],
    [
      'all notes but the computer’s, and all entries',
      { work: cutAll, isKeptCleared },
      broken(1, 'cut'),
    ],
    [
      'every note, and all was hashed anew',
      { work: hashAnew, isKeptCleared, isElsewhere },
      noteGone,
    ],
  ] as const)(
    'a log without %s is reported, and needs a person’s attention (SEC-M3)',
    async (what, how, verdict) => {
      const forged: Forged = how;
      const data = path.join(home.folder, `data ${what}`);
      await cp(home.data, data, { recursive: true });
      await change(data, (raw) => {
        forged.work?.(raw);
        if (forged.isKeptCleared === true) raw.exec('DELETE FROM evidence_noted');
      });
      const keyfile = path.join(home.folder, 'desk.key');
      await createVault({ store: 'keyfile', path: keyfile, dataDir: data }).remove('evidence-head');
      const state = forged.isElsewhere === true ? { XDG_STATE_HOME: `${data} state` } : {};
      const env = { ...state, SIGNING_DESK_DATA: data };
      const { exit, stdout } = await home.with(env, ['evidence', 'verify', '--json']);
      expect(exit).toBe(7);
      expect(JSON.parse(stdout)).toMatchObject({ value: verdict });
      const said = await home.with(env, ['evidence', 'verify']);
      expect(said.stdout).toMatch(verdict === noteGone ? /is missing from/u : /Broken at entry/u);
    },
  );

  it('is reported as cut if the data folder is an older copy than the computer remembers (SEC-M3)', async () => {
    const env = { SIGNING_DESK_DATA: path.join(home.folder, 'data-older') };
    const { exit, stdout } = await home.with(env, ['evidence', 'verify', '--json']);
    expect(exit).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ value: { entries: 2, ...broken(3, 'cut') } });
  });

  it('is valid with no entries on a new computer (SEC-M3)', async () => {
    const fresh = await createHomeHere();
    await connectTo(fresh, demo, { connections: { New: 'v1' } });
    expect(await fresh.value(['evidence', 'verify'])).toMatchObject({ entries: 0, chain: 'ok' });
    await fresh.remove();
  });
});

/** Changes by an attacker, who also removes the record of the log from the credential store. */
interface Forged {
  readonly work?: (raw: Sqlite.Database) => void;
  /** Whether the attacker also removes the mention of the record from the data file. */
  readonly isKeptCleared?: boolean;
  /** Whether the changes are checked on a computer that has no record of the log. */
  readonly isElsewhere?: boolean;
}

/**
 * Changes the log as an attacker with the data key can, after removing the triggers that guard the
 * table.
 */
async function change(dataDir: string, work: (raw: Sqlite.Database) => void): Promise<void> {
  const keyfile = path.join(home.folder, 'desk.key');
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir });
  const key = await dataKey(vault, { databaseExists: true });
  const raw = connect(databaseFile(dataDir), key, 'write');
  raw.exec('DROP TRIGGER evidence_is_not_rewritten; DROP TRIGGER evidence_is_not_shortened');
  work(raw);
  raw.close();
}

function flipOneBit(raw: Sqlite.Database): void {
  const entry = raw.prepare('SELECT entry FROM evidence WHERE number = 2').pluck().get();
  const bytes = Buffer.from(String(entry));
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  raw.prepare('UPDATE evidence SET entry = CAST(? AS TEXT) WHERE number = 2').run(bytes);
}

function swapTwo(raw: Sqlite.Database): void {
  raw.exec(`UPDATE evidence SET number = 100 WHERE number = 2;
    UPDATE evidence SET number = 2 WHERE number = 3;
    UPDATE evidence SET number = 3 WHERE number = 100`);
}

function cutEnd(raw: Sqlite.Database): void {
  raw.exec('DELETE FROM evidence WHERE number > 2');
}

function cutAll(raw: Sqlite.Database): void {
  raw.exec('DELETE FROM evidence');
}

/** Changes the title in each entry, and computes the hashes of the whole chain again. */
function hashAnew(raw: Sqlite.Database): void {
  const rows = raw.prepare('SELECT number, entry FROM evidence ORDER BY number').all();
  const change = raw.prepare('UPDATE evidence SET entry = ?, hash = ? WHERE number = ?');
  let previous = '';
  for (const row of rows) {
    const { number, entry } = row as { readonly number: number; readonly entry: string };
    const parsed = JSON.parse(entry) as { readonly agreement: object };
    const agreement = { ...parsed.agreement, title: 'Another' };
    const text = canonicalJson({ ...parsed, agreement, previous });
    previous = createHash('sha256').update(text).digest('hex');
    change.run(text, previous, number);
  }
}
