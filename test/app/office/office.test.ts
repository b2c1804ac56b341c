// tier: all
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../../electron/compose/compose.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { Api } from '../../../shared/contract/index.ts';
import type { ConnectionId, DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import type { OfficeUserRight } from '../../../shared/contract/office/office.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';
import { silenceOthers } from '../../support/desks/silence.ts';
import { noHostFeatures, offersNothing } from '../../support/fakes/no-host-features.ts';
import { entryOf } from '../../support/person-entry.ts';
import { type Postgres, postgresPrograms, startPostgres } from '../../support/postgres.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { chooseMore, expectFocus, expectGone, expectSeen, tryDemo } from '../support/steps.ts';
import { show } from '../support/furnished-desk.ts';
import { words } from '../support/words.ts';

const TIMEOUT_MS = 300_000;
const OWNER = { role: 'signing_desk_owner', password: 'the owner’s, for this test' };

describe.skipIf(postgresPrograms === null)('an office in the window', () => {
  let postgres: Postgres;
  let service: Demo;
  let app: DeskApp;
  let page: Page;
  let bo: Desk;
  let boFolder: string;
  const connections = new Map<Desk, ConnectionId>();

  async function connect(desk: Desk): Promise<void> {
    const real = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
    const order = { ...real, url: service.v1Url, secret: service.credentials.token };
    const { id } = await apiOf({ desk })['connections.add'](order);
    connections.set(desk, id);
  }

  async function send(desk: Desk, id: DraftId, holdSeconds: number): Promise<OutboxRef> {
    const connectionId = connections.get(desk);
    if (connectionId === undefined) throw new Error('This desk has no connection');
    const order = { id, connectionId, holdSeconds, confirm: 1 };
    const { ref } = await apiOf({ desk })['drafts.send'](order);
    return ref;
  }

  const made = (title: string) =>
    service.agreements.v1().filter((one) => one.title === title).length;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
    await postgres.run(`CREATE DATABASE signing_desk OWNER ${OWNER.role}`);
    service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    app = await startDeskApp({ seed: 'none' });
    ({ page } = app);
    await tryDemo(page);
    await connect(app.desk);
    boFolder = await mkdtemp(path.join(tmpdir(), 'desk-bo-'));
    const keyfile = path.join(boFolder, 'key');
    await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
    bo = createDesk({
      dataDir: path.join(boFolder, 'data'),
      stateDir: path.join(boFolder, 'state'),
      vault: { keyfile },
      interactive: false,
      version: '1.0.0',
      platform: 'linux',
      locale: 'en',
      documentsFolder: boFolder,
      features: { describe: offersNothing, ...noHostFeatures },
    });
    await bo.open();
    await connect(bo);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await bo.close();
    await app.close();
    await service.close();
    await postgres.remove();
    await rm(boFolder, { recursive: true, force: true });
  });

  it(
    'is created in the settings, and shows its users and its connection',
    async () => {
      await show(app, '#/settings/office');
      await expectSeen(page.getByText(words.office_lead()));
      await takePicture(page, 'office-none');
      await page.getByRole('radio', { name: words.office_way_make() }).check();
      const { host, port } = postgres.address;
      await page.getByLabel(words.office_name()).fill('Anna Ek');
      await page.getByLabel(words.office_host()).fill(host);
      await page.getByLabel(words.office_port()).fill(String(port));
      await page.getByLabel(words.office_password()).fill('wrong');
      await takePicture(page, 'office-make');
      await audit(page);
      await button(words.office_make()).click();
      await expectSeen(page.getByTestId('failure'));
      await page.getByLabel(words.office_password()).fill(OWNER.password);
      await button(words.office_make()).click();
      const user = page.getByTestId('office.seats').getByRole('listitem');
      await expectFocus(user.filter({ hasText: 'Anna Ek' }));
      await expectSeen(page.getByTestId('activity.message').getByText(words.office_made()));
      await expectSeen(page.getByTestId('office.checks').getByText(words.office_check_clock()));
      await expectGone(page.getByTestId('office.checks').getByText(words.office_bad()));
      await takePicture(page, 'office-joined');
      await audit(page);
    },
    TIMEOUT_MS,
  );

  it(
    'invites a user with a file and with words that are shown once',
    async () => {
      await page.getByTestId('office.invite').click();
      await page.getByTestId('office.invite.name').fill('Bo Lund');
      await page.getByTestId('office.invite.password').fill(OWNER.password);
      await takePicture(page, 'office-invite');
      await audit(page);
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: words.office_invite_confirm(), exact: true })
        .click();
      const phrase = await page.getByTestId('office.phrase').textContent();
      expect(phrase?.split(' ')).toHaveLength(12);
      await takePicture(page, 'office-words');
      await page.keyboard.press('Escape');
      await expectGone(page.getByTestId('office.phrase'));
      await expectSeen(page.getByText(words.office_invited()));
    },
    TIMEOUT_MS,
  );

  it(
    'admits another computer, and sends a shared draft once until a user confirms a second send',
    async () => {
      const owner = OWNER;
      const rights: OfficeUserRight[] = ['send', 'numbers'];
      const invited = await apiOf(app)['office.invite']({ owner, name: 'Cia', rights });
      const bytes = await app.desk.serveBytes(`/bytes/out/${invited.out}`);
      const invitation = Buffer.from(bytes?.data ?? new Uint8Array()).toString('utf8');
      await apiOf({ desk: bo })['office.join']({ invitation, phrase: invited.phrase });
      const [his, hers] = [
        await prepareDraft({ ...app, desk: bo }, 'v1', 'Arrende'),
        await prepareDraft(app, 'v1', 'Arrende'),
      ];
      // Her draft is in the outbox before his is sent: once her computer had read his send, it would
      // ask instead.
      const ref = await send(app.desk, hers, 30);
      await send(bo, his, 0);
      await apiOf({ desk: bo })['outbox.run']({});
      await show(app, `#/outbox/${ref}`);
      await page.getByTestId('outbox.send-now').click();
      await expectSeen(page.getByText(words.reason_claimed_elsewhere()));
      expect(made('Arrende')).toBe(1);
      await expectSeen(page.getByText(words.outbox_explain_elsewhere()));
      await expectGone(page.getByTestId('outbox.send-now'));
      await takePicture(page, 'office-held');
      await audit(page);
      await page.getByTestId('outbox.office.who').click();
      await expectSeen(page.getByTestId('outbox.office.holders').getByText(/^Cia/u));
      await takePicture(page, 'office-holders');
      await audit(page);
      await button(words.outbox_office_send()).click();
      await expect.poll(() => made('Arrende'), { timeout: 60_000 }).toBe(2);
    },
    TIMEOUT_MS,
  );

  it(
    'shares the address book, and asks when two computers changed the same field',
    async () => {
      const [anna, other] = [apiOf(app), apiOf({ desk: bo })];
      await show(app, '#/settings/office');
      const book = page.getByTestId('office.sharing').getByLabel(words.office_share_book());
      await book.check();
      await other['office.share']({ set: 'address-book', isShared: true });
      const karin = { firstName: 'Karin', lastName: 'Lind', email: 'karin@example.com' };
      const { id } = await anna['people.save']({ id: null, entry: entryOf(karin) });
      await anna['office.exchange']({});
      await other['office.exchange']({});
      const { sets } = await anna['office.sharing']({});
      const count = String(sets.find(({ set }) => set === 'address-book')?.items);
      await expectSeen(page.getByText(words.office_share_items({ count })));
      await postgres.stop('fast');
      const save = (api: Api, email: string) =>
        api['people.save']({ id, entry: entryOf({ ...karin, email }) });
      await save(anna, 'karin@home.example');
      await save(other, 'karin.lind@work.example');
      // The first attempt failed, so the next one is made on request.
      const again = page.getByRole('button', { name: words.failure_try_again() });
      await expectSeen(again);
      await postgres.start();
      await other['office.exchange']({});
      const question = page.getByTestId('office.questions').getByRole('listitem');
      const asked = question.getByText('karin.lind@work.example');
      // The check of each minute may be faster than the test, and remove the button.
      const press = async (): Promise<boolean> => {
        if (await again.isVisible()) await again.click({ timeout: 2000 }).catch(() => undefined);
        return asked.isVisible();
      };
      await expect.poll(press, { timeout: TIMEOUT_MS }).toBe(true);
      await question.scrollIntoViewIfNeeded();
      await takePicture(page, 'office-questions');
      await audit(page);
      await question
        .getByRole('button', { name: `${words.office_question_keep_there()}: Karin Lind` })
        .click();
      await expectGone(page.getByTestId('office.questions'));
      expect((await anna['people.take']({ id })).email).toBe('karin.lind@work.example');
    },
    TIMEOUT_MS,
  );

  it(
    'hands a draft over to another user, and receives one',
    async () => {
      const title = 'Hyra för garage';
      await prepareDraft(app, 'v1', title);
      await show(app, '#/drafts');
      await page.getByRole('grid').getByText(title).click();
      await expectSeen(page.getByTestId('office.together'));
      await chooseMore(page, page.getByTestId('drafts.pane-more'), 'office.handOver');
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel(words.office_hand_over_note()).fill('Kolla hyran');
      await takePicture(page, 'office-hand-over');
      await audit(page);
      await dialog.getByRole('button', { name: words.office_hand_over_confirm() }).click();
      const waiting = page.getByTestId('office.handovers').getByRole('listitem');
      await expectSeen(waiting.getByText(title));
      await expectGone(page.getByRole('grid').getByText(title));
      const other = apiOf({ desk: bo });
      const [given] = await other['office.handovers']({});
      expect(given).toMatchObject({ title, note: 'Kolla hyran', from: 'Anna Ek' });
      const what = await other['office.take']({ id: given?.id ?? '' });
      const seats = await other['office.seats']({});
      const seat = seats.find(({ name }) => name === 'Anna Ek')?.id;
      if (seat === undefined) throw new Error('Anna has no seat');
      await other['office.handOver']({ what, seat, note: 'Hyran är rätt nu' });
      await expectSeen(waiting.getByText('Hyran är rätt nu'));
      await takePicture(page, 'office-handed');
      await audit(page);
      await waiting.getByRole('button', { name: `${words.office_take()}: ${title}` }).click();
      await expectSeen(page.getByTestId('draft.editor'));
      await expectGone(page.getByTestId('office.handovers'));
    },
    TIMEOUT_MS,
  );

  it(
    'releases a shared draft on request while the computer that was to send it is silent (DL-Q3)',
    async () => {
      const title = 'Arrende av äng';
      const [anna, cia] = [apiOf(app), apiOf({ desk: bo })];
      for (const api of [anna, cia]) await api['office.share']({ set: 'drafts', isShared: true });
      const id = await prepareDraft({ ...app, desk: bo }, 'v1', title);
      await cia['office.together']({ draft: id, isTogether: true });
      await anna['office.exchange']({});
      const connectionId = connections.get(bo);
      if (connectionId === undefined) throw new Error('This desk has no connection');
      const sendAt = Date.now() + HOUR;
      await cia['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1, sendAt });
      await cia['office.leaveDraft']({ draft: id });
      await cia['office.exchange']({});
      await anna['office.exchange']({});
      await show(app, '#/drafts');
      const row = page.getByRole('row').filter({ hasText: title });
      await expectSeen(row.getByText(words.drafts_sending()));
      await row.click();
      const sending = words.office_together_sending({ seat: 'Cia' });
      await expectSeen(page.getByRole('definition').filter({ hasText: sending }));
      await takePicture(page, 'office-draft-sent-elsewhere');
      await audit(page);
      const free = page.getByTestId('office.free');
      const dialog = page.getByRole('alertdialog');
      await free.press('Enter');
      await takePicture(page, 'office-free-draft');
      await audit(page);
      await dialog.getByRole('button', { name: words.office_together_free() }).click();
      await expectSeen(page.getByText(words.reason_claim_moves()));
      await silenceOthers(postgres, anna, 16);
      await show(app, `#/drafts/${id}`);
      await expectSeen(page.getByTestId('draft.elsewhere').getByText(sending));
      await takePicture(page, 'office-draft-locked-by-sending');
      await audit(page);
      await free.press('Enter');
      await dialog.getByRole('button', { name: words.office_together_free() }).press('Enter');
      await expectGone(page.getByTestId('draft.elsewhere'));
      await page.getByTestId('draft.title').fill(`${title} 2`);
      await expect
        .poll(async () => (await anna['drafts.show']({ id })).content.body)
        .toMatchObject({ title: `${title} 2` });
    },
    TIMEOUT_MS,
  );

  it(
    'is left only after a confirmation',
    async () => {
      await show(app, '#/settings/office');
      const acts = page.getByTestId('office.activity').getByRole('listitem');
      await expectSeen(acts.nth(1).getByText(words.office_state_done()));
      await acts.nth(1).scrollIntoViewIfNeeded();
      await takePicture(page, 'office-activity');
      await audit(page);
      await page.getByTestId('office.leave').click();
      await expectSeen(page.getByText(words.office_leave_lead()));
      await takePicture(page, 'office-leave');
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: words.office_leave_confirm() })
        .click();
      await expectSeen(page.getByText(words.office_lead()));
    },
    TIMEOUT_MS,
  );
});
