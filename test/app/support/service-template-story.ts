import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { Locator, Page } from 'playwright';
import { at, openOptions, reopen, started, stored, write } from './draft-steps.ts';
import type { Story } from './killed-sittings.ts';
import { choose, chooseNew, expectFocus, fill, goTo, press, questionOf, tabTo } from './steps.ts';
import { words } from './words.ts';

/** Name that the program gives the agreement, from the template's own title. */
export const NAME = 'Lokalhyra Åsa Öberg';
const TEMPLATE = 'Lokalhyra';
const TENANT = 'Hyresgäst';
const LANDLORD = 'Hyresvärd';

/** The agreement as the service receives it, without the code in its name. */
export const wanted = {
  type: 'DYNAMIC_PDF',
  expireIn: 30,
  dynamicPdf: {
    templateId: '70001',
    fields: [
      { name: 'tenant', value: 'Åsa Öberg' },
      { name: 'parking', value: true },
      { name: 'address', value: 'Ängsvägen 7' },
      { name: 'monthly_rent', value: '9 400 kr' },
    ],
  },
  parties: {
    privates: [
      {
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        personNo: '19850709-9805',
        signMethods: ['EMAIL_OTP'],
      },
    ],
    companies: [
      {
        firstName: 'Karin',
        lastName: 'Lindqvist',
        email: 'karin@example.com',
        orgNo: '5599990008',
        signMethods: ['EID'],
        signingOrder: 2,
      },
    ],
  },
  additionalTBS: { senderInfo: 'Lindqvist & Berg', description: 'Hyra av lokal' },
} as const;

/** A copy of the service's template on this computer. */
export async function writeCopy(folder: string): Promise<string> {
  const document = await PDFDocument.create();
  const page = document.addPage();
  const form = document.getForm();
  const names = ['tenant', 'address', 'monthly_rent'];
  for (const [row, name] of names.entries()) {
    form.createTextField(name).addToPage(page, { x: 80, y: 700 - row * 40 });
  }
  form.createCheckBox('parking').addToPage(page, { x: 80, y: 560 });
  const file = path.join(folder, 'Lokalhyra.pdf');
  await writeFile(file, await document.save());
  return file;
}

const tab = (page: Page, name: string): Locator => page.getByTestId(`templates.tab.${name}`);
const sourceOf = (page: Page, field: string): Locator =>
  page.getByLabel(words.templates_from_of({ field }), { exact: true });

/** First session: the template, its parties, and the sources of its fields. */
async function makeTemplate(page: Page, [copy = '']: readonly string[]): Promise<void> {
  await goTo(page, 'Control+Digit4', words.screen_templates());
  await press(page, page.getByTestId('templates.add-other'));
  await expectFocus(page.getByTestId('templates.add-other.service'));
  await page.keyboard.press('Enter');
  const question = questionOf(page);
  const { templateId } = wanted.dynamicPdf;
  await fill(page, question.getByLabel(words.templates_rename_title()), TEMPLATE);
  await fill(page, question.getByLabel(words.templates_service_id()), templateId);
  await press(page, question.getByRole('button', { name: words.templates_service_add() }));
  await page.getByRole('heading', { name: TEMPLATE, level: 2 }).waitFor();
  // The file dialog belongs to the system; everything else is done with the keyboard.
  await page.getByTestId('templates.copy').setInputFiles(copy);
  await sourceOf(page, 'parking').waitFor({ state: 'attached' });
  await addRoles(page);
  await open(page, 'fields');
  await choose(
    page,
    sourceOf(page, 'tenant'),
    words.templates_source_party({
      party: TENANT,
      datum: words.templates_datum_full_name(),
    }),
  );
  await choose(page, sourceOf(page, 'parking'), words.templates_source_ticked());
  // The test keyboard has no key for the ellipsis.
  const ask = words.templates_source_ask_new().replace('…', '');
  await chooseNew(page, sourceOf(page, 'address'), ask);
  await chooseNew(page, sourceOf(page, 'monthly_rent'), ask);
  await open(page, 'start');
  await fill(page, page.getByLabel(words.templates_title()), `Lokalhyra {${TENANT}}`);
  await templateStored(page);
}

async function addRoles(page: Page): Promise<void> {
  const named = page.getByLabel(words.templates_role_name());
  await press(page, page.getByTestId('templates.role.add'));
  await fill(page, named, TENANT);
  await choose(page, page.getByLabel(words.templates_role_method()), words.method_email_otp());
  // The new party's details replace those of the first.
  await press(page, page.getByTestId('templates.role.add'));
  await page.getByTestId('templates.party.1').and(page.locator('[aria-expanded=true]')).waitFor();
  await fill(page, named, LANDLORD);
  await choose(page, page.getByLabel(words.templates_role_type()), words.templates_role_company());
  await fill(page, page.getByLabel(words.templates_role_order()), '2');
}

/** Second session: the questions are answered, and the new draft gets its addresses. */
async function makeDraft(page: Page): Promise<void> {
  await started(page);
  await goTo(page, 'Control+Digit4', words.screen_templates());
  await press(page, page.getByTestId('templates.use'));
  const [tenant, landlord] = [TENANT, LANDLORD].map((name) => page.getByRole('group', { name }));
  for (const [group, given, family] of [
    [tenant, 'Åsa', 'Öberg'],
    [landlord, 'Karin', 'Lindqvist'],
  ] as const) {
    if (group === undefined) continue;
    await fill(page, group.getByLabel(words.templates_datum_first_name()), given);
    await fill(page, group.getByLabel(words.templates_datum_last_name()), family);
  }
  await fill(page, page.getByLabel('address', { exact: true }), 'Ängsvägen 7');
  await fill(page, page.getByLabel('monthly_rent', { exact: true }), '9 400 kr');
  await press(page, page.getByTestId('templates.draft'));
  await page.getByTestId('draft.editor').waitFor();
  await write(page, 'parties.privates.0', {
    personNo: '19850709-9805',
    email: 'asa@example.com',
  });
  await write(page, 'parties.companies.0', { orgNo: '5599990008', email: 'karin@example.com' });
  await page.keyboard.press('Tab');
  await stored(page);
  // The program is killed while the user is still typing.
  await openText(page);
  await fill(page, at(page, 'additionalTBS.senderInfo'), 'Lindq');
}

export const serviceTemplate: Story = { first: makeTemplate, second: makeDraft };

/** Third session: the settings for the e-identity. */
export async function writeText(page: Page): Promise<void> {
  await reopen(page, NAME);
  await openText(page);
  await write(page, 'additionalTBS', wanted.additionalTBS);
  await page.keyboard.press('Tab');
}

async function openText(page: Page): Promise<void> {
  await openOptions(page);
  await press(page, page.getByTestId('draft.tbs').locator('summary'));
}

/** Opens a tab: all tabs together are one Tab stop, and the arrow keys move between them. */
async function open(page: Page, name: string): Promise<void> {
  await tabTo(page, page.locator('[role=tab][tabindex="0"]'));
  while ((await tab(page, name).getAttribute('aria-selected')) !== 'true') {
    await page.keyboard.press('ArrowRight');
  }
}

async function templateStored(page: Page): Promise<void> {
  await page.getByTestId('templates.saved').filter({ hasText: 'Saved' }).waitFor();
}
