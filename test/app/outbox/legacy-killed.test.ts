// tier: all
import { readFile } from 'node:fs/promises';
import { PDFDocument } from 'pdf-lib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../electron/core/outbox/marks.ts';
import { addDays, dayOf } from '../../../shared/rules/time/days.ts';
import type { DeskApp } from '../support/desk.ts';
import { send, stored } from '../support/draft-steps.ts';
import { Office, onlyDraft } from '../support/killed-sittings.ts';
import * as legacy from '../support/legacy-story.ts';
import { apiOf } from '../support/prepared-draft.ts';
import * as rented from '../support/service-template-story.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let office: Office;

beforeEach(async () => {
  office = await Office.open('v2');
});

afterEach(() => office.close());

/**
 * Returns a day in the next 40 days whose day and month are the same number, so that their order
 * does not matter.
 */
function dayLikeMonth(): string {
  const today = dayOf(Date.now());
  const days = Array.from({ length: 40 }, (_, ahead) => addDays(today, ahead + 1));
  return days.find((day) => day.slice(5, 7) === day.slice(8)) ?? today;
}

/**
 * Returns the name sent to the service. API v2 has no tags, so the name contains a code by which
 * the agreement can be found.
 */
async function codedName(app: DeskApp, name: string): Promise<string> {
  const [row] = await apiOf(app)['outbox.list']({});
  if (row === undefined) throw new Error('Nothing was sent');
  return `${name} ·${codeOf(row.ref)}`;
}

function uploads(): readonly { readonly token: string; readonly body: Buffer }[] {
  return office.relay.passed
    .filter(({ method, path: at }) => method === 'POST' && at.includes('/files/attachment/'))
    .map(({ body, reply }) => ({ ...(JSON.parse(reply.toString()) as { token: string }), body }));
}

/** Returns the PDF in a multipart form with one part. */
async function pdfIn(form: Buffer | undefined): Promise<PDFDocument> {
  const [start, end] = [form?.indexOf('%PDF-') ?? 0, form?.lastIndexOf('%%EOF') ?? 0];
  return PDFDocument.load(form?.subarray(start, end + '%%EOF'.length) ?? '');
}

describe('an API v2 agreement written offline with the keyboard, in a program killed twice', () => {
  it(
    'is sent later with 5 MB of files, exactly as it was written (T2-38, T2-40, T2-52)',
    async () => {
      const files = await legacy.writeLeaseAndDrawings(office.folder);
      await office.sitTwice('legacy', files);
      const app = await office.startApp();
      try {
        const { parties, notificationMessages } = legacy.wanted;
        const { body } = await onlyDraft(app);
        expect(body).toEqual(expect.objectContaining({ parties, notificationMessages }));
        const date = dayLikeMonth();
        const typed = date.split('-').toReversed().join('');
        await legacy.writeRentAndReminder(app.page, typed);
        await stored(app.page);
        expect(office.relay.passed).toEqual([]);
        await office.relay.up();
        await send(app.page);
        const created = await office.created();
        const [lease, drawings, ...more] = uploads();
        expect(more).toEqual([]);
        expect(created).toStrictEqual({
          ...legacy.wanted,
          name: await codedName(app, legacy.NAME),
          reminders: [{ date, emails: legacy.reminded, message: legacy.REMINDER }],
          attachments: [
            { name: 'Hyresavtal.pdf', token: lease?.token },
            { name: 'Ritningar åäö.pdf', token: drawings?.token },
          ],
        });
        expect(drawings?.body.includes(await readFile(files[1] ?? ''))).toBe(true);
        const form = (await pdfIn(lease?.body)).getForm();
        expect(form.getTextField('tenant').getText()).toBe('Bo Ek');
        expect(form.getTextField('rent').getText()).toBe('9 400 kr');
        expect(form.getCheckBox('accepted').isChecked()).toBe(true);
        // The signature field is empty, because the service draws the signature into it.
        expect(form.getTextField('sign.tenant').getText()).toBeUndefined();
        expect(office.demo.agreements.v2()).toMatchObject([{ status: 'POSTED' }]);
      } finally {
        await app.close();
      }
    },
    HOUR,
  );

  it(
    'is sent later from a template of the service, exactly as it was written (T2-46, T2-47)',
    async () => {
      await office.sitTwice('service-template', [await rented.writeCopy(office.folder)]);
      const app = await office.startApp();
      try {
        const { parties, dynamicPdf } = rented.wanted;
        const { body } = await onlyDraft(app);
        expect(body).toEqual(expect.objectContaining({ parties, dynamicPdf }));
        await rented.writeText(app.page);
        await stored(app.page);
        expect(office.relay.passed).toEqual([]);
        await office.relay.up();
        await send(app.page);
        const created = await office.created();
        const name = await codedName(app, rented.NAME);
        expect(created).toStrictEqual({ ...rented.wanted, name });
        expect(office.demo.agreements.v2()).toMatchObject([{ name, status: 'POSTED' }]);
      } finally {
        await app.close();
      }
    },
    HOUR,
  );
});
