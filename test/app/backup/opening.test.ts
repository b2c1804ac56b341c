// tier: all
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BackupPlan } from '../../../shared/contract/backup.ts';
import { findLeaks } from '../../support/leak-scan.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { chooseForBackups } from '../support/rules.ts';
import { expectFocus, expectGone, expectSeen, fill, press, tabTo } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const HALF = 0.5;
const TIMEOUT_MS = MINUTE;

let app: FurnishedDesk;
let folder: string;
let phrase: string;
let key: string;
/** The backup under test. */
let file: string;

beforeAll(async () => {
  app = await furnish();
  folder = path.join(app.folder, 'backups');
  mkdirSync(folder);
  const identity = await generateX25519Identity();
  key = path.join(app.folder, 'administrator.txt');
  writeFileSync(key, `# made by age-keygen\n${identity}\n`);
  const api = apiOf(app);
  ({ phrase } = await api['backup.newPhrase']({}));
  const plan: BackupPlan = {
    folder,
    when: { kind: 'by-hand' },
    keep: 5,
    isOn: true,
    withCredentials: false,
    administrator: await identityToRecipient(identity),
  };
  await api['backup.setUp']({ ...plan, phrase });
  await api['backup.run']({});
  const made = async () => (await api['backup.read']({})).good?.file;
  file = (await vi.waitUntil(made, { timeout: TIMEOUT_MS })) ?? '';
});
afterAll(() => app.close());

const at = (page: Page, id: string) => page.getByTestId(id);
const step = (page: Page, name: string) => at(page, `backup.open.${name}`);

/** Opens the dialog for a backup from the settings, with the keyboard only. */
async function begin({ page }: DeskApp): Promise<void> {
  await show(app, '#/settings/backups');
  await tabTo(page, at(page, 'backup.more'));
  await chooseForBackups(page, 'open');
  await step(page, 'choose').waitFor();
}

async function chooseNewest(page: Page, from = folder): Promise<void> {
  await fill(page, at(page, 'backup.open.folder'), from);
  await page.getByRole('radio', { name: path.basename(file) }).waitFor();
}

async function openIt(page: Page): Promise<void> {
  await fill(page, at(page, 'backup.open.words'), phrase);
  await press(page, at(page, 'backup.open.go'));
  await step(page, 'inside').waitFor();
}

