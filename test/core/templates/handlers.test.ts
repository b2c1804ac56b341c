import { beforeEach, describe, expect, it } from 'vitest';
import type { TemplateId } from '../../../shared/model/ids.ts';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import type { Template, TemplateAnswers } from '../../../shared/contract/templates.ts';
import type { FieldSource } from '../../../shared/model/template.ts';
import {
  addConnection,
  startMemoryDesk,
  type MemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { bytesOf, textOf } from '../../support/fakes/memory-ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const PDF = '%PDF-lease';
const NOBODY: TemplateAnswers = { parties: {}, questions: {} };
const ASA: TemplateAnswers = {
  parties: { tenant: { 'first-name': 'Åsa', 'last-name': 'Öberg', email: 'asa@example.com' } },
  questions: { rent: '9 400' },
};

let desk: MemoryDesk;

const text = (name: string, more: Partial<PdfField> = {}): PdfField => ({
  name,
  type: 'text',
  page: 1,
  value: '',
  multiline: false,
  required: false,
  readOnly: false,
  ...more,
});
const lease: readonly PdfField[] = [
  text('tenant'),
  text('rent', { maxLength: 8 }),
  text('ok', { type: 'checkbox', options: ['Ja'] }),
  text('pay', { type: 'radio', options: ['Card', 'Invoice'] }),
  text('sign'),
  text('no'),
];

beforeEach(() => {
  desk = startMemoryDesk();
  desk.pdf.forms.set(PDF, { pages: 1, fields: [...lease], notices: [] });
});

const give = (content: string) => desk.bytes.put(bytesOf(content));
const add = (api: 'v1' | 'v2' = 'v1', name = 'Lease') =>
  desk.api['templates.add']({ name, api, fileName: 'lease.pdf', bytes: give(PDF) });

/** Adds a lease whose only party draws the signature, and with these sources of field values. */
async function mapped(
  sources: Readonly<Record<string, FieldSource>>,
  change: (template: Template) => Template['content'] = ({ content }) => content,
): Promise<Template> {
  const template = await add();
  const { id, revision, name, content } = template;
  if (content.body.api !== 'v1') throw new Error('Made for v1');
  content.body.roles = [
    {
      id: 'tenant',
      name: 'Tenant',
      party: { type: 'PRIVATE', signingConfigurations: [{ type: 'DRAW' }] },
    },
  ];
  content.questions = [
    { id: 'rent', label: 'Rent', help: '', kind: 'text', options: [], required: false },
  ];
  content.mapping = Object.entries(sources).map(([field, source]) => ({ field, source }));
  return desk.api['templates.save']({ id, revision, name, content: change(template) });
}

const draftOf = async (id: TemplateId, answers: TemplateAnswers) => {
  const { draft } = await desk.api['templates.newDraft']({ id, connectionId: null, answers });
  return (await desk.api['drafts.show']({ id: draft })).content.body;
};

describe('a draft from a template', () => {
  it('carries its values separately from the form, which the service fills (TX-33)', async () => {
    const { id } = await mapped({
      tenant: { from: 'party', role: 'tenant', datum: 'full-name' },
      rent: { from: 'question', question: 'rent' },
      ok: { from: 'fixed', value: 'true' },
      pay: { from: 'empty' },
    });
    const body = await draftOf(id, ASA);
    expect(body.attachments).toMatchObject([
      {
        category: 'AGREEMENT',
        fields: [
          { name: 'tenant', value: 'Åsa Öberg' },
          { name: 'rent', value: '9 400' },
          { name: 'ok', value: 'true' },
        ],
      },
    ]);
    expect(body.parties).toMatchObject([{ firstName: 'Åsa', lastName: 'Öberg', type: 'PRIVATE' }]);
  });

  it('keeps its values editable, and is sent filled when the PDF is filled locally (TX-33, T1-34)', async () => {
    const { id } = await mapped({ rent: { from: 'question', question: 'rent' } }, (template) => ({
      ...template.content,
      merge: 'here',
    }));
    const order = { id, connectionId: null, answers: ASA };
    const { draft } = await desk.api['templates.newDraft'](order);
    const { content, files } = await desk.api['drafts.show']({ id: draft });
    const fields = [{ name: 'rent', value: '9 400' }];
    expect(content.body.attachments).toMatchObject([{ merge: 'here', fields }]);
    expect(
      files.map(({ id: file }) => textOf(desk.stores.drafts.fileData(draft, file).data)),
    ).toEqual([PDF]);
    const { id: connectionId } = await addConnection(desk, 'v1');
    await desk.api['drafts.send']({ id: draft, connectionId, holdSeconds: 0, confirm: 1 });
    await desk.api['outbox.run']({});
    expect(desk.services.v1.created[0]).toContain('{\\"rent\\":\\"9 400\\"} flat');
  });

  it('refers to a party by its position in the request, not by its signing step (T1-36)', async () => {
    const { id } = await mapped({ sign: { from: 'signature', role: 'tenant' } }, (template) => {
      const { body } = template.content;
      if (body.api !== 'v1') throw new Error('Made for v1');
      const first = { type: 'PRIVATE' as const, signingOrder: 9, signingConfigurations: [] };
      body.roles = [{ id: 'other', name: 'Landlord', party: first }, ...body.roles];
      return template.content;
    });
    const body = await draftOf(id, ASA);
    expect(body.attachments?.[0]?.fields).toEqual([
      { name: 'sign', value: '{{@agr.parties[1].signature}}' },
    ]);
  });

  it('updates its references when parties change places (T1-37)', async () => {
    const template = await mapped({ sign: { from: 'signature', role: 'tenant' } });
    const { id, revision, name, content } = template;
    if (content.body.api !== 'v1') throw new Error('Made for v1');
    const extra = { type: 'PRIVATE' as const, signingConfigurations: [] };
    const roles = [{ id: 'a', name: 'A', party: extra }, ...content.body.roles];
    const body = { ...content.body, roles };
    await desk.api['templates.save']({ id, revision, name, content: { ...content, body } });
    const { attachments } = await draftOf(id, ASA);
    expect(attachments?.[0]?.fields?.[0]?.value).toBe('{{@agr.parties[1].signature}}');
  });

  it('is rejected when the party does not draw, and the field is named (T1-36)', async () => {
    const { id } = await mapped({ sign: { from: 'signature', role: 'tenant' } }, (template) => {
      const { body } = template.content;
      if (body.api !== 'v1') throw new Error('Made for v1');
      for (const { party } of body.roles) party.signingConfigurations = [{ type: 'EID' }];
      return template.content;
    });
    await expect(draftOf(id, ASA)).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { 'field.sign': expect.any(String) } },
    });
    expect(await desk.api['drafts.list']({})).toEqual([]);
  });

  it.each(['{{@agr.parties[0].signature}}', '{{ @agr.title }}', 'x {{@AGR.parties[1].signature}}'])(
    'never turns an answer into a placeholder of the service: %s (T1-38)',
    async (rent) => {
      const { id } = await mapped({ tenant: { from: 'question', question: 'rent' } });
      await expect(draftOf(id, { ...ASA, questions: { rent } })).rejects.toMatchObject({
        failure: { code: 'invalid', fields: { 'field.tenant': expect.any(String) } },
      });
    },
  );

  it('is rejected for a field that the PDF does not have (T1-35)', async () => {
    const { id } = await mapped({ Tenant: { from: 'fixed', value: 'x' } });
    await expect(draftOf(id, ASA)).rejects.toMatchObject({
      failure: { fields: { 'field.Tenant': expect.any(String) } },
    });
  });

  it('is rejected for a value longer than its field (TX-32)', async () => {
    const { id } = await mapped({ rent: { from: 'question', question: 'rent' } });
    await expect(draftOf(id, { ...ASA, questions: { rent: '123456789' } })).rejects.toMatchObject({
      failure: { fields: { 'field.rent': 'The field accepts at most 8 characters' } },
    });
  });
});

