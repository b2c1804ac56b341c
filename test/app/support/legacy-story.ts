import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { Locator, Page } from 'playwright';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import {
  addParty,
  at,
  custom,
  openOptions,
  reopen,
  stored,
  tick,
  unfold,
  write,
} from './draft-steps.ts';
import { choose, fill, press } from './steps.ts';
import type { Story } from './killed-sittings.ts';
import { words } from './words.ts';

export const NAME = 'Hyresavtal Ängsvägen 7';
/** Size of the drawings (bytes), too large to be sent inline (API v2, "attachments rules"). */
const DRAWINGS = 5_000_000;
const PERSONS = 0;
const COMPANIES = 1;

/**
 * A lease with the fields `tenant`, `rent` and `sign.tenant`, and large drawings without fields.
 */
export async function writeLeaseAndDrawings(folder: string): Promise<readonly string[]> {
  const files = ['Hyresavtal.pdf', 'Ritningar åäö.pdf'].map((name) => path.join(folder, name));
  const [lease = '', drawings = ''] = files;
  await writeFile(lease, await formPdf('Hyresavtal', ['tenant', 'rent', 'sign.tenant']));
  await writeFile(drawings, await drawingsPdf());
  return files;
}

async function drawingsPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText('Drawings');
  document.context.register(document.context.stream(randomBytes(DRAWINGS)));
  return document.save();
}

/** The lease as the service receives it, without the code in its name, the day and the tokens. */
export const wanted = {
  type: 'ATTACHED',
  expireIn: 45,
  drawSignature: true,
  signatureMessage: 'Rita som i passet',
  hideUnsigned: true,
  notificationMessages: [
    { type: 'posted', additionalText: '<p>Läs <b>hela</b> avtalet.</p>' },
    { type: 'closed' },
    { type: 'rejected' },
  ],
  parties: {
    privates: [
      {
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        personNo: '19850709-9805',
        signMethods: ['EID'],
        signingOrder: 1,
      },
      {
        firstName: 'Bo',
        lastName: 'Ek',
        email: 'bo@example.com',
        personNo: '900101-2385',
        mobile: '+46 701234567',
        signMethods: ['SMS_OTP'],
        signingOrder: 1,
        signMetadata: [{ attachmentIndex: 0, signatureFields: ['sign.tenant'] }],
      },
    ],
    companies: [
      {
        orgNo: '5599990008',
        signMethods: ['EID'],
        signingOrder: 2,
        firstName: 'Karin',
        lastName: 'Lindqvist',
        email: 'karin@example.com',
        allowedPersons: [{ personNo: '198507099805', firstName: 'Karin' }],
      },
    ],
  },
} as const;

export const REMINDER = 'Snart går tiden ut';
export const reminded = ['asa@example.com', 'bo@example.com', 'karin@example.com'] as const;

/** Values for the fields of the PDF. */
const fieldOf = (page: Page, name: string): Locator =>
  page.locator('[data-section=fields]').getByLabel(name, { exact: true });

/** First session: the name, both files, and who signs in which step. */
async function writeParties(page: Page, files: readonly string[]): Promise<void> {
  await page.keyboard.press('Control+n');
  await fill(page, page.getByTestId('draft.title'), NAME);
  // The file dialog belongs to the system; everything else is done with the keyboard.
  await page.getByTestId('draft.file').setInputFiles([...files]);
  await page.getByTestId('draft.attachments.1').waitFor();
  await page.locator('[data-testid="pdf.page"][data-drawn="1"]').first().waitFor();
  await addParty(page, PERSONS);
  await write(page, 'parties.privates.0', { firstName: 'Åsa', lastName: 'Öberg' });
  await write(page, 'parties.privates.0', { personNo: '19850709-9805', email: 'asa@example.com' });
  await addParty(page, PERSONS);
  await write(page, 'parties.privates.1', { firstName: 'Bo', lastName: 'Ek' });
  await write(page, 'parties.privates.1', { personNo: '900101-2385' });
  await write(page, 'parties.privates.1', { email: 'bo@example.com', mobile: '070-123 45 67' });
  await choose(page, at(page, 'parties.privates.1.signMethods'), words.method_sms_otp());
  await addParty(page, COMPANIES);
  const company = 'parties.companies.0';
  await write(page, company, { orgNo: '5599990008', firstName: 'Karin', lastName: 'Lindqvist' });
  await write(page, company, { email: 'karin@example.com', signingOrder: '2' });
  await unfold(page, page.getByTestId(`draft.${company}.allowed`));
  await press(page, at(page, `${company}.allowedPersons`));
  const allowed = { personNo: '198507099805', firstName: 'Karin' };
  await write(page, `${company}.allowedPersons.0`, allowed);
  await page.keyboard.press('Tab');
  await stored(page);
}

/** Second session: the values of the PDF, the way of signing, and the messages to the parties. */
async function writeFieldsAndMessages(page: Page): Promise<void> {
  await reopen(page, NAME);
  await fill(page, fieldOf(page, 'tenant'), 'Bo Ek');
  await tick(page, fieldOf(page, 'accepted'));
  await openOptions(page);
  await unfold(page, page.getByTestId('draft.signing'));
  await tick(page, at(page, 'drawSignature'));
  await fill(page, at(page, 'signatureMessage'), wanted.signatureMessage);
  await tick(page, at(page, 'hideUnsigned'));
  const places = page.getByTestId('draft.parties.privates.1.places');
  await unfold(page, places);
  await tick(page, places.getByLabel('sign.tenant', { exact: true }));
  const messages = page.locator('[data-section=notifications]');
  await custom(page, messages);
  await tick(page, messages.getByLabel(words.message_rejected(), { exact: true }));
  await unfold(page, messages.locator('details').first());
  const [{ additionalText }] = wanted.notificationMessages;
  await fill(page, at(page, 'notificationMessages.0.additionalText'), additionalText);
  await stored(page);
  // The program is killed while the user is still typing.
  await fill(page, fieldOf(page, 'rent'), '9 4');
}

export const legacy: Story = { first: writeParties, second: writeFieldsAndMessages };

/** Third session: the rent, the send, and a reminder on `day`, in the window's date format. */
export async function writeRentAndReminder(page: Page, day: string): Promise<void> {
  await reopen(page, NAME);
  await fill(page, fieldOf(page, 'rent'), '9 400 kr');
  await openOptions(page);
  await fill(page, at(page, 'expireIn'), String(wanted.expireIn));
  await press(page, at(page, 'reminders'));
  const date = at(page, 'reminders.0.date');
  await fill(page, date, day);
  await fill(page, at(page, 'reminders.0.message'), REMINDER);
  await page.keyboard.press('Tab');
}
