import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { ApiName } from '../../../shared/model/ids.ts';
import { type FurnishedDesk, show } from './furnished-desk.ts';
import { goToPlace, grid, places, testid } from './places.ts';
import { apiOf } from './prepared-draft.ts';
import { beginRule, chooseForBackups, chooseForRule, ruleCard } from './rules.ts';
import { chooseMore, questionOf } from './steps.ts';
import { words } from './words.ts';

/*
 * The program's visible states: every screen, every dialog and the states in between, each with the
 * steps that lead there. Tests and pictures that visit all of them share this list.
 */

/** A place, a place with a selection, or an overlay over it. */
export interface View {
  readonly name: string;
  readonly open: (app: FurnishedDesk) => Promise<void>;
  /** Closes everything that would cover the next view; Escape closes overlays. */
  readonly leave?: (app: FurnishedDesk) => Promise<void>;
}

const withRow = (name: string): View => ({
  name: `${name}, a row chosen`,
  async open(app) {
    await goToPlace(app, name);
    await grid(app).focus();
    await app.page.keyboard.press('ArrowDown');
    await app.page.getByRole('complementary').getByRole('heading').first().waitFor();
  },
});

const form = (name: string, from: string, button: (app: FurnishedDesk) => Locator): View => ({
  name: `new ${name}`,
  async open(app) {
    await goToPlace(app, from);
    await button(app).click();
    await app.page
      .getByTestId(`${name === 'identity' ? 'settings.identity' : name}.form`)
      .waitFor();
  },
  async leave(app) {
    await buttonOf(app, words.common_cancel()).click();
  },
});

const templateTab = (name: string): View => ({
  name: `templates, ${name}`,
  async open(app) {
    await goToPlace(app, 'templates');
    await app.page.getByTestId(`templates.tab.${name}`).click();
    await app.page
      .getByTestId(`templates.tab.${name}`)
      .and(app.page.locator('[aria-selected=true]'))
      .waitFor();
  },
});