describe('the counter of a template', () => {
  const numbered = () =>
    mapped({ no: { from: 'counter' } }, ({ content }) => ({
      ...content,
      counter: { prefix: 'L-', width: 3 },
    }));
  const numberOf = async (id: TemplateId) =>
    (await draftOf(id, ASA)).attachments?.[0]?.fields?.[0]?.value;

  it('increases with each draft, and never reuses the number of a deleted draft', async () => {
    const { id } = await numbered();
    expect(await numberOf(id)).toBe('L-001');
    const [draft] = await desk.api['drafts.list']({});
    if (draft === undefined) throw new Error('There is no draft');
    await desk.api['drafts.delete']({ id: draft.id });
    expect(await numberOf(id)).toBe('L-002');
  });

  it('does not increase on a preview or a rejected draft', async () => {
    const { id } = await mapped({
      no: { from: 'counter' },
      tenant: { from: 'question', question: 'rent' },
    });
    await desk.api['templates.try']({ id, answers: ASA });
    await expect(draftOf(id, { ...ASA, questions: { rent: '{{@agr.x}}' } })).rejects.toThrow();
    expect((await desk.api['templates.get']({ id })).nextNumber).toBe(1);
  });

  it('belongs to one template: a copy of the template starts its own counter', async () => {
    const { id } = await numbered();
    await numberOf(id);
    const copy = await desk.api['templates.duplicate']({ id, name: 'Copy' });
    expect(copy.nextNumber).toBe(1);
  });
});

