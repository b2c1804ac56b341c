import { afterEach, expect, it } from 'vitest';
import { openDocuments } from '../../../electron/core/batches/documents.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { FileId } from '../../../shared/model/ids.ts';
import { DraftContent } from '../../../shared/contract/drafts.ts';
import { throughTool } from '../../adapters/pdf/sample-pdfs.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { type BatchDesk, leaseV1, startBatchDesk } from '../../support/desks/batch-desk.ts';

let started: BatchDesk;

afterEach(() => {
  started[Symbol.dispose]();
});

it.each(['here', 'service'] as const)(
  'a template with an encrypted PDF fills rows locally, and does not send the PDF as it is: merged %s (IN-Q15)',
  async (merge) => {
    started = await startBatchDesk();
    const { desk, world } = started;
    const args = ['--encrypt', '', 'owner', '256', '--print=none', '--', 'in.pdf', 'out.pdf'];
    const { out } = throughTool('qpdf', await formPdf('Lease', ['tenant', 'rent']), args);
    const bytes = desk.bytes.put(out ?? new Uint8Array());
    const about = { name: 'Lease', api: 'v1', fileName: 'Lease.pdf', bytes } as const;
    const { id, revision } = await desk.api['templates.add'](about);
    const content = { ...leaseV1, merge };
    const template = await desk.api['templates.save']({ id, revision, name: 'Lease', content });
    if (template.source.kind !== 'pdf') throw new Error('It is no template with a PDF');
    const { form } = template.source;
    expect(form.notices).toEqual(['owner-locked']);
    const file = FileId.parse('00000000-0000-4000-8000-000000000001');
    const described = {
      id: file,
      name: 'Lease.pdf',
      mimeType: 'application/pdf',
      bytes: out?.length ?? 0,
      sha256: '',
      pages: 1,
      fieldCount: 2,
      notices: ['owner-locked' as const],
    };
    const documents = openDocuments(
      { stores: world.stores, pdf: world.pdf },
      template,
      { file: described, form, merge },
      [],
    );
    const body = DraftContent.parse({ api: 'v1', body: bodyV1('Lease') });
    const row = documents.of({ content: body, fields: [{ name: 'tenant', value: 'Eva' }] });
    if (merge === 'service') {
      await expect(row).rejects.toMatchObject({ failure: { reason: 'pdf-restricted' } });
    } else {
      const data = (await row).files.get(file)?.data ?? new Uint8Array();
      expect(throughTool('qpdf', data, ['--is-encrypted', 'in.pdf']).status).toBe(2);
      expect(throughTool('pdftotext', data, ['in.pdf', '-']).said).toContain('Eva');
    }
    documents.close();
  },
);
