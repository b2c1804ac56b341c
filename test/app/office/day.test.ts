// tier: all
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { SharedItemSet } from '../../../shared/contract/office/items.ts';
import { OfficeUserRight } from '../../../shared/contract/office/office.ts';
import type { Api } from '../../../shared/contract/index.ts';
import type { ConnectionId, DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import { sendElsewhere, toSign } from '../../support/send-elsewhere.ts';
import { entryOf } from '../../support/person-entry.ts';
import { type Postgres, postgresPrograms, startPostgres } from '../../support/postgres.ts';
import { HEADER, leaseV1, people } from '../../support/desks/batch-desk.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { expectGone, expectSeen, rowOf, tryDemo } from '../support/steps.ts';
import { reviewCurrent } from '../support/waiting.ts';
import { words } from '../support/words.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';

const TIMEOUT_MS = 300_000;
const OWNER = { role: 'signing_desk_owner', password: 'the owner’s, for this test' };

/** A window of an office user, with a connection to the service that all windows use. */
interface Window {
  readonly app: DeskApp;
  readonly api: Api;
  readonly connectionId: ConnectionId;
}

describe.skipIf(postgresPrograms === null)('a day of an office with three windows', () => {
  let postgres: Postgres;
  let service: Demo;
  let anna: Window;
  let bo: Window;
  let cia: Window;

  async function open(): Promise<Window> {
    const app = await startDeskApp({ seed: 'none' });
    await tryDemo(app.page);
    const api = apiOf(app);
    const real = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
    const order = { ...real, url: service.v1Url, secret: service.credentials.token };
    const { id: connectionId } = await api['connections.add'](order);
    return { app, api, connectionId };
  }

  async function join({ api }: Window, name: string): Promise<void> {
    const order = { owner: OWNER, name, rights: [...OfficeUserRight.options] };
    const { out, phrase } = await anna.api['office.invite'](order);
    const bytes = await anna.app.desk.serveBytes(`/bytes/out/${out}`);
    const invitation = Buffer.from(bytes?.data ?? '').toString('utf8');
    await api['office.join']({ invitation, phrase });
  }

  async function send({ api, connectionId }: Window, id: DraftId): Promise<OutboxRef> {
    // The sender confirms all earlier sends of the same agreement that this computer knows of.
    const { sentBefore } = await api['drafts.check']({ id, connectionId });
    const again = sentBefore.map(({ key }) => key);
    const order = { id, connectionId, holdSeconds: 0, confirm: 1, again };
    const { ref } = await api['drafts.send'](order);
    await api['outbox.run']({});
    return ref;
  }

  /** Adds an agreement that the company signs, and a signing person on two of the computers. */
  async function waitForOffice(title: string): Promise<void> {
    await sendElsewhere(service, toSign(title, await formPdf(title, ['bilaga'])));
    for (const [{ api }, firstName, lastName] of [
      [anna, 'Anna', 'Ek'],
      [bo, 'Bo', 'Lund'],
    ] as const) {
      await api['identities.add']({ name: firstName, firstName, lastName });
      await api['agreements.sync']({});
    }
  }

  const made = (title: string) =>
    service.agreements.v1().filter((one) => one.title === title).length;

  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.run(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
    await postgres.run(`CREATE DATABASE signing_desk OWNER ${OWNER.role}`);
    service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    [anna, bo, cia] = [await open(), await open(), await open()];
    const { host, port } = postgres.address;
    const address = { host, port, database: 'signing_desk', trust: null };
    await anna.api['office.create']({
      address,
      owner: OWNER,
      name: 'Anna Ek',
      goesOnWithout: true,
    });
    await join(bo, 'Bo Lund');
    await join(cia, 'Cia Berg');
    for (const { api } of [anna, bo, cia]) {
      for (const set of SharedItemSet.options) await api['office.share']({ set, isShared: true });
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const { app } of [anna, bo, cia]) await app.close();
    await service.close();
    await postgres.remove();
  });

  it(
    'starts with an address entry and a template from one user, which the others see immediately',
    async () => {
      for (const { app } of [bo, cia]) await show(app, '#/people');
      await anna.api['people.save']({
        id: null,
        entry: entryOf({ firstName: 'Maja', lastName: 'Sjögren', email: 'maja@example.com' }),
      });
      for (const { app } of [bo, cia]) await expectSeen(rowOf(app.page, 'Maja Sjögren'));
      await takePicture(bo.app.page, 'day-people');
      await show(bo.app, '#/templates');
      const pdf = await formPdf('Hyresavtal', ['hyresgäst', 'hyra']);
      const bytes = anna.app.desk.acceptBytes(pdf);
      const name = 'Hyresavtal 2027';
      await anna.api['templates.add']({ name, api: 'v1', fileName: 'Hyresavtal.pdf', bytes });
      await expectSeen(bo.app.page.getByText(name).first());
      await takePicture(bo.app.page, 'day-templates');
    },
    TIMEOUT_MS,
  );

  it(
    'sends a draft that one user handed over only once, although both users press send',
    async () => {
      const title = 'Hyra Ängsvägen 7';
      const draft = await prepareDraft(bo.app, 'v1', title);
      const seats = await bo.api['office.seats']({});
      const seat = seats.find(({ name }) => name === 'Cia Berg')?.id;
      if (seat === undefined) throw new Error('Cia has no seat');
      await show(cia.app, '#/drafts');
      await bo.api['office.handOver']({
        what: { kind: 'draft', id: draft },
        seat,
        note: 'Skicka den i dag',
      });
      const { page } = cia.app;
      const given = page.getByTestId('office.handovers').getByRole('listitem');
      await expectSeen(given.getByText('Skicka den i dag'));
      await given.getByRole('button').click();
      await expectSeen(page.getByTestId('draft.editor'));
      await takePicture(page, 'day-taken');
      const taken = (await cia.api['drafts.list']({})).find((one) => one.title === title);
      if (taken === undefined) throw new Error('Cia has no such draft');
      await send(cia, taken.id);
      expect(made(title)).toBe(1);
      await bo.api['drafts.restore']({ id: draft });
      const ref = await send(bo, draft);
      await show(bo.app, `#/outbox/${ref}`);
      await expectSeen(bo.app.page.getByText(words.reason_claimed_elsewhere()));
      await takePicture(bo.app.page, 'day-held');
      expect(made(title)).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'has one draft that two users edit in turn while the other user watches',
    async () => {
      const title = 'Hyra Klippgatan 3';
      const draft = await prepareDraft(anna.app, 'v1', title);
      await show(anna.app, '#/drafts');
      await rowOf(anna.app.page, title).click();
      await anna.app.page.getByTestId('office.together').click();
      await expectSeen(anna.app.page.getByText(words.office_together_nobody()));
      await takePicture(anna.app.page, 'day-together');
      await show(bo.app, '#/drafts');
      await rowOf(bo.app.page, title).dblclick();
      const [mine, other] = [anna, bo].map(({ app }) => app.page.getByTestId('draft.title'));
      if (mine === undefined || other === undefined) throw new Error('No title');
      await expectSeen(other);
      await show(anna.app, `#/drafts/${draft}`);
      await mine.fill('Hyra Klippgatan 3, med garage');
      const locked = bo.app.page.getByTestId('draft.elsewhere');
      await expectSeen(locked.getByText('Anna Ek', { exact: false }).first());
      await expect.poll(() => other.inputValue()).toBe('Hyra Klippgatan 3, med garage');
      expect(await other.isDisabled()).toBe(true);
      await takePicture(bo.app.page, 'day-together-locked');
      await show(anna.app, '#/drafts');
      await expectGone(locked);
      await other.fill('Hyra Klippgatan 3, utan garage');
      const line = rowOf(anna.app.page, 'Hyra Klippgatan 3, utan garage');
      await expectSeen(line.getByText(words.office_together_badge({ seat: 'Bo Lund' })));
      await takePicture(anna.app.page, 'day-together-list');
      await show(bo.app, '#/drafts');
      await expectSeen(line);
      await send(bo, draft);
      await expectGone(line);
      expect(made('Hyra Klippgatan 3, utan garage')).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'has a batch that another computer continues, with its progress visible to the third',
    async () => {
      const { api, app, connectionId } = anna;
      const pdf = app.desk.acceptBytes(await formPdf('Hyresavtal', ['tenant', 'rent']));
      const made = { name: 'Garage', api: 'v1', fileName: 'Garage.pdf', bytes: pdf } as const;
      const { id: templateId, revision } = await api['templates.add'](made);
      await api['templates.save']({ id: templateId, revision, name: 'Garage', content: leaseV1 });
      const text = `\uFEFF${[HEADER, ...people(40)].join('\r\n')}\r\n`;
      const bytes = app.desk.acceptBytes(Buffer.from(text));
      const about = { name: 'Garage 2027', fileName: 'garage.csv', bytes, choices: {} };
      const { id } = await api['batches.create']({ ...about, connectionId, templateId });
      const { page } = app;
      await show(anna.app, `#/batch/${id}/check`);
      await page.getByTestId('office.handOver').click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel(words.office_hand_over_note()).fill('Skicka dem på måndag');
      await takePicture(page, 'day-batch-give');
      await dialog.getByRole('button', { name: words.office_hand_over_confirm() }).click();
      await expectSeen(page.getByTestId('office.handovers').getByText('Garage 2027'));
      const other = bo.app.page;
      await show(bo.app, '#/batch');
      const given = other.getByTestId('office.handovers').getByRole('listitem');
      await expectSeen(given.getByText('Skicka dem på måndag'));
      await takePicture(other, 'day-batch-given');
      await given.getByRole('button').click();
      // The screen also has a grid of the demo's own batch from the start, so the test waits for
      // the new grid to be visible.
      await expectSeen(other.getByTestId('batch.grid'));
      const batch = (await bo.api['batches.list']({})).find(({ name }) => name === 'Garage 2027');
      if (batch === undefined) throw new Error('Bo has no batch');
      await bo.api['batches.check']({ id: batch.id });
      const { revision: now } = await bo.api['batches.show']({ id: batch.id });
      await bo.api['batches.send']({ id: batch.id, confirm: 40, revision: now, holdSeconds: 0 });
      await bo.api['outbox.run']({});
      await show(cia.app, '#/batch');
      const far = cia.app.page.getByTestId('office.batches');
      await expectSeen(far.getByText(words.batch_progress({ done: 40, total: 40 })));
      await expectSeen(far.getByText('Bo Lund', { exact: false }).first());
      await takePicture(cia.app.page, 'day-batch-far');
      await audit(cia.app.page);
    },
    TIMEOUT_MS,
  );

  it(
    'lets one computer settle the unknown outcome of a send by another computer',
    async () => {
      const title = 'Förråd 12';
      const fault = service.fault({
        method: 'POST',
        path: /\/agreements$/,
        do: { kind: 'reset-during' },
      });
      // The service's list cannot be read: on a slow computer, a sync would otherwise settle the
      // send before the hand-over.
      const unread = service.fault({
        method: 'GET',
        path: /\/agreements\?/,
        times: 999,
        do: { kind: 'status', status: 503, contentType: 'text/html', body: '' },
      });
      const ref = await send(anna, await prepareDraft(anna.app, 'v1', title));
      fault.clear();
      const { page } = anna.app;
      await show(anna.app, `#/outbox/${ref}`);
      await page.getByTestId('office.handOver').click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel(words.office_hand_over_note()).fill('Jag är borta efter lunch');
      await takePicture(page, 'day-question-give');
      await audit(page);
      await dialog.getByRole('button', { name: words.office_hand_over_confirm() }).click();
      await expectGone(dialog);
      await expectSeen(page.getByTestId('office.handovers').getByText(title));
      const other = bo.app.page;
      await show(bo.app, '#/outbox');
      const given = other.getByTestId('office.handovers').getByRole('listitem');
      await expectSeen(given.getByText('Jag är borta efter lunch'));
      await given.getByRole('button').click();
      await expectSeen(other.getByTestId('outbox.decide'));
      await takePicture(other, 'day-question-taken');
      await expectSeen(page.getByText(words.reason_handed_over()));
      await takePicture(page, 'day-question-gone');
      await bo.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
      unread.clear();
    },
    TIMEOUT_MS,
  );

  it(
    'continues while the office is unreachable, and later asks about conflicting edits',
    async () => {
      const title = 'Parkering';
      const [person] = await anna.api['people.search']({ text: 'Maja' });
      if (person === undefined) throw new Error('The entry is gone');
      await postgres.stop('fast');
      const draft = await prepareDraft(anna.app, 'v1', title);
      const ref = await send(anna, draft);
      await show(anna.app, `#/outbox/${ref}`);
      await expectSeen(anna.app.page.getByTestId('outbox.office.without'));
      await takePicture(anna.app.page, 'day-away');
      expect(made(title)).toBe(0);
      const maja = { firstName: 'Maja', lastName: 'Sjögren' };
      await bo.api['people.save']({
        id: person.id,
        entry: entryOf({ ...maja, email: 'maja@work.example' }),
      });
      await cia.api['people.save']({
        id: person.id,
        entry: entryOf({ ...maja, email: 'maja@home.example', mobile: '+46701234567' }),
      });
      await postgres.start();
      await bo.api['office.exchange']({});
      await cia.api['office.exchange']({});
      const asked = [bo, cia].map(async (one) => ({
        one,
        questions: await one.api['office.questions']({}),
      }));
      const all = await Promise.all(asked);
      const [found] = all.filter(({ questions }) => questions.length > 0);
      if (found === undefined) throw new Error('Nobody is asked');
      const { app } = found.one;
      await show(app, '#/settings/office');
      const question = app.page.getByTestId('office.questions').getByRole('listitem');
      const seat = found.one === bo ? 'Cia Berg' : 'Bo Lund';
      await expectSeen(question.getByText(words.office_question_there({ seat })));
      await question.scrollIntoViewIfNeeded();
      await takePicture(app.page, 'day-question');
      await question
        .getByRole('button', { name: `${words.office_question_keep_here()}: Maja Sjögren` })
        .click();
      await expectGone(app.page.getByTestId('office.questions'));
      for (const { api } of [anna, bo, cia]) await api['office.exchange']({});
      const [first, ...others] = await Promise.all(
        [anna, bo, cia].map(({ api }) => api['people.take']({ id: person.id })),
      );
      expect(first).toMatchObject({ mobile: '+46701234567' });
      expect(others).toEqual([first, first]);
      await anna.api['outbox.resume']({ connectionId: anna.connectionId });
      await expect
        .poll(
          async () => {
            await anna.api['outbox.run']({});
            return made(title);
          },
          { timeout: 120_000, interval: 1000 },
        )
        .toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'lets another user read and approve an agreement before it is signed',
    async () => {
      await waitForOffice('Leverans av möbler');
      for (const { api } of [anna, bo]) {
        await expect
          .poll(async () => (await api['signing.list']({})).length, { timeout: 60_000 })
          .toBe(1);
      }
      await anna.api['settings.write']({ fourEyes: true });
      const { page } = anna.app;
      await show(anna.app, '#/signing');
      await rowOf(page, 'Leverans av möbler').click();
      await reviewCurrent(page);
      await page.getByTestId('signing.office.ask').click();
      await expectSeen(page.getByText(words.signing_office_asked()));
      await takePicture(page, 'day-approval-asked');
      const other = bo.app.page;
      await show(bo.app, '#/signing');
      const asked = other.getByTestId('signing.asked').getByRole('listitem');
      await expectSeen(asked.filter({ hasText: 'Leverans av möbler' }));
      await takePicture(other, 'day-approval-waits');
      await asked.getByRole('button', { name: words.signing_office_read() }).click();
      await expectSeen(other.locator('[data-testid="pdf.page"][data-drawn="1"]').first());
      await takePicture(other, 'day-approval-reading');
      await other.getByTestId('signing.reviewed').press('Enter');
      const approve = asked.getByRole('button', { name: words.signing_approve() });
      await expect.poll(() => approve.getAttribute('aria-disabled')).not.toBe('true');
      await takePicture(other, 'day-approval-read');
      await approve.click();
      await expectGone(other.getByTestId('signing.asked'));
      await expectSeen(page.getByText('Bo Lund', { exact: false }).first());
      await takePicture(page, 'day-approval-given');
      const [item] = await anna.api['signing.list']({});
      expect(item?.approval).toMatchObject({ person: 'Bo Lund', seat: 'Bo Lund' });
    },
    TIMEOUT_MS,
  );

  it(
    'ends with a list of the actions of all users',
    async () => {
      await show(anna.app, '#/settings/office');
      const { page } = anna.app;
      const acts = page.getByTestId('office.activity').getByRole('listitem');
      await expectSeen(acts.filter({ hasText: 'Cia Berg' }).first());
      await expectSeen(acts.filter({ hasText: 'Anna Ek' }).first());
      await acts.first().scrollIntoViewIfNeeded();
      await takePicture(page, 'day-activity');
      await page.getByTestId('office.sharing').scrollIntoViewIfNeeded();
      await takePicture(page, 'day-sharing');
    },
    TIMEOUT_MS,
  );

  it(
    'reports a restored database with the computers it waits for, and continues on request (DL-A10)',
    async () => {
      await postgres.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'signing_desk'",
      );
      await postgres.run('CREATE DATABASE kept TEMPLATE signing_desk');
      const entry = entryOf({ firstName: 'Olle', lastName: 'Ek', email: 'olle@example.com' });
      for (const { api } of [anna, cia]) {
        await api['people.save']({ id: null, entry });
        await api['office.exchange']({});
      }
      await bo.api['office.exchange']({});
      await cia.app.close();
      await postgres.run('DROP DATABASE signing_desk WITH (FORCE)');
      await postgres.run(`CREATE DATABASE signing_desk TEMPLATE kept OWNER ${OWNER.role}`);
      await bo.api['office.exchange']({});
      await anna.api['office.exchange']({});

      const { page } = bo.app;
      await show(bo.app, '#/agreements');
      await show(bo.app, '#/settings/office');
      const notice = page.getByTestId('office.put-back');
      // A computer visits the office every minute, and only then sees that it is older.
      const awaited = notice.getByRole('listitem').filter({ hasText: 'Cia Berg' });
      await awaited.waitFor({ timeout: 90_000 });
      await notice.scrollIntoViewIfNeeded();
      await takePicture(page, 'day-put-back');
      await audit(page);
      await page.getByTestId('office.put-back.excuse').press('Enter');
      await expectSeen(page.getByText(words.office_put_back_risk()));
      await takePicture(page, 'day-put-back-excuse');
      await audit(page);
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: words.office_put_back_confirm() })
        .press('Enter');
      await expectSeen(notice.getByText(words.office_put_back_done()));
      await takePicture(page, 'day-put-back-done');
    },
    TIMEOUT_MS,
  );
});