describe('the answer for a field', () => {
  it.each([
    ...['x', 'ja', 'Yes', '1', 'sant', 'true', 'Ja'].map((word) => [word, true] as const),
    ...['nej', '0', 'no', 'false'].map((word) => [word, false] as const),
  ])('written as %s for a checkbox means %s (T2-46)', async (word, ticked) => {
    const { id } = await mapped({ ok: { from: 'question', question: 'rent' } });
    const tried = await desk.api['templates.try']({
      id,
      answers: { ...NOBODY, questions: { rent: word } },
    });
    expect(tried).toMatchObject({ values: { ok: ticked }, problems: [] });
  });

  it('for a checkbox is rejected if it is another word, and for a text field stays text (T2-46)', async () => {
    const { id } = await mapped({
      ok: { from: 'question', question: 'rent' },
      tenant: { from: 'question', question: 'rent' },
    });
    const answers = (rent: string) => ({ ...NOBODY, questions: { rent } });
    const unsure = await desk.api['templates.try']({ id, answers: answers('kanske') });
    expect(unsure.problems).toMatchObject([{ at: 'field.ok', code: 'not-offered' }]);
    const { values } = await desk.api['templates.try']({ id, answers: answers('ja') });
    expect(values).toEqual({ ok: true, tenant: 'ja' });
  });

  it('never ticks two opposite boxes at the same time (IN-F2)', async () => {
    desk.pdf.forms.set(PDF, {
      pages: 1,
      fields: [...lease, text('denied', { type: 'checkbox', options: ['Nej'] })],
      notices: [],
    });
    const question = { from: 'question', question: 'rent' } as const;
    const { id } = await mapped({ ok: question, denied: question });
    const tried = (rent: string) =>
      desk.api['templates.try']({ id, answers: { ...NOBODY, questions: { rent } } });
    expect(await tried('Ja')).toMatchObject({ values: { ok: true, denied: false }, problems: [] });
    expect((await tried('true')).problems).toMatchObject([
      { at: 'field.denied', code: 'contradicts' },
    ]);
  });

  it('must be one of the offered options', async () => {
    const { id } = await mapped({ pay: { from: 'fixed', value: 'Cash' } });
    const { problems } = await desk.api['templates.try']({ id, answers: NOBODY });
    expect(problems).toMatchObject([{ at: 'field.pay', code: 'not-offered' }]);
  });

  it('with characters missing from all fonts names them, and shows the rest (TX-32)', async () => {
    const { id } = await mapped({ tenant: { from: 'fixed', value: 'ok' } });
    const tried = await desk.api['templates.try']({ id, answers: NOBODY });
    expect(tried.out).not.toBeNull();
  });
});

describe('a template of the service (v2)', () => {
  const service = () => desk.api['templates.addService']({ name: 'Order', templateId: '871' });

  it('reads its fields from a local copy (T2-47)', async () => {
    const { id } = await service();
    const learnt = await desk.api['templates.learn']({
      id,
      from: { bytes: give(PDF), fileName: 'old-lease.pdf' },
    });
    expect(learnt.source).toMatchObject({ kind: 'service', learntFrom: 'old-lease.pdf' });
    expect(
      learnt.source.kind === 'service' && learnt.source.fields.map(({ name }) => name),
    ).toEqual(lease.map(({ name }) => name));
  });

  it('sends its ID and values, with a checkbox as true or false and never as a word (T2-46)', async () => {
    const { id } = await service();
    const template = await desk.api['templates.learn']({
      id,
      from: { bytes: give(PDF), fileName: 'old.pdf' },
    });
    const { revision, name, content } = template;
    content.mapping = [
      { field: 'ok', source: { from: 'fixed', value: 'ja' } },
      { field: 'tenant', source: { from: 'fixed', value: 'true' } },
    ];
    await desk.api['templates.save']({ id, revision, name, content });
    expect(await draftOf(id, NOBODY)).toMatchObject({
      type: 'DYNAMIC_PDF',
      dynamicPdf: {
        templateId: '871',
        fields: [
          { name: 'ok', value: true },
          { name: 'tenant', value: 'true' },
        ],
      },
    });
  });
});

