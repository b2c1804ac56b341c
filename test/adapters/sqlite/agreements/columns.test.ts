import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { moreRowsSql } from '../../../../electron/adapters/sqlite/agreements/rows.ts';
import {
  AgreementSlice,
  type OptionalRowPart,
} from '../../../../shared/contract/agreement-query.ts';
import { TemplateId } from '../../../../shared/model/ids.ts';
import { startTemplate } from '../../../../shared/rules/templates/start.ts';
import {
  claimAt,
  idOf,
  newBatch,
  newConnection,
  newDraft,
  outboxEntry,
  party,
  query,
  remote,
} from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const Plan = z.object({ detail: z.string() }).transform(({ detail }) => detail);
const ALL: OptionalRowPart[] = ['remote', 'sending'];
const TEMPLATE = TemplateId.parse(randomUUID());
const OURS = TemplateId.parse(randomUUID());

function office() {
  const place = tempDatabase();
  const { stores } = place;
  const [connection, old] = [newConnection(), newConnection({ api: 'v2', name: 'Old' })];
  stores.connections.save(connection);
  stores.connections.save(old);
  const template = (id: TemplateId, name: string, templateId: string) =>
    stores.templates.insert(
      {
        id,
        name,
        nextNumber: 1,
        used: 0,
        revision: 1,
        source: { kind: 'service', templateId, fields: [], learntFrom: null },
        content: startTemplate('v2', name, null),
        createdAt: 1,
        updatedAt: 1,
        trashedAt: null,
      },
      null,
    );
  template(TEMPLATE, 'Lease 2026', '900');
  template(OURS, 'Order form', '871');
  const shown = (more: OptionalRowPart[] = ALL) =>
    stores.agreements.list(query({ sort: 'title', more }), NOW).items;
  const only = () => shown()[0]?.more;
  return Object.assign(place, { connection, old, shown, only });
}

