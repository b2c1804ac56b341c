import { writeFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import {
  addParty,
  at,
  custom,
  openOptions,
  pick,
  reopen,
  stored,
  tick,
  unfold,
  write,
} from './draft-steps.ts';
import type { Story } from './killed-sittings.ts';
import { choose, fill, press } from './steps.ts';
import { words } from './words.ts';

export const TITLE = 'Hyresavtal Örtagården 3';
/** How long the lease can be signed (days). */
export const OPEN_DAYS = 90;
const CHANGED_AT = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));

/** A lease with the fields `tenant`, `rent` and `sign.tenant`, last changed in January 2026. */
export async function writeLease(folder: string): Promise<string> {
  const file = path.join(folder, 'Hyresavtal.pdf');
  await writeFile(file, await formPdf('Hyresavtal', ['tenant', 'rent', 'sign.tenant']));
  await utimes(file, CHANGED_AT, CHANGED_AT);
  return file;
}

/** The lease as the service receives it, without values that depend on this computer. */
export const wanted = {
  title: TITLE,
  parties: [
    {
      type: 'PRIVATE',
      signingOrder: 1,
      firstName: 'Åsa',
      lastName: 'Öberg',
      email: 'asa@example.com',
      signingConfigurations: [{ type: 'EID', country: 'SE' }],
    },
    {
      type: 'PRIVATE',
      signingOrder: 1,
      firstName: 'Bo',
      lastName: 'Ek',
      email: 'bo@example.com',
      mobile: '+46701234567',
      signingConfigurations: [{ type: 'SMS_OTP', identifier: '+46701234567' }, { type: 'DRAW' }],
      notifications: [
        { type: 'READY_TO_SIGN' },
        {
          type: 'READY_TO_SIGN',
          recipients: [{ medium: 'SMS', address: '+46701234567' }],
        },
        { type: 'SIGNED_BY_ALL' },
      ],
    },
    { type: 'MY_COMPANY', signingOrder: 2, signingConfigurations: [{ type: 'API' }] },
  ],
  notifications: [{ type: 'READY_TO_SIGN' }, { type: 'SIGNED_BY_ALL' }, { type: 'REJECTED' }],
} as const;

export const wantedFile = {
  type: 'BASE64',
  name: 'Hyresavtal.pdf',
  title: 'Hyresavtal',
  category: 'AGREEMENT',
  lastModifiedOn: '20260102T030405Z',
  fields: [
    { name: 'tenant', value: 'Bo Ek' },
    { name: 'accepted', value: 'true' },
    { name: 'sign.tenant', value: '{{@agr.parties[1].signature}}' },
    { name: 'rent', value: '9 400 kr' },
  ],
} as const;

/** First session: the title, the PDF, and who signs it in which step. */
async function writeParties(page: Page, [file = '']: readonly string[]): Promise<void> {
  await page.keyboard.press('Control+n');
  await fill(page, page.getByTestId('draft.title'), TITLE);
  // The file dialog belongs to the system; everything else is done with the keyboard.
  await page.getByTestId('draft.file').setInputFiles(file);
  await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
  await addParty(page, 0);
  await write(page, 'parties.0', { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com' });
  await addParty(page, 0);
  await write(page, 'parties.1', { firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' });
  await write(page, 'parties.1', { mobile: '+46 70-123 45 67' });
  const methods = 'parties.1.signingConfigurations';
  await pick(page, `${methods}.0.type`, words.method_sms_otp());
  await press(page, at(page, methods));
  await pick(page, `${methods}.1.type`, words.method_draw());
  await addParty(page, 2);
  await write(page, 'parties.2', { signingOrder: '2' });
  await page.keyboard.press('Tab');
  await stored(page);
}

/** Second session: the fields of the PDF, the signature in it, and the notifications. */
async function writeFieldsAndMessages(page: Page): Promise<void> {
  await reopen(page, TITLE);
  await fill(page, page.getByLabel('tenant', { exact: true }), 'Bo Ek');
  await tick(page, page.getByLabel('accepted'));
  const drawn = page.getByLabel(words.drawn_filled_with({ name: 'sign.tenant' }));
  await choose(page, drawn, words.drawn_of({ name: 'Bo Ek' }));
  await openOptions(page);
  await custom(page, page.getByTestId('draft.notifications'));
  const event = words.notification_rejected();
  const email = words.notice_by({ event, medium: words.medium_email() });
  const notifications = page.locator('[data-section=notifications]');
  await tick(page, notifications.getByLabel(email, { exact: true }));
  const messages = page.getByTestId('draft.parties.1.messages');
  await unfold(page, messages);
  await custom(page, messages);
  const sms = words.notice_by({
    event: words.notification_ready_to_sign(),
    medium: words.medium_sms(),
  });
  await tick(page, messages.getByLabel(sms, { exact: true }));
  await stored(page);
  // The program is killed while the user is still typing.
  await fill(page, page.getByLabel('rent', { exact: true }), '9 4');
}

export const lease: Story = { first: writeParties, second: writeFieldsAndMessages };

/** Third session: the rent, and the send. */
export async function writeRentAndEnd(page: Page): Promise<void> {
  await reopen(page, TITLE);
  await fill(page, page.getByLabel('rent', { exact: true }), '9 400 kr');
  await openOptions(page);
  await press(page, page.getByRole('button', { name: words.draft_in_days({ count: OPEN_DAYS }) }));
}