describe('a template of v2 with a PDF', () => {
  it('names drawn signature fields at their party, with the position of the file (T2-52)', async () => {
    const { id, revision, name, content } = await add('v2');
    if (content.body.api !== 'v2') throw new Error('Made for v2');
    content.body.roles = [
      { id: 'a', name: 'Buyer', kind: 'company', party: { signMethods: ['EID'] } },
      { id: 'b', name: 'Seller', kind: 'private', party: { signMethods: ['EID'] } },
    ];
    content.mapping = [
      { field: 'sign', source: { from: 'signature', role: 'b' } },
      { field: 'tenant', source: { from: 'fixed', value: 'Åsa' } },
    ];
    await desk.api['templates.save']({ id, revision, name, content });
    expect(await draftOf(id, NOBODY)).toMatchObject({
      type: 'ATTACHED',
      drawSignature: true,
      attachments: [{ fields: [{ name: 'tenant', value: 'Åsa' }] }],
      parties: {
        privates: [{ signMetadata: [{ attachmentIndex: 0, signatureFields: ['sign'] }] }],
        companies: [{ signMethods: ['EID'] }],
      },
    });
  });
});

describe('the PDF of a template', () => {
  it.each([
    ['xfa', 'pdf-xfa'],
    ['already-signed', 'pdf-signed'],
  ] as const)(
    'is rejected when the PDF reader reports the notice %s (TX-31)',
    async (notice, reason) => {
      desk.pdf.forms.set(PDF, { pages: 1, fields: [...lease], notices: [notice] });
      await expect(add()).rejects.toMatchObject({ failure: { code: 'invalid', reason } });
      expect(await desk.api['templates.list']({})).toEqual([]);
    },
  );

  it('can be replaced: the effects are shown first, and only broken mappings are dropped (T1-35)', async () => {
    const { id, revision } = await mapped({
      tenant: { from: 'party', role: 'tenant', datum: 'full-name' },
      rent: { from: 'question', question: 'rent' },
      ok: { from: 'fixed', value: 'true' },
    });
    const other = '%PDF-lease 2';
    const fields = [text('tenant'), text('ok'), text('fresh')];
    desk.pdf.forms.set(other, { pages: 2, fields, notices: [] });
    const compared = await desk.api['templates.compare']({ id, bytes: give(other) });
    expect(compared).toMatchObject({ lost: ['rent'], changed: ['ok'], added: ['fresh'] });
    const replaced = await desk.api['templates.replacePdf']({
      id,
      revision,
      fileName: 'lease-2.pdf',
      bytes: give(other),
    });
    expect(replaced.content.mapping.map(({ field }) => field)).toEqual(['tenant', 'ok']);
    expect(textOf(desk.stores.templates.pdf(id))).toBe(other);
  });
});

describe('saved templates', () => {
  it('reject a save over a newer revision without any change', async () => {
    const { id, revision, content } = await add();
    await desk.api['templates.save']({ id, revision, name: 'First', content });
    const late = desk.api['templates.save']({ id, revision, name: 'Second', content });
    await expect(late).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(await desk.api['templates.get']({ id })).toMatchObject({ name: 'First' });
  });

  it('can be restored from the trash for 30 days, and then are gone', async () => {
    const { id } = await add();
    await desk.api['templates.remove']({ id });
    desk.clock.advance(29 * DAY);
    expect(await desk.api['templates.list']({})).toMatchObject([{ id }]);
    await desk.api['templates.restore']({ id });
    expect(await desk.api['templates.list']({})).toMatchObject([{ trashedAt: null }]);
    await desk.api['templates.remove']({ id });
    desk.clock.advance(31 * DAY);
    await desk.finish((await desk.api['privacy.apply']({ kinds: ['trash'] })).jobId);
    expect(await desk.api['templates.list']({})).toEqual([]);
  });

  it('are exported as a file with PDF and mapping, but without their counter', async () => {
    const { id } = await mapped({
      no: { from: 'counter' },
      tenant: { from: 'fixed', value: 'Łę' },
    });
    await draftOf(id, NOBODY);
    const { out, fileName } = await desk.api['templates.export']({ id });
    expect(fileName).toBe('Lease.signtemplate');
    const file = desk.bytes.take(out);
    const copy = await desk.api['templates.import']({ bytes: desk.bytes.put(file) });
    const original = await desk.api['templates.get']({ id });
    expect(copy).toMatchObject({ content: original.content, source: original.source });
    expect(copy).toMatchObject({ nextNumber: 1, used: 0 });
    expect(desk.stores.templates.pdf(copy.id)).toEqual(desk.stores.templates.pdf(id));
  });

  it.each(['', '%PDF-1.7', '{"format":"signing-desk-template","version":99}\n', '{}\n%PDF-'])(
    'reject an invalid file on import: %j',
    async (content) => {
      const importing = desk.api['templates.import']({ bytes: give(content) });
      await expect(importing).rejects.toMatchObject({ failure: { code: 'invalid' } });
    },
  );

  it('send an event that names the changed template', async () => {
    const before = desk.emitted.length;
    await add();
    expect(desk.emitted.slice(before)).toContain('templates.changed');
  });
});
