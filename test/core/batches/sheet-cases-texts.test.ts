import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSheet } from '../../../electron/adapters/sheets/read/sheet.ts';
import type { BatchMapping } from '../../../shared/contract/batches.ts';
import { mappingFrom } from '../../../shared/rules/batches/mapping-file.ts';
import { mappingV1, mappingV2 } from '../../rules/batches/row.ts';
import {
  addBatch,
  addLease,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import { csvOf, importing, importingRow, leaseV2 } from '../../support/sheets/sheet-cases.ts';

/* Cases 51 to 64, about texts, days, orders, files and duplicates: each as cells of a real file. */

type Cells = Readonly<Record<string, string>>;
const [person] = mappingV1.body['parties'] as object[];
const rows = (name: string, values: readonly string[]) =>
  values.map((value, at) => ({ [name]: value, Rent: String(at) }));
const with1 = (body: object, fields: Cells = mappingV1.fields): BatchMapping => ({
  api: 'v1',
  body: { ...mappingV1.body, ...body } as BatchMapping['body'],
  fields,
});
const with2 = (body: object): BatchMapping => ({
  ...mappingV2,
  body: { ...mappingV2.body, ...body } as BatchMapping['body'],
});

/** Expects that no row is sent, and that the invalid cell has the reason `problem`. */
async function refuses(problem: string, cells: Cells, mapping?: BatchMapping): Promise<void> {
  const api = mapping?.api ?? 'v1';
  const given = mapping === undefined ? { api } : { api, mapping };
  const { errors, armed } = await importing(csvOf([cells], api), given);
  expect(errors).toContain(problem);
  expect(armed).toEqual([]);
}

describe('a text in a cell', () => {
  it('51: is an invalid name if it changes text direction, is too long or blank; accents are composed', async () => {
    await refuses('2:First name:identifier', { 'First name': 'Åsa\u202egnp' });
    await refuses('2:First name:identifier', { 'First name': 'x'.repeat(500) });
    await refuses('2:First name:required', { 'First name': ' \u00a0 ' });
    const { bodies } = await importingRow({ 'First name': 'A\u030asa' });
    expect(bodies[0]?.parties).toMatchObject([{ firstName: 'Åsa' }]);
  });

  it('52: that looks like a formula stays text, and no written file calculates it', async () => {
    const formulas = ['=HYPERLINK("http://x";"y")', '+1', '-2', '@SUM(A1)', '=1+1'];
    using started = await startBatchDesk();
    const { desk } = started;
    const lease = await addLease(desk);
    const table = people(formulas.length).map((row, at) => {
      const [given, family, number, email] = row.split(';');
      const quoted = `"${(formulas[at] ?? '').replaceAll('"', '""')}"`;
      return [given, family, number, email, quoted].join(';');
    });
    const { id, revision, ...batch } = await addBatch(started, lease, table);
    expect(await problemsOf(desk, { id, revision, ...batch })).toEqual([]);
    const { jobId } = await desk.api['batches.send']({ id, confirm: formulas.length, revision });
    await desk.finish(jobId);
    for (const as of ['csv', 'xlsx'] as const) {
      const { out } = await desk.api['batches.report']({ id, as, only: 'all' });
      const data = desk.bytes.take(out);
      const text = Buffer.from(data).toString();
      if (as === 'csv')
        for (const cell of text.split(/[;\r\n]+/)) expect(cell).not.toMatch(/^[=+\-@]/);
      const read = await readSheet(data, {});
      expect(read.shape.notices.filter(({ code }) => code === 'formulas')).toEqual([]);
      const shown = read.rows.map(({ cells }) => cells[4]?.replace(/^'/, ''));
      expect(shown).toEqual(formulas);
    }
  });

  it('53: of a message is sent unchanged, even with scripts, and is rejected over its limit', async () => {
    const mapping = { ...with2({ type: 'FREE_TEXT', text: '{Text}' }), fields: {} };
    const script = '<script>alert(1)</script>';
    const imported = await importing(csvOf([{ Text: script }], 'v2'), { api: 'v2', mapping });
    expect(imported.bodies[0]?.text).toBe(script);
    await refuses('2:Text:too-long', { Text: 'x'.repeat(30_001) }, mapping);
  });

  it('54: with a past time is rejected, and so are days that are not a whole number in range', async () => {
    await refuses('2:Expires:not-future', { Expires: '2026-11-01' });
    const days = await importing(csvOf(rows('Days', ['-1', '100', '1.5', '60 dagar']), 'v2'), {
      api: 'v2',
    });
    expect(days.errors).toEqual([
      ...['2:Days:range', '3:Days:range', '4:Days:range', '5:Days:not-a-number'],
    ]);
    expect(days.armed).toEqual([]);
  });

  it('55: with a date is read only in ISO form, until the user chooses the form of the column', async () => {
    const unclear = ['2027-02-30', '03/04/2027', '27-3-4', '20270304', '46082'];
    const imported = await importing(csvOf(rows('Expires', unclear)));
    for (const row of [2, 3, 4, 5, 6]) {
      expect(imported.errors).toContain(`${String(row)}:Expires:date-unclear`);
    }
    expect(imported.armed).toEqual([]);
  });

  it('56: with a date uses Stockholm time, and an hour skipped by the clock change is rejected', async () => {
    await refuses('2:Expires:date-unclear', { Expires: '2027-03-28 02:30' });
    const { bodies } = await importingRow({ Expires: '2027-03-28 03:30' });
    expect(bodies[0]?.expireOn).toBe('20270328T013000Z');
  });

  it('57: with a signing order is a whole number from 1; gaps and empty cells are accepted', async () => {
    const mapping = with1({ parties: [{ ...person, signingOrder: '{Order}' }] });
    const orders = rows('Order', ['0', '-1', '1.5', '1', '3', '']);
    const imported = await importing(csvOf(orders), { mapping });
    expect(imported.errors).toEqual(['2:Order:order', '3:Order:order', '4:Order:order']);
    expect(imported.armed).toEqual([5, 6, 7]);
  });

  it('58: that places a signature, or names a field that the PDF lacks, is rejected', async () => {
    await refuses('2:Rent:placeholder', { Rent: '{{@agr.parties[9].signature}}' });
    await refuses('2:Rent:no-such-field', {}, with1({}, { landlord: '{Rent}' }));
    const nobody = { tenant: '{{@agr.parties[9].signature}}', rent: '{Rent}' };
    await refuses('2::placeholder', {}, with1({}, nobody));
  });

  it('59: with a tag is rejected if the service does not accept the form of the tag', async () => {
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`k${String(at)}`, 'x']));
    const long = { ['k'.repeat(129)]: 'x' };
    for (const tags of [{ a: '{Rent}!' }, { 'egr:a': 'x' }, long, { a: 'x'.repeat(257) }, many]) {
      const { errors, armed } = await importingRow({ Rent: 'a*b' }, { mapping: with1({ tags }) });
      expect(errors.length).toBeGreaterThan(0);
      expect(armed).toEqual([]);
    }
    const unit = with1({ tags: { unit: '{Rent}' } });
    expect(await importingRow({}, { mapping: unit })).toMatchObject({ errors: [], armed: [2] });
  });

  it('60: over its length limit is rejected', async () => {
    const drawn = with2({ drawSignature: true, signatureMessage: '{Note}' });
    await refuses('2:Note:too-long', { Note: 'x'.repeat(121) }, drawn);
    const owner = [{ type: 'OWNER_DETAILS', companyShortName: '{Note}' }];
    await refuses('2:Note:too-long', { Note: 'x'.repeat(12) }, with1({ configurations: owner }));
  });
});

