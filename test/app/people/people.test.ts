// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { place as inRepository } from '../../../build/places.ts';
import { entryOf } from '../../support/person-entry.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import {
  chooseMore,
  expectGone,
  expectSeen,
  fill,
  goTo,
  moveToRow,
  press,
  questionOf,
  rowOf,
  tryDemo,
} from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await tryDemo(page);
});

afterAll(() => app.close());

const field = (name: string): Locator => page.getByTestId(`people.${name}`);
const pane = (): Locator => page.getByTestId('people.pane');
const found = (text: string) => apiOf(app)['people.search']({ text });

async function openBook(): Promise<void> {
  await goTo(page, 'Control+Digit9', words.screen_people());
}

/** Moves to a person in the list, and waits until the details show that person. */
async function moveToPerson(name: string): Promise<void> {
  await moveToRow(page, name);
  await expectSeen(pane().filter({ hasText: name }));
}

describe('the address book', () => {
  it('adds a person with the keyboard, and hides the stored personal number', async () => {
    await openBook();
    await press(page, field('add'));
    await fill(page, field('first-name'), 'Åsa');
    await fill(page, field('last-name'), 'Öberg');
    await fill(page, field('email'), 'asa at home');
    await fill(page, field('number'), '850709-9805');
    await press(page, field('save'));
    await expectSeen(page.getByText(words.problem_format_email()));
    await fill(page, field('email'), 'asa@example.com');
    await press(page, field('save'));
    await pane().waitFor();
    await expectSeen(rowOf(page, 'Åsa Öberg').filter({ hasText: '19850709••••' }));
    expect(await page.content()).not.toContain('9805');
  });

  it('changes an entry, and undoes the change with one key', async () => {
    await press(page, field('edit'));
    await fill(page, field('last-name'), 'Lind');
    await press(page, field('save'));
    await expectSeen(rowOf(page, 'Åsa Lind'));
    const [person] = await found('lind');
    if (person === undefined) throw new Error('nobody');
    expect(await apiOf(app)['people.take']({ id: person.id })).toMatchObject({
      personNumber: '198507099805',
    });
    await page.keyboard.press('Control+z');
    await expectSeen(rowOf(page, 'Åsa Öberg'));
  });

  it('keeps the text typed in the form of an entry while another entry is viewed', async () => {
    await apiOf(app)['people.save']({
      id: null,
      entry: entryOf({ firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' }),
    });
    await moveToPerson('Åsa Öberg');
    await press(page, field('edit'));
    await fill(page, field('last-name'), 'Typed');
    await moveToPerson('Bo Ek');
    await moveToPerson('Åsa Öberg');
    await press(page, field('edit'));
    expect(await field('last-name').inputValue()).toBe('Typed');
    await press(page, page.getByRole('button', { name: words.common_cancel(), exact: true }));
    await pane().filter({ hasText: 'Åsa Öberg' }).waitFor();
  });

  it('removes an entry with Delete, and restores it with one key', async () => {
    await moveToPerson('Bo Ek');
    await page.keyboard.press('Delete');
    await expectGone(rowOf(page, 'Bo Ek'));
    await page.keyboard.press('Control+z');
    await expectSeen(rowOf(page, 'Bo Ek'));
  });

  it('hides a column while every row in it is blank, also during a search', async () => {
    const heading = (name: string): Locator =>
      page.getByRole('columnheader', { name, exact: true });
    await expectSeen(heading(words.draft_email()));
    await expectGone(heading(words.draft_mobile()));
    const [bo] = await found('ek');
    if (bo === undefined) throw new Error('nobody');
    const name = { firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' };
    const entry = entryOf(Object.assign(name, { mobile: '0702345678' }));
    await apiOf(app)['people.save']({ id: bo.id, entry });
    await expectSeen(heading(words.draft_mobile()));
    await page.getByRole('searchbox').fill('oberg');
    await expectGone(rowOf(page, 'Bo Ek'));
    await expectSeen(heading(words.draft_mobile()));
    await page.getByRole('searchbox').fill('');
  });

  it('searches without accents, also by phone number', async () => {
    await page.getByRole('searchbox').fill('oberg');
    await expectGone(rowOf(page, 'Bo Ek'));
    await expectSeen(rowOf(page, 'Åsa Öberg'));
    await page.getByRole('searchbox').fill('nobody');
    await press(page, page.getByRole('button', { name: words.people_clear() }));
    await expectSeen(rowOf(page, 'Bo Ek'));
  });
});

describe('a vCard file', () => {
  it('is previewed, imported, and undone with one key', async () => {
    await show(app, '#/people/import');
    await page
      .getByTestId('people.import.file')
      .setInputFiles([inRepository('test/fixtures/vcards/nokia.vcf')]);
    await expectSeen(rowOf(page, 'Jürgen Özgür').filter({ hasText: words.people_import_new() }));
    await expectSeen(rowOf(page, words.people_refused_mobile()));
    expect(await found('juergen')).toEqual([]);
    const store = page.getByTestId('people.import.store');
    await press(page, store);
    // The row of the imported file stays visible until the person is stored.
    await expectGone(store);
    await expectSeen(rowOf(page, 'Jürgen Özgür'));
    await page.keyboard.press('Control+z');
    await expectGone(rowOf(page, 'Jürgen Özgür'));
  });
});

describe('two address entries of one party', () => {
  it('are compared side by side, and merged as the user chooses', async () => {
    const double = { firstName: 'Asa', lastName: 'Oberg', mobile: '0701234567' };
    await apiOf(app)['people.save']({ id: null, entry: entryOf(double) });
    await show(app, '#/people/duplicates');
    const pair = page.getByTestId('people.pair');
    await expectSeen(pair.filter({ hasText: words.people_same_email() }));
    const kept = pair.getByRole('region', { name: 'Åsa Öberg' });
    await press(page, kept.getByRole('button', { name: words.people_keep() }));
    await expectSeen(page.getByText(words.people_doubles_none()));
    expect(await found('oberg')).toMatchObject([{ title: 'Åsa Öberg', mobile: '+46701234567' }]);
  });
});

describe('a group', () => {
  it('is resolved to the parties of a draft', async () => {
    const api = apiOf(app);
    const [person] = await found('oberg');
    if (person === undefined) throw new Error('nobody');
    const { id: group } = await api['people.saveGroup']({ name: 'Styrelsen', content: null });
    await openBook();
    await moveToPerson('Åsa Öberg');
    await pane().getByLabel('Styrelsen').check();
    await expectSeen(
      page.getByRole('button', { name: 'Styrelsen', exact: false }).filter({ hasText: '1' }),
    );
    const { people } = await api['people.takeGroup']({ id: group, api: 'v1' });
    expect(people).toMatchObject([{ firstName: 'Åsa' }]);
    const draft = await prepareDraft(app, 'v1', 'Arrende');
    await show(app, `#/drafts/${draft}`);
    await page.getByTestId('draft.add-party-other').click();
    await page.getByRole('menuitem', { name: words.people_group({ name: 'Styrelsen' }) }).click();
    await expectSeen(page.getByTestId('draft.parties.1'));
  });
});

describe('forgetting a person', () => {
  it('lists the data to be erased and the data that is kept, and erases the former', async () => {
    await openBook();
    await moveToPerson('Åsa Öberg');
    await chooseMore(page, page.getByTestId('people.pane-more'), 'people.forget');
    const question = questionOf(page);
    await expectSeen(question.getByLabel('Arrende').first());
    await press(page, question.getByRole('button', { name: words.people_forget_confirm() }));
    await expectGone(rowOf(page, 'Åsa Öberg'));
    expect(await found('oberg')).toEqual([]);
    expect(await apiOf(app)['drafts.list']({})).toEqual([]);
    expect(await apiOf(app)['people.erasures']({})).toMatchObject([{ people: 1, drafts: 1 }]);
  });
});
