import type { TemplateContent } from '../../../shared/model/template.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSheet } from '../../../electron/adapters/sheets/read/sheet.ts';
import { openZip } from '../../../electron/adapters/sheets/read/zip.ts';
import { recoverBatches } from '../../../electron/core/batches/run.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { OutboxRef } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  HEADER,
  leaseV1,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let started: BatchDesk;
beforeEach(async () => {
  started = await startBatchDesk();
});
afterEach(() => {
  started[Symbol.dispose]();
});

const reasonOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.failure.reason;
    throw error;
  }
  return undefined;
};

/** Arms every ready row of the batch. */
async function arm({ desk }: BatchDesk, { id }: Batch, holdSeconds = 0): Promise<number> {
  const { ready } = await desk.api['batches.check']({ id });
  const { revision } = await desk.api['batches.show']({ id });
  const order = { id, confirm: ready, revision, holdSeconds };
  const { jobId } = await desk.api['batches.send'](order);
  expect((await desk.finish(jobId)).state).toBe('done');
  return ready;
}

async function reportOf({ desk }: BatchDesk, { id }: Batch, as: 'csv' | 'xlsx') {
  const { out } = await desk.api['batches.report']({ id, as, only: 'all' });
  return await readSheet(desk.bytes.take(out), {});
}

