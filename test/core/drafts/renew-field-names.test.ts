import { describe, expect, it } from 'vitest';
import { renewFieldNames } from '../../../electron/core/drafts/renew-field-names.ts';
import type { TemplateContent } from '../../../shared/model/template.ts';
import { namelessGroups } from '../../adapters/pdf/mended-forms.ts';
import { addBatch, leaseV1, people, startBatchDesk } from '../../support/desks/batch-desk.ts';

const FORMER = 'undefined.first';

describe('templates of earlier versions', () => {
  it('get the field names that the service knows, and so do their open batches (IN-18)', async () => {
    using started = await startBatchDesk();
    const { desk, world } = started;
    const bytes = desk.bytes.put(await namelessGroups());
    const about = { name: 'Lease', api: 'v1' as const, fileName: 'groups.pdf', bytes };
    const { id, revision } = await desk.api['templates.add'](about);
    const content: TemplateContent = {
      ...leaseV1,
      mapping: [{ field: FORMER, source: { from: 'question', question: 'rent' } }],
    };
    await desk.api['templates.save']({ id, revision, name: 'Lease', content });
    // Field names as an earlier version read them from the PDF.
    const { templates } = world.stores;
    const stored = templates.get(id);
    if (stored.source.kind !== 'pdf') throw new Error('The template has a PDF');
    const fields = stored.source.form.fields.map((field) =>
      field.name === 'first' ? { ...field, name: FORMER } : field,
    );
    const form = { ...stored.source.form, fields };
    templates.save({ ...stored, source: { ...stored.source, form } }, null);
    const batch = await addBatch(started, templates.get(id), people(2));
    expect(Object.keys(batch.mapping?.fields ?? {})).toEqual([FORMER]);

    await renewFieldNames({ stores: world.stores, pdf: world.pdf, clock: world.clock });

    const renewed = templates.get(id);
    expect(renewed.content.mapping.map(({ field }) => field)).toEqual(['first']);
    expect(renewed.source).toMatchObject({ form: { fields: [{ name: 'first' }, {}] } });
    const order = await desk.api['batches.show']({ id: batch.id });
    const { ready } = await desk.api['batches.check']({ id: batch.id });
    expect(ready).toBe(2);
    const { jobId } = await desk.api['batches.send']({
      id: batch.id,
      confirm: ready,
      revision: order.revision,
    });
    expect((await desk.finish(jobId)).state).toBe('done');
    await desk.api['outbox.run']({});
    const bodies = world.services.v1.created.join('\n');
    expect(bodies).toContain('"name":"first"');
    expect(bodies).not.toContain('undefined');
    const again = templates.get(id).revision;
    await renewFieldNames({ stores: world.stores, pdf: world.pdf, clock: world.clock });
    expect(templates.get(id).revision).toBe(again);
  });
});
