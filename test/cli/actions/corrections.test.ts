// tier: all
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { fods, ods, odsRow, odsText } from '../../adapters/sheets/ods.ts';
import { rowsOf, workbook } from '../../adapters/sheets/workbook.ts';
import { cliHome, connect, idOf, OFFICE_AND_OLD } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

const TITLES = [
  'Offert nr 117',
  'Contrat de prestation – été 2026',
  'Partnership agreement',
] as const;

let demo: Demo;
/** First of two computers of one office; `other` is the second one. */
let home: HomeHere;
let close: () => Promise<void>;
let other: HomeHere;

type Value = Readonly<Record<string, unknown>>;
interface Waiting {
  readonly id: string;
  readonly partyId: string;
  readonly name: string;
  readonly email: string;
}

beforeAll(async () => {
  const about = { connections: OFFICE_AND_OLD, isSynced: true } as const;
  ({ demo, home, close } = await cliHome({ ...about, create: createMixedHome }));
  other = await createMixedHome();
  await connect(other, demo, about);
  await other.value(['sync']);
});
afterAll(async () => {
  await close();
  await other.remove();
});

/** Runs a command, expects its exit code, and returns its output. */
const run = (desk: HomeHere, args: readonly string[], wanted = 0): Promise<Value> =>
  desk.value(args, '', wanted);

/** Returns the current signer of an agreement of the story, according to the service. */
async function waiting(title: string): Promise<Waiting> {
  const id = idOf(demo, title);
  const { parties } = await run(home, ['agreements', 'show', id, '--refresh']);
  const party = (parties as Value[]).find(
    ({ state, kind }) => state === 'turn' && kind === 'person',
  );
  if (party === undefined) throw new Error(`Nobody is waited for in ${title}`);
  const text = (key: string): string => String(party[key]);
  return { id, partyId: text('id'), name: text('name'), email: text('email') };
}

async function list(lines: readonly string[]): Promise<string> {
  const file = path.join(home.folder, 'corrections.csv');
  await writeFile(file, lines.join('\r\n'));
  return file;
}

const changes = (before: number) =>
  demo.requests.slice(before).filter(({ method }) => method !== 'GET');