describe('a batch before it is sent', () => {
  it('matches Swedish headers and finds no problem in valid rows', async () => {
    const { desk } = started;
    const batch = await addBatch(started, await addLease(desk), people(3));
    const matched = Object.fromEntries(batch.matches.map((one) => [one.placeholder, one.column]));
    expect(matched).toEqual({
      'First name': 'Förnamn',
      'Last name': 'Efternamn',
      'Personal number': 'Personnummer',
      'E-mail': 'E-post',
      'Monthly rent': 'Monthly rent',
    });
    expect(await problemsOf(desk, batch)).toEqual([]);
    // The owner is notified of each row, and counts as one person.
    expect(await desk.api['batches.check']({ id: batch.id })).toMatchObject({
      ready: 3,
      errors: 0,
      parties: 3,
      people: 4,
      emails: 6,
      sms: 0,
    });
  });

  it('counts a person in several rows as one person to notify, in any letter case', async () => {
    const { desk } = started;
    const [first = '', second = ''] = people(2);
    const again = [first.replace(/;[^;]*$/, ';1'), first.toUpperCase().replace(/;[^;]*$/, ';2')];
    const batch = await addBatch(started, await addLease(desk), [first, second, ...again]);
    expect(await desk.api['batches.check']({ id: batch.id })).toMatchObject({
      ready: 4,
      parties: 4,
      people: 3,
      emails: 8,
    });
  });

  it('checks every row before the first is sent, and cannot be armed with a wrong count (TX-15)', async () => {
    const { desk } = started;
    const rows = [...people(3), 'Bo;Ek;198001019804;no address;9'];
    const { id, revision } = await addBatch(started, await addLease(desk), rows);
    expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 3, errors: 1 });
    const send = (confirm: number) => desk.api['batches.send']({ id, confirm, revision });
    for (const count of [0, 2, 4]) expect(await reasonOf(send(count))).toBe('count-differs');
    expect(await desk.api['outbox.batches']({})).toEqual([]);
  });

  it('cannot be armed while a missing column was not left empty on purpose', async () => {
    const { desk } = started;
    const header = HEADER.replace('Monthly rent', 'Shoe size');
    const template = await addLease(desk);
    const { id, matches } = await addBatch(started, template, people(2), { header });
    const send = async () => {
      const { revision } = await desk.api['batches.show']({ id });
      return desk.api['batches.send']({ id, confirm: 2, revision });
    };
    expect(await desk.api['batches.check']({ id })).toMatchObject({
      ready: 2,
      missingColumns: ['Monthly rent'],
    });
    expect(await reasonOf(send())).toBe('column-missing');
    expect(await desk.api['outbox.batches']({})).toEqual([]);
    const empty = matches.map((one) => ({ ...one, isLeftEmpty: one.column === null }));
    await desk.api['batches.setMatches']({ id, matches: empty });
    expect(await desk.finish((await send()).jobId)).toMatchObject({ state: 'done' });
    const next = await addBatch(started, template, people(2), { header });
    expect(await desk.api['batches.check']({ id: next.id })).toMatchObject({ missingColumns: [] });
  });

  it('cannot be armed after an edit that the user did not review', async () => {
    const { desk } = started;
    const { id, revision } = await addBatch(started, await addLease(desk), people(2));
    await desk.api['batches.edit']({ id, edits: [{ row: 2, column: 0, text: 'Eva' }] });
    expect(await reasonOf(desk.api['batches.send']({ id, confirm: 2, revision }))).toBe(
      'batch-changed',
    );
  });

  it('cannot be armed after its template changed, until its rows are checked again (TX-18)', async () => {
    const { desk } = started;
    const template = await addLease(desk);
    const { id, revision } = await addBatch(started, template, people(2));
    const change = { id: template.id, revision: template.revision, name: 'Lease' };
    await desk.api['templates.save']({ ...change, content: leaseV1 });
    expect(await reasonOf(desk.api['batches.send']({ id, confirm: 2, revision }))).toBe(
      'batch-changed',
    );
    const again = await desk.api['batches.setTemplate']({ id, templateId: template.id });
    const order = { id, confirm: 2, revision: again.revision };
    expect(await reasonOf(desk.api['batches.send'](order))).toBeUndefined();
  });

  it('names its problems by the row number of the spreadsheet (TX-23)', async () => {
    const { desk } = started;
    const [first = '', second = ''] = people(2);
    const bad = second.replace(/asa1@example.com/, 'no address');
    const batch = await addBatch(started, await addLease(desk), [first, ';;;;', bad]);
    expect(await problemsOf(desk, batch)).toEqual(['4:E-post:format']);
  });

  it('is blocked when two columns were swapped', async () => {
    const { desk } = started;
    const rows = people(5).map((row) => {
      const [given, family, number, email, rent] = row.split(';');
      return [given, family, email, number, rent].join(';');
    });
    const { id, revision } = await addBatch(started, await addLease(desk), rows);
    const check = await desk.api['batches.check']({ id });
    expect(check.wrongColumns).toEqual(['Personnummer', 'E-post']);
    expect(await reasonOf(desk.api['batches.send']({ id, confirm: 0, revision }))).toBe(
      'column-wrong',
    );
  });

  it('lists columns that are missing from the sheet and columns that are not used', async () => {
    const { desk } = started;
    const header = 'Förnamn;Efternamn;Ort;Personnummer;Monthly rent';
    const rows = people(3).map((row) => row.replace(/[^;@]{0,99}@[^;]*/, '').replace(/;;/, ';'));
    const batch = await addBatch(started, await addLease(desk), rows, { header });
    expect(batch.matches.find(({ placeholder }) => placeholder === 'E-mail')?.column).toBeNull();
  });

  it('corrects one cell, all equal cells and suggested cells, and undoes each correction', async () => {
    const { desk } = started;
    const rows = people(3).map((row) => row.replace(/;(\d{12});/, ';$1.0;'));
    const batch = await addBatch(started, await addLease(desk), rows);
    const { id } = batch;
    expect(await problemsOf(desk, batch)).toHaveLength(3);
    const order = { id, column: 2, code: 'field', detail: 'format' } as const;
    const { before, changed } = await desk.api['batches.repairAlike'](order);
    expect(changed).toBe(3);
    expect(await problemsOf(desk, batch)).toEqual([]);
    await desk.api['batches.edit']({ id, edits: before });
    expect(await problemsOf(desk, batch)).toHaveLength(3);
    const found = await desk.api['batches.replace']({ id, column: 2, find: '.0', replace: '' });
    expect(found.changed).toBe(3);
    expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 3 });
  });

  it('remembers the column mapping for the same headers and template', async () => {
    const { desk } = started;
    const template = await addLease(desk);
    const header = 'Vem;Efternamn;Personnummer;E-post;Hyra';
    const first = await addBatch(started, template, people(1), { header });
    const matches = first.matches.map((one) =>
      one.placeholder === 'Monthly rent' ? { ...one, column: 'Hyra' } : one,
    );
    await desk.api['batches.setMatches']({ id: first.id, matches });
    const second = await addBatch(started, template, people(2), { header });
    const rent = second.matches.find(({ placeholder }) => placeholder === 'Monthly rent');
    expect(rent?.column).toBe('Hyra');
  });

  it('shows a row with its merged PDF and the people who are notified', async () => {
    const { desk } = started;
    const { id } = await addBatch(started, await addLease(desk), people(2));
    const shown = await desk.api['batches.preview']({ id, row: 3 });
    expect(shown).toMatchObject({ title: 'Lease Åsa 1 Öberg', parties: ['Åsa 1 Öberg'] });
    expect(shown.check.recipients.map(({ address }) => address)).toContain('asa1@example.com');
    if (shown.out === null) throw new Error('No PDF');
    expect(Buffer.from(desk.bytes.take(shown.out)).subarray(0, 5).toString()).toBe('%PDF-');
  });
});

