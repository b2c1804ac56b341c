import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Batch } from '../../../shared/contract/batches.ts';
import { ods, odsRow, odsText, odsValue } from '../../adapters/sheets/ods.ts';
import { rowsOf, textCell, workbook } from '../../adapters/sheets/workbook.ts';
import {
  addLease,
  type BatchDesk,
  HEADER,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

/** Rows without the tested last column, the monthly rent: a text field of the PDF. */
const known = (count: number): string[][] =>
  people(count).map((line) => line.split(';').slice(0, -1));
const number = (value: number, style: number): string => `<c s="${style}"><v>${value}</v></c>`;

let started: BatchDesk;
beforeEach(async () => {
  started = await startBatchDesk();
});
afterEach(() => started[Symbol.dispose]());

async function take(data: Uint8Array, fileName: string): Promise<Batch> {
  const { desk, connectionId } = started;
  const [lease] = await desk.api['templates.list']({});
  const { id: templateId } = lease ?? (await addLease(desk));
  const about = { name: 'Autumn', fileName, choices: {}, bytes: desk.bytes.put(data) };
  return desk.api['batches.create']({ ...about, connectionId, templateId });
}

/** A workbook with these rent cells. */
function bookOf(rents: readonly string[], formats: readonly string[]): Uint8Array {
  const rows = known(rents.length).map(
    (texts, at) =>
      `<row r="${at + 2}">${texts.map((text) => textCell(text)).join('')}${rents[at] ?? ''}</row>`,
  );
  return workbook({ sheets: { Blad1: rowsOf([HEADER.split(';')]) + rows.join('') }, formats });
}

/** Rent that each armed row would send. */
function sentRents({ id }: Batch): string[] {
  const { outbox } = started.world.stores;
  return outbox.inBatch(id).map(({ ref }) => {
    const body = Buffer.from(outbox.request(ref).body).toString();
    return /"name":"rent","value":"([^"]*)"/.exec(body)?.[1] ?? body;
  });
}

async function sendAll(batch: Batch): Promise<void> {
  const { desk } = started;
  const { ready } = await desk.api['batches.check']({ id: batch.id });
  const { revision } = await desk.api['batches.show']({ id: batch.id });
  const { jobId } = await desk.api['batches.send']({ id: batch.id, confirm: ready, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
}

describe('a rent displayed with a number format', () => {
  it('is sent as displayed when the format defines every character (IN-06, IN-07)', async () => {
    const formats = ['000000', '[h]:mm', '00 00 00'];
    const rents = [number(123, 1), number(40 / 24, 2), number(12_345, 3)];
    const batch = await take(bookOf(rents, formats), 'leases.xlsx');
    expect(await problemsOf(started.desk, batch)).toEqual([]);
    await sendAll(batch);
    expect(sentRents(batch)).toEqual(['000123', '40:00', '01 23 45']);
  });

  it('is not sent as a currency amount until the user confirms it, for one cell or all equal cells (IN-08)', async () => {
    const { desk } = started;
    const formats = ['#,##0.00\\ "kr"'];
    const rents = [number(8333.33, 1), number(9400, 1), number(8333.33333333333, 1)];
    const batch = await take(bookOf(rents, formats), 'leases.xlsx');
    const { id } = batch;
    expect(await problemsOf(desk, batch)).toEqual([
      '2:Monthly rent:formatted',
      '3:Monthly rent:formatted',
      '4:Monthly rent:shown-rounded',
    ]);
    expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 0, errors: 3 });
    const { rows } = await desk.api['batches.rows']({ id, filter: 'all', offset: 0, limit: 10 });
    expect(rows.map(({ problems }) => problems[0]?.repairs)).toEqual([
      ['8333.33'],
      ['9400.00'],
      ['8333.33'],
    ]);
    const alike = { id, column: 4, detail: '' };
    expect(await desk.api['batches.repairAlike']({ ...alike, code: 'formatted' })).toMatchObject({
      changed: 2,
    });
    expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 2, errors: 1 });
    await desk.api['batches.edit']({ id, edits: [{ row: 4, column: 4, text: '8 333,33 kr' }] });
    await sendAll(batch);
    expect(sentRents(batch)).toEqual(['8333.33', '9400.00', '8 333,33 kr']);
  });

  it('is sent and reported when its decimal sign or date may be displayed differently (IN-05, IN-08)', async () => {
    const formats = ['0.00', 'd mmmm yyyy'];
    const rents = [number(12.5, 1), number(46_418, 2), number(0.1 + 0.2 - 0.3, 1)];
    const batch = await take(bookOf(rents, formats), 'leases.xlsx');
    const problems = await problemsOf(started.desk, batch);
    expect(problems).toEqual([
      '2:Monthly rent:decimal',
      '3:Monthly rent:date-form',
      '4:Monthly rent:shown-rounded',
      '4:Monthly rent:text-cut',
    ]);
    const { id } = batch;
    expect(await started.desk.api['batches.check']({ id })).toMatchObject({
      ready: 2,
      warnings: 2,
      errors: 1,
    });
    await sendAll(batch);
    expect(sentRents(batch)).toEqual(['12.50', '2027-01-31']);
  });

  it('is sent as an OpenDocument spreadsheet displays it (IN-21)', async () => {
    const rents = [
      odsValue('currency', '8333.33333333333', '8 333,33 kr'),
      odsValue('float', '123', '000123'),
      odsValue('time', 'PT40H00M00S', '40:00'),
    ];
    const header = odsRow(HEADER.split(';').map((name) => odsText(name)));
    const rows = known(rents.length).map((texts, at) =>
      odsRow([...texts.map((text) => odsText(text)), rents[at] ?? '']),
    );
    const batch = await take(ods({ tables: { Blad1: header + rows.join('') } }), 'leases.ods');
    expect(batch.sheet).toMatchObject({ format: 'ods', sheet: 'Blad1', notices: [] });
    expect(await problemsOf(started.desk, batch)).toEqual([]);
    await sendAll(batch);
    expect(sentRents(batch)).toEqual(['8 333,33 kr', '000123', '40:00']);
  });

  it('is not read from a truncated workbook: none of its rows is imported (IN-01)', async () => {
    const whole = bookOf([textCell('9400'), textCell('9500')], []);
    const before = started.world.stores.batches.list();
    const cut = workbook({
      sheets: { Blad1: rowsOf([HEADER.split(';'), ...known(3)]).slice(0, -40) },
    });
    await expect(take(cut, 'leases.xlsx')).rejects.toMatchObject({
      failure: { reason: 'sheet-damaged' },
    });
    expect(started.world.stores.batches.list()).toEqual(before);
    expect((await take(whole, 'leases.xlsx')).sheet.rows).toBe(2);
  });
});