describe('address corrections from a list', () => {
  it('are previewed, and matched to parties by address, by name or by a returned message', async () => {
    const [byAddress, byName, cameBack] = [
      await waiting(TITLES[0]),
      await waiting(TITLES[1]),
      await waiting(TITLES[2]),
    ];
    const before = demo.requests.length;
    const file = await list([
      'Old address;New address',
      `${byAddress.email.toUpperCase()};first@new.example`,
      `${byName.name};second@new.example`,
      `550 5.1.1 <${cameBack.email}>: user unknown`,
      'stranger@old.example;third@new.example',
      'no address at all',
    ]);
    const found = await run(home, ['agreements', 'correct', file, '--check'], 3);
    expect(found['rows']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ line: 2, id: byAddress.id, to: 'first@new.example' }),
        expect.objectContaining({ line: 3, id: byName.id, to: 'second@new.example' }),
        expect.objectContaining({ line: 4, id: cameBack.id, to: null }),
      ]),
    );
    // The line is reported only by its number, because it may contain a personal number.
    expect(found['unfound']).toEqual([{ line: 5 }]);
    expect(found['refused']).toEqual([{ line: 6, problem: 'no-address' }]);
    // API v2 cannot change addresses, so its agreements are only counted.
    expect(found['withoutAddresses']).toBeGreaterThan(0);
    expect(demo.requests).toHaveLength(before);
  });

  it('send the invitation despite a recent reminder, or explain why not (FE-N5)', async () => {
    const one = await waiting(TITLES[0]);
    await run(home, ['agreements', 'remind', one.id, '--confirm', '1']);
    const correct = async (from: string, to: string, wanted: number) => {
      const file = await list([`${from};${to}`]);
      const before = demo.requests.length;
      const args = ['agreements', 'correct', file, '--confirm', '1', '--notify'];
      return { ...(await run(home, args, wanted)), changes: changes(before).length };
    };
    expect(await correct(one.email, 'right@new.example', 0)).toMatchObject({
      done: [{ notice: 'reminded' }],
      changes: 2,
    });
    demo.fault({ path: /\/notify$/, do: { kind: 'reset-before' } });
    const lost = await correct('right@new.example', 'other@new.example', 7);
    expect(lost).toMatchObject({
      done: [{ notice: 'unknown', why: { message: expect.any(String) } }],
    });
    // The service rejects the notification, because the previous address was reminded within the
    // last hour.
    expect(await correct('other@new.example', 'right@new.example', 6)).toMatchObject({
      done: [{ notice: 'failed', why: { code: 'limited' } }],
      changes: 1,
    });
    await correct('right@new.example', one.email, 6);
  });

  it('name new addresses that a test connection does not reach, before anything is sent', async () => {
    const one = await waiting(TITLES[0]);
    const file = await list([`${one.email};somebody@strangers.example`]);
    await run(home, ['connections', 'allow', 'Office', '@new.example']);
    try {
      const correct = ['agreements', 'correct', file];
      const { rows } = await run(home, [...correct, '--check'], 3);
      expect(rows).toMatchObject([{ id: one.id, reason: 'not-reached' }]);
      const before = demo.requests.length;
      await run(home, [...correct, '--confirm', '1'], 3);
      expect(changes(before)).toEqual([]);
    } finally {
      await run(home, ['connections', 'allow', 'Office']);
    }
  });

  it('are read from the named sheet of an Excel or OpenDocument file', async () => {
    const [one, two] = [await waiting(TITLES[0]), await waiting(TITLES[1])];
    const pairs = [
      [one.email, 'first@new.example'],
      [two.name, 'second@new.example'],
    ];
    const sheets = { Read: rowsOf([['Nothing here']]), Moved: rowsOf(pairs) };
    const tables = { Moved: pairs.map((row) => odsRow(row.map((cell) => odsText(cell)))).join('') };
    for (const [name, data, more] of [
      ['moved.xlsx', workbook({ sheets }), ['--sheet', 'Moved']],
      ['moved.ods', ods({ tables }), []],
      // The contents decide the file type, not the file name.
      ['moved.csv', fods({ tables }), []],
    ] as const) {
      const file = path.join(home.folder, name);
      await writeFile(file, data);
      const { rows } = await run(home, ['agreements', 'correct', file, '--check', ...more]);
      expect(rows).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ line: 1, id: one.id, to: 'first@new.example' }),
          expect.objectContaining({ line: 2, id: two.id, to: 'second@new.example' }),
        ]),
      );
    }
    const first = path.join(home.folder, 'moved.xlsx');
    const { stdout } = await home.desk(['agreements', 'correct', first, '--check']);
    expect(stdout).toContain(
      'The spreadsheet has 1 other sheet, not read; --sheet NAME chooses one',
    );
    const { exit, document } = await home.json([
      ...['agreements', 'correct', first, '--check', '--sheet', 'None'],
    ]);
    expect({ exit, document }).toMatchObject({
      exit: 3,
      document: { error: { code: 'invalid', message: 'The spreadsheet has no sheet "None"' } },
    });
  });

  it('are not sent if the confirmed count is wrong', async () => {
    const { email } = await waiting(TITLES[0]);
    const file = await list([`${email};first@new.example`]);
    const before = demo.requests.length;
    for (const confirm of [[], ['--confirm', '500']]) {
      const { exit, document } = await home.json(['agreements', 'correct', file, ...confirm]);
      expect({ exit, document }).toMatchObject({
        exit: 3,
        document: { error: { code: 'invalid' } },
      });
    }
    expect(changes(before)).toEqual([]);
  });

  it('are each stored once, and the current signer is notified afterwards', async () => {
    const [one, two] = [await waiting(TITLES[0]), await waiting(TITLES[1])];
    const file = await list([`${one.email};first@new.example`, `${two.email};second@new.example`]);
    const { correctable } = await run(home, ['agreements', 'correct', file, '--check']);
    const before = demo.requests.length;
    const confirm = ['--confirm', String(correctable), '--notify'];
    const { done } = await run(home, ['agreements', 'correct', file, ...confirm]);
    const ours = (done as Value[]).filter(({ id }) => id === one.id || id === two.id);
    expect(ours).toMatchObject([{ notice: 'reminded' }, { notice: 'reminded' }]);
    const sent = changes(before).filter(({ url }) => url.includes(one.id));
    expect(sent.map(({ method, url }) => `${method} ${url.split('/').at(-1)}`)).toEqual([
      expect.stringMatching(/^P/),
      'POST notify',
    ]);
    expect(await waiting(TITLES[0])).toMatchObject({ email: 'first@new.example' });
    expect(await waiting(TITLES[1])).toMatchObject({ email: 'second@new.example' });
    // If the list was already applied, no agreement matches, and nothing is sent.
    const after = demo.requests.length;
    await run(home, ['agreements', 'correct', file, ...confirm], 3);
    expect(changes(after)).toEqual([]);
  });

  it('skip an address that another computer corrected since this one read the agreement', async () => {
    const { id, name, email } = await waiting(TITLES[2]);
    const right = ['--party', name, '--to', 'right@new.example'];
    await run(home, ['agreements', 'email', id, ...right]);
    const file = await list([`${email};late@new.example`]);
    const { correctable } = await run(other, ['agreements', 'correct', file, '--check']);
    const before = demo.requests.length;
    const confirm = ['--confirm', String(correctable)];
    const { exit, document } = await other.json(['agreements', 'correct', file, ...confirm]);
    expect(exit).toBe(6);
    const { failed } = (document as { value: { failed: Value[] } }).value;
    expect(failed).toEqual(
      expect.arrayContaining([expect.objectContaining({ id, code: 'conflict' })]),
    );
    expect(changes(before).filter(({ url }) => url.includes(id))).toEqual([]);
    expect(await waiting(TITLES[2])).toMatchObject({ email: 'right@new.example' });
  });
});