describe('a sample sheet', async () => {
  it('has the headers of its template, and formats every cell as text', async () => {
    const { desk } = started;
    const { id: templateId } = await addLease(desk);
    const { out, fileName } = await desk.api['batches.sample']({ templateId });
    expect(fileName).toBe('Lease.xlsx');
    const zip = await openZip(desk.bytes.take(out));
    const sheet = (await zip.read('xl/worksheets/sheet1.xml')).toString();
    for (const header of ['First name', 'Personal number', 'E-mail', 'Monthly rent']) {
      expect(sheet).toContain(header);
    }
    // Cells without a format use the first one: number format 49, which is text.
    expect((await zip.read('xl/styles.xml')).toString()).toMatch(/<cellXfs[^>]*><xf numFmtId="49"/);
  });
});

describe('a batch with repeated rows', async () => {
  it('excludes the second of two identical rows until the user includes it', async () => {
    const { desk } = started;
    const [row = ''] = people(1);
    const batch = await addBatch(started, await addLease(desk), [row, row]);
    const { id } = batch;
    expect(await problemsOf(desk, batch)).toEqual(['3::same-row']);
    expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 1, excluded: 1 });
    const order = { id, rows: [3], isExcluded: false };
    expect(await desk.api['batches.exclude'](order)).toMatchObject({
      check: { ready: 2, excluded: 0 },
    });
  });

  it('warns about the same person in two rows, and sends both (TX-17)', async () => {
    const { desk, world } = started;
    const [row = ''] = people(1);
    const other = row.replace('9000', '7000');
    const batch = await addBatch(started, await addLease(desk), [row, other]);
    expect(await problemsOf(desk, batch)).toEqual(['3::same-person']);
    expect(await arm(started, batch)).toBe(2);
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id: batch.id })).toMatchObject({ sent: 2 });
    const bodies = world.services.v1.created;
    expect(bodies).toHaveLength(2);
    const rents = bodies.map((body) => /\b[79]000\b/.exec(body)?.[0]);
    expect(rents.toSorted()).toEqual(['7000', '9000']);
  });

  it('recognises the same file, and offers only the unsent rows (TX-16)', async () => {
    const { desk } = started;
    const template = await addLease(desk);
    const rows = people(3);
    const first = await addBatch(started, template, rows.slice(0, 2));
    await arm(started, first);
    await desk.api['outbox.run']({});
    const second = await addBatch(started, template, rows);
    expect(await problemsOf(desk, second)).toEqual(['2::sent-before', '3::sent-before']);
    expect(await desk.api['batches.check']({ id: second.id })).toMatchObject({
      ready: 1,
      duplicates: 2,
    });
  });
});

