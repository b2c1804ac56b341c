import { describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DrawnField } from '../../../shared/model/template.ts';
import { realForms } from '../../support/desks/batch-desk.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';

const drawn = (name: string, y: number): DrawnField => ({
  id: `id of ${name}`,
  name,
  kind: 'text',
  places: [{ page: 1, box: { x: 100, y, width: 200, height: 20 } }],
  label: '',
  required: false,
  maxLength: null,
  fontSize: null,
  align: 'left',
  options: [],
  value: '',
  source: null,
});
const placed = ({ id: _id, ...field }: DrawnField) => field;

async function withTemplate() {
  const desk = startMemoryDesk({ ...createWorld(), pdf: realForms() });
  const lines = ['Tenant: ____________________', 'Signature: ____________________'];
  const bytes = desk.bytes.put(new Uint8Array(await plainPdf('Lease', lines)));
  const add = { name: 'Lease', api: 'v1', fileName: 'lease.pdf', bytes } as const;
  return { desk, template: await desk.api['templates.add'](add) };
}

describe('the drawn fields of a template', () => {
  it('are stored unchanged, even with an invalid name, until they are placed or discarded', async () => {
    const { desk, template } = await withTemplate();
    const { id } = template;
    const drawing = { fields: [drawn('', 600), drawn('a.b', 500)], found: [] };
    const kept = await desk.api['templates.draw']({ id, revision: template.revision, drawing });
    expect(kept.content.drawing).toEqual(drawing);
    expect((await desk.api['templates.get']({ id })).content.drawing).toEqual(drawing);
    const late = desk.api['templates.draw']({ id, revision: template.revision, drawing });
    await expect(late).rejects.toMatchObject({ failure: { code: 'conflict' } });
    const { revision } = kept;
    const without = await desk.api['templates.draw']({ id, revision, drawing: null });
    expect('drawing' in without.content).toBe(false);
  });

  it('are filled from their mapping once placed, and other mappings stay', async () => {
    const { desk, template } = await withTemplate();
    const { id } = template;
    const drawing = { fields: [drawn('Rent', 500)], found: [] };
    const kept = await desk.api['templates.draw']({ id, revision: template.revision, drawing });
    const first = await desk.api['templates.place']({
      id,
      revision: kept.revision,
      fields: [
        { ...placed(drawn('Tenant', 600)), source: { from: 'counter' } },
        { ...placed(drawn('Rent', 500)), source: null },
      ],
    });
    expect('drawing' in first.content).toBe(false);
    expect(first.content.mapping).toEqual([{ field: 'Tenant', source: { from: 'counter' } }]);
    const next = await desk.api['templates.place']({
      id,
      revision: first.revision,
      fields: [
        { ...placed(drawn('Name', 600)), was: 'Tenant', source: null },
        { ...placed(drawn('Rent', 500)), source: { from: 'fixed', value: '9' } },
      ],
    });
    expect(next.content.mapping).toEqual([
      { field: 'Name', source: { from: 'counter' } },
      { field: 'Rent', source: { from: 'fixed', value: '9' } },
    ]);
    const last = await desk.api['templates.place']({
      id,
      revision: next.revision,
      fields: [{ ...placed(drawn('Rent', 500)), was: 'Rent', source: { from: 'counter' } }],
    });
    expect(last.content.mapping).toEqual([{ field: 'Rent', source: { from: 'counter' } }]);
  });

  it('are on pages with known lines, next to existing fields', async () => {
    const { desk, template } = await withTemplate();
    const { id, revision } = template;
    const fields = [placed(drawn('Tenant', 600))];
    await desk.api['templates.place']({ id, revision, fields });
    const { pages, others } = await desk.api['templates.board']({ id });
    expect(pages).toHaveLength(1);
    expect(pages[0]?.ys.length).toBeGreaterThan(2);
    // Drawn fields are not part of the underlying PDF's form.
    expect(others).toEqual([]);
    const beneath = await desk.desk.serveBytes(`/bytes/template/${id}/beneath`);
    const whole = await desk.desk.serveBytes(`/bytes/template/${id}`);
    expect(beneath?.data.length).toBeLessThan(whole?.data.length ?? 0);
    expect(await desk.desk.serveBytes(`/bytes/template/${id}/elsewhere`)).toBeNull();
  });

  it('are saved with the PDF under a free name, and the file is recognised as a PDF', async () => {
    const { desk, template } = await withTemplate();
    const { id, revision } = template;
    const fields = [placed(drawn('Tenant', 600))];
    await desk.api['templates.place']({ id, revision, fields });
    const saved = [];
    for (let time = 0; time < 2; time += 1) {
      saved.push((await desk.api['templates.savePdf']({ id, folder: '/documents' })).file);
    }
    expect(saved).toEqual(['/documents/lease.pdf', '/documents/lease (2).pdf']);
    const data = desk.files.saved.get('/documents/lease.pdf');
    const given = desk.bytes.put(data ?? new Uint8Array());
    const form = await desk.api['templates.fields']({ bytes: given });
    expect(form.fields.map(({ name }) => name)).toEqual(['Tenant']);
  });

  it('can only be added to a local PDF', async () => {
    const desk = startMemoryDesk({ ...createWorld(), pdf: realForms() });
    const about = { name: 'There', templateId: 't' };
    const { id, revision } = await desk.api['templates.addService'](about);
    const drawing = { fields: [], found: [] };
    await expect(desk.api['templates.draw']({ id, revision, drawing })).rejects.toThrow(
      'is on the service',
    );
    await expect(desk.api['templates.board']({ id })).rejects.toThrow('is on the service');
    await expect(desk.api['templates.startFind']({ id })).rejects.toThrow('is on the service');
    const saving = desk.api['templates.savePdf']({ id, folder: '/documents' });
    await expect(saving).rejects.toThrow('is on the service');
  });
});

describe('a search for places to fill in on a PDF', () => {
  it('returns its results as a job, even where fields are drawn over them', async () => {
    const { desk, template } = await withTemplate();
    const { id, revision } = template;
    await desk.api['templates.place']({ id, revision, fields: [placed(drawn('Tenant', 600))] });
    const { jobId } = await desk.api['templates.startFind']({ id });
    const job = async () => desk.api['jobs.show']({ jobId });
    await desk.until(async () => (await job()).state !== 'running');
    const ended = await job();
    expect(ended).toMatchObject({ kind: 'find-fields', state: 'done', done: 1, total: 1 });
    expect(ended.result).toMatchObject({
      found: [{ field: { name: 'Tenant' } }, { field: { name: 'Signature' } }],
    });
  });

  it('stops on request, and then finds nothing', async () => {
    const world = createWorld();
    const pdf = {
      ...realForms(),
      find: (_data: Uint8Array, signal?: AbortSignal) =>
        new Promise<never>((_, reject) => {
          const end = () => reject(new AppError('cancelled', 'Ended'));
          if (signal?.aborted === true) end();
          else signal?.addEventListener('abort', end);
        }),
    };
    const desk = startMemoryDesk({ ...world, pdf });
    const bytes = desk.bytes.put(new Uint8Array(await plainPdf('Lease', ['Name: ______'])));
    const add = { name: 'Lease', api: 'v1', fileName: 'lease.pdf', bytes } as const;
    const { id } = await desk.api['templates.add'](add);
    const { jobId } = await desk.api['templates.startFind']({ id });
    await desk.api['jobs.cancel']({ jobId });
    const job = async () => desk.api['jobs.show']({ jobId });
    await desk.until(async () => (await job()).state !== 'running');
    expect(await job()).toMatchObject({ state: 'cancelled', result: null });
  });
});