describe('the document of a batch row', async () => {
  it('61: is the PDF of the template: a path in a cell is text, and one in a mapping is ignored', async () => {
    for (const path of ['../../etc/passwd', '\\\\server\\share\\a.pdf', 'C:\\a.pdf', 'avtal.pdf']) {
      const file = { ...mappingV1.body, fields: mappingV1.fields, attachments: [{ path }] };
      const mapping = mappingFrom(file, 'v1');
      expect(mapping?.body).not.toHaveProperty('attachments');
      const imported = await importingRow({ Rent: path }, mapping === null ? {} : { mapping });
      expect(imported).toMatchObject({ errors: [], armed: [2] });
      expect(imported.bodies[0]).toMatchObject({ attachments: [{ type: 'BASE64' }] });
    }
  });

  it('62: may be just under 12 MB, and is rejected from 12 MB on before sending', async () => {
    for (const [bytes, armed] of [
      [11_999_999, [2]],
      [12_000_000, []],
    ] as const) {
      using started = await startBatchDesk('v2');
      const { desk, temp } = started;
      const { templates } = temp.stores;
      const lease = await addLease(desk, leaseV2);
      const padded = new Uint8Array(bytes).fill(0x20);
      padded.set(templates.pdf(lease.id));
      if (lease.source.kind !== 'pdf') throw new Error('The lease has no PDF');
      templates.save({ ...lease, source: { ...lease.source, bytes } }, padded);
      const batch = await addBatch(started, templates.get(lease.id), people(1));
      const problems = await problemsOf(desk, batch);
      const { id, revision } = batch;
      const { ready } = await desk.api['batches.check']({ id });
      expect({ bytes, ready }).toEqual({ bytes, ready: armed.length });
      if (armed.length === 0) {
        expect(problems).toContain('2::too-large');
        const sent = desk.api['batches.send']({ id, confirm: ready, revision });
        await expect(sent).rejects.toMatchObject({ failure: { reason: 'count-differs' } });
      }
    }
  });

  it('63: is reported as a repeat of a row in this file, in an earlier file, or of another computer', async () => {
    using started = await startBatchDesk();
    const { desk, world, connectionId } = started;
    const lease = await addLease(desk);
    const [first = '', second = ''] = people(2);
    const batch = await addBatch(started, lease, [first, first, second]);
    expect(await problemsOf(desk, batch)).toEqual(['3::same-row']);
    const { id, revision } = batch;
    expect(await desk.api['batches.check']({ id })).toMatchObject({ ready: 2, excluded: 1 });
    const { jobId } = await desk.api['batches.send']({ id, confirm: 2, revision });
    await desk.finish(jobId);
    await desk.api['outbox.run']({});
    const resaved = await addBatch(started, lease, [first, second]);
    expect(await problemsOf(desk, resaved)).toEqual(['2::sent-before', '3::sent-before']);
    const keys = world.services.v1.created.map((text) => /"desk\.key":"(\w+)"/.exec(text)?.[1]);
    using other = await startBatchDesk();
    const tags = { 'desk.key': keys[0] ?? '', 'desk.ref': 'another' };
    const received = remoteOf({ id: '004711000001', tags });
    other.world.stores.agreements.put(other.connectionId, 'v1', [received], world.clock.now());
    const there = await addBatch(other, await addLease(other.desk), [first, second]);
    expect(await problemsOf(other.desk, there)).toEqual(['2::on-service']);
    expect(connectionId).toBeDefined();
  });

  it('64: is sent only after the user typed the number of rows, and only as the user reviewed it', async () => {
    using started = await startBatchDesk();
    const { desk, world } = started;
    const { id, revision } = await addBatch(started, await addLease(desk), people(3));
    const send = (confirm: number) => desk.api['batches.send']({ id, confirm, revision });
    for (const count of [0, 2, 4]) {
      await expect(send(count)).rejects.toMatchObject({ failure: { reason: 'count-differs' } });
    }
    const edits = [{ row: 2, column: 0, text: 'Eva' }];
    await desk.api['batches.edit']({ id, edits });
    await expect(send(3)).rejects.toMatchObject({ failure: { reason: 'batch-changed' } });
    expect(world.stores.outbox.inBatch(id)).toEqual([]);
    const kept = world.stores.batches.file(id);
    expect(kept.sha256).toBe(createHash('sha256').update(kept.data).digest('hex'));
  });
});