describe('opening a backup', () => {
  it('starts from the palette, and names the missing input in each step', async () => {
    const { page } = app;
    await show(app, '#/agreements');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words.backup_open());
    await page.keyboard.press('Enter');
    await step(page, 'choose').waitFor();
    // The dialog first shows the folder of this computer's own backups.
    expect(await at(page, 'backup.open.folder').inputValue()).toBe(folder);
    const go = at(page, 'backup.open.go');
    expect(await go.getAttribute('title')).toBe(words.backup_why_no_words());
    await fill(page, at(page, 'backup.open.folder'), app.folder);
    await expectSeen(page.getByText(words.backup_open_none()));
    expect(await go.getAttribute('title')).toBe(words.backup_why_no_file());
    await fill(page, at(page, 'backup.open.folder'), path.join(folder, 'nowhere'));
    await expectSeen(page.getByText(words.reason_folder_missing()));
    await chooseNewest(page);
    await takePicture(page, 'backup-open-choose');
    await page.keyboard.press('Escape');
    await expectGone(step(page, 'choose'));
  });

  it.each<[string, () => string, () => string]>([
    ['a word is wrong', () => `${phrase} zebra`, () => words.reason_phrase_wrong()],
    [
      'the words are those of another',
      () => 'legal winner thank year wave sausage worth useful legal winner thank yellow',
      () => words.reason_phrase_other(),
    ],
  ])(
    'needs the words of the backup: reports if %s, and keeps the typed words',
    async (_, typed, why) => {
      const { page } = app;
      await begin(app);
      await chooseNewest(page);
      await fill(page, at(page, 'backup.open.words'), typed());
      await press(page, at(page, 'backup.open.go'));
      await expectSeen(page.getByText(why()));
      expect(await at(page, 'backup.open.words').inputValue()).toBe(typed());
      await page.keyboard.press('Escape');
    },
  );

  it.each<[string, (content: Buffer) => Buffer, () => string]>([
    [
      'cut off',
      (content) => content.subarray(0, Math.floor(content.length * HALF)),
      () => words.reason_backup_damaged(),
    ],
    [
      'of another bit',
      (content) => {
        const place = content.length - 20_000;
        content.writeUInt8(content.readUInt8(place) ^ 1, place);
        return content;
      },
      () => words.reason_backup_damaged(),
    ],
    [
      'of a newer version',
      (content) =>
        Buffer.from(content.toString('latin1').replace('"version":1', '"version":9'), 'latin1'),
      () => words.failure_newer_data(),
    ],
    ['no backup', () => Buffer.from('notes'), () => words.reason_not_a_backup()],
  ])('explains that the file is %s', async (name, change, why) => {
    const { page } = app;
    const odd = path.join(app.folder, name);
    mkdirSync(odd);
    writeFileSync(path.join(odd, path.basename(file)), change(readFileSync(file)));
    await begin(app);
    await chooseNewest(page, odd);
    await fill(page, at(page, 'backup.open.words'), phrase);
    await press(page, at(page, 'backup.open.go'));
    await expectSeen(page.getByText(why()));
    await audit(page);
    await page.keyboard.press('Escape');
  });

  it('accepts the administrator’s key file and no other', async () => {
    const { page } = app;
    const other = path.join(app.folder, 'other.txt');
    writeFileSync(other, `${await generateX25519Identity()}\n`);
    await begin(app);
    await chooseNewest(page);
    await page.getByRole('radio', { name: words.backup_open_by_key() }).check();
    const go = at(page, 'backup.open.go');
    expect(await go.getAttribute('title')).toBe(words.backup_why_no_key());
    const picked = at(page, 'backup.open.key');
    await picked.setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('x'),
    });
    await expectSeen(page.getByText(words.reason_key_wrong()));
    await picked.setInputFiles(other);
    await page.getByText('other.txt').waitFor();
    await press(page, go);
    await expectSeen(page.getByText(words.reason_key_wrong()));
    await picked.setInputFiles(key);
    await page.getByText('administrator.txt').waitFor();
    await press(page, go);
    await expectSeen(step(page, 'inside'));
    await page.keyboard.press('Escape');
    await expectGone(step(page, 'inside'));
  });

  it('can be stopped, after which no backup is open', async () => {
    const { page } = app;
    await begin(app);
    await chooseNewest(page);
    // The stop button is pressed as soon as it is rendered: a backup this small is open before a
    // user could see the button.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const stop = document.querySelector<HTMLElement>('[data-testid="backup.open.stop"]');
        if (stop === null) return;
        observer.disconnect();
        stop.click();
      }).observe(document.body, { childList: true, subtree: true });
    });
    await fill(page, at(page, 'backup.open.words'), phrase);
    await press(page, at(page, 'backup.open.go'));
    await expectSeen(at(page, 'backup.open.go'));
    await expectSeen(step(page, 'choose'));
    expect(await page.getByTestId('failure').count()).toBe(0);
    await page.keyboard.press('Escape');
  });
});

describe('an open backup', () => {
  it('lists its contents, and its page no longer contains the words', async () => {
    const { page } = app;
    await begin(app);
    await chooseNewest(page);
    await openIt(page);
    await expectFocus(page.getByRole('heading', { level: 3 }).first());
    const facts = step(page, 'inside').locator('dl');
    expect(await facts.innerText()).toContain(words.backup_fact_credentials_out());
    const connections = await apiOf(app)['connections.list']({});
    const { url = '', name = '' } =
      connections.find(({ environment }) => environment !== 'demo') ?? {};
    const reaches = await at(page, 'backup.reaches').innerText();
    expect(reaches).toContain(words.backup_reach_connection({ name, where: url }));
    const listed = at(page, 'backup.open.drafts').getByRole('listitem');
    expect(await listed.allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Arrende av åkermark')]),
    );
    const html = await page.content();
    expect(html.includes(phrase)).toBe(false);
    expect(page.url()).not.toContain(phrase.split(' ')[0]);
    await takePicture(page, 'backup-open-inside');
    await audit(page);
  });

  it('saves a PDF and the evidence, and never overwrites a file', async () => {
    const { page } = app;
    const draft = at(page, 'backup.open.drafts')
      .getByRole('listitem')
      .filter({ hasText: 'Arrende' });
    const documents = path.join(app.folder, 'documents');
    for (const name of ['Hyresavtal.pdf', 'Hyresavtal (2).pdf']) {
      await press(page, draft.getByRole('button'));
      await expectSeen(
        page.getByText(words.file_saved_as({ file: path.join(documents, name) })).first(),
      );
    }
    const [first, second] = ['Hyresavtal.pdf', 'Hyresavtal (2).pdf'].map((name) =>
      readFileSync(path.join(documents, name)),
    );
    expect(first?.subarray(0, 5).toString()).toBe('%PDF-');
    expect(second).toEqual(first);
    await press(page, at(page, 'backup.open.evidence'));
    await expect
      .poll(() => readdirSync(documents).filter((name) => name.endsWith('.json')))
      .toHaveLength(1);
    const [name = ''] = readdirSync(documents).filter((one) => one.endsWith('.json'));
    const { format } = JSON.parse(readFileSync(path.join(documents, name), 'utf8')) as {
      format: string;
    };
    expect(format).toBe('signing-desk-evidence');
    await press(page, at(page, 'backup.open.evidence'));
    const again = path.join(documents, name.replace('.json', ' (2).json'));
    await expectSeen(page.getByText(words.file_saved_as({ file: again })).first());
  });

  it('is restored into another folder, but never over the data in use', async () => {
    const { page } = app;
    await press(page, at(page, 'backup.open.restore'));
    await expectSeen(page.getByText(words.backup_here_has_data()));
    expect(await at(page, 'backup.restore.here').isDisabled()).toBe(true);
    const go = at(page, 'backup.restore.go');
    expect(await go.getAttribute('title')).toBe(words.archive_why_no_folder());
    await takePicture(page, 'backup-open-target');
    await audit(page);
    const taken = app.dataDir;
    await fill(page, at(page, 'backup.restore.folder'), taken);
    await press(page, go);
    await expectSeen(page.getByText(words.reason_folder_has_data()));
    const into = path.join(app.folder, 'restored');
    await fill(page, at(page, 'backup.restore.folder'), into);
    await press(page, go);
    await step(page, 'done').waitFor();
    await expectSeen(page.getByText(`--data "${into}"`));
    const said = await step(page, 'done').locator('dl').innerText();
    expect(said.split('\n').map((line) => line.trim())).toEqual([
      words.backup_done_sends(),
      '1',
      words.backup_done_rules(),
      '1',
      words.backup_done_evidence(),
      '0',
    ]);
    // The counts have no links: these would lead to this computer's data, not to the restored data.
    expect(await step(page, 'done').getByRole('link').count()).toBe(0);
    await takePicture(page, 'backup-open-done-elsewhere');
    await audit(page);
    await page.keyboard.press('Escape');
    await expectGone(step(page, 'done'));
    expect(app.complaints).toEqual([]);
  });

  it('wrote its words to no file and no log', () => {
    const kept = [app.dataDir, `${app.dataDir}.state`, path.join(app.folder, 'documents')];
    expect(findLeaks(kept, [phrase, readFileSync(key, 'utf8').split('\n')[1] ?? ''])).toEqual([]);
  });
});

