import { beforeEach, describe, expect, it } from 'vitest';
import { DraftBodyV1, DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import { outgoingFiles } from '../../../electron/core/drafts/files.ts';
import type { DraftId, FileId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { PdfNotice } from '../../../shared/model/pdf-form.ts';
import { bytesOf, textOf } from '../../support/fakes/memory-ports.ts';
import {
  addConnection,
  addDraftV1,
  bodyV1,
  bodyV2,
  type MemoryDesk,
  PDF,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

let desk: MemoryDesk;

beforeEach(() => {
  desk = startMemoryDesk();
});

const create = async (content: Parameters<(typeof desk.api)['drafts.create']>[0]['content']) =>
  desk.api['drafts.create']({ content, connectionId: null });
const newV1 = () => create({ api: 'v1', body: bodyV1('Lease') });
const newV2 = () => create({ api: 'v2', body: bodyV2('Lease') });
const attach = (id: DraftId, name: string, text: string) =>
  desk.api['drafts.attach']({ id, name, bytes: desk.bytes.put(bytesOf(text)) });

describe('saving a draft', () => {
  it('against an older revision is a conflict, and keeps the stored draft', async () => {
    const { id, revision, content } = await newV1();
    const change = { id, revision, content, connectionId: null };
    await desk.api['drafts.save'](change);
    await expect(desk.api['drafts.save'](change)).rejects.toMatchObject({
      failure: { code: 'conflict' },
    });
    expect((await desk.api['drafts.show']({ id })).revision).toBe(revision + 1);
  });

  it('keeps absent, empty and given notifications distinct (T1-52)', async () => {
    for (const notifications of [undefined, [], [{ type: 'SIGNED' as const }]]) {
      const body = { ...bodyV1('Lease'), ...(notifications !== undefined && { notifications }) };
      const { content } = await create({ api: 'v1', body });
      if (content.api !== 'v1') throw new Error('another API');
      expect(content.body.notifications).toEqual(notifications);
      expect('notifications' in content.body).toBe(notifications !== undefined);
    }
  });

  it('reports the change, and the list shows the draft with its problems', async () => {
    const { id } = await newV1();
    expect(desk.emitted).toContain('drafts.changed');
    expect(await desk.api['drafts.list']({})).toMatchObject([
      { id, api: 'v1', title: 'Lease', parties: ['Åsa Öberg'], files: 0, problems: 1 },
    ]);
  });
});

describe('attaching a file', () => {
  it('accepts a PDF and reports its content', async () => {
    const { id } = await newV1();
    const field = { name: 'rent', type: 'text', page: 1, value: '', multiline: false } as const;
    const form = { ...field, required: false, readOnly: false };
    desk.pdf.forms.set(PDF, { pages: 3, fields: [form], notices: ['already-signed'] });
    expect(await attach(id, 'lease.pdf', PDF)).toMatchObject({
      name: 'lease.pdf',
      mimeType: 'application/pdf',
      pages: 3,
      fieldCount: 1,
      bytes: PDF.length,
      notices: ['already-signed'],
    });
  });

  it.each([
    ['an empty file', 'lease.pdf', '', 'file-empty'],
    ['an HTML page with the extension .pdf', 'lease.pdf', '<html>', 'not-a-pdf'],
  ])('refuses %s, and stores nothing', async (_, name, text, reason) => {
    const { id } = await newV1();
    await expect(attach(id, name, text)).rejects.toMatchObject({
      failure: { code: 'invalid', reason },
    });
    expect((await desk.api['drafts.show']({ id })).files).toEqual([]);
  });

  it('refuses an XFA form', async () => {
    const { id } = await newV1();
    desk.pdf.forms.set(PDF, { pages: 1, fields: [], notices: ['xfa'] });
    await expect(attach(id, 'lease.pdf', PDF)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'pdf-xfa' },
    });
  });

  it.each(['v1', 'v2'] as const)(
    'refuses an encrypted PDF without a form, which API %s may not accept, and suggests a way out (IN-Q15)',
    async (api) => {
      const { id } = api === 'v1' ? await newV1() : await newV2();
      desk.pdf.forms.set(PDF, { pages: 1, fields: [], notices: ['no-fields', 'owner-locked'] });
      await expect(attach(id, 'lease.pdf', PDF)).rejects.toMatchObject({
        failure: { code: 'invalid', reason: 'pdf-restricted' },
      });
      expect((await desk.api['drafts.show']({ id })).files).toEqual([]);
    },
  );

  it('reports the error of the PDF reader', async () => {
    const { id } = await newV1();
    desk.pdf.read = () =>
      Promise.reject(new AppError('invalid', 'Locked', { reason: 'pdf-encrypted' }));
    await expect(attach(id, 'lease.pdf', PDF)).rejects.toMatchObject({
      failure: { reason: 'pdf-encrypted' },
    });
  });

  it('accepts files of other types as references for API v1, and rejects them for API v2', async () => {
    const v1 = await newV1();
    expect(await attach(v1.id, 'terms.docx', 'PK..')).toMatchObject({
      mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      pages: null,
    });
    const v2 = await newV2();
    await expect(attach(v2.id, 'terms.docx', 'PK..')).rejects.toMatchObject({
      failure: { reason: 'not-a-pdf' },
    });
  });

  it('refuses bytes that the page handed over too long ago', async () => {
    const { id } = await newV1();
    const bytes = desk.bytes.put(bytesOf(PDF));
    desk.clock.advance(600_000);
    await expect(desk.api['drafts.attach']({ id, name: 'a.pdf', bytes })).rejects.toMatchObject({
      failure: { code: 'not-found' },
    });
  });
});

describe('values for the fields of a PDF', () => {
  async function v2WithValues(values: Record<string, string>) {
    const { id } = await newV2();
    const { id: file } = await attach(id, 'form.pdf', PDF);
    const fields = Object.entries(values).map(([name, value]) => ({ name, value }));
    const { text: _, ...rest } = bodyV2('Lease');
    const attachments = [{ name: 'form.pdf', file, fields }];
    const body = DraftBodyV2.parse({ ...rest, type: 'ATTACHED', attachments });
    const { revision } = await desk.api['drafts.show']({ id });
    const change = { id, revision, connectionId: null };
    await desk.api['drafts.save']({ ...change, content: { api: 'v2', body } });
    return { id, file };
  }
  const withField = (notices: PdfNotice[] = []) => {
    const field = { name: 'rent', type: 'text', page: 1, value: '', multiline: false } as const;
    const rent = { ...field, required: false, readOnly: false, maxLength: 5 };
    desk.pdf.forms.set(PDF, { pages: 1, fields: [rent], notices });
  };
  const served = async (kind: string, id: DraftId, file: FileId) =>
    textOf((await desk.desk.serveBytes(`/bytes/${kind}/${id}/${file}`))?.data ?? bytesOf('none'));

  it('are merged on this computer for v2, which does not merge them itself', async () => {
    withField();
    const { id } = await v2WithValues({ rent: '900' });
    const { id: connectionId } = await addConnection(desk, 'v2');
    await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    await desk.api['outbox.run']({});
    expect(desk.services.v2.created[0]).toContain('{\\"rent\\":\\"900\\"} flat');
  });

  it.each([
    ['by the service, unless the user chose otherwise', {}, PDF],
    ['on this computer for v1 too, if the user chose so', { merge: 'here' }, '{"rent":"900"} flat'],
  ] as const)('are merged %s (TX-33)', async (_, merge, wanted) => {
    withField();
    const { id } = await newV1();
    const { id: file } = await attach(id, 'form.pdf', PDF);
    const fields = [{ name: 'rent', value: '900' }];
    const attachment = { type: 'BASE64', file, fields, category: 'AGREEMENT', ...merge };
    const body = DraftBodyV1.parse({ ...bodyV1('Lease'), attachments: [attachment] });
    const { revision } = await desk.api['drafts.show']({ id });
    const change = { id, revision, connectionId: null };
    await desk.api['drafts.save']({ ...change, content: { api: 'v1', body } });
    const { stores, pdf } = desk;
    const files = await outgoingFiles(stores.drafts.get(id), stores.drafts, pdf);
    expect(textOf(files.get(file)?.data ?? bytesOf(''))).toMatch(new RegExp(`${wanted}$`));
  });

  it.each([
    ['sent unfilled', { fields: [], merge: 'here' }, null],
    ['merged by the service', { fields: [{ name: 'rent', value: '900' }] }, null],
    [
      'merged on this computer',
      { fields: [{ name: 'rent', value: '900' }], merge: 'here' },
      '{"rent":"900"} flat',
    ],
  ] as const)(
    'of an encrypted PDF are sent only in a copy that is merged on this computer: %s (IN-Q15)',
    async (_, given, wanted) => {
      withField(['owner-locked']);
      const { id } = await newV1();
      const { id: file } = await attach(id, 'form.pdf', PDF);
      const attachment = { type: 'BASE64', file, category: 'AGREEMENT', ...given };
      const body = DraftBodyV1.parse({ ...bodyV1('Lease'), attachments: [attachment] });
      const { revision } = await desk.api['drafts.show']({ id });
      const change = { id, revision, connectionId: null };
      await desk.api['drafts.save']({ ...change, content: { api: 'v1', body } });
      const { stores, pdf } = desk;
      const outgoing = outgoingFiles(stores.drafts.get(id), stores.drafts, pdf);
      if (wanted === null) {
        await expect(outgoing).rejects.toMatchObject({ failure: { reason: 'pdf-restricted' } });
        const { errors } = await desk.api['drafts.check']({ id });
        expect(errors.map(({ field }) => field)).toContain('attachments');
      } else {
        const data = (await outgoing).get(file)?.data ?? bytesOf('');
        expect(textOf(data)).toContain(wanted);
      }
    },
  );

  it('are read and merged only once for the check and the send', async () => {
    withField();
    const { id } = await v2WithValues({ rent: '900' });
    const { id: connectionId } = await addConnection(desk, 'v2');
    const calls: string[] = [];
    const { read, merge } = desk.pdf;
    desk.pdf.read = (...document) => {
      calls.push('read');
      return read(...document);
    };
    desk.pdf.merge = (...form) => {
      calls.push('merge');
      return merge(...form);
    };
    await desk.api['drafts.check']({ id, connectionId });
    await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    expect(calls).toEqual(['read', 'merge']);
  });

  it('can be sent again after a check of the draft while its first send waited', async () => {
    withField();
    const { id } = await v2WithValues({ rent: '900' });
    const { id: connectionId } = await addConnection(desk, 'v2');
    const order = { id, connectionId, holdSeconds: 30, confirm: 1 };
    const { ref } = await desk.api['drafts.send'](order);
    await desk.api['drafts.check']({ id, connectionId });
    await desk.api['outbox.undo']({ ref });
    const { sentBefore } = await desk.api['drafts.check']({ id, connectionId });
    expect(sentBefore).toEqual([]);
    expect(await desk.api['drafts.send'](order)).toHaveProperty('ref');
  });

  it('are merged again by the next check when merging failed temporarily', async () => {
    withField();
    const { id } = await v2WithValues({ rent: '900' });
    const { merge } = desk.pdf;
    desk.pdf.merge = () => {
      desk.pdf.merge = merge;
      return Promise.reject(new AppError('invalid', 'It takes too long', { reason: 'pdf-limit' }));
    };
    const problems = async () => (await desk.api['drafts.check']({ id })).errors;
    expect(await problems()).toMatchObject([
      { field: 'attachments', message: 'It takes too long' },
    ]);
    expect(await problems()).toEqual([]);
  });

  it('are shown in the picture of the page, while the file is unchanged', async () => {
    withField();
    const { id, file } = await v2WithValues({ rent: '900' });
    expect(await served('preview', id, file)).toContain('"rent":"900"');
    expect(await served('draft', id, file)).toBe(PDF);
  });

  it('that do not fit are missing in the picture, and reported at their field', async () => {
    withField();
    const { id, file } = await v2WithValues({ rent: '123456', nowhere: 'x' });
    const { errors } = await desk.api['drafts.check']({ id });
    expect(errors.map(({ field, code }) => [field, code])).toEqual([
      ['attachments.0.fields.0.value', 'value-too-long'],
      ['attachments.0.fields.1.name', 'no-such-field'],
    ]);
    desk.pdf.merge = () => Promise.reject(new AppError('invalid', 'Too long'));
    expect(await served('preview', id, file)).toBe(PDF);
  });

  it('with characters that the PDF cannot show are reported before the send', async () => {
    withField();
    const { id } = await v2WithValues({ rent: 'Ł' });
    const { errors } = await desk.api['drafts.check']({ id });
    expect(errors).toMatchObject([{ field: 'attachments', code: 'letters' }]);
  });
});

describe('bytes on the private origin', () => {
  it('are available only for files that the program has handed over', async () => {
    const id = desk.bytes.put(bytesOf('out'));
    const serve = desk.desk.serveBytes;
    expect(textOf((await serve(`/bytes/out/${id}`))?.data ?? bytesOf(''))).toBe('out');
    const draft = await addDraftV1(desk);
    const file = draft.files[0]?.id ?? '';
    expect((await serve(`/bytes/draft/${draft.id}/${file}`))?.type).toBe('application/pdf');
    for (const path of [
      '/bytes/out/',
      '/bytes/out/../../etc/passwd',
      `/bytes/out/${id}/more`,
      `/bytes/draft/${draft.id}`,
      `/bytes/draft/${file}/${draft.id}`,
      `/bytes/other/${draft.id}/${file}`,
      `/bytes/draft/${draft.id}/${file}/x`,
      '/index.html',
      '',
    ]) {
      expect(await serve(path)).toBeNull();
    }
  });

  it('make room for newer ones, and are refused when they alone exceed the limit', () => {
    const half = new Uint8Array(33 * 1024 * 1024);
    const first = desk.bytes.put(half);
    const second = desk.bytes.put(half);
    expect(() => desk.bytes.take(first)).toThrow();
    expect(desk.bytes.take(second)).toBe(half);
    expect(() => desk.bytes.put(new Uint8Array(65 * 1024 * 1024))).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ reason: 'too-large' }) }),
    );
  });
});

describe('templates', () => {
  it('are read and filled from files that the page handed over', async () => {
    const bytes = desk.bytes.put(bytesOf(PDF));
    expect(await desk.api['templates.fields']({ bytes })).toMatchObject({ pages: 1 });
    const merge = { bytes, values: { rent: '900' }, flatten: true };
    const { out, filled, bytes: length } = await desk.api['templates.merge'](merge);
    const merged = textOf(desk.bytes.take(out));
    expect(merged).toContain('"rent":"900"');
    expect({ filled, length }).toEqual({ filled: 1, length: merged.length });
  });
});
