import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { agreement, create, createLegacy, fetchWhole, pdf } from '../bodies.ts';
import { openDemo, tempFolder, textAt } from '../support.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
if (!hasQpdf)
  console.warn('SKIPPED: qpdf is not installed, so signed PDFs are not checked with it.');

const accept = { accept: 'application/pdf' };

describe('a v1 download in the demo service', () => {
  it('returns a PDF of a concluded agreement only', async () => {
    const client = await openDemo();
    const id = await create(client);
    const path = `/v1/agreements/${id}/download`;
    expect((await client.v1('GET', path, { headers: accept })).status).toBe(400);
    client.demo.act('v1', id, 'sign-all');
    expect((await client.v1('GET', path)).status).toBe(400);
    const reply = await client.v1('GET', path, { headers: accept });
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const again = await client.v1('GET', path, { headers: accept });
    expect(again.bytes.equals(reply.bytes)).toBe(true);
  });

  it('has the pages of the agreement in order, without reference documents, and a log', async () => {
    const client = await openDemo();
    const file = agreement.attachments[0];
    const id = await create(client, {
      ...agreement,
      attachments: [file, { ...file, category: 'REF_DOC' }, { ...file, name: 'bilaga.pdf' }],
    });
    client.demo.act('v1', id, 'sign-all');
    const path = `/v1/agreements/${id}/download`;
    const { bytes } = await client.v1('GET', path, { headers: accept });
    expect((await PDFDocument.load(bytes)).getPageCount()).toBe(3);
  });

  it('merges field values, Polish letters included, and leaves no form behind', async () => {
    const client = await openDemo();
    const form = await PDFDocument.create();
    form.getForm().createTextField('tenant').addToPage(form.addPage());
    const data = Buffer.from(await form.save()).toString('base64');
    const file = { ...agreement.attachments[0], data, fields: [{ name: 'tenant', value: 'Łódź' }] };
    const id = await create(client, { ...agreement, attachments: [file] });
    client.demo.act('v1', id, 'sign-all');
    const path = `/v1/agreements/${id}/download`;
    const { bytes } = await client.v1('GET', path, { headers: accept });
    const made = await PDFDocument.load(bytes);
    expect(made.getPageCount()).toBe(2);
    expect(made.getForm().getFields()).toEqual([]);
    expect(made.getPage(0).node.Resources()?.toString()).toContain('XObject');
  });
});

describe('a v1 attachment download in the demo service', () => {
  it('is a 303 to a link that works without credentials for a minute', async () => {
    const client = await openDemo();
    const { data } = await fetchWhole(client, await create(client));
    const id = textAt(data, 'id');
    const attachment = textAt(data, 'attachments', 0, 'id');
    const path = `/v1/agreements/${id}/attachments/${attachment}/download`;
    const reply = await client.v1('GET', path);
    expect(reply.status).toBe(303);
    const link = reply.headers.get('location') ?? '';
    expect(textAt(reply.json, 'data', 'downloadLink')).toBe(link);
    const stored = await fetch(link);
    expect(Buffer.from(await stored.arrayBuffer()).toString('base64')).toBe(pdf);
    const withToken = { headers: { authorization: 'Token demo-token-not-a-secret' } };
    expect((await fetch(link, withToken)).status).toBe(400);
    client.clock.at += MINUTE;
    expect((await fetch(link)).status).toBe(403);
    expect((await client.v1('GET', path.replace(attachment, 'x'))).status).toBe(404);
  });
});

describe('signed PDFs', () => {
  it.runIf(hasQpdf)('of the whole story pass qpdf --check', async () => {
    const client = await openDemo({ seed: 'full' });
    const folder = await tempFolder();
    const files: string[] = [];
    const keep = async (name: string, bytes: Buffer) => {
      await writeFile(join(folder, name), bytes);
      files.push(join(folder, name));
    };
    for (const { id, state } of client.demo.agreements.v1()) {
      if (state !== 'SIGNED_BY_ALL') continue;
      const reply = await client.v1('GET', `/v1/agreements/${id}/download`, { headers: accept });
      if (reply.status === 200) await keep(`${id}.pdf`, reply.bytes);
    }
    for (const { referenceNumber, status } of client.demo.agreements.v2()) {
      if (status !== 'SIGNED_BY_ALL') continue;
      const reply = await client.v2('GET', `/agreements/${referenceNumber}/download`);
      await keep(`${referenceNumber}.pdf`, reply.bytes);
    }
    expect(files.length).toBeGreaterThanOrEqual(12);
    for (const file of files) {
      expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain(
        'No syntax or stream encoding errors',
      );
    }
  });

  it('of an open v2 agreement show the current state', async () => {
    const client = await openDemo();
    const path = `/agreements/${await createLegacy(client)}/download`;
    const reply = await client.v2('GET', path);
    expect((await PDFDocument.load(reply.bytes)).getPageCount()).toBe(2);
  });
});
