// tier: all
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectGone, expectSeen } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: FurnishedDesk;
let page: Page;
let folder: string;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
  folder = path.join(app.folder, 'exports');
  mkdirSync(folder);
});
afterAll(() => app.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const madeIn = (beginning: string) =>
  readdirSync(folder).filter((name) => name.startsWith(beginning));

describe('a retention period', () => {
  it('is previewed before it is saved, with the data to be removed and the data that is kept', async () => {
    await show(app, '#/settings/privacy');
    await page.getByTestId('privacy.copies').fill('1');
    await page.getByTestId('privacy.copies').blur();
    await expectSeen(page.getByTestId('privacy.copies.preview').getByText(/\d/));
    expect(await apiOf(app)['privacy.limits']({})).toMatchObject({ copies: null });
    await takePicture(page, 'privacy-limits');
    expect(await page.getByTestId('privacy.apply').getAttribute('title')).toBe(
      words.privacy_unsaved(),
    );
    await page.getByTestId('privacy.save').click();
    await expectSeen(page.getByText(words.privacy_confirm_lead()));
    await takePicture(page, 'privacy-confirm');
    await button(words.privacy_confirm()).click();
    await expectSeen(page.locator('[data-testid="privacy.save"][aria-disabled]'));
    expect(await apiOf(app)['privacy.limits']({})).toMatchObject({ copies: 1, trash: 30 });
  });

  it('is rejected with a reason, and cannot be saved, if it is out of range', async () => {
    await page.getByTestId('privacy.sheets').fill('0');
    await page.getByTestId('privacy.sheets').blur();
    await expectSeen(page.getByTestId('privacy.sheets.preview').getByText(words.privacy_range()));
    expect(await page.getByTestId('privacy.save').getAttribute('title')).toBe(
      words.privacy_range(),
    );
    await page.getByTestId('privacy.sheets').fill('');
    await page.getByTestId('privacy.sheets').blur();
    await expectGone(page.getByTestId('privacy.sheets.preview').getByText(words.privacy_range()));
  });

  it('is applied immediately on request', async () => {
    const api = apiOf(app);
    const [before] = await api['privacy.preview']({ limits: { copies: 1 } });
    await page.getByTestId('privacy.apply').click();
    await expectSeen(page.getByText(words.privacy_applied({ count: String(before?.number ?? 0) })));
    const [after] = await api['privacy.preview']({ limits: { copies: 1 } });
    expect(after?.number).toBe(0);
  });
});

describe('the storage used by the data', () => {
  it('is shown by kind after measuring', async () => {
    await page.getByTestId('privacy.measure').click();
    await expectSeen(page.getByTestId('privacy.room'));
    expect(await page.getByRole('row').count()).toBe(11);
    await takePicture(page, 'privacy-room');
    await audit(page);
  });
});

describe('the export of everything about a person', () => {
  it('is written into a folder, and its path is shown', async () => {
    const [person] = await apiOf(app)['people.search']({ text: '' });
    await show(app, `#/people/${person?.id ?? ''}`);
    await page.getByTestId('people.everything').click();
    await page.getByTestId('people.everything.folder').fill(folder);
    await takePicture(page, 'people-everything');
    await button(words.people_everything_run()).click();
    await expectSeen(page.getByText(folder, { exact: false }));
    const [made = ''] = madeIn('person-');
    const text = readFileSync(path.join(folder, made, 'person.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ format: 'signing-desk-person' });
    expect(existsSync(path.join(folder, made, 'person.html'))).toBe(true);
  });
});

describe('the export of all data in open formats', () => {
  it('is written into a folder, and adds nothing when it is checked and imported into the same data', async () => {
    await show(app, '#/settings/takeout');
    await page.getByTestId('takeout.to').fill(folder);
    await page.getByTestId('takeout.write').click();
    await expectSeen(page.getByText('signing-desk-export-', { exact: false }));
    const [made = ''] = madeIn('signing-desk-export-');
    expect(await page.getByTestId('takeout.import').getAttribute('title')).toBe(
      words.takeout_unchecked(),
    );
    await page.getByTestId('takeout.from').fill(path.join(folder, made));
    await page.getByTestId('takeout.look').click();
    await expectSeen(page.getByTestId('takeout.found'));
    await takePicture(page, 'takeout-found');
    await audit(page);
    expect(await page.getByTestId('takeout.import').getAttribute('title')).toBe(
      words.takeout_nothing_new(),
    );
  });

  it('restores no permanently removed item, and counts those left out (DL-R3)', async () => {
    const api = apiOf(app);
    const { v1: id } = app.drafts;
    await api['drafts.delete']({ id });
    await api['drafts.destroy']({ id });
    await page.getByTestId('takeout.look').click();
    const line = words.takeout_removed({ what: words.screen_drafts(), count: '1' });
    await expectSeen(page.getByText(line));
    expect(await page.getByTestId('takeout.import').getAttribute('title')).toBe(
      words.takeout_nothing_new(),
    );
    await expect(api['drafts.show']({ id })).rejects.toThrow();
  });
});
