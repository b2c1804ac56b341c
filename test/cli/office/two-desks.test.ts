// tier: all
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { OfficeQuestion } from '../../../shared/contract/office/items.ts';
import { addNote, queueNote } from '../../support/desks/cli-draft.ts';
import { cliOffice, OWNER_PASSWORD } from '../../support/desks/cli-office.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { sendElsewhere, toSign } from '../../support/send-elsewhere.ts';
import { type Postgres, postgresPrograms, startPostgres } from '../../support/postgres.ts';

const TIMEOUT_MS = 600_000;
const IN_PART = 6;

describe.skipIf(postgresPrograms === null)('two computers of an office', () => {
  let postgres: Postgres;
  let demo: Demo;
  let anna: HomeHere;
  let bo: HomeHere;
  let close: () => Promise<void>;

  beforeAll(async () => {
    postgres = await startPostgres();
    ({ demo, anna, bo, close } = await cliOffice(postgres));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await close();
    await postgres.remove();
  });

  const made = (title: string) => demo.agreements.v1().filter((one) => one.title === title).length;

  /**
   * Prepares the same agreement on a computer, and runs the outbox; returns the row of the outbox.
   */
  async function send(home: HomeHere, title: string) {
    const ref = await queueNote(home, home.folder, title, { connection: 'Service' });
    const ran = await home.desk(['outbox', 'run']);
    return { ...(await row(home, ref)), said: ran.stdout + ran.stderr };
  }

  async function row(home: HomeHere, ref: string) {
    const shown = await home.value(['outbox', 'show', ref]);
    return { ref, state: shown['state'] };
  }

  it(
    'send a draft prepared on both only once, and the second computer shows who sent it',
    async () => {
      expect(await send(anna, 'Lease')).toMatchObject({ state: 'sent' });
      const held = await send(bo, 'Lease');
      expect(held.state).toBe('queued');
      expect(held.said).toContain('Another computer in the office has already completed this send');
      expect(made('Lease')).toBe(1);
      const { items } = await bo.value(['office', 'claims', held.ref]);
      expect(items).toMatchObject([{ seat: 'Anna', state: 'done' }]);
    },
    TIMEOUT_MS,
  );

  it(
    'send a draft again only after a user confirms it with the number of earlier sends',
    async () => {
      await send(anna, 'Twice');
      const held = await send(bo, 'Twice');
      const order = ['office', 'send', held.ref];
      expect(await bo.value([...order, '--confirm', '0'], undefined, IN_PART)).toMatchObject({
        sent: false,
      });
      await bo.value([...order, '--confirm', '1']);
      await bo.desk(['outbox', 'run']);
      expect((await row(bo, held.ref)).state).toBe('sent');
      expect(made('Twice')).toBe(2);
    },
    TIMEOUT_MS,
  );

  it(
    'list the actions of both users, newest first, also for a single user or kind of action',
    async () => {
      const { items } = await bo.value(['office', 'activity']);
      const told = (items as readonly Record<string, unknown>[]).map((one) => [
        one['seat'],
        one['title'],
      ]);
      expect(told.slice(0, 2)).toEqual([
        ['Bo', 'Twice'],
        ['Anna', 'Twice'],
      ]);
      const of = async (...options: readonly string[]) =>
        (await anna.value(['office', 'activity', ...options]))['items'];
      expect(await of('--user', 'Anna', '--limit', '1')).toMatchObject([
        { seat: 'Anna', title: 'Twice', kind: 'send', state: 'done' },
      ]);
      expect(await of('--kind', 'sign')).toEqual([]);
      const { exit } = await anna.desk(['office', 'activity', '--user', 'Nobody']);
      expect(exit).not.toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'send nothing while the office is unreachable and its rules allow no unchecked send',
    async () => {
      await postgres.stop('fast');
      try {
        const waiting = await send(bo, 'Waits');
        expect(waiting.said).toContain('The office cannot be reached');
        const { exit } = await bo.desk(['office', 'send-unchecked', waiting.ref]);
        expect(exit).not.toBe(0);
        await bo.desk(['outbox', 'run']);
        expect(made('Waits')).toBe(0);
      } finally {
        await postgres.start();
      }
    },
    TIMEOUT_MS,
  );

  it(
    'share an address book by commands, and keep the chosen version after conflicting changes',
    async () => {
      const add = async (home: HomeHere, text: string) => {
        const file = path.join(home.folder, 'people.csv');
        await writeFile(file, text);
        await home.value(['people', 'import', file]);
      };
      for (const home of [anna, bo]) await home.value(['office', 'share', 'address-book']);
      await add(anna, 'First name;Last name;E-mail\nMaja;Ek;maja@example.com\n');
      expect(await anna.value(['office', 'exchange'])).toMatchObject({ sent: 1, received: 0 });
      expect(await bo.value(['office', 'exchange'])).toMatchObject({ sent: 0, received: 1 });
      const row = 'First name;Last name;E-mail;Mobile\nMaja;Ek;maja@example.com;';
      await add(anna, `${row}+46701234567\n`);
      await add(bo, `${row}+46707654321\n`);
      await anna.value(['office', 'exchange']);
      const { questions } = await bo.value(['office', 'exchange'], undefined, IN_PART);
      const [question] = z.array(OfficeQuestion).parse(questions);
      expect(question).toMatchObject({ kind: 'person', title: 'Maja Ek', field: 'mobile' });
      expect(await bo.value(['office', 'conflicts'])).toEqual({ items: questions });
      const which = ['person', question?.id ?? '', 'mobile'];
      await bo.value(['office', 'resolve', ...which, '--take', 'here']);
      expect(await anna.value(['office', 'exchange'])).toMatchObject({ received: 1 });
      await bo.value(['office', 'share', 'address-book', '--off']);
      const { sets } = await bo.value(['office', 'share']);
      expect(sets).toContainEqual(
        expect.objectContaining({ set: 'address-book', isShared: false }),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'hand over and accept a draft by commands',
    async () => {
      const id = await addNote(anna, anna.folder, 'Handed');
      await anna.value(['office', 'hand-over', id, 'Bo', '--note', 'Check the rent']);
      const { items } = await bo.value(['office', 'handovers']);
      const [given] = z.array(z.object({ id: z.string(), note: z.string() })).parse(items);
      expect(given?.note).toBe('Check the rent');
      const taken = await bo.value(['office', 'accept', given?.id ?? '']);
      expect(taken).toMatchObject({ kind: 'draft' });
      expect(await bo.value(['drafts', 'show', String(taken.id)])).toMatchObject({ id: taken.id });
      expect(await bo.value(['office', 'handovers'])).toEqual({ items: [] });
    },
    TIMEOUT_MS,
  );

  it(
    'reject a handover of an unsupported kind of item, or of an item that does not exist',
    async () => {
      for (const [kind, field] of [
        ['folder', '--kind'],
        ['batch', 'id'],
      ]) {
        const give = ['office', 'hand-over', 'x', 'Bo', '--kind', kind ?? ''];
        const { exit, document } = await anna.json(give);
        expect(exit).toBe(3);
        expect(document).toMatchObject({ error: { fields: { [field ?? '']: expect.anything() } } });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'share a draft by commands, and end the sharing',
    async () => {
      const json = path.join(anna.folder, 'c.json');
      await writeFile(json, JSON.stringify(bodyV1('Together')));
      const { id } = await anna.value(['drafts', 'add', '--api', 'v1', '--from', json]);
      await bo.value(['office', 'share', 'drafts']);
      await anna.value(['office', 'share-draft', String(id)]);
      await bo.value(['office', 'exchange']);
      expect(await bo.value(['drafts', 'show', String(id)])).toMatchObject({ id });
      const { items } = await bo.value(['office', 'drafts']);
      expect(items).toMatchObject([{ draft: id, editor: null, keptBeside: null }]);
      expect((await bo.desk(['office', 'drafts'])).stdout).toMatch(/Together\s+not being edited/);
      const { document } = await bo.json(['office', 'unlock-draft', String(id)]);
      expect(document).toMatchObject({
        error: { code: 'conflict', message: 'No other computer is sending this draft' },
      });
      await anna.value(['office', 'unshare-draft', String(id)]);
      await bo.value(['office', 'exchange']);
      expect(await bo.value(['office', 'drafts'])).toEqual({ items: [] });
      expect((await anna.value(['drafts', 'show', String(id)])).id).toBe(id);
    },
    TIMEOUT_MS,
  );

  it(
    'report that there are no batches if there are none',
    async () => {
      expect((await bo.desk(['office', 'batches'])).stdout).toContain('There are no batches.');
    },
    TIMEOUT_MS,
  );

  it(
    'store the rule that another person or computer must approve each review',
    async () => {
      expect(await anna.value(['signing', 'rules'])).toEqual({ fourEyes: 'off' });
      for (const who of ['person', 'desk', 'off']) {
        expect(await anna.value(['signing', 'rules', '--four-eyes', who])).toEqual({
          fourEyes: who,
        });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'archive into one folder, each night from only one computer, and report from which one',
    async () => {
      const folder = path.join(anna.folder, 'Archive');
      await mkdir(folder);
      for (const home of [anna, bo]) {
        const add = ['archive', 'schedule', 'add', 'Nightly', '--to', folder];
        await home.value([...add, '--on-completion']);
      }
      const ran = async (home: HomeHere) => (await home.value(['run-due'])).ran;
      expect(await ran(anna)).toMatchObject([{ name: 'Nightly', failed: [] }]);
      expect(await ran(bo)).toMatchObject([{ name: 'Nightly', doneBy: 'Anna' }]);
      expect((await bo.value(['office', 'status'])).tasks).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'approve and decline by commands an agreement that the other user is to sign',
    async () => {
      await sendElsewhere(demo, toSign('Frame', await plainPdf('Frame', ['A text.'])));
      for (const [home, name] of [
        [anna, 'anna'],
        [bo, 'bo'],
      ] as const) {
        await home.value(['sync']);
        const person = ['--first', name, '--last', 'Ek'];
        await home.value(['identities', 'add', name, ...person]);
      }
      const { items } = await anna.value(['signing', 'list']);
      const [item] = z.array(z.object({ id: z.string() })).parse(items);
      const id = item?.id ?? '';
      await anna.value(['signing', 'review', id]);
      const asked = async (home: HomeHere) => {
        const { items: all } = await home.value(['office', 'approvals']);
        return z
          .array(z.looseObject({ id: z.string() }))
          .parse(all)
          .at(-1);
      };
      await anna.value(['office', 'ask', id, '--note', 'Today']);
      const first = (await asked(bo))?.id ?? '';
      const early = await bo.desk(['office', 'approve', first, '--as', 'bo']);
      expect(early.stderr).toContain('Review the agreement on this computer first');
      await bo.value(['office', 'decline', first, '--as', 'bo', '--reason', 'The wrong annex']);
      expect(await asked(anna)).toMatchObject({
        decision: { isApproved: false, reason: 'The wrong annex', seat: 'Bo' },
      });
      await anna.value(['office', 'ask', id]);
      await bo.value(['signing', 'review', id]);
      await bo.value(['office', 'approve', (await asked(bo))?.id ?? '', '--as', 'bo']);
      expect(await asked(anna)).toMatchObject({ decision: { isApproved: true, person: 'bo Ek' } });
      const { items: waiting } = await anna.value(['signing', 'list']);
      expect(waiting).toMatchObject([{ id, approved: expect.any(String) }]);
      const signed = await anna.value(['signing', 'sign', id, '--as', 'anna', '--confirm', '1']);
      expect(signed).toMatchObject({ failed: [], signed: [{ title: 'Frame' }] });
    },
    TIMEOUT_MS,
  );

  it(
    'create no user if the invitation cannot be written',
    async () => {
      const file = path.join(anna.folder, 'taken.age');
      await writeFile(file, 'something else');
      const invite = ['office', 'invite', 'Nobody', '--out', file];
      const ended = await anna.desk([...invite], OWNER_PASSWORD);
      expect(ended.stderr).toContain('already exists');
      expect(await readFile(file, 'utf8')).toBe('something else');
      const { seats } = await anna.value(['office', 'status']);
      expect(JSON.stringify(seats)).not.toContain('Nobody');
    },
    TIMEOUT_MS,
  );

  it(
    'list each other, and a computer that left the office sends it no more requests',
    async () => {
      const { seats } = await anna.value(['office', 'status']);
      expect(seats).toMatchObject([
        { name: 'Anna', desks: [{ isThis: true, open: 0 }] },
        { name: 'Bo', desks: [{ isThis: false }] },
      ]);
      const { checks } = await bo.value(['office', 'doctor']);
      expect((checks as readonly { readonly ok: boolean }[]).every(({ ok }) => ok)).toBe(true);
      await bo.value(['office', 'leave'], undefined, IN_PART);
      await bo.value(['office', 'leave', '--confirm']);
      expect(await bo.value(['office', 'status'])).toEqual({ member: null });
      await send(anna, 'After');
      expect(await send(bo, 'After')).toMatchObject({ state: 'sent' });
      expect(made('After')).toBe(2);
    },
    TIMEOUT_MS,
  );
});