describe('list columns that need additional reads', () => {
  it('are read by the single query of a page, and only on request', () => {
    using place = office();
    const people = [party({ name: 'Åsa', state: 'signed' }), party({ name: 'Ola', email: null })];
    const received = remote({
      parties: people,
      tags: { case: 'K-1', 'desk.ref': 'abc' },
      access: { sharedWith: null, owner: { id: 'u', name: 'Maria Berg' }, rights: null },
    });
    place.stores.agreements.put(place.connection.id, 'v1', [received], NOW);
    expect(place.shown([])[0]).not.toHaveProperty('more');
    expect(place.only()).toMatchObject({ tags: { case: 'K-1' }, sentBy: 'Maria Berg' });
    expect(place.only()?.people?.map(({ name, state, email }) => [name, state, email])).toEqual([
      ['Åsa', 'signed', 'astrid@example.com'],
      ['Ola', 'turn', null],
    ]);
    const stretch = AgreementSlice.parse({ from: 0, limit: 9, more: ['remote'] });
    expect(place.stores.agreements.window(stretch, NOW).items[0]?.more?.sentBy).toBe('Maria Berg');
  });

  it('are empty if the service gives no value: v2 has no tags and no owner', () => {
    using place = office();
    const received = remote({ tags: null, parties: null, sentAt: null });
    place.stores.agreements.put(place.old.id, 'v2', [received], NOW);
    expect(place.shown()[0]).toMatchObject({ sentAt: null, parties: null });
    expect(place.only()).toEqual({
      tags: null,
      people: null,
      sentBy: null,
      batch: null,
      batchRow: null,
      template: null,
      awaited: [],
    });
  });

  it('name the parties that can sign now, only for open agreements that the service still has', () => {
    using place = office();
    const { agreements } = place.stores;
    const parties = [
      party({ name: 'Åsa', state: 'signed' }),
      party({ name: 'Ola 19850709-9805' }),
      party({ name: 'Eva', state: 'waiting' }),
      party({ name: 'Bo' }),
    ];
    const received = (['part-signed', 'waiting', 'rejected'] as const).map((state) =>
      remote({ id: state, title: state, state, parties }),
    );
    agreements.put(place.connection.id, 'v1', received, NOW);
    const found = () =>
      place
        .shown(['awaited'])
        .map(({ title, more }) => [
          title,
          ...(more?.awaited ?? []).map((name) => name.split(' ')[0]),
        ]);
    expect(found()).toEqual([['part-signed', 'Ola', 'Bo'], ['rejected'], ['waiting', 'Ola', 'Bo']]);
    const read = place.shown(['awaited']).map(({ more }) => more);
    expect(JSON.stringify(read)).not.toMatch(/9805/);
    agreements.markGone({ connectionId: place.connection.id, id: idOf('waiting') }, 'deleted');
    expect(found()).toEqual([['part-signed', 'Ola', 'Bo'], ['rejected'], ['waiting']]);
    expect(place.shown(['remote'])[0]?.more?.awaited).toEqual([]);
  });

  it('contain no personal number from a tag or a name (TX-55)', () => {
    using place = office();
    const number = '19850709-9805';
    const received = remote({
      tags: { [number]: number, person: 'pnr 8507099805' },
      parties: [party({ name: `Karin ${number}` })],
      access: { sharedWith: null, owner: { id: 'u', name: `Bo ${number}` }, rights: null },
    });
    place.stores.agreements.put(place.connection.id, 'v1', [received], NOW);
    const text = JSON.stringify(place.only());
    expect(text).toContain('Karin');
    expect(text).not.toMatch(/9805/);
  });

  it('show batch, row and template of a send, even after the batch was removed', () => {
    using place = office();
    const { stores, connection } = place;
    const made = newBatch(['Åsa'], { templateId: TEMPLATE, name: 'Autumn leases' });
    stores.batches.insert(made);
    const entry = outboxEntry(connection, { rowNo: 12 });
    stores.outbox.stage(made.batch.id, entry, NOW);
    const { id: batchId, name: title } = made.batch;
    const armed = { batchId, connectionId: connection.id, title, policy: 'ask' as const };
    stores.outbox.arm({ ...armed, stopAfter: null }, NOW);
    stores.outbox.claim(entry.item.ref, claimAt(NOW));
    const sent = { to: 'sent', cause: 'answer', remoteId: idOf('sent-1') } as const;
    stores.outbox.move(entry.item.ref, ['sending'], sent, NOW);
    stores.agreements.put(connection.id, 'v1', [remote({ id: 'sent-1' })], NOW);
    const known = { batch: 'Autumn leases', batchRow: 12, template: 'Lease 2026' };
    expect(place.only()).toMatchObject(known);
    place.database.command('DELETE FROM batch')();
    expect(place.only()).toMatchObject(known);
  });

  it('show the template of a single draft, and for v2 also the service’s template', () => {
    using place = office();
    const { stores, connection, old } = place;
    const draft = newDraft();
    stores.drafts.insert(draft);
    stores.drafts.noteTemplate(draft.id, TEMPLATE);
    const entry = outboxEntry(connection, { draftId: draft.id });
    stores.outbox.insert(entry, NOW);
    stores.outbox.claim(entry.item.ref, claimAt(NOW));
    const sent = { to: 'sent', cause: 'answer', remoteId: idOf('one') } as const;
    stores.outbox.move(entry.item.ref, ['sending'], sent, NOW);
    stores.agreements.put(connection.id, 'v1', [remote({ id: 'one', title: 'A' })], NOW);
    const foreign = ['B', 'C'].map((title) => remote({ id: title, title, tags: null }));
    stores.agreements.put(old.id, 'v2', foreign, NOW);
    stores.agreements.setTemplate(old.id, '871', ['B']);
    stores.agreements.setTemplate(old.id, '555', ['C']);
    const templates = place.shown().map(({ title, more }) => [title, more?.template]);
    expect(templates).toEqual([
      ['A', 'Lease 2026'],
      ['B', 'Order form'],
      ['C', '555'],
    ]);
  });

  it('are read for the requested agreements, in the requested order, without missing agreements', () => {
    using place = office();
    const { stores, connection } = place;
    const received = ['A', 'B'].map((id) => remote({ id, title: id, tags: { of: id } }));
    stores.agreements.put(connection.id, 'v1', received, NOW);
    const keys = ['B', 'no', 'A'].map((id) => ({ connectionId: connection.id, id: idOf(id) }));
    const found = stores.agreements.named(keys, ['remote']);
    expect(found.map(({ title, more }) => [title, more?.tags])).toEqual([
      ['B', { of: 'B' }],
      ['A', { of: 'A' }],
    ]);
  });

  it('are read by key, and the templates once for a whole page', () => {
    using place = office();
    const from = 'json_each(@numbers) n CROSS JOIN agreement a ON a.number = n.value';
    const steps = place.database
      .query(`EXPLAIN QUERY PLAN ${moreRowsSql(ALL, from, 'ORDER BY n.key')}`, Plan)
      .all({ numbers: '[]' });
    const walked = steps.filter((step) => step.startsWith('SCAN'));
    // `s` contains only the templates of the page, which are few.
    const few = ['SCAN template', 'SCAN s LEFT-JOIN', expect.stringMatching(/^SCAN n /)];
    expect(new Set(walked)).toEqual(new Set(few));
    expect(steps.join('\n')).toContain('outbox_remote');
  });

  it('keep the sending time if a later answer omits it', () => {
    using place = office();
    const received = remote({ id: 'x', sentAt: NOW - 5 });
    place.stores.agreements.put(place.connection.id, 'v1', [received], NOW);
    const again = remote({ id: 'x', sentAt: null, title: 'New' });
    place.stores.agreements.put(place.connection.id, 'v1', [again], NOW);
    expect(place.shown()[0]).toMatchObject({ title: 'New', sentAt: NOW - 5 });
  });
});
