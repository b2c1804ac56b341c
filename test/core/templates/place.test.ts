import { expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import { realForms } from '../../support/desks/batch-desk.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';

const field = (name: string, y: number): PlacedField => ({
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
});

it('the mapping of a drawn field stays when the field is renamed, and is removed with the field', async () => {
  const desk = startMemoryDesk({ ...createWorld(), pdf: realForms() });
  const bytes = desk.bytes.put(new Uint8Array(await plainPdf('Lease', ['A lease.'])));
  const add = { name: 'Lease', api: 'v1', fileName: 'lease.pdf', bytes } as const;
  const { id, revision } = await desk.api['templates.add'](add);
  const drawn = await desk.api['templates.place']({
    id,
    revision,
    fields: [field('Tenant', 600), field('Rent', 500), field('Day', 400)],
  });
  if (drawn.source.kind !== 'pdf') expect.unreachable();
  expect(drawn.source.form.placed?.map(({ name }) => name)).toEqual(['Tenant', 'Rent', 'Day']);
  const fixed = (of: string) => ({ field: of, source: { from: 'fixed', value: of } }) as const;
  const mapped = await desk.api['templates.save']({
    id,
    revision: drawn.revision,
    name: 'Lease',
    content: { ...drawn.content, mapping: ['Tenant', 'Rent', 'Day'].map(fixed) },
  });
  // Two fields swap their names, and one is removed.
  const next = await desk.api['templates.place']({
    id,
    revision: mapped.revision,
    fields: [
      { ...field('Rent', 600), was: 'Tenant' },
      { ...field('Tenant', 500), was: 'Rent' },
    ],
  });
  expect(next.content.mapping).toEqual([
    { field: 'Rent', source: { from: 'fixed', value: 'Tenant' } },
    { field: 'Tenant', source: { from: 'fixed', value: 'Rent' } },
  ]);
  const late = desk.api['templates.place']({ id, revision: drawn.revision, fields: [] });
  await expect(late).rejects.toMatchObject({ failure: { code: 'conflict' } });
  const { source } = await desk.api['templates.get']({ id });
  expect(source).toMatchObject({ form: { fields: [{ name: 'Rent' }, { name: 'Tenant' }] } });
});

it('fields can only be drawn on a local PDF', async () => {
  const desk = startMemoryDesk({ ...createWorld(), pdf: realForms() });
  const { id, revision } = await desk.api['templates.addService']({
    name: 'There',
    templateId: 't',
  });
  const there = desk.api['templates.place']({ id, revision, fields: [field('Tenant', 600)] });
  await expect(there).rejects.toThrow('is on the service');
  await expect(desk.api['templates.pdf']({ id })).rejects.toThrow('is on the service');
});
