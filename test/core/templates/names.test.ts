import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import type { TemplateContent } from '../../../shared/model/template.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  leaseV1,
  people,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

const additionalText = 'Dear {Tenant}, {Monthly rent} a month, {{as is}}';
const lease: TemplateContent = {
  ...leaseV1,
  mapping: [{ field: 'rent', source: { from: 'fixed', value: '{Monthly rent} SEK' } }],
  body: {
    api: 'v2',
    title: 'Lease {Tenant}',
    expireDays: 30,
    rest: { notificationMessages: [{ type: 'signed', additionalText }] },
    roles: [{ id: 'tenant', name: 'Tenant', kind: 'private', party: {} }],
  },
};

let started: BatchDesk;
beforeEach(async () => {
  started = await startBatchDesk('v2');
});
afterEach(() => {
  started[Symbol.dispose]();
});

describe('a name in braces, in any text of a template', () => {
  it('is replaced in a draft by its value', async () => {
    const { api } = started.desk;
    const { id } = await addLease(started.desk, lease);
    const asa = { 'first-name': 'Åsa', 'last-name': 'Öberg', email: 'asa@example.com' };
    const answers = { parties: { tenant: asa }, questions: { rent: '9 400' } };
    const { draft } = await api['templates.newDraft']({ id, connectionId: null, answers });
    const { content } = await api['drafts.show']({ id: draft });
    const body = DraftBodyV2.parse(content.body);
    expect(body.name).toBe('Lease Åsa Öberg');
    expect(body.notificationMessages).toEqual([
      { type: 'signed', additionalText: 'Dear Åsa Öberg, 9 400 a month, {{as is}}' },
    ]);
    expect(body.attachments?.[0]?.fields).toEqual([{ name: 'rent', value: '9 400 SEK' }]);
  });

  it('is a column of a batch, whose cells replace it', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk, lease), people(2));
    const { id, revision } = batch;
    const { jobId } = await desk.api['batches.send']({ id, confirm: 2, revision });
    expect((await desk.finish(jobId)).state).toBe('done');
    await desk.api['outbox.run']({});
    const sent = world.services.v2.created.join();
    for (const row of [0, 1]) {
      expect(sent).toContain(`Dear Åsa ${row} Öberg, ${9000 + row} a month, {{as is}}`);
      expect(sent).toContain(`${9000 + row} SEK`);
    }
  });
});