export const screenViews: readonly View[] = [
  ...places.map(({ name }) => ({ name, open: (app: FurnishedDesk) => goToPlace(app, name) })),
  ...['fields', 'questions', 'start', 'try'].map(templateTab),
  {
    name: 'templates, a party',
    async open(app) {
      await templateTab('fields').open(app);
      await app.page.getByTestId('templates.party.0').click();
      await app.page.getByTestId('templates.party.card').waitFor();
    },
  },
  ...['agreements', 'drafts', 'signing', 'archive'].map(withRow),
  {
    name: 'drawn fields, of each kind',
    async open(app) {
      await goToPlace(app, 'drawn fields');
      const { page } = app;
      for (const kind of ['text', 'date', 'checkbox', 'signature', 'choice']) {
        await page.getByTestId(`draw.kind.${kind}`).press('Enter');
        await page.getByTestId('draw.form').waitFor();
      }
    },
    async leave({ page }) {
      for (let left = 5; left > 0; left -= 1) await page.getByTestId('draw.remove').click();
      await page.getByTestId('draw.form').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'help, searched',
    async open(app) {
      await goToPlace(app, 'help');
      await app.page.getByRole('searchbox').fill('PDF');
      await app.page.getByTestId('help.results').waitFor();
    },
    async leave(app) {
      await app.page.getByRole('searchbox').fill('');
    },
  },
  form('connection', 'connections', (app) => buttonOf(app, words.settings_add_v2())),
  form('identity', 'identities', ({ page }) => page.getByTestId('settings.identity.add')),
];

const buttonOf = ({ page }: FurnishedDesk, name: string): Locator =>
  page.getByRole('button', { name, exact: true }).first();

/** The connection that is not part of the demo. */
const realConnection = (page: Page): Locator =>
  page.getByTestId('settings.connection').filter({ hasText: 'Kontoret' });

const question = ({ page }: FurnishedDesk): Locator => questionOf(page);
const dialog = ({ page }: FurnishedDesk): Locator => page.getByRole('dialog');
const menu = ({ page }: FurnishedDesk): Locator => page.getByRole('menu');

const over = (
  name: string,
  from: string,
  open: (app: FurnishedDesk) => Promise<void>,
  shown: (app: FurnishedDesk) => Locator,
): View => ({
  name,
  async open(app) {
    await goToPlace(app, from);
    await open(app);
    await shown(app).waitFor();
  },
  async leave(app) {
    await app.page.keyboard.press('Escape');
    await shown(app).waitFor({ state: 'detached' });
  },
});

const key =
  (keys: string) =>
  ({ page }: FurnishedDesk): Promise<void> =>
    page.keyboard.press(keys);

/** Opens the first agreement of the archive. */
async function openSigned(app: FurnishedDesk): Promise<void> {
  await grid(app).focus();
  await app.page.keyboard.press('Home');
  await buttonOf(app, words.signing_show_agreement()).click();
}

async function openAgreement(app: FurnishedDesk, api: ApiName, title: string): Promise<void> {
  const { items } = await apiOf(app)['agreements.list']({ search: title });
  const found = items.find((one) => one.api === api);
  if (found === undefined) throw new Error(`The demo has no agreement ${title}`);
  await show(app, `#/agreements/${found.connectionId}/${encodeURIComponent(found.id)}`);
}

/** A dialog about an agreement, opened by a button or from the menu of the agreement or a party. */
const aboutAgreement = (
  item: string,
  api: ApiName,
  from: 'button' | 'agreements.more' | 'agreements.party',
): View =>
  over(
    `agreement of ${api}, ${item}`,
    'agreements',
    async (app) => {
      await openAgreement(app, api, api === 'v1' ? 'Sopimus – Hämeentie 3' : 'Medgivande');
      const { page } = app;
      if (from === 'button') await page.getByTestId(`agreements.${item}`).click();
      else await chooseMore(page, page.getByTestId(from).first(), `${from}.${item}`);
    },
    (app) => question(app).or(dialog(app)),
  );

/** Opens an agreement of API v1, which has documents, and shows the first of them. */
async function openDocument(app: FurnishedDesk): Promise<void> {
  await openAgreement(app, 'v1', 'Fullmakt för ombud');
  await app.page.getByTestId('agreements.open-document').first().click();
}

async function setUpBackups(app: FurnishedDesk): Promise<void> {
  const api = apiOf(app);
  const { plan } = await api['backup.read']({});
  if (plan !== null) return;
  const { phrase } = await api['backup.newPhrase']({});
  const where = { folder: app.folder, when: { kind: 'by-hand' }, keep: 1, isOn: true } as const;
  await api['backup.setUp']({ ...where, withCredentials: false, administrator: null, phrase });
}

async function decide({ page }: FurnishedDesk): Promise<void> {
  await page.getByTestId('outbox.decide').click();
}

async function review({ page }: FurnishedDesk): Promise<void> {
  const list = page.getByRole('grid');
  await list.getByRole('row').nth(1).waitFor();
  await list.focus();
  const marked = page.getByRole('checkbox', { checked: true, includeHidden: true });
  // A second visit, in another language, finds the agreements that the first one marked as
  // reviewed.
  if ((await marked.count()) === 0) {
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByTestId('signing.reviewed').click();
  }
  // The mark appears after the queue was read again with its review; the next agreement may hide
  // the list.
  await marked.first().waitFor({ state: 'attached' });
  await page.keyboard.press('Control+Enter');
}

/** Contents of a draft that comes from a link. */
export const linked = {
  title: 'Hyra',
  message: 'Läs noga.',
  parties: [
    ['person', 'Anna Berg <anna@example.com>'],
    ['company', 'Ek AB'],
  ],
  names: ['Anna Berg', 'anna@example.com'],
} as const;

export const WATCHED = 'Skannern';

/** A watched folder with two files: the first would become a draft, and the second would be refused. */
const triedFolder: View = {
  name: 'watched folder, tried',
  async open(app) {
    const folder = path.join(app.folder, 'Inkorg');
    await mkdir(folder, { recursive: true });
    const before = new Date('2020-01-02');
    for (const [name, content] of [
      ['Hyresavtal.pdf', await plainPdf('Hyresavtal', ['Hyran är 9 400 kr.'])],
      ['bild.jpg', 'no PDF'],
    ] as const) {
      await writeFile(path.join(folder, name), content);
      await utimes(path.join(folder, name), before, before);
    }
    const rule = { folder, isOn: false, api: 'v1', connectionId: null, templateId: null } as const;
    await apiOf(app)['intake.saveRule']({ ...rule, name: WATCHED, needsData: false });
    await goToPlace(app, 'automation');
    await chooseForRule(app.page, WATCHED, 'try');
    await app.page.getByTestId('intake.preview').getByText('bild.jpg').waitFor();
  },
  async leave(app) {
    await app.page.keyboard.press('Escape');
    await app.page.getByTestId('intake.preview').waitFor({ state: 'detached' });
    for (const { rule } of await apiOf(app)['intake.rules']({})) {
      await apiOf(app)['intake.removeRule']({ id: rule.id });
    }
    await ruleCard(app.page, WATCHED).waitFor({ state: 'detached' });
  },
};

export const overlays: readonly View[] = [
  over('watched folder', 'automation', ({ page }) => beginRule(page, 'watch'), dialog),
  triedFolder,
  over('reminder rule', 'automation', ({ page }) => beginRule(page, 'remind'), dialog),
  over('archive rule', 'automation', ({ page }) => beginRule(page, 'archive'), dialog),
  over(
    'rules while the window is closed',
    'automation',
    ({ page }) => page.getByTestId('automation.closed.turn').click(),
    dialog,
  ),
  over(
    'saving a plot',
    'board',
    ({ page }) => page.getByTestId('board.waiting').getByRole('button').click(),
    question,
  ),
  {
    ...over(
      'backup setup',
      'backups',
      async ({ page }) => {
        // A second visit, in another language, finds the backups that the next view set up.
        const button = page.getByTestId('backup.setup');
        await ((await button.count()) > 0 ? button.click() : chooseForBackups(page, 'words'));
      },
      question,
    ),
    async leave({ page }) {
      await page.keyboard.press('Escape');
      // The words are then void, as a question explains.
      await questionOf(page).getByRole('button', { name: words.backup_leave_confirm() }).click();
      await questionOf(page).waitFor({ state: 'detached' });
    },
  },
  over(
    'moving to another computer',
    'backups',
    async (app) => {
      await setUpBackups(app);
      await app.page.getByTestId('backup.run').waitFor();
      await chooseForBackups(app.page, 'move');
    },
    question,
  ),
  over('opening a backup', 'backups', ({ page }) => chooseForBackups(page, 'open'), dialog),
  over(
    'options of the list',
    'agreements',
    ({ page }) => page.getByTestId('agreements.list-options').click(),
    testid('agreements.list-options-panel'),
  ),
  over('palette', 'agreements', key('Control+k'), dialog),
  over('shortcut sheet', 'agreements', key('Control+/'), dialog),
  over(
    'messages',
    'agreements',
    async ({ page }) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(words.said_open());
      await page.keyboard.press('Enter');
    },
    testid('messages'),
  ),
  over(
    'choice of connection',
    'agreements',
    ({ page }) => page.getByTestId('shell.connection').click(),
    menu,
  ),
  over(
    'actions on an agreement',
    'archive',
    async (app) => {
      await openSigned(app);
      await app.page.getByTestId('agreements.more').click();
    },
    menu,
  ),
  over(
    'saving a PDF',
    'archive',
    async (app) => {
      await openSigned(app);
      await app.page.getByTestId('agreements.save').click();
    },
    question,
  ),
  over('document of an agreement', 'agreements', openDocument, ({ page }) =>
    page.getByRole('dialog').locator('[data-testid="pdf.page"][data-drawn="1"]'),
  ),
  over(
    'arranging fields',
    'drawn fields',
    ({ page }) => page.getByTestId('draw.arrange').click(),
    menu,
  ),
  over(
    'draft from a link',
    'drafts',
    async ({ desk }) => {
      const parties = linked.parties.map(([kind, who]) => `${kind}=${encodeURIComponent(who)}`);
      const about = `title=${linked.title}&message=${encodeURIComponent(linked.message)}`;
      desk.arrive({ kind: 'link', text: `signingdesk:draft?${about}&${parties.join('&')}` });
    },
    question,
  ),
  over(
    'check before a send',
    'draft v1',
    ({ page }) => page.getByTestId('draft.send').click(),
    question,
  ),
  over(
    'check before a send that is scheduled',
    'draft v1',
    async ({ page }) => {
      await page.getByTestId('draft.send').click();
      await page.getByRole('radio', { name: words.draft_send_when_later() }).check();
      // With a date one week ahead, the pictures would change each day.
      await page.getByTestId('draft.send.at').fill('2020-01-02');
      await page.getByText(words.draft_send_at_past()).first().waitFor();
    },
    question,
  ),
  aboutAgreement('deadlines', 'v1', 'button'),
  aboutAgreement('share', 'v2', 'button'),
  aboutAgreement('revoke', 'v1', 'agreements.more'),
  aboutAgreement('delete', 'v1', 'agreements.more'),
  aboutAgreement('documents', 'v1', 'agreements.more'),
  aboutAgreement('remind', 'v1', 'agreements.party'),
  aboutAgreement('email', 'v1', 'agreements.party'),
  aboutAgreement('notifications', 'v1', 'agreements.party'),
  aboutAgreement('reject', 'v2', 'agreements.party'),
  ...(['bag', 'place'] as const).map((item) =>
    over(
      `archive, ${item}`,
      'archive',
      ({ page }) => chooseMore(page, page.getByTestId('archive.more'), `archive.more.${item}`),
      question,
    ),
  ),
  over('signing question', 'signing', review, question),
  ...(['outbox_was_sent', 'outbox_was_not_sent'] as const).map((name) =>
    over(
      `question ${name}`,
      'unknown send',
      async (app) => {
        await decide(app);
        await buttonOf(app, words[name]()).click();
      },
      question,
    ),
  ),
  over('decision about a send', 'unknown send', decide, dialog),
  over(
    'what happened',
    'notifications',
    (app) => buttonOf(app, words.digest_open()).click(),
    dialog,
  ),
  over(
    'question settings_replace',
    'connections',
    ({ page }) =>
      realConnection(page)
        .getByRole('button', { name: words.settings_replace(), exact: true })
        .click(),
    question,
  ),
  ...(
    [
      ['settings_rename', 'rename'],
      ['settings_remove', 'remove'],
      ['connection_reach_open', 'reach'],
    ] as const
  ).map(([name, item]) =>
    over(
      `question ${name}`,
      'connections',
      ({ page }) =>
        chooseMore(
          page,
          realConnection(page).getByTestId('connection.more'),
          `connection.more.${item}`,
        ),
      question,
    ),
  ),
  over(
    'forgetting a person',
    'people',
    ({ page }) => chooseMore(page, page.getByTestId('people.pane-more'), 'people.forget'),
    ({ page }) => page.getByTestId('people.forget.stays'),
  ),
  over(
    'everything about a person',
    'people',
    ({ page }) => page.getByTestId('people.everything').click(),
    question,
  ),
  over(
    'limits to keep',
    'privacy',
    async ({ page }) => {
      await page.getByTestId('privacy.sheets').fill('90');
      await page.getByTestId('privacy.sheets').blur();
      await page.locator('[data-testid="privacy.save"]:not([aria-disabled])').click();
    },
    question,
  ),
  ...(['export', 'group', 'erasures'] as const).map((name) =>
    over(
      `address book, ${name}`,
      'people',
      async ({ page }) => {
        await page.getByTestId('people.more').click();
        await page.getByTestId(`people.more.${name}`).click();
      },
      name === 'erasures' ? dialog : question,
    ),
  ),
  over(
    'removing a person',
    'identities',
    (app) => buttonOf(app, words.settings_identity_remove()).click(),
    question,
  ),
];