describe('an armed batch', async () => {
  it('sends each row once, and its result keeps the original columns (TX-19)', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk), people(5));
    expect(await arm(started, batch)).toBe(5);
    await desk.api['outbox.run']({});
    const { id } = batch;
    expect(await desk.api['batches.progress']({ id })).toMatchObject({
      rows: 5,
      sent: 5,
      waiting: 0,
    });
    expect(world.services.v1.created).toHaveLength(5);
    for (const as of ['csv', 'xlsx'] as const) {
      const report = await reportOf(started, batch, as);
      expect(report.shape.columns.map(({ name }) => name)).toEqual([
        ...batch.sheet.columns.map(({ name }) => name),
        ...['row', 'state', 'id', 'error', 'error code', 'time'],
      ]);
      expect(report.rows[2]?.cells.slice(0, 7)).toEqual([
        ...(people(3)[2]?.split(';') ?? []),
        ...['4', 'sent'],
      ]);
    }
  });

  it('rejects the number of a row that does not exist', async () => {
    const { desk } = started;
    const { id } = await addBatch(started, await addLease(desk), people(1));
    await expect(desk.api['batches.preview']({ id, row: 9 })).rejects.toMatchObject({
      failure: { code: 'not-found' },
    });
  });

  it('gives each agreement the next number when its template has a counter', async () => {
    const { desk, world } = started;
    const body = { ...leaseV1.body, title: 'Lease {number}' };
    const counter = { prefix: 'L-', width: 3 };
    const template = await addLease(desk, { ...leaseV1, body, counter } satisfies TemplateContent);
    const batch = await addBatch(started, template, people(3));
    await arm(started, batch);
    await desk.api['outbox.run']({});
    const titles = world.services.v1.created.map((text) => /Lease L-\d+/u.exec(text)?.[0]);
    expect(titles.toSorted()).toEqual(['Lease L-001', 'Lease L-002', 'Lease L-003']);
  });

  it('reports the problem of each blocked row, as a sentence and as codes', async () => {
    const { desk } = started;
    const [good = '', bad = ''] = people(2);
    const rows = [good, bad.replace('asa1@example.com', 'nobody')];
    const batch = await addBatch(started, await addLease(desk), rows);
    const report = await reportOf(started, batch, 'csv');
    const ends = report.rows.map(({ cells }) => cells.slice(5));
    expect(ends[0]).toEqual(['2', 'not sent', '', '', '', '']);
    const [row, state, id, error, codes] = ends[1] ?? [];
    expect([row, state, id]).toEqual(['3', 'error', '']);
    expect(error).not.toBe('');
    expect(codes).toMatch(/^[a-z][\w-]*( [a-z][\w-]*)*$/u);
  });

  it('writes no cell that a spreadsheet would calculate, and can read the file that it wrote (TX-24)', async () => {
    const { desk } = started;
    const formulas = ['=1+1', '+46', '-2', '@SUM(A1)'];
    const rows = people(4).map((row, at) => row.replace(/;[^;]*$/, `;${formulas[at] ?? ''}`));
    const batch = await addBatch(started, await addLease(desk), rows);
    const { out } = await desk.api['batches.report']({ id: batch.id, as: 'csv', only: 'all' });
    const text = Buffer.from(desk.bytes.take(out)).toString();
    for (const cell of text.split(/[;\r\n]+/)) expect(cell).not.toMatch(/^[=+\-@]/);
    const back = await readSheet(desk.bytes.take(out), {});
    expect(back.rows.map(({ cells }) => cells[4])).toEqual(formulas);
  });

  it('marks its agreements by row, so that another computer recognises them', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk), people(1));
    await arm(started, batch);
    const [item] = await desk.api['outbox.list']({ batchId: batch.id });
    if (item === undefined) throw new Error('No row');
    const body = new TextDecoder().decode(world.stores.outbox.request(item.ref).body);
    expect(body).toMatch(/desk\.key.{3,5}[0-9a-f]{32}/);
    expect(body).toMatch(/desk\.src.{3,5}[0-9a-f]{32}/);
  });

  it('freezes no row when one cannot be merged, and names that row', async () => {
    const { desk, world } = started;
    // No font has the private-use character U+E000, but the check does not report it: as if the
    // check had used a font that was removed afterwards.
    world.pdf.missingLetters = async (texts) => texts.map(() => null);
    const content = { ...leaseV1, merge: 'here' as const };
    const rows = people(3).map((row, at) => (at === 1 ? row.replace(/;[^;]*$/, ';\uE000') : row));
    const batch = await addBatch(started, await addLease(desk, content), rows);
    const { id, revision } = batch;
    const { jobId } = await desk.api['batches.send']({ id, confirm: 3, revision });
    const job = await desk.finish(jobId);
    expect(job).toMatchObject({ state: 'failed', failure: { reason: 'problems-left' } });
    expect(await desk.api['outbox.batches']({})).toEqual([]);
    expect(await problemsOf(desk, batch)).toEqual(['3::refused']);
    expect(await desk.api['batches.show']({ id })).toMatchObject({ stage: 'open' });
  });

  it('can no longer be edited', async () => {
    const { desk } = started;
    const batch = await addBatch(started, await addLease(desk), people(1));
    await arm(started, batch);
    const edits = [{ row: 2, column: 0, text: 'Eva' }];
    expect(await reasonOf(desk.api['batches.edit']({ id: batch.id, edits }))).toBe('batch-armed');
    expect(await reasonOf(desk.api['batches.remove']({ id: batch.id }))).toBe('batch-armed');
  });

  it('is held as a whole, and no row is sent before the hold ends (SC-07)', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk), people(4));
    await arm(started, batch, 10);
    const { id } = batch;
    const began = world.clock.now();
    expect((await desk.api['batches.progress']({ id })).nextAt).toBeGreaterThanOrEqual(began);
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ sent: 0, waiting: 4 });
    expect(await desk.api['batches.sendNow']({ id })).toMatchObject({ waiting: 4 });
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ sent: 4, waiting: 0 });
  });

  it('can be undone while it is held: no row is sent, and all can be edited again (SC-07)', async () => {
    const { desk } = started;
    const batch = await addBatch(started, await addLease(desk), people(3));
    await arm(started, batch, 10);
    const again = await desk.api['batches.undo']({ id: batch.id });
    expect(again).toMatchObject({ stage: 'open', name: batch.name });
    expect(await desk.api['batches.check']({ id: again.id })).toMatchObject({
      ready: 3,
      errors: 0,
    });
    await desk.api['outbox.run']({});
    const { id } = batch;
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ sent: 0, stopped: 3 });
    // Sent again, each is sent once, without waiting.
    await arm(started, again);
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id: again.id })).toMatchObject({ sent: 3 });
  });

  it('is undone without the rows that the user had cancelled one by one (DL-Q2)', async () => {
    const { desk } = started;
    const batch = await addBatch(started, await addLease(desk), people(3));
    const { id } = batch;
    await arm(started, batch, 10);
    const rows = await desk.api['outbox.list']({ batchId: id });
    await desk.api['outbox.undo']({ ref: OutboxRef.parse(rows[1]?.ref) });
    const again = await desk.api['batches.undo']({ id });
    const shown = { id: again.id, filter: 'all', offset: 0, limit: 9 } as const;
    const left = (await desk.api['batches.rows'](shown)).rows.map(({ row }) => row);
    expect(left).toEqual([rows[0]?.rowNo, rows[2]?.rowNo]);
  });

  it('continues unchanged when it cannot be undone as a whole (DL-Q2)', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk), people(3));
    const { id } = batch;
    await arm(started, batch, 10);
    const { insert } = world.stores.batches;
    world.stores.batches.insert = () => {
      throw new AppError('storage', 'The disk is full');
    };
    await expect(desk.api['batches.undo']({ id })).rejects.toMatchObject({
      failure: { code: 'storage' },
    });
    world.stores.batches.insert = insert;
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ gate: 'open', waiting: 3 });
    expect(await desk.api['batches.undo']({ id })).toMatchObject({ sheet: { rows: 3 } });
  });

  it('cannot be undone once every row is sent', async () => {
    const { desk } = started;
    const batch = await addBatch(started, await addLease(desk), people(2));
    await arm(started, batch);
    await desk.api['outbox.run']({});
    await expect(desk.api['batches.undo']({ id: batch.id })).rejects.toMatchObject({
      failure: { code: 'not-found' },
    });
    expect(await desk.api['batches.progress']({ id: batch.id })).toMatchObject({ sent: 2 });
  });

  it('pauses, continues and stops; sent rows stay sent (AP-15)', async () => {
    const { desk } = started;
    const batch = await addBatch(started, await addLease(desk), people(4));
    const { id } = batch;
    await arm(started, batch);
    expect(await desk.api['batches.pause']({ id })).toMatchObject({ gate: 'paused', waiting: 4 });
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ sent: 0, waiting: 4 });
    const told = desk.emitted.length;
    expect(await desk.api['batches.stop']({ id })).toMatchObject({ gate: 'stopped', stopped: 4 });
    expect(desk.emitted.slice(told)).toContain('batches.changed');
    await desk.api['batches.resume']({ id });
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ sent: 0, stopped: 4 });
  });

  it('copies the rows that the service refused to a new batch', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk), people(3));
    const { id } = batch;
    await arm(started, batch);
    const [, second] = await desk.api['outbox.list']({ batchId: id });
    if (second === undefined) throw new Error('No second row');
    const fields = { email: 'The e-mail is unknown', mobile: 'No such number' };
    const failure = { code: 'invalid', message: 'The e-mail is unknown', fields } as const;
    world.stores.outbox.move(
      OutboxRef.parse(second.ref),
      ['queued'],
      { to: 'rejected', cause: 'answer', reason: failure, nextAt: null },
      world.clock.now(),
    );
    const name = 'Autumn, correction 1';
    const again = await desk.api['batches.refusedRows']({ id, name });
    expect(again.name).toBe(name);
    expect((await desk.api['batches.show']({ id })).name).toBe('Autumn');
    expect(await problemsOf(desk, again)).toEqual([`${second.rowNo ?? 0}::refused`]);
    const { rows } = await desk.api['batches.rows']({
      id: again.id,
      filter: 'all',
      offset: 0,
      limit: 10,
    });
    expect(JSON.stringify(rows)).toContain('"The e-mail is unknown; mobile: No such number"');
    const edits = [{ row: second.rowNo ?? 0, column: 3, text: 'new@example.com' }];
    expect((await desk.api['batches.edit']({ id: again.id, edits })).check).toMatchObject({
      ready: 1,
    });
  });
});