describe('an unused installation', () => {
  it('offers a restore, and continues with its data once the addresses are confirmed (SR-H2)', async () => {
    const fresh = await startDeskApp({ demo: app.demo });
    const { page } = fresh;
    try {
      const documents = path.join(fresh.folder, 'documents');
      mkdirSync(documents);
      copyFileSync(file, path.join(documents, path.basename(file)));
      await press(page, at(page, 'choice.restore'));
      await step(page, 'choose').waitFor();
      expect(await at(page, 'backup.open.folder').inputValue()).toBe(documents);
      await takePicture(page, 'backup-open-first');
      await audit(page);
      await openIt(page);
      await press(page, at(page, 'backup.open.restore'));
      await expectSeen(page.getByText(words.backup_here_yes()));
      expect(await at(page, 'backup.restore.here').isChecked()).toBe(true);
      await press(page, at(page, 'backup.restore.go'));
      await step(page, 'done').waitFor();
      const next = at(page, 'backup.done.next');
      const links = [
        words.settings_connections(),
        words.screen_outbox(),
        words.screen_automation(),
      ];
      expect(await next.getByRole('link').allInnerTexts()).toEqual([
        ...links,
        words.backup_title(),
        words.evidence_title(),
      ]);
      await takePicture(page, 'backup-open-done');
      await audit(page);
      await press(page, next.getByRole('link', { name: words.screen_outbox() }));
      await expectGone(step(page, 'done'));
      await expectSeen(page.getByTestId('outbox.grid'));
      await expectSeen(page.getByText('Svaret som uteblev').first());
      const api = apiOf(fresh);
      expect((await api['access.read']({})).open).toBe(true);
      expect((await api['connections.list']({})).map(({ name }) => name)).toContain('Kontoret');
      expect(await api['backup.room']({})).toMatchObject({ takes: 'has-data' });
      const bar = at(page, 'backup.unconfirmed');
      await expectSeen(bar.first());
      await takePicture(page, 'backup-unconfirmed');
      await audit(page);
      const waiting = await api['backup.unconfirmed']({});
      expect(await bar.count()).toBe(waiting.length);
      for (const { where } of waiting) {
        const one = bar.filter({ hasText: where }).first();
        await press(page, one.getByRole('button', { name: words.backup_reach_confirm() }));
        await expect
          .poll(async () => (await api['backup.unconfirmed']({})).length)
          .toBeLessThan(waiting.length);
      }
      await expectGone(bar.first());
      expect(fresh.complaints).toEqual([]);
    } finally {
      await fresh.close();
    }
  });
});