describe('a scheduled batch', async () => {
  it('waits for its time, keeps its hourly limit, and asks the user when its time was missed', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk), people(3));
    const startAt = world.clock.now() + HOUR;
    const { id } = batch;
    const schedule = { startAt, hours: null, perHour: 2 };
    await desk.api['batches.setSchedule']({ id, schedule, policy: 'ask' });
    await arm(started, batch);
    const times = (await desk.api['outbox.list']({ batchId: id })).map(({ nextAt }) => nextAt);
    expect(times.toSorted()).toEqual([startAt, startAt + 1_800_000, startAt + HOUR]);
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ sent: 0, nextAt: startAt });
    world.clock.advance(2 * HOUR);
    recoverBatches(world);
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ gate: 'asks', sent: 0 });
    await desk.api['batches.resume']({ id });
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ gate: 'open', sent: 1 });
  });

  it('waits for its time even if the user asks to send its rows immediately', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk), people(2));
    const { id } = batch;
    const schedule = { startAt: world.clock.now() + HOUR, hours: null, perHour: null };
    await desk.api['batches.setSchedule']({ id, schedule, policy: 'ask' });
    await arm(started, batch);
    await desk.api['batches.sendNow']({ id });
    await desk.api['outbox.run']({});
    expect(world.services.v1.created).toEqual([]);
  });
});
